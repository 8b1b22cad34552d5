//! A map of several levels.

use alloc::vec::Vec;

use super::atlas::Atlas;
use super::check::{check_decks, check_heights, check_links};
use super::deck::Deck;
use super::error::LevelError;
use super::link::Link;
use crate::base::LocomotorId;
use crate::cost::{Map, ValidMap};

/// The most decks of a map: 1024.
pub const MAX_DECKS: usize = 1024;

/// The most links of a map, without the ends of decks: 4096.
pub const MAX_LINKS: usize = 4096;

/// How high the units of a locomotor are. World data.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct UnitHeight {
    /// The locomotor.
    pub locomotor: LocomotorId,
    /// The height in elevation units. Units enter cells with at least that much room below the next level. At height 0 no level bars them.
    pub height: u16,
}

/// World data: a map with decks and links. Plain data; [`LevelMap::validate`] checks it once.
///
/// ```
/// use waymarch::base::{Dir8, GridSize, LevelId, cell};
/// use waymarch::config::Config;
/// use waymarch::cost::{Map, Rules, TerrainId};
/// use waymarch::levels::{Deck, LevelMap};
/// use waymarch::nav::LevelNavigator;
///
/// // A river that only boats cross, and a bridge over it.
/// let mut base = Map::flat("crossing", GridSize::new(40, 20)?, Rules::standard());
/// let water = base.rules.terrains.iter().position(|terrain| terrain.name == "Water").ok_or("no water")?;
/// for y in 0..20 {
///     (15..25).for_each(|x| base.set_terrain(cell(x, y), TerrainId(water as u8)));
/// }
/// let bridge = Deck::new("bridge", cell(15, 8), GridSize::new(10, 3)?, 512, TerrainId(0)).joined(&[Dir8::W, Dir8::E]);
/// let map = LevelMap { decks: vec![bridge], ..LevelMap::new(base) };
/// let mut nav = LevelNavigator::new(map, Config::default())?;
/// let (foot, boat) = (nav.locomotor("foot").unwrap(), nav.locomotor("float").unwrap());
///
/// let (west, east) = (cell(5, 9).on(LevelId::BASE), cell(35, 9).on(LevelId::BASE));
/// let over = nav.path(west, east, foot)?;
/// assert_eq!(over.cost.0, 30 * 1024, "as if the bridge were paint");
/// assert_eq!(over.crossings.len(), 2, "onto the bridge, and off it");
///
/// let (north, south) = (cell(20, 1).on(LevelId::BASE), cell(20, 18).on(LevelId::BASE));
/// assert_eq!(nav.path(north, south, boat)?.cost.0, 17 * 1024, "under the bridge");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LevelMap {
    /// The base level, with the rules of all levels.
    pub base: Map,
    /// The decks. The first is level 1.
    pub decks: Vec<Deck>,
    /// The links. The ends of decks need none.
    pub links: Vec<Link>,
    /// The heights of units; 0 for a locomotor that is not listed.
    pub heights: Vec<UnitHeight>,
}

impl LevelMap {
    /// A map without decks and links.
    #[must_use]
    pub fn new(base: Map) -> Self {
        Self { base, decks: Vec::new(), links: Vec::new(), heights: Vec::new() }
    }

    /// Whether the map has neither decks nor links.
    #[must_use]
    pub fn is_flat(&self) -> bool {
        self.decks.is_empty() && self.links.is_empty()
    }

    /// Checks the base, all decks and all links.
    ///
    /// # Errors
    /// [`LevelError`] naming the deck, link or cell.
    pub fn validate(self) -> Result<ValidLevelMap, LevelError> {
        let base = self.base.clone().validate()?;
        check_decks(&self)?;
        check_heights(&self)?;
        let atlas = Atlas::new(self.base.size, &self.decks)?;
        let joined = atlas.join(&self).validate()?;
        let valid = ValidLevelMap { map: self, base, atlas, joined };
        check_links(&valid)?;
        Ok(valid)
    }
}

/// A map of levels that passed [`LevelMap::validate`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ValidLevelMap {
    pub(super) map: LevelMap,
    pub(super) base: ValidMap,
    pub(super) atlas: Atlas,
    pub(super) joined: ValidMap,
}

impl ValidLevelMap {
    /// The map as described.
    #[must_use]
    pub fn map(&self) -> &LevelMap {
        &self.map
    }

    /// Gives back the plain map, to be changed and validated again.
    #[must_use]
    pub fn into_inner(self) -> LevelMap {
        self.map
    }

    /// The checked base level.
    #[must_use]
    pub fn base(&self) -> &ValidMap {
        &self.base
    }

    /// Where the levels lie in one grid.
    #[must_use]
    pub fn atlas(&self) -> &Atlas {
        &self.atlas
    }

    /// All levels as one map, laid out as the atlas says.
    pub(crate) fn joined(&self) -> &ValidMap {
        &self.joined
    }
}
