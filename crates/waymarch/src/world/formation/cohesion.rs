//! Whether the members of a group are together, and the events when that changes.
//!
//! A member is near the group's centre if its distance is at most R plus `group_cohesion` cells. R is the distance from the centre of all slots to the
//! farthest slot. Members may set out from all over the map, so only a group that has been together can break.

use crate::avoid::{FINE_CELL, Fine};
use crate::config::Config;
use crate::world::events::{EventKind, Events};
use crate::world::groups::group::{Cohesion, Groups};
use crate::world::units::columns::Units;
use crate::world::units::membership::{Branch, GroupId};

/// A group breaks when fewer than 12/16 of its members are near its centre.
const BREAKS: u64 = 12;
/// A group is together when at least 14/16 of its members are near its centre.
const MENDS: u64 = 14;

/// How the members of a group on its main route are spread.
struct Spread {
    /// The smallest unit index of a member.
    first: usize,
    count: u64,
    /// How many members are near the group's centre.
    near: u64,
}

/// Checks which groups are together, and reports changes.
pub(crate) fn watch_cohesion(units: &mut Units, groups: &mut Groups, config: &Config, events: &mut Events) {
    let margin = u64::from(config.group_cohesion) * FINE_CELL as u64;
    units.refresh_members();
    for (id, group) in groups.list.iter_mut().filter(|(_, group)| group.over.is_none()) {
        // A single unit is always together.
        let Some(spread) = spread_of(units, id, margin).filter(|spread| spread.count > 1) else { continue };
        let (before, share) = (group.cohesion, 16 * spread.near);
        group.cohesion = match before {
            Cohesion::Together if share < BREAKS * spread.count => Cohesion::Broken,
            Cohesion::Gathering | Cohesion::Broken if share >= MENDS * spread.count => Cohesion::Together,
            _ => before,
        };
        let change = match (before, group.cohesion) {
            (Cohesion::Together, Cohesion::Broken) => EventKind::GroupBroke,
            (Cohesion::Broken, Cohesion::Together) => EventKind::GroupTogether,
            _ => continue,
        };
        if let Some(unit) = units.id_at(spread.first) {
            events.add(unit, change);
        }
    }
}

/// The spread of a group. A member is near if it is at most `margin` farther from the centre than the farthest slot. `None` without members.
fn spread_of(units: &Units, id: GroupId, margin: u64) -> Option<Spread> {
    let members = || units.members(id).filter(|(_, own)| own.route.branch() == Branch::Main);
    let positions = || members().map(|(index, _)| units.middle(index));
    let slots = || members().map(|(_, own)| own.slot);
    let (first, _) = members().next()?;
    let (centre, slot_centre) = (centre_of(positions()), centre_of(slots()));
    let reach = slots().map(|slot| slot_centre.distance_squared(slot)).max().unwrap_or(0);
    let allowed = reach.isqrt() + margin;
    let is_near = |at: &Fine| centre.distance_squared(*at) <= allowed * allowed;
    Some(Spread {
        first,
        count: positions().count() as u64,
        near: positions().filter(is_near).count() as u64,
    })
}

fn centre_of(points: impl Iterator<Item = Fine>) -> Fine {
    let (x, y, count) =
        points.fold((0, 0, 0), |(x, y, count), at| (x + i64::from(at.x), y + i64::from(at.y), count + 1));
    let count = count.max(1);
    Fine::new((x / count) as i32, (y / count) as i32)
}
