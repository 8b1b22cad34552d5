//! Contraction: nodes are taken out of the graph, the least important first. New links replace the routes over them.

use alloc::collections::BinaryHeap;
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Reverse;

use super::link::{Halves, Link};
use super::witness::{Wanted, Witness};

/// The contracted graph.
pub(super) struct Contracted {
    /// The nodes in the order they were taken out, followed by the nodes of the core.
    pub(super) order: Vec<u32>,
    /// The number of nodes in the core.
    pub(super) core: usize,
    /// Each node's links to nodes taken out later; within the core, all links.
    pub(super) links: Vec<Vec<Link>>,
}

/// How hard to search for detours that make a new link unnecessary.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Effort {
    /// Detours of two links only, to estimate the importance of a node.
    Estimate,
    /// A search too, when the node is taken out.
    Full,
}

/// The most nodes that a search for a detour settles: 100.
const DETOUR_NODES: u32 = 100;

struct Contraction {
    links: Vec<Vec<Link>>,
    level: Vec<u32>,
    witness: Witness,
    /// The pairs of links of a node that need a new link when it is taken out, by their indices in its list.
    needed: Vec<(u16, u16)>,
    /// The nodes to which no detour is known yet, each with the greatest length that a detour may have.
    targets: Vec<(u32, u32)>,
}

/// Contracts a graph until no node is left or `work` links were read. Stops early if a cost or a list would grow too large for its type.
pub(super) fn contract(links: Vec<Vec<Link>>, work: u64) -> Contracted {
    let nodes = links.len();
    let mut graph = Contraction {
        level: vec![0; nodes],
        witness: Witness::new(nodes),
        links,
        needed: Vec::new(),
        targets: Vec::new(),
    };
    let mut queue = BinaryHeap::with_capacity(nodes);
    for node in 0..nodes as u32 {
        queue.push(Reverse((graph.importance(node), node)));
    }
    let mut order = Vec::with_capacity(nodes);
    while let Some(Reverse((_, node))) = queue.pop() {
        let importance = graph.importance(node);
        if queue.peek().is_some_and(|Reverse(next)| *next < (importance, node)) {
            queue.push(Reverse((importance, node)));
            continue;
        }
        if graph.witness.work > work || !graph.take_out(node) {
            queue.push(Reverse((importance, node)));
            break;
        }
        order.push(node);
    }
    let core = queue.len();
    let mut left: Vec<u32> = queue.into_iter().map(|Reverse((_, node))| node).collect();
    left.sort_unstable();
    order.append(&mut left);
    Contracted { order, core, links: graph.links }
}

impl Contraction {
    /// The importance of a node. Nodes with a small number are taken out first.
    fn importance(&mut self, node: u32) -> u64 {
        self.find_needed(node, Effort::Estimate);
        let links = &self.links[node as usize];
        let hops = |link: &Link| u64::from(link.hops);
        let removed: u64 = links.iter().map(hops).sum();
        let added: u64 = self
            .needed
            .iter()
            .map(|&(a, b)| hops(&links[usize::from(a)]) + hops(&links[usize::from(b)]))
            .sum();
        let per_mille = |part: u64, whole: usize| part * 1000 / (whole as u64).max(1);
        u64::from(self.level[node as usize]) * 1000
            + per_mille(self.needed.len() as u64, links.len())
            + per_mille(added, removed as usize)
    }

    /// Finds the pairs of neighbours whose shortest route leads over `node`, as far as `effort` can tell.
    fn find_needed(&mut self, node: u32, effort: Effort) {
        self.needed.clear();
        let links = &self.links[node as usize];
        for (a, from) in links.iter().enumerate() {
            if a + 1 == links.len() {
                break;
            }
            self.witness.mark(&self.links, from.to);
            self.targets.clear();
            let first = self.needed.len();
            for (b, to) in links.iter().enumerate().skip(a + 1) {
                let length = from.cost.saturating_add(to.cost);
                if !self.witness.two_links(&self.links, to.to, node, length) {
                    self.needed.push((a as u16, b as u16));
                    self.targets.push((to.to, length));
                }
            }
            if effort == Effort::Estimate || self.targets.is_empty() {
                continue;
            }
            let limit = self.targets.iter().map(|target| target.1).max().unwrap_or(0);
            let targets = &self.targets;
            let wanted = Wanted { from: from.to, without: node, targets, limit, nodes: DETOUR_NODES };
            self.witness.search(&self.links, &wanted);
            let mut kept = first;
            for (at, &(to, length)) in self.targets.iter().enumerate() {
                if self.witness.reached(to) > length {
                    self.needed[kept] = self.needed[first + at];
                    kept += 1;
                }
            }
            self.needed.truncate(kept);
        }
    }

    /// Takes a node out, unless a number would grow too large for its type.
    fn take_out(&mut self, node: u32) -> bool {
        self.find_needed(node, Effort::Full);
        let cost = |&(a, b): &(u16, u16)| {
            let links = &self.links[node as usize];
            links[usize::from(a)].cost.checked_add(links[usize::from(b)].cost)
        };
        let fits = u16::try_from(self.links[node as usize].len()).is_ok();
        if !fits || self.needed.iter().any(|pair| cost(pair).is_none()) {
            return false;
        }
        let Self { links, level, needed, .. } = self;
        // No link leads from a node to itself, so the links of `node` stay as they are.
        let own = node as usize;
        let above = level[own] + 1;
        for at in 0..links[own].len() {
            let to = links[own][at].to as usize;
            level[to] = above.max(level[to]);
            if let Some(at) = links[to].iter().position(|link| link.to == node) {
                links[to].swap_remove(at);
            }
        }
        for &(a, b) in &*needed {
            let (from, to) = (links[own][usize::from(a)], links[own][usize::from(b)]);
            let halves = Halves { via: node, to_owner: a, to_end: b };
            let hops = from.hops.saturating_add(to.hops);
            let link = Link { to: to.to, cost: from.cost + to.cost, hops, halves };
            join(&mut links[from.to as usize], link);
            join(&mut links[to.to as usize], Link { to: from.to, halves: halves.turned(), ..link });
        }
        true
    }
}

/// Adds a link, or lowers the cost of an existing link to the same node.
fn join(links: &mut Vec<Link>, link: Link) {
    match links.iter_mut().find(|known| known.to == link.to) {
        Some(known) if known.cost <= link.cost => {}
        Some(known) => *known = link,
        None => links.push(link),
    }
}
