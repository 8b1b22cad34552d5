//! Whole games over UDP, with lost, late and reordered datagrams.

mod lockstep;
mod rollback;

use waymarch::base::{CellRect, Fixed, Vec2, cell};
use waymarch::cost::TerrainId;
use waymarch::{Command, World};
use waymarch_netgame::Battle;
use waymarch_netgame::input::Input;

/// The length of the long games, in ticks: 500 seconds of game time.
const LONG: u64 = 10_000;

/// The same game in one process without a network: the inputs of all scripted players, from the tick `delay` after each beginning.
fn alone(battle: &mut Battle, seed: u64, delay: u64, ticks: u64) {
    let begin = battle.tick();
    while battle.tick() < begin + ticks {
        let tick = battle.tick();
        let script =
            |seat| if tick < begin + delay { Input::Idle } else { Input::scripted(seed, seat, tick) };
        let inputs: Vec<Input> = (0..battle.players()).map(script).collect();
        battle.advance(&inputs);
    }
}

/// A battle with all kinds of events, or the test proves nothing.
fn assert_is_battle(battle: &Battle) {
    let (totals, ticks) = (battle.totals(), battle.tick() as u32);
    assert!(totals.orders > ticks / 30 && totals.edits > ticks / 100, "{totals:?}");
    assert!(totals.fallen > ticks / 100 && totals.reinforced > ticks / 200, "{totals:?}");
}

/// A change of one peer's World behind the game's back, and the part of the hash that it changes at once.
type Change = (&'static str, fn(&mut World));

/// The smallest changes: a unit is 1/1024 of a cell off, a cell has other ground, a unit has forgotten its order.
const CHANGES: [Change; 3] = [
    ("units", |world| {
        let unit = world.units().next().expect("a unit");
        let off = Vec2::new(Fixed::from_raw(1), Fixed::ZERO);
        world.put(unit.id, unit.position + off, unit.velocity).expect("a place on the map");
    }),
    ("cost", |world| {
        let area = CellRect::at(cell(0, 63), 1, 1);
        world.apply(&Command::SetTerrain { area, terrain: TerrainId(1) }).expect("a cell on the map");
    }),
    ("orders", |world| {
        let busy = world.units().map(|unit| unit.id).find(|&unit| world.orders_of(unit).next().is_some());
        world.order(&[busy.expect("a busy unit")], waymarch::Order::Hold).expect("an order");
    }),
];
