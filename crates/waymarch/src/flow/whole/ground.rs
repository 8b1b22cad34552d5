//! What each cell costs those who follow a field, as it was when the field was made.

use alloc::vec::Vec;

use super::front::NARROWEST;
use crate::base::{CellPos, CellRect};
use crate::cost::{CostField, CostLayer, with_threat};
use crate::query::Threat;

/// The costs as they are now.
#[derive(Clone, Copy)]
pub(super) struct CostsNow<'a> {
    pub(super) field: &'a CostField,
    /// Padded; empty where none counts.
    threat: &'a [u8],
}

impl<'a> CostsNow<'a> {
    pub(super) fn new(layer: &'a CostLayer, field: &'a CostField, threat: Threat) -> Self {
        let threat = match threat {
            Threat::Ignore => &[][..],
            Threat::Heed => layer.threat().padded(),
        };
        Self { field, threat }
    }

    /// How wide buckets may be, as a power of two: no wider than the cheapest step. Threat only adds to it.
    fn shift(&self) -> u32 {
        NARROWEST + u32::from(self.field.cheapest()).max(1).ilog2()
    }
}

/// Derived: a copy of the costs that a field was made with, by which it finds out what an edit changed.
#[derive(Clone, Debug, Default)]
pub(super) struct Ground {
    /// Padded.
    pub(super) cost: Vec<u8>,
    /// Buckets are 2^shift wide.
    pub(super) shift: u32,
}

impl Ground {
    /// Copies all costs.
    pub(super) fn fill(&mut self, now: CostsNow<'_>) {
        self.shift = now.shift();
        self.cost.clear();
        self.cost.extend_from_slice(now.field.padded());
        for (cost, &threat) in self.cost.iter_mut().zip(now.threat) {
            *cost = with_threat(*cost, threat);
        }
    }

    /// Copies the width of buckets that suits the new costs, and gives one that suits both the old and the new.
    pub(super) fn follow_shift(&mut self, now: CostsNow<'_>) -> u32 {
        let both = self.shift.min(now.shift());
        self.shift = now.shift();
        both
    }

    /// Copies what differs within `area`, telling place, old and new cost.
    pub(super) fn follow(&mut self, now: CostsNow<'_>, area: CellRect, mut tell: impl FnMut(usize, u8, u8)) {
        let area = area.intersect(now.field.grid().rect());
        let wide = (area.x1 - area.x0).max(0) as usize;
        for y in area.y0..area.y1 {
            let first = now.field.padding().pad(CellPos::new(area.x0, y)).index();
            let row = first..first + wide;
            if now.threat.is_empty() && self.cost[row.clone()] == now.field.padded()[row.clone()] {
                continue;
            }
            for place in row {
                let threat = now.threat.get(place).copied().unwrap_or(0);
                let (before, cost) = (self.cost[place], with_threat(now.field.padded()[place], threat));
                if before != cost {
                    self.cost[place] = cost;
                    tell(place, before, cost);
                }
            }
        }
    }
}
