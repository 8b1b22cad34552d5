//! Which locomotors are barred from a cell: all between levels and on destroyed decks, flyers on decks, and units that are too high.

use alloc::vec;
use alloc::vec::Vec;

use super::atlas::Atlas;
use super::deck::DeckState;
use super::map::LevelMap;
use crate::base::{CellPos, LevelId, LocomotorId};
use crate::cost::ValidRules;

/// All locomotors: 32 bits, one for each that there may be.
const ALL: u32 = u32::MAX;

/// Derived: what decides the bars of cells.
#[derive(Clone, Debug)]
pub(crate) struct Bars {
    /// A bit for each locomotor that flies.
    flyers: u32,
    /// The height of each locomotor; 0 for flyers.
    heights: Vec<u16>,
}

impl Bars {
    pub(crate) fn new(map: &LevelMap, rules: &ValidRules) -> Self {
        let flies = |id: &LocomotorId| rules.locomotor_def(*id).is_some_and(|def| def.surfaces.is_airborne());
        let count = rules.rules().locomotors.len() as u8;
        let height = |id: LocomotorId| {
            let given = map.heights.iter().find(|given| given.locomotor == id).filter(|_| !flies(&id));
            given.map_or(0, |given| given.height)
        };
        Self {
            flyers: (0..count).map(LocomotorId).filter(flies).fold(0, |bits, id| bits | 1 << id.0),
            heights: (0..count).map(LocomotorId).map(height).collect(),
        }
    }

    /// The bars of all cells of the atlas, row by row; nothing for a map without decks. Only cells of decks and under them are looked at.
    pub(crate) fn of_all(&self, map: &LevelMap, atlas: &Atlas, decks: &[DeckState]) -> Vec<u32> {
        if map.decks.is_empty() {
            return Vec::new();
        }
        let mut bars = vec![ALL; atlas.size().cells()];
        let mut set = |at: CellPos, value: u32| {
            if let Some(id) = atlas.size().id(at) {
                bars[id.index()] = value;
            }
        };
        map.base.size.rect().cells().for_each(|at| set(at, 0));
        for (level, deck) in (0..).map(LevelId::of_deck).zip(&map.decks) {
            for at in deck.area().cells() {
                for cell in [atlas.cell(at.on(level)), Some(at)].into_iter().flatten() {
                    set(cell, self.at(map, atlas, decks, cell));
                }
            }
        }
        bars
    }

    /// A bit for each locomotor that never enters a cell of the atlas, while decks are in these states.
    pub(crate) fn at(&self, map: &LevelMap, atlas: &Atlas, decks: &[DeckState], at: CellPos) -> u32 {
        let Some(place) = atlas.place(at) else { return ALL };
        let stands = |deck: usize| decks[deck] == DeckState::Standing;
        let own = place.level.deck();
        if own.is_some_and(|deck| !stands(deck)) {
            return ALL;
        }
        let surface = |deck: Option<usize>| match deck {
            Some(deck) => map.decks[deck].surface(place.at),
            None => {
                let here = map.base.size.id(place.at);
                here.and_then(|id| map.base.elevation.get(id.index())).map_or(0, |&height| i32::from(height))
            }
        };
        let level_height = |deck: Option<usize>| deck.map_or(0, |deck| map.decks[deck].height);
        let over = |deck: &usize| stands(*deck) && map.decks[*deck].area().contains(place.at);
        // The base is over tunnels.
        let others = (0..map.decks.len()).filter(over).map(Some).chain([None]);
        let above = others.filter(|&other| level_height(other) > level_height(own));
        let room = above.map(|other| surface(other) - surface(own)).min();
        let flyers = if place.level == LevelId::BASE { 0 } else { self.flyers };
        let Some(room) = room else { return flyers };
        let low = |bits: u32, (id, &height): (usize, &u16)| {
            bits | u32::from(height > 0 && i32::from(height) > room) << id
        };
        self.heights.iter().enumerate().fold(flyers, low)
    }
}
