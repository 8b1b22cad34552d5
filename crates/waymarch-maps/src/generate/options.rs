//! Options of the map generator.

/// The large-scale shape of the land.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Landform {
    /// Sea along one side or corner, hills inland.
    #[default]
    Coast,
    /// Islands joined by long bridges.
    Islands,
    /// A mountain ridge across the middle, crossed by a few passes.
    Pass,
    /// Land to every edge; the river runs from edge to edge.
    Inland,
}

/// What a generated map consists of. Percentages above 100 count as 100; every combination is legal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GenerateOptions {
    /// The large-scale shape of the land.
    pub landform: Landform,
    /// Share of the map that is sea, 0..=70 per cent (more counts as 70).
    pub sea: u8,
    /// Share of the map that is plateaus and peaks, 0..=60 per cent (more counts as 60).
    pub hills: u8,
    /// Share of the open land that is forest, 0..=100 per cent.
    pub forest: u8,
    /// Number of rivers, 0..=16; `None` chooses by size. Maps with a side under 40 cells have none.
    pub rivers: Option<u8>,
    /// Number of villages, 0..=64; `None` chooses by size.
    pub villages: Option<u8>,
    /// Number of player starts, 1..=8; `None` chooses 2 to 8 by size.
    pub players: Option<u8>,
}

impl Default for GenerateOptions {
    fn default() -> Self {
        Self::for_landform(Landform::Coast)
    }
}

impl GenerateOptions {
    /// Typical values for a landform.
    #[must_use]
    pub fn for_landform(landform: Landform) -> Self {
        let (sea, hills, forest) = match landform {
            Landform::Coast => (20, 26, 26),
            Landform::Islands => (64, 7, 32),
            Landform::Pass => (0, 34, 24),
            Landform::Inland => (3, 24, 30),
        };
        Self { landform, sea, hills, forest, rivers: None, villages: None, players: None }
    }
}
