//! The control of the check: a short game in which the caller, not the engine, has a fault.
//!
//! Each [`Fault`] is a mistake that a program on one platform does not notice. With a fault the lines must differ between platforms; else the
//! comparison is broken. Without a fault the game is one of the games that are compared.

#![allow(clippy::disallowed_types, reason = "a hash set with random order is one of the faults")]

use std::collections::HashSet;

use waymarch::base::{Executor, cell};
use waymarch::config::Config;
use waymarch::world::{Order, UnitId, When};

use crate::games::{Game, Spec};
use crate::{Lines, Options, maps, report};

/// A mistake that makes results depend on the platform or on the run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// A hash in `usize`: 32-bit platforms compute another one.
    Usize,
    /// Bytes in native order: big-endian platforms read other numbers.
    NativeEndian,
    /// The order of a `HashSet`: every run has another one.
    MapOrder,
}

impl Fault {
    /// All faults.
    pub const ALL: [Self; 3] = [Self::Usize, Self::NativeEndian, Self::MapOrder];

    /// The name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Usize => "usize",
            Self::NativeEndian => "native-endian",
            Self::MapOrder => "map-order",
        }
    }
}

pub(crate) fn run<E: Executor>(executor: &E, out: &mut Lines<'_>, options: &Options) {
    let spec = Spec {
        name: "control",
        map: maps::blocks(77, 56, 56),
        config: Config::default(),
        seed: 77,
        ticks: 60,
        units: 60,
        busy: 0,
        planner: None,
        script: None,
    };
    let mut game = Game::new(&spec);
    for tick in 1..=spec.ticks {
        if tick % 12 == 1 {
            let units = chosen_units(&mut game, options.fault);
            let (width, height) = (56, 56);
            let bits = goal_bits(game.random.next(), options.fault);
            let goal = cell((bits % width) as i32, (bits / width % height) as i32);
            game.order(&units, Order::move_to(goal), When::Now);
        }
        game.world.tick_with(executor);
        if tick % 12 == 0 {
            game.observe();
            report!(out, "control {tick} {} seen {:016x}", game.world.state_hash(), game.seen.value());
        }
    }
}

/// Twelve units.
fn chosen_units(game: &mut Game, fault: Option<Fault>) -> Vec<UnitId> {
    let bits = game.random.next();
    let count = game.units.len();
    let first = match fault {
        Some(Fault::Usize) => (bits as usize).wrapping_mul(0x9e37_79b1) >> 9,
        _ => (bits.wrapping_mul(0x9e37_79b1) >> 9) as usize & 0xffff,
    };
    let units = (0..12).map(|number| game.units[(first % count + number * 3) % count]);
    match fault {
        Some(Fault::MapOrder) => units.collect::<HashSet<_>>().into_iter().take(8).collect(),
        _ => units.take(8).collect(),
    }
}

fn goal_bits(bits: u64, fault: Option<Fault>) -> u32 {
    let bytes = (bits as u32).to_le_bytes();
    if fault == Some(Fault::NativeEndian) { u32::from_ne_bytes(bytes) } else { u32::from_le_bytes(bytes) }
}

#[cfg(test)]
mod tests {
    use waymarch::world::Serial;

    use super::*;

    fn lines(fault: Option<Fault>) -> Vec<String> {
        let options = Options { only: vec!["control".into()], fault, ..Options::default() };
        let mut lines = Vec::new();
        crate::run(&Serial, &options, &[], &mut |line| lines.push(line.to_string()));
        lines
    }

    #[test]
    fn a_run_without_a_fault_prints_the_same_lines_again() {
        let once = lines(None);
        assert_eq!(once.len(), 6);
        assert_eq!(once, lines(None));
    }

    /// Two runs choose the same 8 of 12 units in the same order once in more than a million; five orders are given.
    #[test]
    fn the_order_of_a_hash_set_shows_in_the_lines() {
        assert_ne!(lines(Some(Fault::MapOrder)), lines(Some(Fault::MapOrder)));
    }

    #[test]
    #[cfg(all(target_pointer_width = "64", target_endian = "little"))]
    fn the_other_faults_need_another_platform_to_show() {
        assert_eq!(lines(Some(Fault::NativeEndian)), lines(None));
        assert_eq!(lines(Some(Fault::Usize)), lines(Some(Fault::Usize)));
    }
}
