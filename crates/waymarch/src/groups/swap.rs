//! Neighbours that exchange slots on the way.

use alloc::vec::Vec;

use crate::avoid::{Fine, SpatialIndex};
use crate::base::{Fixed, Scratch, isqrt, poison_list, reserve_total};

/// An exchange must gain 0.047 cells per cell of distance, in 65,536ths. With less, moving pairs would exchange back and forth.
pub const SWAP_MARGIN: i64 = 3080;

/// A unit considers its 6 nearest neighbours.
const PARTNERS: usize = 6;

/// A unit on its way to a slot.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Walker {
    /// A number that no other unit has. It breaks ties.
    pub id: u32,
    /// Its position.
    pub at: Fine,
    /// Its slot.
    pub slot: Fine,
    /// Units with the same number can exchange slots: members of one group with one radius, speed and role.
    pub kin: u32,
}

/// What two units gain by exchanging slots, in 2^-32 of a cell's area: a² + b² - e² - f² - margin · (a + b + e + f). Here a and b are the
/// distances to their slots, and e and f the distances after the exchange.
///
/// *Why exchanges end:* let the potential be the sum of all squared distances, a whole number of at least 0. An exchange with a gain above
/// 0 lowers the potential by more than margin · (a + b + e + f), so by at least 1. Exchanges of one round concern different units, so their gains
/// add up. While no unit moves, there are no more exchanges than the value of the potential. Moving towards slots lowers it too. Only
/// pushes away from slots raise it, and because of the margin small pushes cause no exchange.
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

/// Whether an exchange would gain without the margin. Most would not, and this needs no square roots.
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

impl Scratch for Swapper {
    /// Always the same amount of memory.
    type Demand = ();

    fn poison(&mut self) {
        poison_list(&mut self.best, Some((i64::MAX, 0)));
        poison_list(&mut self.near, u32::MAX);
    }

    fn reserve(&mut self, (): ()) {
        /// Memory for 256 walkers near each other.
        const NEAR: usize = 256;
        reserve_total(&mut self.near, NEAR);
    }
}

impl Swapper {
    /// Writes the pairs that exchange slots to `out`, as indices into `walkers`, in ascending order. `index` must hold the walkers in the same
    /// order. Only walkers within `reach` of each other are considered.
    ///
    /// Each walker proposes to one of its six nearest neighbours: the one with which it gains most. Ties go to the smaller id. Two walkers
    /// that propose to each other exchange. So no walker is in two pairs, and the order of walkers changes nothing.
    pub fn find(
        &mut self,
        walkers: &[Walker],
        index: &SpatialIndex,
        reach: Fixed,
        out: &mut Vec<(u32, u32)>,
    ) {
        out.clear();
        self.best.clear();
        for (own, walker) in walkers.iter().enumerate() {
            // One more: the walker itself is among the nearest, unless others are at the same point.
            index.nearest(walker.at, PARTNERS + 1, reach, &mut self.near);
            let mut best: Option<(i64, u32)> = None;
            for &other in &self.near {
                let Some(partner) = walkers.get(other as usize) else { continue };
                if other as usize == own || partner.kin != walker.kin || !may_gain(walker, partner) {
                    continue;
                }
                let gain = swap_gain(walker, partner);
                let better = best.is_none_or(|(most, held)| {
                    let id = |index: u32| walkers[index as usize].id;
                    gain > most || (gain == most && id(other) < id(held))
                });
                if gain > 0 && better {
                    best = Some((gain, other));
                }
            }
            self.best.push(best);
        }
        for (own, best) in self.best.iter().enumerate() {
            if let Some((_, other)) = best {
                let mutual = self.best[*other as usize].is_some_and(|(_, back)| back as usize == own);
                if mutual && own < *other as usize {
                    out.push((own as u32, *other));
                }
            }
        }
    }
}
