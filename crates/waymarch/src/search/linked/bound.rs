//! A lower bound on the length of a route over several levels.

use super::Linked;
use crate::base::CellPos;
use crate::cost::Neighbours;
use crate::levels::LinkState;
use crate::search::octile::octile;

/// With more than 16 shortcuts, the bound is 0: each of them is looked at for every cell.
const MOST_SHORTCUTS: usize = 16;

/// Scratch: the bound towards one goal.
///
/// The bound is the octile distance over the base, or the least way over *shortcuts*: links that are shorter than the distance between their
/// ends, such as teleporters. It is consistent. For a step that holds because the octile distance is. A link that is no shortcut is as
/// long as the distance between its ends. For a shortcut, the bound at its start is at most its length plus the bound at its end.
#[derive(Clone, Copy, Debug)]
pub(super) struct LinkBound {
    goal: CellPos,
    neighbours: Neighbours,
    /// Where each shortcut starts, and the least length from there through it to the goal.
    shortcuts: [(CellPos, u64); MOST_SHORTCUTS],
    count: usize,
    /// Whether there are more shortcuts than the bound looks at.
    blind: bool,
}

impl LinkBound {
    /// The bound towards `goal`, a cell of the atlas.
    pub(super) fn new(linked: &Linked<'_>, goal: CellPos, neighbours: Neighbours) -> Self {
        let atlas = linked.atlas;
        let goal = atlas.over_base(goal);
        let mut bound = Self {
            goal,
            neighbours,
            shortcuts: [(CellPos::default(), 0); MOST_SHORTCUTS],
            count: 0,
            blind: false,
        };
        // Where each shortcut ends, and its length.
        let mut ends = [(CellPos::default(), 0_u64); MOST_SHORTCUTS];
        for step in linked.steps.all().iter().filter(|step| step.state == LinkState::Open) {
            let (from, to) = (atlas.over_base(step.from), atlas.over_base(step.to));
            let length = u64::from(step.length);
            if length >= octile(from, to, neighbours) {
                continue;
            }
            if bound.count == MOST_SHORTCUTS {
                bound.blind = true;
                return bound;
            }
            bound.shortcuts[bound.count] = (from, length + octile(to, goal, neighbours));
            ends[bound.count] = (to, length);
            bound.count += 1;
        }
        // Each round finds the least way over one shortcut more.
        for _ in 1..bound.count {
            for (shortcut, (to, length)) in ends.iter().enumerate().take(bound.count) {
                bound.shortcuts[shortcut].1 = bound.shortcuts[shortcut].1.min(length + bound.at_least(*to));
            }
        }
        bound
    }

    /// No route from a position over the base to the goal is shorter.
    #[inline]
    pub(super) fn at_least(&self, at: CellPos) -> u64 {
        let straight = octile(at, self.goal, self.neighbours);
        if self.count == 0 {
            return straight;
        }
        if self.blind {
            return 0;
        }
        self.shortcuts[..self.count]
            .iter()
            .fold(straight, |least, &(from, onward)| least.min(octile(at, from, self.neighbours) + onward))
    }
}
