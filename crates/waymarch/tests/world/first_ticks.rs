//! The first ticks of orders to many units: groups are formed over several ticks, so that no tick is long.

use waymarch::base::{CellPos, cell};
use waymarch::world::{EventKind, Order, UnitId, World};

use crate::squads::{block, field};

/// 30 squads of 50 units, in 5 rows of 6 squads.
fn squads(world: &mut World) -> Vec<Vec<UnitId>> {
    let corner = |number: i32| cell(4 + number % 6 * 20, 4 + number / 6 * 10);
    (0..30).map(|number| block(world, corner(number), 10, 5)).collect()
}

/// Sends each squad 60 cells to the south.
fn send(world: &mut World, squads: &[Vec<UnitId>]) {
    for squad in squads {
        let CellPos { x, y } = world.unit(squad[0]).expect("alive").position.cell();
        world.order(squad, Order::move_to(cell(x + 5, y + 60))).expect("good");
    }
}

fn in_groups(world: &World, squads: &[Vec<UnitId>]) -> usize {
    squads.iter().flatten().filter(|&&unit| world.group_of(unit).is_some()).count()
}

#[test]
fn thirty_orders_form_ten_groups_a_tick_and_every_unit_begins_its_order_once() {
    let mut world = field(128, 128);
    let squads = squads(&mut world);
    send(&mut world, &squads);
    let mut started = 0;
    for groups in [10, 20, 30, 30] {
        world.tick();
        started += world.events().iter().filter(|event| event.what == EventKind::OrderStarted).count();
        assert_eq!(world.groups().count(), groups);
        assert_eq!(in_groups(&world, &squads), 50 * groups);
        assert_eq!(started, 50 * groups, "a unit begins its order with its group");
    }
    for _ in 0..1200 {
        world.tick();
    }
    assert!(world.units().all(|unit| world.orders_of(unit.id).next().is_none()), "all orders end");
}

#[test]
fn a_group_that_waits_to_be_formed_is_formed_although_new_orders_come_in_every_tick() {
    let mut world = field(128, 128);
    let squads = squads(&mut world);
    send(&mut world, &squads);
    // These 24 squads get a new order in every tick, so that there are always more units than are formed in a tick.
    for _ in 0..60 {
        send(&mut world, &squads[..24]);
        world.tick();
    }
    assert_eq!(in_groups(&world, &squads[24..]), 6 * 50);
}

#[test]
fn a_save_between_the_ticks_in_which_groups_are_formed_goes_on_alike() {
    let mut world = field(128, 128);
    let squads = squads(&mut world);
    send(&mut world, &squads);
    world.tick();
    let mut again = World::load(&world.save()).expect("its own save");
    for _ in 0..20 {
        world.tick();
        again.tick();
        assert_eq!(world.state_hash(), again.state_hash());
        assert_eq!(world.events(), again.events());
    }
}

#[test]
fn one_order_to_a_thousand_units_forms_its_group_at_once() {
    let mut world = field(128, 128);
    let units = block(&mut world, cell(4, 4), 40, 25);
    world.order(&units, Order::move_to(cell(100, 100))).expect("good");
    world.tick();
    assert!(units.iter().all(|&unit| world.group_of(unit).is_some()));
}
