//! Taking nodes out of a graph, the least important first, with links for the ways that led over them.

use alloc::collections::BinaryHeap;
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Reverse;

use super::witness::Witness;

/// A link to another node, while the graph is being taken apart. Every link exists at both of its ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    pub(super) to: u32,
    pub(super) cost: u32,
    /// How many links of the first graph it stands for.
    pub(super) hops: u32,
    /// What it is made of.
    pub(super) halves: Halves,
}

/// The two links a link is made of: those of `via`, by their places in its list, to the owner of the link and to its other end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Halves {
    pub(super) via: u32,
    pub(super) to_owner: u16,
    pub(super) to_end: u16,
}

impl Halves {
    /// Of a link of the first graph, which is not made of others.
    pub(super) const NONE: Self = Self { via: u32::MAX, to_owner: 0, to_end: 0 };

    const fn turned(self) -> Self {
        Self { via: self.via, to_owner: self.to_end, to_end: self.to_owner }
    }
}

/// The graph taken apart.
pub(super) struct Contracted {
    /// The nodes in the order they were taken out, then those left in, which are the core.
    pub(super) order: Vec<u32>,
    /// How many are in the core.
    pub(super) core: usize,
    /// Each node's links to nodes taken out later; within the core, all links.
    pub(super) links: Vec<Vec<Link>>,
}

/// How hard to look for detours that make a link unnecessary.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Effort {
    /// Detours of two links, to estimate a node's importance.
    Estimate,
    /// A search as well, when it is taken out.
    Full,
}

/// How many nodes a search for a detour may settle.
const DETOUR_NODES: u32 = 100;

struct Contraction {
    links: Vec<Vec<Link>>,
    level: Vec<u32>,
    witness: Witness,
    /// Links that taking out a node makes necessary: by their places in its list.
    needed: Vec<(u16, u16)>,
    /// Nodes to which no detour was found yet, and how long it may be.
    targets: Vec<(u32, u32)>,
}

/// Takes a graph apart until nothing is left, or that has taken `work` looks at links, or a cost or a list would grow too large
/// for its type.
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
    /// Nodes with a small number are taken out first.
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

    /// Finds the pairs of neighbours whose shortest way leads over `node`, as far as can be told from `effort`.
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
            self.witness.search(&self.links, from.to, node, &self.targets, limit, DETOUR_NODES);
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

    /// Takes a node out; not if a number would grow too large for its type.
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
        let links = core::mem::take(&mut self.links[node as usize]);
        let above = self.level[node as usize] + 1;
        for link in &links {
            let level = &mut self.level[link.to as usize];
            *level = above.max(*level);
            let back = &mut self.links[link.to as usize];
            if let Some(at) = back.iter().position(|link| link.to == node) {
                back.swap_remove(at);
            }
        }
        for &(a, b) in &self.needed {
            let (from, to) = (links[usize::from(a)], links[usize::from(b)]);
            let halves = Halves { via: node, to_owner: a, to_end: b };
            let hops = from.hops.saturating_add(to.hops);
            let link = Link { to: to.to, cost: from.cost + to.cost, hops, halves };
            join(&mut self.links[from.to as usize], link);
            join(&mut self.links[to.to as usize], Link { to: from.to, halves: halves.turned(), ..link });
        }
        self.links[node as usize] = links;
        true
    }
}

/// Adds a link, or makes an existing one to the same node cheaper.
fn join(links: &mut Vec<Link>, link: Link) {
    match links.iter_mut().find(|known| known.to == link.to) {
        Some(known) if known.cost <= link.cost => {}
        Some(known) => *known = link,
        None => links.push(link),
    }
}
