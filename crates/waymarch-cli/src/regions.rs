//! Connected regions of a map, by flood fill: for reports, and for choosing a start and a goal that are connected.

use waymarch::base::{CellId, CellPos, Dir8, GridSize};
use waymarch::cost::{CornerRule, CostField, Neighbours, StepRule};

/// The label of cells without a region: `u32::MAX`.
const NONE: u32 = u32::MAX;

/// The connected regions of a map for one agent. Making them visits each cell once.
#[derive(Debug)]
pub(crate) struct Regions {
    grid: GridSize,
    label: Vec<u32>,
    sizes: Vec<usize>,
}

impl Regions {
    pub(crate) fn of(field: &CostField, rule: StepRule) -> Self {
        let grid = field.grid();
        // Straight steps find all regions, unless a diagonal step may pass between two closed cells.
        let squeezes = rule.neighbours == Neighbours::Eight && rule.corners == CornerRule::Allow;
        let dirs = if squeezes { &Dir8::ALL[..] } else { &Dir8::STRAIGHT[..] };
        let mut regions = Self { grid, label: vec![NONE; grid.cells()], sizes: Vec::new() };
        let mut open = Vec::new();
        for first in 0..grid.cells() {
            let at = grid.pos(CellId(first as u32));
            if regions.label[first] != NONE || !field.is_passable(at) {
                continue;
            }
            let number = regions.sizes.len() as u32;
            regions.label[first] = number;
            let mut size = 0;
            open.push(at);
            while let Some(at) = open.pop() {
                size += 1;
                for next in dirs.iter().map(|&dir| at.step(dir)) {
                    let Some(id) = grid.id(next) else { continue };
                    if regions.label[id.index()] == NONE && field.is_passable(next) {
                        regions.label[id.index()] = number;
                        open.push(next);
                    }
                }
            }
            regions.sizes.push(size);
        }
        regions
    }

    /// The number of regions.
    pub(crate) fn count(&self) -> usize {
        self.sizes.len()
    }

    /// The region of a cell; `None` if the cell is closed or off the map.
    pub(crate) fn at(&self, at: CellPos) -> Option<u32> {
        self.grid.id(at).map(|id| self.label[id.index()]).filter(|&label| label != NONE)
    }

    /// Whether both cells are open and in the same region.
    pub(crate) fn joined(&self, a: CellPos, b: CellPos) -> bool {
        self.at(a).is_some() && self.at(a) == self.at(b)
    }

    /// The largest region; the first of several.
    pub(crate) fn largest(&self) -> Option<u32> {
        let numbered = self.sizes.iter().enumerate().rev();
        numbered.max_by_key(|&(_, size)| *size).map(|(number, _)| number as u32)
    }

    /// The number of cells of a region.
    pub(crate) fn size(&self, region: u32) -> usize {
        self.sizes.get(region as usize).copied().unwrap_or(0)
    }

    /// The cells of a region, row by row.
    pub(crate) fn cells(&self, region: u32) -> impl Iterator<Item = CellPos> + '_ {
        let own = self.label.iter().enumerate().filter(move |(_, label)| **label == region);
        own.map(|(id, _)| self.grid.pos(CellId(id as u32)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use waymarch::base::{LocomotorId, cell};
    use waymarch::cost::{CostLayer, CostSettings};
    use waymarch_maps::movingai::read_map;

    #[test]
    fn diagonal_steps_connect_regions_only_if_the_rule_allows_them() {
        let text = b"type octile\nheight 3\nwidth 4\nmap\n.@..\n@.@@\n..@.\n";
        let map = read_map("three", text).unwrap().validate().unwrap();
        let layer = CostLayer::new(&map, CostSettings::default());
        let field = layer.field(LocomotorId(0).into()).unwrap();
        let apart = Regions::of(field, StepRule::default());
        assert_eq!(apart.count(), 4);
        assert!(!apart.joined(cell(0, 0), cell(1, 1)));
        assert_eq!(apart.largest().map(|region| apart.size(region)), Some(3));
        assert_eq!(apart.at(cell(9, 9)), None);
        let squeezed = Regions::of(field, StepRule::eight(CornerRule::Allow));
        assert!(squeezed.joined(cell(0, 0), cell(2, 0)));
        assert_eq!(squeezed.count(), 2);
    }
}
