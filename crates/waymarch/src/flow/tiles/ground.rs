//! One agent's ground, as tiles and headings look at it.

use crate::base::{Agent, CellPos, Dir8};
use crate::cost::{CostField, CostLayer, IMPASSABLE, StepRule, with_threat};
use crate::flow::whole::front::NARROWEST;
use crate::query::Threat;

/// What cells cost one agent, and how it may step.
#[derive(Clone, Copy)]
pub(super) struct TileGround<'a> {
    pub(super) field: &'a CostField,
    /// Padded; empty where none counts.
    threat: &'a [u8],
    pub(super) rule: StepRule,
}

impl<'a> TileGround<'a> {
    #[inline]
    pub(super) fn new(layer: &'a CostLayer, agent: Agent, threat: Threat, rule: StepRule) -> Option<Self> {
        let threat = match threat {
            Threat::Ignore => &[][..],
            Threat::Heed => layer.threat().padded(),
        };
        Some(Self { field: layer.field(agent)?, threat, rule })
    }

    /// How wide buckets may be, as a power of two.
    pub(super) fn shift(&self) -> u32 {
        NARROWEST + u32::from(self.field.cheapest()).max(1).ilog2()
    }

    /// What a cell costs; 255 off the map.
    #[inline]
    pub(super) fn cost(&self, at: CellPos) -> u8 {
        if !self.field.grid().contains(at) {
            return IMPASSABLE;
        }
        let place = self.field.padding().pad(at).index();
        with_threat(self.field.padded()[place], self.threat.get(place).copied().unwrap_or(0))
    }

    /// Copies the costs of `width` cells from `at` eastwards, all on the map, into `row`.
    pub(super) fn copy_row(&self, at: CellPos, row: &mut [u8]) {
        let first = self.field.padding().pad(at).index();
        let last = first + row.len();
        row.copy_from_slice(&self.field.padded()[first..last]);
        if let Some(threat) = self.threat.get(first..last) {
            for (cost, &threat) in row.iter_mut().zip(threat) {
                *cost = with_threat(*cost, threat);
            }
        }
    }

    /// Whether a step from a cell on the map is legal.
    pub(super) fn may(&self, at: CellPos, dir: Dir8) -> bool {
        self.field.is_passable(at) && self.legal(at) >> dir.index() & 1 == 1
    }

    /// The legal steps from a cell on the map, bit = direction number. Three loads and no branch, for headings ask often.
    #[inline]
    pub(super) fn legal(&self, at: CellPos) -> u8 {
        let (padding, costs) = (self.field.padding(), self.field.padded());
        let (place, stride) = (padding.pad(at).index(), padding.stride() as usize);
        let row = |start: usize| {
            let row = costs.get(start..).and_then(<[u8]>::first_chunk::<4>);
            row.map(|&row| u64::from(u32::from_le_bytes(row)))
        };
        // Of four bytes the last does not count, but in the south the first: beyond that there may be no more.
        let (Some(north), Some(middle), Some(south)) =
            (row(place - stride - 1), row(place - 1), row(place + stride - 2))
        else {
            return 0;
        };
        let ring =
            north & 0xff_ffff | (middle & 0xff) << 24 | (middle & 0xff_0000) << 16 | (south >> 8) << 40;
        self.rule.table()[usize::from(AROUND[usize::from(open_bytes(ring))])]
    }
}

/// Which of eight bytes are not [`IMPASSABLE`], bit = number of the byte, the lowest first.
#[inline]
const fn open_bytes(bytes: u64) -> u8 {
    const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    const _: () = assert!(IMPASSABLE == 0xff);
    // What is closed turns into zero. A byte that is not keeps its highest bit, or gets it from the sum, which does not carry over.
    let rest = !bytes;
    let open = (((rest & LOW) + LOW) | rest) & !LOW;
    // Brings the highest bit of each byte together in the highest byte.
    ((open >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8
}

/// Bits row by row, from north-west, without the middle: by direction.
const AROUND: [u8; 256] = {
    let order = [Dir8::NW, Dir8::N, Dir8::NE, Dir8::W, Dir8::E, Dir8::SW, Dir8::S, Dir8::SE];
    let mut table = [0; 256];
    let mut rows = 0;
    while rows < 256 {
        let mut bit = 0;
        while bit < 8 {
            table[rows] |= ((rows >> bit & 1) as u8) << order[bit].index();
            bit += 1;
        }
        rows += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn open_bytes_are_told_whatever_the_others_are() {
        for pattern in 0..=255_u8 {
            for (closed, open) in [(255_u8, 0_u8), (255, 1), (255, 127), (255, 128), (255, 254)] {
                let bytes = core::array::from_fn(|at| if pattern >> at & 1 == 1 { open } else { closed });
                assert_eq!(open_bytes(u64::from_le_bytes(bytes)), pattern, "{pattern:08b} {open}");
            }
        }
        assert_eq!((AROUND[0], AROUND[255], AROUND[1], AROUND[1 << 4]), (0, 255, 1 << 7, 1 << 2));
    }
}
