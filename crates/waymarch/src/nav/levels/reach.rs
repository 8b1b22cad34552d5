//! Which domains links join.

use alloc::vec;
use alloc::vec::Vec;

use crate::base::CellPos;
use crate::levels::{LinkState, LinkSteps};
use crate::sectors::{DomainId, Sectors};

/// Derived: from which domains of one agent open links lead to which others, over any number of links.
///
/// Within a domain the sectors know all. Few domains have links, so a table of bits holds the answer for each pair.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct LevelReach {
    /// The domains with an end of an open link, ascending.
    domains: Vec<DomainId>,
    /// A row of bits per domain: the domains that can be reached from it.
    reached: Vec<u64>,
}

impl LevelReach {
    pub(super) fn new(sectors: &Sectors, steps: &LinkSteps) -> Self {
        let agent = steps.agent();
        let open = steps.all().iter().filter(|step| step.state == LinkState::Open);
        let ends =
            open.filter_map(|step| sectors.domain(step.from, agent).zip(sectors.domain(step.to, agent)));
        let mut pairs: Vec<(DomainId, DomainId)> = ends.filter(|(from, to)| from != to).collect();
        pairs.sort_unstable();
        pairs.dedup();
        let mut domains: Vec<DomainId> = pairs.iter().flat_map(|&(from, to)| [from, to]).collect();
        domains.sort_unstable();
        domains.dedup();
        let words = domains.len().div_ceil(64);
        let mut reached = vec![0; words * domains.len()];
        let place = |domain: DomainId| domains.binary_search(&domain).unwrap_or_default();
        let mut open: Vec<usize> = Vec::new();
        for start in 0..domains.len() {
            let row = &mut reached[start * words..(start + 1) * words];
            row[start / 64] |= 1 << (start % 64);
            open.push(start);
            while let Some(at) = open.pop() {
                let first = pairs.partition_point(|pair| pair.0 < domains[at]);
                for &(_, to) in pairs[first..].iter().take_while(|pair| pair.0 == domains[at]) {
                    let to = place(to);
                    if row[to / 64] >> (to % 64) & 1 == 0 {
                        row[to / 64] |= 1 << (to % 64);
                        open.push(to);
                    }
                }
            }
        }
        Self { domains, reached }
    }

    /// Whether links lead from one domain to another.
    fn leads(&self, from: DomainId, to: DomainId) -> bool {
        let place = |domain| self.domains.binary_search(&domain).ok();
        let words = self.domains.len().div_ceil(64);
        place(from)
            .zip(place(to))
            .is_some_and(|(from, to)| self.reached[from * words + to / 64] >> (to % 64) & 1 != 0)
    }

    /// Whether the agent of `steps` gets from a cell of the atlas to another.
    pub(super) fn reachable(&self, sectors: &Sectors, steps: &LinkSteps, from: CellPos, to: CellPos) -> bool {
        let agent = steps.agent();
        // The sectors compare two cells faster than they name the domain of one.
        if sectors.reachable(from, to, agent) {
            return true;
        }
        let ends = sectors.domain(from, agent).zip(sectors.domain(to, agent));
        ends.is_some_and(|(from, to)| self.leads(from, to))
    }

    /// Bytes held.
    pub(super) fn memory_bytes(&self) -> usize {
        self.domains.len() * size_of::<DomainId>() + self.reached.len() * 8
    }
}
