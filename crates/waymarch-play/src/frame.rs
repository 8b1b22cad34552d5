//! Frames: all units at one tick as bytes (`WMF1`), and differences between frames for replay pages.

use waymarch::world::{PathStatus, Stance, Unit, World};

/// Flag 1: the clock is stopped.
pub(crate) const PAUSED: u32 = 1;
/// Flag 2: this frame does not continue the last one, because the world was replaced or restored.
pub(crate) const JUMP: u32 = 2;
/// A frame has 48 bytes before the units.
pub(crate) const HEAD: usize = 48;
/// A unit takes 20 bytes.
pub(crate) const UNIT: usize = 20;
/// A frame has room for 8 times.
pub(crate) const TIMES: usize = 8;

/// The part of a frame before the units.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Heading {
    pub(crate) flags: u32,
    pub(crate) hash: u64,
    /// Ticks since the hash was computed.
    pub(crate) age: u16,
    pub(crate) times: [u16; TIMES],
    /// In per cent of the `ticks_per_second` of the game.
    pub(crate) speed: u16,
}

/// Writes the frame of `world` into `out`, which is cleared first.
pub(crate) fn write(world: &World, heading: &Heading, out: &mut Vec<u8>) {
    out.clear();
    out.extend_from_slice(b"WMF1");
    out.extend_from_slice(&heading.flags.to_le_bytes());
    out.extend_from_slice(&world.now().0.to_le_bytes());
    out.extend_from_slice(&heading.hash.to_le_bytes());
    heading.times.iter().for_each(|time| out.extend_from_slice(&time.to_le_bytes()));
    out.extend_from_slice(&heading.speed.to_le_bytes());
    out.extend_from_slice(&heading.age.to_le_bytes());
    out.extend_from_slice(&(world.unit_count() as u32).to_le_bytes());
    world.units().for_each(|unit| put_unit(world, &unit, out));
}

fn put_unit(world: &World, unit: &Unit, out: &mut Vec<u8>) {
    let group = world.order_number(unit.id).map_or(0, |number| (number % 65_535) as u16 + 1);
    out.extend_from_slice(&unit.id.index().to_le_bytes());
    out.extend_from_slice(&unit.position.x.raw().to_le_bytes());
    out.extend_from_slice(&unit.position.y.raw().to_le_bytes());
    out.extend_from_slice(&unit.facing.0.to_le_bytes());
    out.push(state(world, unit));
    out.push(unit.owner.0);
    out.extend_from_slice(&group.to_le_bytes());
    out.push(unit.kind.0.min(255) as u8);
    out.push(0);
}

/// A unit's stance, route status, stuck rung and orders in one byte.
fn state(world: &World, unit: &Unit) -> u8 {
    let stance = match unit.stance {
        Stance::Idle => 0,
        Stance::Moving | Stance::Returning => 1,
        Stance::Holding => 2,
    };
    let route = match world.route_status(unit.id) {
        Some(PathStatus::Pending) => 1 << 2,
        Some(PathStatus::Temporary) => 1 << 3,
        _ => 0,
    };
    let rung = world.rung_of(unit.id).map_or(0, |rung| rung as u8) << 4;
    let orders = match world.orders_of(unit.id).take(2).count() {
        0 => 0,
        1 => 1 << 6,
        _ => 1 << 6 | 1 << 7,
    };
    stance | route | rung | orders
}

/// Rounds positions down to 1/64 cell and facings to 1/256 turn. Differences between such frames lose nothing.
pub(crate) fn coarsen(frame: &mut [u8]) {
    for unit in frame.get_mut(HEAD..).unwrap_or_default().chunks_exact_mut(UNIT) {
        unit[4] &= 0xf0;
        unit[8] &= 0xf0;
        unit[12] = 0;
    }
}

