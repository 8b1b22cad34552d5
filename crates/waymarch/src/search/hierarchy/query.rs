//! The query: a search that climbs from both ends, then replaces the links of the route by cells.

use alloc::vec::Vec;

use super::corners::turn_on;
use super::{Halves, Hierarchy};
use crate::base::{CellPos, OpenEntry, OpenList};
use crate::cost::Neighbours;
use crate::query::{Cost, PathQuery};
use crate::search::octile::octile;
use crate::search::route::{LegDirection, Route};
use crate::search::scratch::{Descent, NO_PARENT, Node, NodeFields, SearchScratch};

/// Finds the shortest route; returns whether there is one.
pub(super) fn search(
    hierarchy: &Hierarchy,
    query: &PathQuery,
    cost_of_ground: u64,
    scratch: &mut SearchScratch,
    out: &mut Route,
) -> bool {
    let ends = [query.from, query.to];
    out.waypoints.push(query.from);
    if hierarchy.corners.is_clear(query.from, query.to) {
        leg(out, &mut LegDirection::default(), query.from, query.to);
        out.cost = Cost(octile(query.from, query.to, Neighbours::Eight) * cost_of_ground);
        return true;
    }
    out.waypoints.clear();
    scratch.begin(2 * hierarchy.cell.len());
    let SearchScratch { nodes, open, search: number, climbs, .. } = scratch;
    let mut climb =
        Climb { hierarchy, ends, number: *number, nodes, open, best: u64::MAX, meeting: NO_PARENT };
    climb.begin(0);
    climb.begin(1);
    out.expanded = climb.run();
    if climb.best == u64::MAX {
        return false;
    }
    let Climb { best, meeting, nodes, .. } = climb;
    out.cost = Cost(best * cost_of_ground);
    out.waypoints.push(hierarchy.cell[meeting as usize]);
    for (side, end) in ends.into_iter().enumerate() {
        let mut leg_direction = LegDirection::of_last_leg(out);
        let mut upper = meeting;
        loop {
            let lower = nodes[upper as usize * 2 + side].parent();
            if lower == NO_PARENT {
                break;
            }
            let link = hierarchy.link_between(lower, upper);
            hierarchy.unpack(lower, link, climbs, &mut leg_direction, out);
            upper = lower;
        }
        leg(out, &mut leg_direction, hierarchy.cell[upper as usize], end);
        if side == 0 {
            out.waypoints.reverse();
        }
    }
    true
}

/// Extends `out` from its last cell, `from`, to `to`, which is seen from there.
#[inline]
fn leg(out: &mut Route, leg_direction: &mut LegDirection, from: CellPos, to: CellPos) {
    out.go_on_to(turn_on(from, to), leg_direction);
    out.go_on_to(to, leg_direction);
}

impl Hierarchy {
    fn link_between(&self, lower: u32, upper: u32) -> u32 {
        let links = self.first[lower as usize]..self.first[lower as usize + 1];
        links.clone().find(|&link| self.links[link as usize].to == upper).unwrap_or(links.start)
    }

    /// Extends `out` from the end of `link` to its owner, over all the links it is made of.
    fn unpack(
        &self,
        owner: u32,
        link: u32,
        stack: &mut Vec<Descent>,
        leg_direction: &mut LegDirection,
        out: &mut Route,
    ) {
        stack.clear();
        stack.push(Descent { owner, link, upwards: false });
        while let Some(Descent { owner, link, upwards }) = stack.pop() {
            let Halves { via, to_owner, to_end } = self.halves[link as usize];
            if via == u32::MAX {
                let (from, to) =
                    (self.cell[owner as usize], self.cell[self.links[link as usize].to as usize]);
                if upwards {
                    leg(out, leg_direction, from, to)
                } else {
                    leg(out, leg_direction, to, from)
                }
                continue;
            }
            let first = self.first[via as usize];
            let [near, far] = [to_owner, to_end].map(|place| first + u32::from(place));
            let [near, far] = if upwards { [near, far] } else { [far, near] };
            stack.push(Descent { owner: via, link: far, upwards: true });
            stack.push(Descent { owner: via, link: near, upwards: false });
        }
    }
}

/// Two searches at once, each to more important corners only.
struct Climb<'a> {
    hierarchy: &'a Hierarchy,
    ends: [CellPos; 2],
    number: u32,
    /// Two nodes per corner, one for each side, by rank.
    nodes: &'a mut [Node],
    open: &'a mut OpenList,
    /// The length of the shortest route so far, and the corner where its halves meet.
    best: u64,
    meeting: u32,
}

impl Climb<'_> {
    /// Reaches the corners that one end sees.
    fn begin(&mut self, side: usize) {
        let hierarchy = self.hierarchy;
        let from = self.ends[side];
        if let Some(corner) = hierarchy.corners.number(from) {
            self.reach(side, hierarchy.rank[corner as usize], 0, NO_PARENT);
            return;
        }
        hierarchy.corners.seen_from(from, |at, cost| {
            if let Some(corner) = hierarchy.corners.number(at) {
                self.reach(side, hierarchy.rank[corner as usize], u64::from(cost), NO_PARENT);
            }
        });
    }

    /// Runs the search. Returns the number of corners expanded.
    fn run(&mut self) -> u32 {
        let mut looked_at = 0;
        while let Some(entry) = self.open.pop() {
            if entry.f >= self.best {
                break;
            }
            let (rank, side) = (entry.id >> 1, entry.id as usize & 1);
            let cost = self.nodes[entry.id as usize].cost();
            if entry.f - u64::from(entry.h) > cost {
                continue;
            }
            // The core is searched from the start only. From the goal, only the entry into the core matters.
            if side == 1 && rank >= self.hierarchy.core {
                continue;
            }
            looked_at += 1;
            let links = self.hierarchy.first[rank as usize]..self.hierarchy.first[rank as usize + 1];
            let links = &self.hierarchy.links[links.start as usize..links.end as usize];
            // A more important corner offers a shorter route to this one, so no shortest route goes on from here.
            let detour = links.iter().any(|link| {
                let above = &self.nodes[link.to as usize * 2 + side];
                above.mark() == self.number && above.cost() + u64::from(link.cost) < cost
            });
            if detour {
                continue;
            }
            for link in links {
                self.reach(side, link.to, cost + u64::from(link.cost), rank);
            }
        }
        looked_at
    }

    #[inline]
    fn reach(&mut self, side: usize, rank: u32, cost: u64, parent: u32) {
        let id = rank as usize * 2 + side;
        let node = &mut self.nodes[id];
        if node.mark() == self.number && node.cost() <= cost {
            return;
        }
        let ahead = octile(self.hierarchy.cell[rank as usize], self.ends[1 - side], Neighbours::Eight);
        if cost + ahead >= self.best {
            return;
        }
        *node = (cost, parent, self.number);
        let other = self.nodes[id ^ 1];
        if other.mark() == self.number && cost + other.cost() < self.best {
            self.best = cost + other.cost();
            self.meeting = rank;
        }
        self.open.push(OpenEntry::new(cost + ahead, ahead as u32, id as u32));
    }
}
