//! Grey images: brightness is cost.
//!
//! White (255) is ordinary ground with cost 1. Each darker shade costs 1 more. Black (0) is closed:
//! `cost = 256 − grey`. Shade 1 costs 254 too, the highest cost.

use waymarch::base::LocomotorId;
use waymarch::cost::{
    IMPASSABLE, LocomotorDef, MAX_CELL_COST, Map, MapError, Rules, Surface, SurfaceMask, TerrainDef,
    TerrainId, TerrainModifier,
};

use super::decode::Pixels;

fn cost_of(grey: u8) -> u8 {
    match grey {
        0 => IMPASSABLE,
        1 => MAX_CELL_COST,
        shade => (256 - u16::from(shade)) as u8,
    }
}

fn grey_of(cost: u8) -> u8 {
    match cost {
        IMPASSABLE => 0,
        cost => (256 - u16::from(cost.max(1))) as u8,
    }
}

/// A map with one terrain for each cost that occurs, cheapest first, and one locomotor `foot`.
pub(super) fn map_of(name: &str, pixels: &Pixels) -> Map {
    let cost_at: Vec<u8> = pixels.colours().map(|[grey, ..]| cost_of(grey)).collect();
    let mut found = [false; 256];
    for &cost in &cost_at {
        found[usize::from(cost)] = true;
    }
    let costs: Vec<u8> = (1..=255).filter(|&cost| found[usize::from(cost)]).collect();
    let mut number = [TerrainId(0); 256];
    for (at, &cost) in costs.iter().enumerate() {
        number[usize::from(cost)] = TerrainId(at as u8);
    }
    let rules = Rules {
        normal: 1,
        terrains: costs.iter().map(|&cost| terrain(cost)).collect(),
        locomotors: vec![LocomotorDef::new("foot", SurfaceMask::GROUND)],
        costs: costs.iter().map(|&cost| vec![Some(cost)]).collect(),
        speeds: Vec::new(),
    };
    let mut map = Map::flat(name, pixels.size, rules);
    for (cell, cost) in map.terrain.iter_mut().zip(cost_at) {
        *cell = number[usize::from(cost)];
    }
    map
}

fn terrain(cost: u8) -> TerrainDef {
    let mut def = match cost {
        IMPASSABLE => TerrainDef::new("Wall", Surface::Ground).modified(TerrainModifier::Impassable),
        cost => TerrainDef::new(format!("Cost {cost}"), Surface::Ground),
    };
    def.colour = Some([grey_of(cost); 3]);
    def
}

/// The grey value of every cell for one locomotor. Reading such an image gives the same costs.
pub(super) fn greys_of(map: &Map, locomotor: LocomotorId) -> Result<Vec<u8>, MapError> {
    let rules = map.rules.validate()?;
    Ok(map.terrain.iter().map(|&terrain| grey_of(rules.cost(terrain, locomotor))).collect())
}
