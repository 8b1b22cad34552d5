//! Witness searches: short searches for a detour around a node that is taken out. If there is one, no new link is needed.

use alloc::vec;
use alloc::vec::Vec;

use super::link::Link;

/// Scratch: a search from one node over nodes that are not taken out, with a limit of nodes.
///
/// If a search stops at the limit, it may miss a detour. The only effect is a link that was not needed.
pub(super) struct Witness {
    distance: Vec<u32>,
    /// The number of the search that a distance belongs to.
    stamp: Vec<u32>,
    search: u32,
    heap: Vec<(u32, u32)>,
    /// The number of links that all searches have read so far.
    pub(super) work: u64,
}

/// What a witness search looks for, and when it gives up.
pub(super) struct Wanted<'a> {
    pub(super) from: u32,
    /// The node that may not be passed.
    pub(super) without: u32,
    /// The nodes to reach.
    pub(super) targets: &'a [(u32, u32)],
    /// The longest distance that matters.
    pub(super) limit: u32,
    /// The most nodes that the search settles.
    pub(super) nodes: u32,
}

impl Witness {
    pub(super) fn new(nodes: usize) -> Self {
        Self { distance: vec![0; nodes], stamp: vec![0; nodes], search: 0, heap: Vec::new(), work: 0 }
    }

    /// Searches along `links` for the nodes that `wanted` names.
    pub(super) fn search(&mut self, links: &[Vec<Link>], wanted: &Wanted<'_>) {
        let &Wanted { from, without, targets, limit, nodes } = wanted;
        self.search += 1;
        self.heap.clear();
        self.set(from, 0);
        self.push((0, from));
        let mut left = nodes;
        let mut missing = targets.len();
        while let Some((distance, node)) = self.pop() {
            if distance > self.distance[node as usize] {
                continue;
            }
            if distance > limit || left == 0 {
                break;
            }
            left -= 1;
            if targets.iter().any(|&(target, _)| target == node) {
                missing -= 1;
                if missing == 0 {
                    break;
                }
            }
            self.work += links[node as usize].len() as u64;
            for link in &links[node as usize] {
                let further = distance.saturating_add(link.cost);
                if link.to == without || further > limit || self.reached(link.to) <= further {
                    continue;
                }
                self.set(link.to, further);
                self.push((further, link.to));
            }
        }
    }

    /// Whether a route of at most two links, not over `without`, leads to `target` within `limit`. The links of the start must have been
    /// [marked](Self::mark).
    pub(super) fn two_links(&mut self, links: &[Vec<Link>], target: u32, without: u32, limit: u32) -> bool {
        self.work += links[target as usize].len() as u64;
        self.reached(target) <= limit
            || links[target as usize]
                .iter()
                .any(|link| link.to != without && self.reached(link.to).saturating_add(link.cost) <= limit)
    }

    /// Marks the nodes that the links of `from` lead to.
    pub(super) fn mark(&mut self, links: &[Vec<Link>], from: u32) {
        self.search += 1;
        self.work += links[from as usize].len() as u64;
        for link in &links[from as usize] {
            self.set(link.to, link.cost);
        }
    }

    /// The distance of a node by the last search; `u32::MAX` if it was not reached.
    pub(super) fn reached(&self, node: u32) -> u32 {
        if self.stamp[node as usize] == self.search { self.distance[node as usize] } else { u32::MAX }
    }

    fn set(&mut self, node: u32, distance: u32) {
        self.stamp[node as usize] = self.search;
        self.distance[node as usize] = distance;
    }

    fn push(&mut self, entry: (u32, u32)) {
        let mut at = self.heap.len();
        self.heap.push(entry);
        while at > 0 {
            let above = (at - 1) / 2;
            if self.heap[above] <= entry {
                break;
            }
            self.heap[at] = self.heap[above];
            at = above;
        }
        self.heap[at] = entry;
    }

    fn pop(&mut self) -> Option<(u32, u32)> {
        let last = self.heap.pop()?;
        let Some(&first) = self.heap.first() else { return Some(last) };
        let mut at = 0;
        loop {
            let mut below = 2 * at + 1;
            if below >= self.heap.len() {
                break;
            }
            if below + 1 < self.heap.len() && self.heap[below + 1] < self.heap[below] {
                below += 1;
            }
            if last <= self.heap[below] {
                break;
            }
            self.heap[at] = self.heap[below];
            at = below;
        }
        self.heap[at] = last;
        Some(first)
    }
}