/// The difference from `last` to `next`, both rounded. `None` if their units, owners or kinds differ.
pub(crate) fn difference(last: &[u8], next: &[u8]) -> Option<Vec<u8>> {
    let units = |frame: &'_ [u8]| frame.get(HEAD..).unwrap_or_default().len() / UNIT;
    let fixed = |unit: &[u8]| [unit[0], unit[1], unit[2], unit[3], unit[15], unit[18], unit[19]];
    let pairs = || last[HEAD..].chunks_exact(UNIT).zip(next[HEAD..].chunks_exact(UNIT));
    if last.len() < HEAD || last.len() != next.len() || pairs().any(|(a, b)| fixed(a) != fixed(b)) {
        return None;
    }
    let mut out = Vec::with_capacity(24 + units(next) * 6);
    out.extend_from_slice(&next[8..24]);
    out.extend_from_slice(&next[42..44]);
    out.extend_from_slice(&[0, 0]);
    out.extend_from_slice(&(units(next) as u32).to_le_bytes());
    for at in [4, 8] {
        for (a, b) in pairs() {
            // Positions lie on the map, so their difference does not overflow.
            varint(zigzag((number(b, at) >> 4).wrapping_sub(number(a, at) >> 4)), &mut out);
        }
    }
    out.extend(pairs().map(|(a, b)| b[13].wrapping_sub(a[13])));
    out.extend(pairs().map(|(a, b)| a[14] ^ b[14]));
    for (a, b) in pairs() {
        out.extend_from_slice(&[a[16] ^ b[16], a[17] ^ b[17]]);
    }
    Some(out)
}

/// The `i32` at an offset of a unit.
fn number(unit: &[u8], at: usize) -> i32 {
    i32::from_le_bytes([unit[at], unit[at + 1], unit[at + 2], unit[at + 3]])
}

fn zigzag(n: i32) -> u32 {
    ((n << 1) ^ (n >> 31)) as u32
}

fn varint(mut n: u32, out: &mut Vec<u8>) {
    while n >= 0x80 {
        out.push(n as u8 | 0x80);
        n >>= 7;
    }
    out.push(n as u8);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A frame of units at these positions with these facings.
    fn frame(tick: u64, units: &[(u32, i32, i32, u16)]) -> Vec<u8> {
        let mut out = b"WMF1\0\0\0\0".to_vec();
        out.extend_from_slice(&tick.to_le_bytes());
        out.extend_from_slice(&[7; 28]);
        out.extend_from_slice(&(units.len() as u32).to_le_bytes());
        for &(slot, x, y, facing) in units {
            out.extend_from_slice(&slot.to_le_bytes());
            out.extend_from_slice(&x.to_le_bytes());
            out.extend_from_slice(&y.to_le_bytes());
            out.extend_from_slice(&facing.to_le_bytes());
            out.extend_from_slice(&[1, 2, 3, 4, 5, 0]);
        }
        out
    }

    fn take_varint(bytes: &mut &[u8]) -> i32 {
        let (mut n, mut shift) = (0_u32, 0);
        loop {
            let byte = bytes[0];
            *bytes = &bytes[1..];
            n |= u32::from(byte & 0x7f) << shift;
            shift += 7;
            if byte < 0x80 {
                return (n >> 1) as i32 ^ -((n & 1) as i32);
            }
        }
    }

    #[test]
    fn a_difference_laid_over_the_last_frame_gives_the_next() {
        let mut last = frame(5, &[(0, 100_000, 5, 0), (3, 0, 70_000, 65_000), (9, -40, 1024, 300)]);
        let mut next = frame(6, &[(0, 100_128, 5, 4000), (3, 9_000_000, 69_000, 10), (9, -400, 1024, 300)]);
        coarsen(&mut last);
        coarsen(&mut next);
        let delta = difference(&last, &next).unwrap();
        assert_eq!(delta[..8], 6_u64.to_le_bytes());
        let mut rest = &delta[24..];
        for at in [4, 8] {
            for n in 0..3 {
                let place = HEAD + n * UNIT;
                let moved = number(&last[place..], at) + take_varint(&mut rest) * 16;
                assert_eq!(moved, number(&next[place..], at));
            }
        }
        let turned = (0..3).all(|n| {
            let place = HEAD + n * UNIT + 13;
            last[place].wrapping_add(rest[n]) == next[place]
        });
        assert!(turned);
        assert_eq!(rest.len(), 3 + 3 + 6);
    }

    #[test]
    fn other_units_need_a_key_frame() {
        let last = frame(5, &[(0, 0, 0, 0), (3, 0, 0, 0)]);
        assert_eq!(difference(&last, &frame(6, &[(0, 0, 0, 0)])), None);
        assert_eq!(difference(&last, &frame(6, &[(0, 0, 0, 0), (4, 0, 0, 0)])), None);
        assert!(difference(&last, &frame(6, &[(0, 0, 0, 0), (3, 0, 0, 0)])).is_some());
    }
}
