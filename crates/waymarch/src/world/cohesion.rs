//! Whether groups hold together on their way, and that it is said when they no longer do.
//!
//! A group is together while most of its members are no further from its middle than the furthest slot is from the slots' middle, and
//! `group_cohesion` cells. It may set out from all over the map: only who has been together can break.

use super::byway::Branch;
use super::events::EventKind;
use super::group::GroupId;
use super::simulation::World;
use crate::avoid::{FINE_CELL, Fine};
use crate::base::persist_choices;

/// A group has broken when fewer than so many in sixteen of its members are near its middle, and is together again when so many are.
const BREAKS: u64 = 12;
const MENDS: u64 = 14;

/// World: how a group holds together.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Cohesion {
    /// Its members have set out from places that are far apart, and have not met yet.
    #[default]
    Gathering,
    /// Most of them are near its middle.
    Together,
    /// They were together, and are no longer: others came between them, or some are kept.
    Broken,
}

persist_choices! {
    Cohesion { Gathering, Together, Broken }
}

/// Scratch: a group's members, by slot of the group.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Whereabouts {
    count: u64,
    /// Sums of where they are and of where they are to stand.
    at: (i64, i64),
    slots: (i64, i64),
    /// From the middle of the slots to the furthest, squared; then how far from the group's middle is near.
    reach: u64,
    near: u64,
    first: u32,
}

impl Whereabouts {
    /// What nobody may ever read.
    pub(super) const RUBBISH: Self =
        Self { count: 7, at: (7, 7), slots: (-7, 7), reach: 7, near: 7, first: u32::MAX };

    fn middle(&self, sum: (i64, i64)) -> Fine {
        let count = self.count.max(1) as i64;
        Fine::new((sum.0 / count) as i32, (sum.1 / count) as i32)
    }
}

impl World {
    /// Looks at how groups hold together, once a second, and tells it where that has changed.
    pub(super) fn watch_cohesion(&mut self) {
        let limit = u64::from(self.service.nav().config().get().group_cohesion) * FINE_CELL as u64;
        let mut all = core::mem::take(&mut self.whereabouts);
        all.clear();
        all.resize(self.groups.list.slot_count(), Whereabouts::default());
        self.each_member(&mut all, |slot, group, at, place| {
            if group.count == 0 {
                group.first = slot;
            }
            group.count += 1;
            group.at = (group.at.0 + i64::from(at.x), group.at.1 + i64::from(at.y));
            group.slots = (group.slots.0 + i64::from(place.x), group.slots.1 + i64::from(place.y));
        });
        self.each_member(&mut all, |_, group, _, place| {
            group.reach = group.reach.max(group.middle(group.slots).distance_squared(place));
        });
        self.each_member(&mut all, |_, group, at, _| {
            let allowed = group.reach.isqrt() + limit;
            group.near += u64::from(group.middle(group.at).distance_squared(at) <= allowed * allowed);
        });
        for (id, group) in self.groups.list.iter_mut() {
            let members = all[id.index() as usize];
            let is = match group.cohesion {
                // One alone is always together.
                _ if members.count < 2 || group.over.is_some() => continue,
                Cohesion::Together if 16 * members.near < BREAKS * members.count => Cohesion::Broken,
                Cohesion::Gathering | Cohesion::Broken if 16 * members.near >= MENDS * members.count => {
                    Cohesion::Together
                }
                as_before => as_before,
            };
            let told = match (group.cohesion, is) {
                (Cohesion::Together, Cohesion::Broken) => Some(EventKind::GroupBroke),
                (Cohesion::Broken, Cohesion::Together) => Some(EventKind::GroupTogether),
                _ => None,
            };
            group.cohesion = is;
            let unit = self.units.id_at(members.first as usize);
            if let Some((unit, what)) = unit.zip(told) {
                self.events.add(unit, what);
            }
        }
        self.whereabouts = all;
    }

    /// Members of groups in the order of slots, but for those who were sent by another way: where each is, and is to stand.
    fn each_member(&self, all: &mut [Whereabouts], mut visit: impl FnMut(u32, &mut Whereabouts, Fine, Fine)) {
        for (slot, post) in self.units.post.iter().enumerate() {
            let Some(post) = post.filter(|post| post.branch == Branch::Main) else { continue };
            if self.units.id_at(slot).is_some() && self.groups.list.contains(post.group) {
                let group = &mut all[post.group.index() as usize];
                visit(slot as u32, group, self.units.middle(slot), post.slot);
            }
        }
    }

    /// How a group holds together; looked at once a second. `None` if there is no such group.
    ///
    /// When it breaks on its way, its first member gets [`EventKind::GroupBroke`], and [`EventKind::GroupTogether`] when it has come together again.
    #[must_use]
    pub fn cohesion_of(&self, id: GroupId) -> Option<Cohesion> {
        self.groups.list.get(id).map(|group| group.cohesion)
    }
}
