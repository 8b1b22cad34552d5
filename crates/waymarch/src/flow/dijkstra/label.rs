//! Labels: a cell's remaining cost and direction in one number, so that one comparison decides both.

use alloc::vec::Vec;
use core::fmt::Debug;

use super::flow_byte::FlowByte;
use crate::base::Dir8;
use crate::cost::{DIAGONAL, MAX_CELL_COST, STRAIGHT};

/// Both step lengths are multiples of 8, so the low 3 bits of every cost are free for a direction.
const UNIT: u32 = 8;
const _: () = assert!(STRAIGHT % UNIT == 0 && DIAGONAL % UNIT == 0);

/// The most expensive step costs 367,792: a diagonal step of 1448 times a cell cost of 254.
pub(in crate::flow) const DEAREST_STEP: u32 = DIAGONAL * MAX_CELL_COST as u32;

/// The remaining cost from a cell to the goal, with the direction of the first step in the low three bits.
///
/// The smaller of two labels is the cheaper route, or the lower direction if the costs are equal. A cell gets its least label, so the order
/// in which labels are tried does not matter. Three values are special: 0 is the goal, 1 is a closed cell (which no step can lower), and
/// the greatest value is a cell that is not reached. All other labels cost at least one step.
pub(in crate::flow) trait Label: Copy + Ord + Debug {
    const GOAL: Self;
    const CLOSED: Self;
    const UNREACHED: Self;

    /// The last bucket whose labels stay below the bucket of [`Label::UNREACHED`] after one more step.
    fn last_bucket(shift: u32) -> u64;

    /// The label after a step that costs `step`, without a direction yet.
    fn after(self, step: u32) -> Self;

    /// Adds a direction to a label without one.
    fn with_dir(self, dir: u8) -> Self;

    /// The bucket of the label, where buckets are 2^shift wide.
    fn bucket(self, shift: u32) -> u64;

    /// The cost without the direction.
    fn cost(self) -> u64;

    /// The direction number.
    fn dir(self) -> u8;

    /// The label with this number; `None` if the number does not fit or means "not reached".
    fn from_number(number: u64) -> Option<Self>;

    /// The label as a number.
    fn number(self) -> u64;

    /// The label as a flow byte.
    #[inline(always)]
    fn byte(self) -> u8 {
        // The compiler turns these conditions into selections without branches, so it can process many cells at a time.
        let step = FlowByte::PATHABLE | self.dir();
        let step = if self == Self::UNREACHED { FlowByte::NOWHERE.0 } else { step };
        let step = if self == Self::GOAL { FlowByte::GOAL.0 } else { step };
        if self == Self::CLOSED { FlowByte::CLOSED.0 } else { step }
    }

    /// Whether a step leads on from here.
    #[inline(always)]
    fn has_step(self) -> bool {
        self > Self::CLOSED && self < Self::UNREACHED
    }

    /// Whether both have the same remaining cost. The directions may differ.
    #[inline(always)]
    fn same_cost(self, other: Self) -> bool {
        self.cost() == other.cost()
    }
}

macro_rules! label {
    ($type:ty) => {
        impl Label for $type {
            const GOAL: Self = 0;
            const CLOSED: Self = 1;
            const UNREACHED: Self = <$type>::MAX;

            #[inline]
            fn last_bucket(shift: u32) -> u64 {
                let reserve = <$type>::from(DEAREST_STEP + UNIT) + (2 << shift);
                u64::from((<$type>::MAX - reserve) >> shift) - 1
            }

            #[inline(always)]
            fn after(self, step: u32) -> Self {
                (self & !<$type>::from(UNIT - 1)) + <$type>::from(step)
            }

            #[inline(always)]
            fn with_dir(self, dir: u8) -> Self {
                self + <$type>::from(dir)
            }

            #[inline(always)]
            fn bucket(self, shift: u32) -> u64 {
                u64::from(self >> shift)
            }

            #[inline(always)]
            fn cost(self) -> u64 {
                u64::from(self & !<$type>::from(UNIT - 1))
            }

            #[inline(always)]
            fn from_number(number: u64) -> Option<Self> {
                <$type>::try_from(number).ok().filter(|&label| label != Self::UNREACHED)
            }

            #[inline(always)]
            fn number(self) -> u64 {
                u64::from(self)
            }

            #[inline(always)]
            fn dir(self) -> u8 {
                self as u8 & (UNIT - 1) as u8
            }
        }
    };
}

label!(u32);
label!(u64);

/// The cost of a route does not fit in the labels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::flow) struct TooDear;

/// Derived: the labels of all cells in padded order.
///
/// Four bytes per label are enough for routes that cost less than about 2^32: four million cells of cost 1. If a search finds a route near
/// that cost, it stops and is repeated with eight bytes per label. Eight bytes are enough for every legal map (2^26 cells of at most 254 ×
/// 1448).
#[derive(Clone, Debug)]
pub(in crate::flow) enum Labels {
    Narrow(Vec<u32>),
    Wide(Vec<u64>),
}

impl Default for Labels {
    fn default() -> Self {
        Self::Narrow(Vec::new())
    }
}

impl Labels {
    /// The cost from a place and the direction of the first step; `None` where no route leads on.
    #[inline]
    pub(in crate::flow) fn cost_and_step(&self, place: usize) -> Option<(u64, Option<Dir8>)> {
        fn of<L: Label>(label: L) -> Option<(u64, Option<Dir8>)> {
            let step = label.has_step().then(|| Dir8::from_index(label.dir()));
            (step.is_some() || label == L::GOAL).then_some((label.cost(), step))
        }
        match self {
            Self::Narrow(labels) => of(*labels.get(place)?),
            Self::Wide(labels) => of(*labels.get(place)?),
        }
    }

    pub(in crate::flow) fn memory_bytes(&self) -> usize {
        match self {
            Self::Narrow(labels) => labels.len() * 4,
            Self::Wide(labels) => labels.len() * 8,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_near_the_end_of_their_range_differ_from_unreached_ones() {
        for shift in 10..=17 {
            let last = <u32 as Label>::last_bucket(shift);
            let highest = u32::try_from(((last + 1) << shift) - 1).expect("a label");
            let next = highest.after(DEAREST_STEP).with_dir(7);
            assert!(next > highest && next.bucket(shift) < u32::UNREACHED.bucket(shift), "{shift}");
        }
    }

    #[test]
    fn the_cheaper_label_is_smaller_and_among_equals_the_lower_direction() {
        let far = 1024_u32.with_dir(7).after(1448);
        assert_eq!((far.cost(), far.dir()), (1024 + 1448, 0));
        assert!(far.with_dir(2) < far.with_dir(3));
        assert!(far.with_dir(7) < far.after(8).with_dir(0));
        assert!(u32::GOAL < u32::CLOSED && !u32::GOAL.has_step() && !u32::CLOSED.has_step());
    }
}
