//! Neighbours who exchange slots on the way.

use alloc::vec::Vec;

use crate::avoid::{Fine, SpatialIndex};
use crate::base::{Fixed, isqrt, make_room, spoil};

/// What an exchange must save beyond nothing, for each length of leg: 0.047 cells. Less, and pairs exchange to and fro while they move.
pub const SWAP_MARGIN: i64 = 3080;

/// How many neighbours a unit considers.
const PARTNERS: usize = 6;

/// Somebody on its way to a slot.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Walker {
    /// A number that no other has. Breaks ties.
    pub id: u32,
    /// Where it is.
    pub at: Fine,
    /// Its slot.
    pub slot: Fine,
    /// Who can take whose slot: those with the same number. Give one number to the members of a group of one radius, speed and role.
    pub kin: u32,
}

/// What two units gain by exchanging slots, in 2^-32 of a cell's area: a² + b² - e² - f² - margin · (a + b + e + f), where a and b
/// are their legs and e and f what the legs would be.
///
/// *Why it ends.* Let the potential be the sum of all squared legs, a whole number that is not negative. An exchange with a gain above 0 lowers it by more than
/// margin · (a + b + e + f), so by at least one. Exchanges of one round concern different units, so that their gains add up. As long as
/// nobody moves there are therefore at most as many exchanges as the potential says. Moving towards slots lowers it too; only being pushed
/// away raises it, and the margin keeps small pushes from being answered by exchanges.
///
/// ```
/// use waymarch::avoid::Fine;
/// use waymarch::base::cell;
/// use waymarch::groups::{Walker, swap_gain};
/// let walker = |id, x, to| Walker { id, at: Fine::centre(cell(x, 0)), slot: Fine::centre(cell(to, 9)), kin: 0 };
/// assert!(swap_gain(&walker(1, 0, 5), &walker(2, 5, 0)) > 0, "their legs cross");
/// assert!(swap_gain(&walker(1, 0, 0), &walker(2, 5, 5)) < 0);
/// ```
#[must_use]
pub fn swap_gain(a: &Walker, b: &Walker) -> i64 {
    let leg = |from: &Walker, to: &Walker| i128::from(from.at.distance_squared(to.slot));
    let root = |square: i128| i128::from(isqrt(square as u64));
    let (own_a, own_b, new_a, new_b) = (leg(a, a), leg(b, b), leg(a, b), leg(b, a));
    let lengths = root(own_a) + root(own_b) + root(new_a) + root(new_b);
    let gain = own_a + own_b - new_a - new_b - i128::from(SWAP_MARGIN) * lengths;
    gain.clamp(i128::from(i64::MIN), i128::from(i64::MAX)) as i64
}

/// Whether an exchange would gain something if it cost nothing. Most would not, and that is known without roots.
fn may_gain(a: &Walker, b: &Walker) -> bool {
    let leg = |from: &Walker, to: &Walker| i128::from(from.at.distance_squared(to.slot));
    leg(a, a) + leg(b, b) > leg(a, b) + leg(b, a)
}

/// Scratch: finds exchanges. Keep one and use it again: it allocates nothing once it has grown.
#[derive(Clone, Debug, Default)]
pub struct Swapper {
    best: Vec<Option<(i64, u32)>>,
    near: Vec<u32>,
}

impl Swapper {
    /// Makes memory ahead of need: as many as can be near each other, mostly.
    pub(crate) fn make_room(&mut self) {
        const NEAR: usize = 256;
        make_room(&mut self.near, NEAR);
    }

    /// Fills it with rubbish; no answer changes.
    pub(crate) fn poison(&mut self) {
        spoil(&mut self.best, Some((i64::MAX, 0)));
        spoil(&mut self.near, u32::MAX);
    }

    /// Writes the pairs that exchange slots to `out`, as places in `walkers`, by place. `index` holds the walkers in the same order; only those
    /// within `reach` of each other are considered.
    ///
    /// Everybody proposes to the one of its six nearest with whom it gains most (ties: the smaller id); who propose to each other
    /// exchange. So nobody is in two pairs, and neither the order of walkers nor that of work changes anything.
    pub fn find(
        &mut self,
        walkers: &[Walker],
        index: &SpatialIndex,
        reach: Fixed,
        out: &mut Vec<(u32, u32)>,
    ) {
        out.clear();
        self.best.clear();
        for (place, walker) in walkers.iter().enumerate() {
            // It is itself among the nearest, unless others are at the same point.
            index.nearest(walker.at, PARTNERS + 1, reach, &mut self.near);
            let mut best: Option<(i64, u32)> = None;
            for &other in &self.near {
                let Some(partner) = walkers.get(other as usize) else { continue };
                if other as usize == place || partner.kin != walker.kin || !may_gain(walker, partner) {
                    continue;
                }
                let gain = swap_gain(walker, partner);
                let better = best.is_none_or(|(most, held)| {
                    let id = |place: u32| walkers[place as usize].id;
                    gain > most || (gain == most && id(other) < id(held))
                });
                if gain > 0 && better {
                    best = Some((gain, other));
                }
            }
            self.best.push(best);
        }
        for (place, best) in self.best.iter().enumerate() {
            if let Some((_, other)) = best {
                let mutual = self.best[*other as usize].is_some_and(|(_, back)| back as usize == place);
                if mutual && place < *other as usize {
                    out.push((place as u32, *other));
                }
            }
        }
    }
}
