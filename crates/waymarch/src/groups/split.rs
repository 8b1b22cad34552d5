//! Two ways for one group: how many had better take the other one, reckoned forward by who would be through when.

use alloc::vec::Vec;

use crate::base::{make_room, spoil};

/// Where somebody stands who has to cross.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Standing {
    /// A member before the near crossing, who may still be sent to the other.
    Free,
    /// A member before the near crossing, who stays with it.
    Near,
    /// A member on its way to the other crossing.
    Far,
    /// Somebody else before the near crossing.
    OtherNear,
    /// Somebody else before the other crossing.
    OtherFar,
}

/// Somebody who has to cross: plain data.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Crosser {
    /// A number that nobody else has. Breaks ties.
    pub id: u32,
    /// Where it stands.
    pub standing: Standing,
    /// How far it is to the near crossing. Nobody asks this of those who go to the other.
    pub near: u64,
    /// How far it is to the other crossing. Asked of those only who go there or may be sent there.
    pub far: u64,
}

/// A crossing, in lengths: what a walker covers while it waits counts as the time it waits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Crossing {
    /// How far one walks between two who cross it one after the other. 0 for a way that is as wide as anybody wants.
    pub headway: u64,
    /// How far it is from there to the end.
    pub rest: u64,
}

/// When the last member is at the end, in lengths that it could have walked.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Ends {
    /// If nobody is sent.
    pub without: u64,
    /// If those are sent who should be.
    pub with: u64,
}

impl Ends {
    /// How much earlier the last one is there.
    #[must_use]
    pub const fn gain(&self) -> u64 {
        self.without.saturating_sub(self.with)
    }
}

/// Scratch: reckons how to split a group. Keep one and use it again: it allocates nothing once it has grown.
///
/// ```
/// use waymarch::groups::{Crosser, Crossing, Splitter, Standing};
/// let crosser = |id: u32| Crosser { id, standing: Standing::Free, near: 10, far: 40 };
/// let bridge = Crossing { headway: 2, rest: 10 };
/// let (mut splitter, mut sent) = (Splitter::default(), Vec::new());
/// // Ten are through after 10 + 9 × 2: nobody gains by walking thirty farther.
/// let few: Vec<Crosser> = (0..10).map(crosser).collect();
/// assert_eq!(splitter.split(bridge, bridge, &few, &mut sent).gain(), 0);
/// assert!(sent.is_empty());
/// // Of a hundred it is worth it for forty-two.
/// let many: Vec<Crosser> = (0..100).map(crosser).collect();
/// assert_eq!(splitter.split(bridge, bridge, &many, &mut sent).gain(), 84);
/// assert_eq!(sent.len(), 42);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Splitter {
    /// Who may be sent, the first being the first to go: how much farther it is for them, and who.
    order: Vec<(i64, u32, u32)>,
    near: Vec<Arrival>,
    far: Vec<Arrival>,
}

/// Somebody who comes to a crossing.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Arrival {
    at: u64,
    id: u32,
    /// Counted from 1 among those who may be sent; 0 for all others.
    turn: u32,
    mine: bool,
}

impl Splitter {
    /// Makes memory ahead of need, for so many who cross.
    pub(crate) fn make_room(&mut self, crossers: usize) {
        make_room(&mut self.order, crossers);
        make_room(&mut self.near, crossers);
        make_room(&mut self.far, crossers);
    }

    /// Fills it with rubbish; no answer changes.
    pub(crate) fn poison(&mut self) {
        let rubbish = Arrival { at: 7, id: 7, turn: 0, mine: true };
        spoil(&mut self.order, (7, 7, u32::MAX));
        spoil(&mut self.near, rubbish);
        spoil(&mut self.far, rubbish);
    }

    /// Writes to `sent` whom to send to the other crossing so that the last member is at the end as early as can be, those first for whom it is least out
    /// of the way; gives when that is, with and without. Of equally good numbers the smallest.
    ///
    /// People cross in the order in which they come, `headway` apart. Those who were sent before count as they are: nobody is called back.
    ///
    /// *Cost:* sorts, and a dozen passes over all who cross.
    pub fn split(&mut self, near: Crossing, far: Crossing, all: &[Crosser], sent: &mut Vec<u32>) -> Ends {
        sent.clear();
        self.line_up(all);
        let most = self.order.len() as u32;
        let last = |splitter: &Self, count: u32| {
            let one = passage(&splitter.near, near, |arrival| arrival.turn == 0 || arrival.turn > count);
            let other = passage(&splitter.far, far, |arrival| arrival.turn <= count);
            (one, other)
        };
        // The more are sent, the earlier the near crossing is clear and the later the other: look for where the two meet.
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

    /// How long the member waits that waits longest before the near crossing, if nobody is sent away.
    pub fn longest_wait(&mut self, near: Crossing, all: &[Crosser]) -> u64 {
        self.line_up(all);
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

    fn line_up(&mut self, all: &[Crosser]) {
        let Self { order, near, far } = self;
        order.clear();
        near.clear();
        far.clear();
        for (place, crosser) in all.iter().enumerate() {
            if crosser.standing == Standing::Free {
                let farther = i128::from(crosser.far) - i128::from(crosser.near);
                let farther = farther.clamp(i128::from(i64::MIN), i128::from(i64::MAX)) as i64;
                order.push((farther, crosser.id, place as u32));
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
        for (turn, &(_, id, place)) in (1_u32..).zip(order.iter()) {
            let crosser = &all[place as usize];
            near.push(Arrival { at: crosser.near, id, turn, mine: true });
            far.push(Arrival { at: crosser.far, id, turn, mine: true });
        }
        near.sort_unstable();
        far.sort_unstable();
    }
}

/// When the last member of those who take a crossing is at the end; 0 if no member takes it.
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
