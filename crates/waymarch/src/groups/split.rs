//! Two crossings for one group: how many members should take the other one, by simulating when each would cross.

use alloc::vec::Vec;

use crate::base::{Scratch, poison_list, reserve_total};

/// Which crossing a unit waits at.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Standing {
    /// A member before the near crossing, which may be sent to the other one.
    Free,
    /// A member before the near crossing, which stays there.
    Near,
    /// A member on its route to the other crossing.
    Far,
    /// A unit of another group before the near crossing.
    OtherNear,
    /// A unit of another group before the other crossing.
    OtherFar,
}

/// A unit that has to cross: plain data.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Crosser {
    /// A number that no other unit has. It breaks ties.
    pub id: u32,
    /// The crossing it waits at.
    pub standing: Standing,
    /// Its distance to the near crossing. Not used for units at the other crossing.
    pub near: u64,
    /// Its distance to the other crossing. Used only for units that go there or may be sent there.
    pub far: u64,
}

/// A crossing. Times are measured as the distance that a unit walks in that time.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Crossing {
    /// The time between two units that cross one after the other. 0 for a crossing without a limit.
    pub headway: u64,
    /// The distance from the crossing to the goal.
    pub rest: u64,
}

/// When the last member is at the goal, as the distance that a unit walks in that time.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Ends {
    /// If no member is sent.
    pub without: u64,
    /// If the best number of members is sent.
    pub with: u64,
}

impl Ends {
    /// How much earlier the last member is at the goal.
    #[must_use]
    pub const fn gain(&self) -> u64 {
        self.without.saturating_sub(self.with)
    }
}

/// Scratch: computes how to split a group. Keep one and reuse it: it allocates nothing once it has grown.
///
/// ```
/// use waymarch::groups::{Crosser, Crossing, Splitter, Standing};
/// let crosser = |id: u32| Crosser { id, standing: Standing::Free, near: 10, far: 40 };
/// let bridge = Crossing { headway: 2, rest: 10 };
/// let (mut splitter, mut sent) = (Splitter::default(), Vec::new());
/// // Ten units have crossed after 10 + 9 × 2: no unit gains by walking thirty farther.
/// let few: Vec<Crosser> = (0..10).map(crosser).collect();
/// assert_eq!(splitter.split(bridge, bridge, &few, &mut sent).gain(), 0);
/// assert!(sent.is_empty());
/// // Of a hundred units, forty-two should be sent.
/// let many: Vec<Crosser> = (0..100).map(crosser).collect();
/// assert_eq!(splitter.split(bridge, bridge, &many, &mut sent).gain(), 84);
/// assert_eq!(sent.len(), 42);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Splitter {
    /// Members that may be sent, in the order of sending: how much farther the other crossing is, id and index.
    order: Vec<(i64, u32, u32)>,
    near: Vec<Arrival>,
    far: Vec<Arrival>,
}

/// A unit that comes to a crossing.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Arrival {
    at: u64,
    id: u32,
    /// Its number among the members that may be sent, from 1; 0 for all other units.
    turn: u32,
    mine: bool,
}

impl Scratch for Splitter {
    /// Units that have to cross.
    type Demand = usize;

    fn poison(&mut self) {
        let rubbish = Arrival { at: 7, id: 7, turn: 0, mine: true };
        poison_list(&mut self.order, (7, 7, u32::MAX));
        poison_list(&mut self.near, rubbish);
        poison_list(&mut self.far, rubbish);
    }

    fn reserve(&mut self, crossers: usize) {
        reserve_total(&mut self.order, crossers);
        reserve_total(&mut self.near, crossers);
        reserve_total(&mut self.far, crossers);
    }
}

impl Splitter {
    /// Writes to `sent` the ids of members to send to the other crossing, so that the last member is at the goal as early as possible.
    /// Members with the shortest detour come first. Returns when the last member is at the goal, with these members sent and without.
    /// If several numbers of members are equally good, the smallest is taken.
    ///
    /// Units cross in the order in which they come, `headway` apart. Members that were sent before are not called back.
    ///
    /// *Cost:* three sorts, and about a dozen passes over all units.
    pub fn split(&mut self, near: Crossing, far: Crossing, all: &[Crosser], sent: &mut Vec<u32>) -> Ends {
        sent.clear();
        self.sort_arrivals(all);
        let most = self.order.len() as u32;
        let last = |splitter: &Self, count: u32| {
            let one = passage(&splitter.near, near, |arrival| arrival.turn == 0 || arrival.turn > count);
            let other = passage(&splitter.far, far, |arrival| arrival.turn <= count);
            (one, other)
        };
        // The more members are sent, the earlier the near crossing is clear, and the later the other one. Bisect for where both are
        // equal.
        let (mut low, mut high) = (0, most);
        while low < high {
            let middle = low + (high - low) / 2;
            let (one, other) = last(self, middle);
            if one <= other { high = middle } else { low = middle + 1 }
        }
        let ends = |count: u32| {
            let (one, other) = last(self, count);
            (one.max(other), count)
        };
        let (end, count) = ends(low).min(ends(low.saturating_sub(1))).min(ends(0));
        sent.extend(self.order[..count as usize].iter().map(|&(_, id, _)| id));
        Ends { without: ends(0).0, with: end }
    }

    /// The longest wait of a member before the near crossing, if no member is sent.
    pub fn longest_wait(&mut self, near: Crossing, all: &[Crosser]) -> u64 {
        self.sort_arrivals(all);
        let mut free = 0;
        let mut longest = 0;
        for arrival in &self.near {
            let crosses = arrival.at.max(free);
            free = crosses.saturating_add(near.headway);
            if arrival.mine {
                longest = longest.max(crosses - arrival.at);
            }
        }
        longest
    }

    /// Sorts the arrivals at both crossings.
    fn sort_arrivals(&mut self, all: &[Crosser]) {
        let Self { order, near, far } = self;
        order.clear();
        near.clear();
        far.clear();
        for (index, crosser) in all.iter().enumerate() {
            if crosser.standing == Standing::Free {
                let farther = i128::from(crosser.far) - i128::from(crosser.near);
                let farther = farther.clamp(i128::from(i64::MIN), i128::from(i64::MAX)) as i64;
                order.push((farther, crosser.id, index as u32));
            }
            let mine = matches!(crosser.standing, Standing::Free | Standing::Near | Standing::Far);
            let arrival = |at: u64| Arrival { at, id: crosser.id, turn: 0, mine };
            match crosser.standing {
                Standing::Near | Standing::OtherNear => near.push(arrival(crosser.near)),
                Standing::Far | Standing::OtherFar => far.push(arrival(crosser.far)),
                Standing::Free => {}
            }
        }
        order.sort_unstable();
        for (turn, &(_, id, index)) in (1_u32..).zip(order.iter()) {
            let crosser = &all[index as usize];
            near.push(Arrival { at: crosser.near, id, turn, mine: true });
            far.push(Arrival { at: crosser.far, id, turn, mine: true });
        }
        near.sort_unstable();
        far.sort_unstable();
    }
}

/// When the last member that takes a crossing is at the goal; 0 if no member takes it.
fn passage(arrivals: &[Arrival], crossing: Crossing, takes: impl Fn(&Arrival) -> bool) -> u64 {
    let (mut free, mut last) = (0_u64, None);
    for arrival in arrivals.iter().filter(|arrival| takes(arrival)) {
        let crosses = arrival.at.max(free);
        free = crosses.saturating_add(crossing.headway);
        if arrival.mine {
            last = Some(crosses);
        }
    }
    last.map_or(0, |last: u64| last.saturating_add(crossing.rest))
}
