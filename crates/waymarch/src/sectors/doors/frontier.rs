//! The open and closed nodes of a search over doors.

use alloc::vec::Vec;

use super::door::DoorId;
use super::estimate::Estimate;
use super::graph::Doors;
use super::node::{NO_NODE, Node};
use crate::base::{CellPos, OpenEntry, OpenList, Scratch, StampedMap, poison_list, reserve_total};
use crate::cost::SectorId;

/// How a sector was entered.
#[derive(Clone, Copy)]
pub(super) struct Arrival {
    pub(super) door: DoorId,
    pub(super) cost: u64,
    /// The node from which the search came.
    pub(super) parent: u32,
}

/// Scratch of one search over doors: its nodes and its open list.
#[derive(Clone, Debug)]
pub(super) struct Frontier {
    pub(super) nodes: Vec<Node>,
    /// By sector: where its nodes begin, if the search has seen it.
    starts: StampedMap<u32>,
    open: OpenList,
    pub(super) expanded: u32,
}

impl Default for Frontier {
    fn default() -> Self {
        Self { nodes: Vec::new(), starts: StampedMap::new(0, 0), open: OpenList::new(), expanded: 0 }
    }
}

impl Scratch for Frontier {
    /// The number of doors.
    type Demand = usize;

    fn poison(&mut self) {
        let rubbish = Node { cost: 7, within: 7, parent: 7, sector: SectorId(7), door: 7, done: true };
        poison_list(&mut self.nodes, rubbish);
        self.starts.poison(7);
        self.open.push(OpenEntry::new(7, 7, 7));
        self.expanded = 7;
    }

    fn reserve(&mut self, doors: usize) {
        reserve_total(&mut self.nodes, doors);
        self.open.reserve(doors);
    }
}

impl Frontier {
    pub(super) fn begin(&mut self, sectors: usize) {
        if self.starts.len() < sectors {
            self.starts.resize(sectors);
        }
        self.starts.clear();
        self.nodes.clear();
        self.open.clear();
        self.expanded = 0;
    }

    /// The node of a door.
    #[inline]
    fn node(&mut self, doors: &Doors, sector: SectorId, door: u16) -> u32 {
        let start = self.starts.get(sector.0).unwrap_or_else(|| {
            let start = self.nodes.len() as u32;
            self.starts.set(sector.0, start);
            let count = doors.sectors[sector.index()].doors.len() as u16;
            let node =
                |door| Node { cost: u64::MAX, within: u64::MAX, parent: NO_NODE, sector, door, done: false };
            self.nodes.extend((0..count).map(node));
            start
        });
        start + u32::from(door)
    }

    /// Notes that the search entered a sector through a door, at the cell `at`.
    #[inline]
    pub(super) fn reach(
        &mut self,
        doors: &Doors,
        arrival: Arrival,
        at: impl Fn() -> CellPos,
        estimate: &Estimate<'_>,
    ) {
        let Arrival { door: DoorId { sector, index: door }, cost, parent } = arrival;
        let id = self.node(doors, sector, door);
        let node = &mut self.nodes[id as usize];
        if cost < node.cost && cost < node.within {
            (node.cost, node.parent) = (cost, parent);
            let learnt = estimate.learnt.map_or(0, |goal| goal.least(sector, door));
            let left = estimate.from(at()).max(learnt);
            // Of equally good nodes, the node of the sector that this search saw first comes first.
            self.open.push(OpenEntry::new(cost + u64::from(left), left, id));
        }
    }

    /// Notes that the search reached a door's cell from inside its sector or block. Returns whether it is cheaper than before.
    #[inline]
    pub(super) fn reach_within(&mut self, doors: &Doors, door: DoorId, cost: u64) -> bool {
        let id = self.node(doors, door.sector, door.index);
        let known = &mut self.nodes[id as usize].within;
        let cheaper = cost < *known;
        *known = cost.min(*known);
        cheaper
    }

    /// The next node to expand, unless all remaining nodes cost `bound` or more.
    #[inline]
    pub(super) fn next(&mut self, bound: u64) -> Option<u32> {
        loop {
            let entry = self.open.pop()?;
            if entry.f >= bound {
                return None;
            }
            let node = &mut self.nodes[entry.id as usize];
            if !core::mem::replace(&mut node.done, true) && node.cost < node.within {
                self.expanded += 1;
                return Some(entry.id);
            }
        }
    }
}
