//! The map as the page draws it: visible terrain and structures, as a whole (`WMM1`) or by area (`WMA1`).

use waymarch::base::{CellPos, CellRect, GridSize};
use waymarch::cost::{ChangeMark, CostLayer, FootCell, GateState};

use crate::edit_commands::WALL;

/// Derived: the two planes that pages have, and the last change of the map that is in them.
#[derive(Clone, Debug)]
pub(crate) struct MapPlanes {
    size: GridSize,
    terrain: Vec<u8>,
    things: Vec<u8>,
    version: u32,
    known: ChangeMark,
}

impl MapPlanes {
    pub(crate) fn new(layer: &CostLayer, version: u32) -> Self {
        let size = layer.grid();
        let cells = || size.rect().cells();
        Self {
            size,
            terrain: cells().map(|at| terrain(layer, at)).collect(),
            things: cells().map(|at| thing(layer, at)).collect(),
            version,
            known: layer.changes().mark_now(),
        }
    }

    pub(crate) fn version(&self) -> u32 {
        self.version
    }

    /// The `WMM1` message.
    pub(crate) fn whole(&self) -> Vec<u8> {
        let mut out = b"WMM1".to_vec();
        for number in [self.version, self.size.width(), self.size.height()] {
            out.extend_from_slice(&number.to_le_bytes());
        }
        out.extend_from_slice(&self.terrain);
        out.extend_from_slice(&self.things);
        out
    }

    /// Updates the planes after changes of the map; the area `also` is checked in any case, because repainted terrain may have equal costs.
    /// Returns one `WMA1` message for each area that looks different.
    pub(crate) fn update(&mut self, layer: &CostLayer, also: CellRect) -> Vec<Vec<u8>> {
        let (log, whole) = (layer.changes(), self.size.rect());
        let mut areas: Vec<CellRect> = match log.since(self.known) {
            Some(sectors) => {
                let mut sectors = sectors.to_vec();
                sectors.sort_unstable();
                sectors.dedup();
                sectors.into_iter().map(|sector| log.sectors().area(sector)).collect()
            }
            None => vec![whole],
        };
        self.known = log.mark_now();
        if !also.is_empty() {
            areas.push(also);
        }
        areas.into_iter().filter_map(|area| self.update_area(layer, area.intersect(whole))).collect()
    }

    /// Updates an area; returns the `WMA1` message of the part that looks different, if any.
    fn update_area(&mut self, layer: &CostLayer, area: CellRect) -> Option<Vec<u8>> {
        let mut changed = CellRect::default();
        for at in area.cells() {
            let Some(id) = self.size.id(at) else { continue };
            let (ground, thing) = (terrain(layer, at), thing(layer, at));
            if (self.terrain[id.index()], self.things[id.index()]) != (ground, thing) {
                (self.terrain[id.index()], self.things[id.index()]) = (ground, thing);
                changed = changed.union(CellRect::at(at, 1, 1));
            }
        }
        if changed.is_empty() {
            return None;
        }
        self.version = self.version.wrapping_add(1);
        let mut out = b"WMA1".to_vec();
        let sides = [changed.x1.abs_diff(changed.x0), changed.y1.abs_diff(changed.y0)];
        for number in [self.version, changed.x0 as u32, changed.y0 as u32, sides[0], sides[1]] {
            out.extend_from_slice(&number.to_le_bytes());
        }
        for plane in [&self.terrain, &self.things] {
            out.extend(changed.cells().filter_map(|at| self.size.id(at)).map(|id| plane[id.index()]));
        }
        Some(out)
    }
}

fn terrain(layer: &CostLayer, at: CellPos) -> u8 {
    layer.terrain(at).unwrap_or_default().0
}

/// The number of the structure on a cell; of several, the most solid one.
fn thing(layer: &CostLayer, at: CellPos) -> u8 {
    let look = |(id, cell)| match cell {
        FootCell::Open => 0,
        // A stroke of the wall tool blocks like a building but is drawn as a wall.
        FootCell::Blocked => match layer.stamp(id) {
            Some((_, stamp)) if stamp.name == WALL => 5,
            _ => 1,
        },
        FootCell::Wall(_) => 5,
        FootCell::Gate => match layer.stamp(id).map(|(standing, _)| standing.gate) {
            Some(GateState::Open) => 4,
            _ => 3,
        },
        FootCell::NoStop => 2,
        FootCell::Terrain(_) => 6,
    };
    let solid = |look: &u8| [0, 6, 2, 4, 3, 5, 1].iter().position(|kind| kind == look);
    layer.stamps_on(at).map(look).max_by_key(solid).unwrap_or(0)
}
