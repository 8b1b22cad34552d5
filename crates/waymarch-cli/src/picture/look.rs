//! How a terrain is drawn: chosen by its name, else by its colour, surface and passability.

use waymarch::cost::{IMPASSABLE, Rules, Surface, TerrainId, TerrainModifier};

use super::colour::Colour;

/// The appearance of a cell.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[repr(u8)]
pub enum Look {
    /// Grass.
    #[default]
    Grass,
    /// Stony ground.
    Rough,
    /// Forest floor under trees.
    Forest,
    /// Sand.
    Sand,
    /// Bare earth.
    Dirt,
    /// Wet, dark green ground with pools.
    Swamp,
    /// Snow and ice.
    Snow,
    /// Golden lumps.
    Ore,
    /// Blue crystals.
    Gems,
    /// Debris.
    Rubble,
    /// A floor of stone slabs or metal.
    Floor,
    /// The terrain's own colour.
    Plain,
    /// Deep water.
    Water,
    /// Shallow running water.
    River,
    /// A road.
    Road,
    /// Planks over water.
    Bridge,
    /// A rock face.
    Cliff,
    /// Boulders.
    Rock,
    /// Masonry.
    Wall,
    /// Off the playable map.
    Void,
}

/// There are 20 looks.
pub(super) const LOOKS: usize = 20;

impl Look {
    /// The look of a terrain, and its colour if the look is [`Look::Plain`].
    #[must_use]
    pub fn of(rules: &Rules, terrain: TerrainId) -> (Self, Option<Colour>) {
        let Some(def) = rules.terrains.get(terrain.index()) else { return (Self::Void, None) };
        let name = def.name.to_lowercase();
        if let Some(look) = Self::named(&name) {
            return (look, None);
        }
        if let Some(colour) = def.colour {
            return (Self::Plain, Some(Colour(colour)));
        }
        let row = rules.costs.get(terrain.index());
        let closed = def.modifier == TerrainModifier::Impassable
            || row.is_some_and(|row| !row.is_empty() && row.iter().all(|&c| c == Some(IMPASSABLE)));
        let look = match def.surface {
            Surface::Water => Self::Water,
            Surface::Cliff => Self::Cliff,
            Surface::Air => Self::Void,
            Surface::Rubble => Self::Rubble,
            Surface::Ground if closed => Self::Rock,
            Surface::Ground => Self::Grass,
        };
        (look, None)
    }

    /// The first look of the list whose word occurs in a lower-case name.
    fn named(name: &str) -> Option<Self> {
        const WORDS: &[(&str, Look)] = &[
            ("outofbounds", Look::Void),
            ("out of bounds", Look::Void),
            ("out-of-bounds", Look::Void),
            ("void", Look::Void),
            ("chasm", Look::Void),
            ("bridge", Look::Bridge),
            ("forest", Look::Forest),
            ("tree", Look::Forest),
            ("wood", Look::Forest),
            ("jungle", Look::Forest),
            ("swamp", Look::Swamp),
            ("marsh", Look::Swamp),
            ("bog", Look::Swamp),
            ("river", Look::River),
            ("shallow", Look::River),
            ("ford", Look::River),
            ("water", Look::Water),
            ("sea", Look::Water),
            ("ocean", Look::Water),
            ("lake", Look::Water),
            ("cliff", Look::Cliff),
            ("rubble", Look::Rubble),
            ("ruin", Look::Rubble),
            ("wall", Look::Wall),
            ("building", Look::Wall),
            ("gem", Look::Gems),
            ("crystal", Look::Gems),
            ("tiberium", Look::Ore),
            ("ore", Look::Ore),
            ("rough", Look::Rough),
            ("hill", Look::Rough),
            ("rock", Look::Rock),
            ("mountain", Look::Rock),
            ("beach", Look::Sand),
            ("sand", Look::Sand),
            ("desert", Look::Sand),
            ("dirt", Look::Dirt),
            ("mud", Look::Dirt),
            ("snow", Look::Snow),
            ("ice", Look::Snow),
            ("road", Look::Road),
            ("path", Look::Road),
            ("concrete", Look::Floor),
            ("floor", Look::Floor),
            ("metal", Look::Floor),
            ("clear", Look::Grass),
            ("grass", Look::Grass),
            ("plain", Look::Grass),
            ("ground", Look::Grass),
        ];
        WORDS.iter().find(|(word, _)| name.contains(word)).map(|&(_, look)| look)
    }

    pub(super) const fn is_water(self) -> bool {
        matches!(self, Self::Water | Self::River)
    }
}
