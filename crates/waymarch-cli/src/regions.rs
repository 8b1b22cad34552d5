//! Which cells are joined: a plain flood, for reports and for choosing ends that have a way between them.

use waymarch::base::{CellId, CellPos, Dir8, GridSize};
use waymarch::cost::{CornerRule, CostField, Neighbours, StepRule};

const NONE: u32 = u32::MAX;

/// The parts of a map that one agent can walk within but not between. Costs one visit per cell.
#[derive(Debug)]
pub(crate) struct Regions {
    grid: GridSize,
    label: Vec<u32>,
    sizes: Vec<usize>,
}

impl Regions {
    pub(crate) fn of(field: &CostField, rule: StepRule) -> Self {
        let grid = field.grid();
        // Unless a diagonal may squeeze between two closed cells, whoever can take it can also go around by
        // straight steps.
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

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.sizes.len()
    }

    /// The region of a cell; `None` where it is closed or off the map.
    pub(crate) fn at(&self, at: CellPos) -> Option<u32> {
        self.grid.id(at).map(|id| self.label[id.index()]).filter(|&label| label != NONE)
    }

    /// Whether both cells are open and joined.
    pub(crate) fn joined(&self, a: CellPos, b: CellPos) -> bool {
        self.at(a).is_some() && self.at(a) == self.at(b)
    }

    /// The largest region, the first of equals.
    pub(crate) fn largest(&self) -> Option<u32> {
        let numbered = self.sizes.iter().enumerate().rev();
        numbered.max_by_key(|&(_, size)| *size).map(|(number, _)| number as u32)
    }

    /// How many cells a region has.
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
    fn corners_join_only_where_the_rule_says_so() {
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
