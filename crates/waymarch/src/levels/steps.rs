//! The links of one agent, as searches follow them.

use alloc::vec;
use alloc::vec::Vec;

use super::atlas::Atlas;
use super::link::{LinkState, LinkWays};
use super::map::LevelMap;
use crate::base::{Agent, CellPos, Dir8, LevelCell, LevelId};
use crate::cost::{Padding, STRAIGHT};

/// Through which link or end of a deck a route goes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Passage {
    /// The end of a deck, by the number of the deck.
    End(u16),
    /// A link, by its number.
    Link(u16),
}

/// One direction of a link, between cells of the atlas.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct LinkStep {
    /// The cell from which it leads.
    pub from: CellPos,
    /// The cell to which it leads.
    pub to: CellPos,
    /// Its length in 1024ths of a cell. It costs this times the cost of the cell to which it leads.
    pub length: u32,
    /// What it goes through.
    pub through: Passage,
    /// Whether it is open. Its cells may be closed all the same.
    pub state: LinkState,
}

/// Derived: the links that an agent may use, open or not, by the cells from which they lead.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LinkSteps {
    agent: Agent,
    padding: Padding,
    /// By cell, then by the other fields.
    steps: Vec<LinkStep>,
    /// One bit per padded cell, set where a link starts.
    starts: Vec<u64>,
}

impl LinkSteps {
    pub(crate) fn new(map: &LevelMap, atlas: &Atlas, agent: Agent) -> Self {
        let padding = Padding::new(atlas.size());
        let mut steps = Vec::new();
        let mut add = |from: LevelCell, to: LevelCell, length, through, state| {
            if let Some((from, to)) = atlas.cell(from).zip(atlas.cell(to)) {
                steps.push(LinkStep { from, to, length, through, state });
            }
        };
        for (number, link) in (0..).zip(&map.links).filter(|(_, link)| link.admits(agent)) {
            let through = Passage::Link(number);
            add(link.from, link.to, link.length, through, link.state);
            if link.ways == LinkWays::Both {
                add(link.to, link.from, link.length, through, link.state);
            }
        }
        // At the end of a deck, a unit goes straight from where it fits on the deck to where it stands beside it.
        let (back, ahead) = (agent.size.reach_north_west(), agent.size.reach_south_east());
        let length = u32::from(agent.size.side()) * STRAIGHT;
        for (number, deck) in (0..).zip(&map.decks) {
            let (area, level) = (deck.area(), LevelId::of_deck(number));
            for &side in &deck.ends {
                // The last row or column of cells on which a unit of this size fits, and the first beyond the deck.
                let (last, first) = match side {
                    Dir8::E => (area.x1 - 1 - ahead, area.x1 + back),
                    Dir8::W => (area.x0 + back, area.x0 - 1 - ahead),
                    Dir8::S => (area.y1 - 1 - ahead, area.y1 + back),
                    _ => (area.y0 + back, area.y0 - 1 - ahead),
                };
                let along = if side.dx() != 0 { area.y0..area.y1 } else { area.x0..area.x1 };
                for place in along {
                    let cell = |line| match side.dx() {
                        0 => CellPos::new(place, line),
                        _ => CellPos::new(line, place),
                    };
                    let (on, off) = (cell(last).on(level), cell(first).on(LevelId::BASE));
                    add(on, off, length, Passage::End(number), LinkState::Open);
                    add(off, on, length, Passage::End(number), LinkState::Open);
                }
            }
        }
        steps.sort_unstable();
        let mut starts = vec![0; padding.len().div_ceil(64)];
        for step in &steps {
            let place = padding.pad(step.from).index();
            starts[place / 64] |= 1 << (place % 64);
        }
        Self { agent, padding, steps, starts }
    }

    /// The agent.
    #[must_use]
    pub fn agent(&self) -> Agent {
        self.agent
    }

    /// All links.
    #[must_use]
    pub fn all(&self) -> &[LinkStep] {
        &self.steps
    }

    /// Whether a link starts at a cell, open or not; `place` is its index in padded order.
    #[inline]
    #[must_use]
    pub fn starts_at(&self, place: usize) -> bool {
        self.starts[place / 64] >> (place % 64) & 1 != 0
    }

    /// The links that start at a cell of the atlas.
    #[must_use]
    pub fn from(&self, at: CellPos) -> &[LinkStep] {
        if !self.starts_at(self.padding.pad(at).index()) {
            return &[];
        }
        let first = self.steps.partition_point(|step| step.from < at);
        let count = self.steps[first..].partition_point(|step| step.from == at);
        &self.steps[first..first + count]
    }

    /// Opens or closes a link. Returns whether anything changed.
    pub(crate) fn set(&mut self, link: u16, state: LinkState) -> bool {
        let mut changed = false;
        for step in self.steps.iter_mut().filter(|step| step.through == Passage::Link(link)) {
            changed |= core::mem::replace(&mut step.state, state) != state;
        }
        if changed {
            self.steps.sort_unstable();
        }
        changed
    }

    /// Bytes held.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        self.steps.len() * size_of::<LinkStep>() + self.starts.len() * 8
    }
}
