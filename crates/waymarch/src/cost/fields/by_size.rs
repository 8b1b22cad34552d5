//! The cost fields of one locomotor, one for each unit size.

use alloc::vec::Vec;

use super::field::CostField;
use crate::base::{CellPos, CellRect, LocomotorId};
use crate::cost::changes::ChangeLog;

/// Derived: the fields of one locomotor, one field per size.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::cost) struct LocomotorFields {
    /// Ascending; the first is for size one.
    pub(in crate::cost) sizes: Vec<CostField>,
}

impl LocomotorFields {
    /// Updates the fields of bigger sizes after the costs of single cells changed within `changed`.
    pub(in crate::cost) fn follow(&mut self, locomotor: LocomotorId, changed: CellRect, log: &mut ChangeLog) {
        self.follow_changed(changed, |at| log.mark(at, locomotor));
    }

    /// As [`LocomotorFields::follow`], and calls `mark` for each cell whose cost changes.
    pub(super) fn follow_changed(&mut self, changed: CellRect, mut mark: impl FnMut(CellPos)) {
        let Some((single, bigger)) = self.sizes.split_first_mut() else { return };
        if changed.is_empty() {
            return;
        }
        for field in bigger {
            let size = field.size();
            let area = changed.grow(size.reach_south_east(), size.reach_north_west());
            for at in area.intersect(single.grid().rect()).cells() {
                if field.set(at, single.dearest_under(at, size)) {
                    mark(at);
                }
            }
        }
    }
}
