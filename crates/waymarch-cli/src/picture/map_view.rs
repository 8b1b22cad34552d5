//! What a picture is drawn from.

use waymarch::base::{CellPos, GridSize};
use waymarch::cost::{Map, PlacedStamp, Rules, TerrainId, ValidMap};

/// The layers of a map, borrowed, so that the map of a running game can be drawn without a copy.
#[derive(Clone, Copy, Debug)]
pub struct MapView<'a> {
    /// The size of the map in cells.
    pub size: GridSize,
    /// The rules with the terrains.
    pub rules: &'a Rules,
    /// One terrain per cell, row by row.
    pub terrain: &'a [TerrainId],
    /// One height per cell, or empty for flat maps.
    pub elevation: &'a [i16],
    /// The stamps on the map.
    pub stamps: &'a [PlacedStamp],
    /// The player starts, player 1 first.
    pub starts: &'a [CellPos],
}

impl<'a> From<&'a Map> for MapView<'a> {
    fn from(map: &'a Map) -> Self {
        Self {
            size: map.size,
            rules: &map.rules,
            terrain: &map.terrain,
            elevation: &map.elevation,
            stamps: &map.stamps,
            starts: &map.starts,
        }
    }
}

impl<'a> From<&'a ValidMap> for MapView<'a> {
    fn from(map: &'a ValidMap) -> Self {
        map.map().into()
    }
}
