//! What kind of map to make.

/// The lie of the land.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Landform {
    /// The sea along one side or corner, hills inland.
    #[default]
    Coast,
    /// Islands joined by long bridges.
    Islands,
    /// A mountain ridge across the middle, crossed by a few passes.
    Pass,
    /// Land to every edge; the river runs from edge to edge.
    Inland,
}

/// What a generated map is made of; percentages above 100 count as 100, and every combination is legal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GenerateOptions {
    /// The lie of the land.
    pub landform: Landform,
    /// How much of the map is sea, 0..=70 percent (more counts as 70).
    pub sea: u8,
    /// How much of the map is plateaus and peaks, 0..=60 percent (more counts as 60).
    pub hills: u8,
    /// How much of the open land is forest, 0..=100 percent.
    pub forest: u8,
    /// How many rivers, 0..=16; `None` chooses by size. Maps under 40 cells a side have none.
    pub rivers: Option<u8>,
    /// How many villages, 0..=64; `None` chooses by size.
    pub villages: Option<u8>,
    /// How many players start on it, 1..=8; `None` chooses 2 to 8 by size.
    pub players: Option<u8>,
}

impl Default for GenerateOptions {
    fn default() -> Self {
        Self::for_landform(Landform::Coast)
    }
}

impl GenerateOptions {
    /// The usual mixture for a landform.
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
