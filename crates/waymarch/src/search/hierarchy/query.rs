//! Climbing from both ends, and the way back down.

use alloc::vec::Vec;

use super::corners::turn_on;
use super::{Halves, Hierarchy};
use crate::base::{CellPos, OpenEntry, OpenList};
use crate::cost::Neighbours;
use crate::query::{Cost, PathQuery};
use crate::search::octile::octile;
use crate::search::route::{Route, Way};
use crate::search::scratch::{NO_PARENT, Node, SearchScratch};

/// Finds the shortest route; whether there is one.
pub(super) fn search(
    hierarchy: &Hierarchy,
    query: &PathQuery,
    cost_of_ground: u64,
    scratch: &mut SearchScratch,
    out: &mut Route,
) -> bool {
    let ends = [query.from, query.to];
    out.waypoints.push(query.from);
    if hierarchy.corners.clear_way(query.from, query.to) {
        leg(out, &mut Way::default(), query.from, query.to);
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
        let mut way = Way::of_last_leg(out);
        let mut upper = meeting;
        loop {
            let lower = nodes[upper as usize * 2 + side].parent;
            if lower == NO_PARENT {
                break;
            }
            let link = hierarchy.link_between(lower, upper);
            hierarchy.unpack(lower, link, climbs, &mut way, out);
            upper = lower;
        }
        leg(out, &mut way, hierarchy.cell[upper as usize], end);
        if side == 0 {
            out.waypoints.reverse();
        }
    }
    true
}

/// Adds the way from the last cell of `out`, `from`, to `to`, which it sees.
#[inline]
fn leg(out: &mut Route, way: &mut Way, from: CellPos, to: CellPos) {
    out.go_on_to(turn_on(from, to), way);
    out.go_on_to(to, way);
}

/// One link on the way down, by its owner and place.
#[derive(Clone, Copy, Debug)]
pub(in crate::search) struct Descent {
    owner: u32,
    link: u32,
    /// Whether it is walked from its owner to its end.
    upwards: bool,
}

impl Hierarchy {
    fn link_between(&self, lower: u32, upper: u32) -> u32 {
        let links = self.first[lower as usize]..self.first[lower as usize + 1];
        links.clone().find(|&link| self.links[link as usize].to == upper).unwrap_or(links.start)
    }

    /// Adds the way down from the end of `link` to its owner.
    fn unpack(&self, owner: u32, link: u32, stack: &mut Vec<Descent>, way: &mut Way, out: &mut Route) {
        stack.clear();
        stack.push(Descent { owner, link, upwards: false });
        while let Some(Descent { owner, link, upwards }) = stack.pop() {
            let Halves { via, to_owner, to_end } = self.halves[link as usize];
            if via == u32::MAX {
                let (from, to) =
                    (self.cell[owner as usize], self.cell[self.links[link as usize].to as usize]);
                if upwards {
                    leg(out, way, from, to)
                } else {
                    leg(out, way, to, from)
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
    /// By rank and side.
    nodes: &'a mut [Node],
    open: &'a mut OpenList,
    /// The shortest way so far and the corner where its halves meet.
    best: u64,
    meeting: u32,
}

impl Climb<'_> {
    /// Reaches the corners that are seen from one end.
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

    /// The number of corners looked at.
    fn run(&mut self) -> u32 {
        let mut looked_at = 0;
        while let Some(entry) = self.open.pop() {
            if entry.f >= self.best {
                break;
            }
            let (rank, side) = (entry.id >> 1, entry.id as usize & 1);
            let cost = self.nodes[entry.id as usize].cost;
            if entry.f - u64::from(entry.h) > cost {
                continue;
            }
            // The core is searched from the start only: all that matters from the goal is where it is entered.
            if side == 1 && rank >= self.hierarchy.core {
                continue;
            }
            looked_at += 1;
            let links = self.hierarchy.first[rank as usize]..self.hierarchy.first[rank as usize + 1];
            let links = &self.hierarchy.links[links.start as usize..links.end as usize];
            // A way here over a more important corner that is shorter: nothing good can come of going on from here.
            let detour = links.iter().any(|link| {
                let above = &self.nodes[link.to as usize * 2 + side];
                above.mark == self.number && above.cost + u64::from(link.cost) < cost
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
        if node.mark == self.number && node.cost <= cost {
            return;
        }
        let ahead = octile(self.hierarchy.cell[rank as usize], self.ends[1 - side], Neighbours::Eight);
        if cost + ahead >= self.best {
            return;
        }
        *node = Node { cost, parent, mark: self.number };
        let other = self.nodes[id ^ 1];
        if other.mark == self.number && cost + other.cost < self.best {
            self.best = cost + other.cost;
            self.meeting = rank;
        }
        self.open.push(OpenEntry::new(cost + ahead, ahead as u32, id as u32));
    }
}
