//! The members of each group.

use alloc::vec::Vec;

use crate::base::reserve_total;
use crate::world::units::membership::{GroupId, Membership};

/// Derived from the membership column: the units of each group, by unit index. After a unit has changed its group, the lists are stale until the next refresh.
#[derive(Clone, Debug, Default)]
pub(crate) struct Members {
    is_stale: bool,
    /// For each group index, where its units begin in `list`; one more entry at the end.
    start: Vec<u32>,
    list: Vec<u32>,
}

impl Members {
    /// Marks the lists as stale, because a unit has changed its group.
    pub(super) fn invalidate(&mut self) {
        self.is_stale = true;
    }

    /// Brings the lists up to date. *Cost:* nothing if no unit has changed its group, else three passes over the units.
    pub(super) fn refresh(&mut self, memberships: &[Option<Membership>]) {
        if !self.is_stale {
            return;
        }
        self.is_stale = false;
        let groups = || memberships.iter().flatten().map(|membership| membership.group.index() as usize);
        let count = groups().max().map_or(0, |last| last + 1);
        self.start.clear();
        self.start.resize(count + 1, 0);
        groups().for_each(|group| self.start[group] += 1);
        // Each count becomes the end of its group's units. Filling from the back then moves it to their beginning.
        let mut end = 0;
        for entry in &mut self.start {
            end += *entry;
            *entry = end;
        }
        self.list.clear();
        self.list.resize(end as usize, 0);
        for (index, membership) in memberships.iter().enumerate().rev() {
            if let Some(membership) = membership {
                let place = &mut self.start[membership.group.index() as usize];
                *place -= 1;
                self.list[*place as usize] = index as u32;
            }
        }
    }

    /// The units whose group has this index, in the order of unit indices. Some may belong to an earlier group that had the same index.
    pub(super) fn at(&self, group: GroupId) -> &[u32] {
        debug_assert!(!self.is_stale, "call `refresh_members` before members are read");
        let group = group.index() as usize;
        match (self.start.get(group), self.start.get(group + 1)) {
            (Some(&first), Some(&end)) => &self.list[first as usize..end as usize],
            _ => &[],
        }
    }

    /// Reserves memory for this number of units and groups.
    pub(super) fn reserve(&mut self, units: usize, groups: usize) {
        reserve_total(&mut self.list, units);
        reserve_total(&mut self.start, groups + 1);
    }
}
