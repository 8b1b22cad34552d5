//! How far a search over doors has come.

use alloc::vec::Vec;

use super::Doors;
use super::inside::UNIT;
use super::towards::DoorGoal;
use crate::base::{CellPos, OpenEntry, OpenList, StampedMap, make_room};
use crate::cost::{DIAGONAL, Neighbours, STRAIGHT, SectorId};

/// No node.
pub(super) const NOBODY: u32 = u32::MAX;

/// A door through which a sector was entered.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) cost: u64,
    /// What its cell costs from within the sector or block. Where that is no more, whoever comes in through the door is of no use: all
    /// ways on from there have been found from where that one came in.
    pub(super) within: u64,
    pub(super) parent: u32,
    pub(super) sector: SectorId,
    pub(super) door: u16,
    done: bool,
}

/// Scratch of one search.
#[derive(Clone, Debug)]
pub(super) struct Frontier {
    pub(super) nodes: Vec<Node>,
    /// Where the nodes of a sector begin, if it was seen.
    starts: StampedMap<u32>,
    open: OpenList,
    pub(super) expanded: u32,
}

impl Default for Frontier {
    fn default() -> Self {
        Self { nodes: Vec::new(), starts: StampedMap::new(0, 0), open: OpenList::new(), expanded: 0 }
    }
}

/// What is left at least, in units.
#[derive(Clone, Copy)]
pub(super) struct Estimate<'a> {
    pub(super) goal: CellPos,
    /// The cheapest cost there is; 0 for no estimate at all.
    pub(super) cheapest: u32,
    pub(super) neighbours: Neighbours,
    /// So many per cent of it count.
    pub(super) percent: u32,
    /// What other ways to the goal have taught.
    pub(super) learnt: Option<&'a DoorGoal>,
}

impl Estimate<'_> {
    #[inline]
    fn from(&self, at: CellPos) -> u32 {
        let (dx, dy) = (at.x.abs_diff(self.goal.x), at.y.abs_diff(self.goal.y));
        let (short, long) = (dx.min(dy), dx.max(dy));
        let steps = match self.neighbours {
            Neighbours::Four => (short + long) * (STRAIGHT / UNIT),
            Neighbours::Eight => long * (STRAIGHT / UNIT) + short * ((DIAGONAL - STRAIGHT) / UNIT),
        };
        let units = steps * self.cheapest;
        if self.percent == 100 { units } else { (u64::from(units) * u64::from(self.percent) / 100) as u32 }
    }
}

impl Frontier {
    /// Makes memory ahead of need, for so many doors.
    pub(super) fn make_room(&mut self, doors: usize) {
        make_room(&mut self.nodes, doors);
        self.open.make_room(doors);
    }

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
                |door| Node { cost: u64::MAX, within: u64::MAX, parent: NOBODY, sector, door, done: false };
            self.nodes.extend((0..count).map(node));
            start
        });
        start + u32::from(door)
    }

    /// A sector was entered through a door, at the cell `at`, from `parent`, at this cost.
    #[inline]
    pub(super) fn reach(
        &mut self,
        doors: &Doors,
        (sector, door): (SectorId, u16),
        at: impl Fn() -> CellPos,
        cost: u64,
        parent: u32,
        left: &Estimate<'_>,
    ) {
        let id = self.node(doors, sector, door);
        let node = &mut self.nodes[id as usize];
        if cost < node.cost && cost < node.within {
            (node.cost, node.parent) = (cost, parent);
            let learnt = left.learnt.map_or(0, |goal| goal.least(sector, door));
            let left = left.from(at()).max(learnt);
            // Of equally good ones the sector goes first that this search saw first.
            self.open.push(OpenEntry::new(cost + u64::from(left), left, id));
        }
    }

    /// The cell of a door was reached from within its sector or block, at this cost. Whether no less was known.
    #[inline]
    pub(super) fn reach_within(&mut self, doors: &Doors, (sector, door): (SectorId, u16), cost: u64) -> bool {
        let id = self.node(doors, sector, door);
        let known = &mut self.nodes[id as usize].within;
        let cheaper = cost < *known;
        *known = cost.min(*known);
        cheaper
    }

    /// The next node to go on from, unless all that is left is as dear as `bound`.
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
