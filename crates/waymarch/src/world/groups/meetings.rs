//! The gates of head-on meetings at the end of a group's list of gates, when one of the two groups gets another route.

use alloc::vec::Vec;

use crate::avoid::{FINE_CELL, Fine};
use crate::base::CellPos;
use crate::groups::RouteGate;
use crate::world::groups::group::{Group, GroupGate, Groups, update_routes};
use crate::world::units::columns::Units;
use crate::world::units::membership::{Branch, RouteProgress};

/// A group with 64 gates gets no more.
pub(crate) const MOST_GATES: usize = 64;

impl Group {
    /// Adds the gates of meetings to the gates of a new route along `points`, as far as its last leg leads through them. Writes the others to `ended`.
    ///
    /// An edit near the route makes the group request it again, mostly with the same result. Without its gate, a unit in the middle of a meeting would
    /// walk into the other group.
    pub(crate) fn keep_meetings(
        &mut self,
        points: &[Fine],
        met: &[GroupGate],
        is_open: impl Fn(CellPos) -> bool,
        ended: &mut Vec<RouteGate>,
    ) {
        self.meetings = 0;
        let last = self.main_gates.last().map(|passage| passage.way.taut);
        let leg = last.or(points.first().copied()).zip(points.last().copied());
        for passage in met {
            let way = &passage.way;
            let stays = leg.is_some_and(|(from, to)| {
                // A group without another gate may be in the middle of the meeting.
                let leads = way.is_behind(from) && last.is_none() || way.is_crossed(from, to);
                leads && way.is_behind(to) && is_clear(way, &is_open)
            });
            if stays && self.main_gates.len() < MOST_GATES {
                self.main_gates.push(*passage);
                self.meetings += 1;
            } else {
                ended.push(*way);
            }
        }
    }
}

/// Whether ground is open all along a gate.
fn is_clear(way: &RouteGate, is_open: impl Fn(CellPos) -> bool) -> bool {
    let (left, right) = (way.gate.left, way.gate.right);
    // Four points per cell are checked, but not the ends of the gate: they touch walls.
    let looks = (way.width() / i64::from(FINE_CELL / 4)).max(1);
    let part = |from: i32, to: i32, look: i64| {
        let by = (i64::from(to) - i64::from(from)) * (2 * look + 1) / (2 * looks);
        // The result lies between two valid coordinates, so it fits i32.
        (i64::from(from) + by) as i32
    };
    (0..looks).all(|look| is_open(Fine::new(part(left.x, right.x, look), part(left.y, right.y, look)).cell()))
}

/// Removes gates of meetings that the other group will not reach, because it has another route. If the groups still meet, they get another gate.
pub(crate) fn end_meetings(groups: &mut Groups, units: &mut Units, ended: &[RouteGate]) {
    for theirs in ended {
        let own = theirs.turned_round();
        for (id, group) in groups.list.iter_mut().filter(|(_, group)| group.meetings > 0) {
            let first = group.main_gates.len().saturating_sub(usize::from(group.meetings));
            let met = group.main_gates[first..].iter().position(|passage| passage.way == own);
            let Some(place) = met.map(|place| first + place) else { continue };
            group.main_gates.remove(place);
            group.meetings -= 1;
            let restart = |route: &mut RouteProgress| {
                route.resume_at(route.gate() - u16::from(usize::from(route.gate()) > place));
            };
            update_routes(units, id, &mut group.pending, Branch::Main, restart);
        }
    }
}
