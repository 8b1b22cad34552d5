//! Transports: units get in, ride without a body, and get out.

use waymarch::base::{CellRect, Fixed, cell};
use waymarch::config::Config;
use waymarch::query::Goal;
use waymarch::world::{
    Command, CommandError, Death, EventKind, Mover, OnLoss, Order, PlayerId, UnitFilter, UnitId, UnitType,
    UnitTypeId, World,
};
use waymarch_testkit::worlds::{flat_world, soldier};

use crate::squads::{block, field};
use crate::twins::{self, goes_on_alike, rules_with_air, units_in_all};

const OWNER: PlayerId = PlayerId(0);
const WATER: waymarch::cost::TerrainId = waymarch::cost::TerrainId(4);

fn transport(world: &mut World, locomotor: &str, change: impl FnOnce(UnitType) -> UnitType) -> UnitTypeId {
    let locomotor = world.nav().locomotor(locomotor).expect("in the rules");
    let kind = UnitType { capacity: 6, ..UnitType::new("transport", locomotor) };
    world.add_type(change(kind)).expect("legal")
}

fn told(world: &World, unit: UnitId) -> Vec<EventKind> {
    world.events().iter().filter(|event| event.unit == unit).map(|event| event.what).collect()
}

#[test]
fn a_boarded_unit_has_no_body_and_rides_along() {
    let mut world = field(64, 32);
    let squad = block(&mut world, cell(10, 10), 2, 3);
    let truck = transport(&mut world, "wheel", |kind| kind);
    let carrier = world.spawn(truck, OWNER, cell(8, 10)).expect("open");
    world.board(&squad, carrier).expect("6 places");
    world.tick();
    for &unit in &squad {
        assert_eq!(told(&world, unit), [EventKind::Boarded(carrier)]);
    }
    // A walker goes straight through the place where they stood.
    let kind = soldier(&mut world);
    let walker = world.spawn(kind, PlayerId(1), cell(10, 2)).expect("open");
    world
        .order(&[walker], Order::attack_move(Goal::point(cell(10, 20)), Fixed::from_cells(1)))
        .expect("legal");
    world.order(&[carrier], Order::move_to(cell(50, 20))).expect("legal");
    for _ in 0..700 {
        world.tick();
        let at = world.place_of(walker).expect("alive");
        assert_eq!(at.x, waymarch::base::Fine::centre(cell(10, 0)).x, "nobody is in the way");
        assert_eq!(
            told(&world, walker).iter().filter(|what| matches!(what, EventKind::Sighted(_))).count(),
            0
        );
        assert!(squad.iter().all(|&unit| world.cell_of(unit) == world.cell_of(carrier)));
    }
    assert_eq!(world.cell_of(squad[0]), Some(cell(50, 20)));
    assert_eq!(units_in_all(&world, UnitFilter::ALL), [carrier, walker]);
    assert_eq!(units_in_all(&world, UnitFilter::ALL.with_passengers()).len(), 8);
    assert_eq!(world.positions().count(), 2);
}

#[test]
fn orders_wait_in_a_transport_and_continue_outside() {
    let mut world = field(64, 32);
    let squad = block(&mut world, cell(4, 4), 2, 2);
    let truck = transport(&mut world, "wheel", |kind| kind);
    let carrier = world.spawn(truck, OWNER, cell(3, 4)).expect("open");
    world.order(&squad, Order::move_to(cell(20, 20))).expect("legal");
    world.queue(&squad[..1], Order::move_to(cell(50, 4))).expect("legal");
    (0..30).for_each(|_| world.tick());
    world.board(&squad[..2], carrier).expect("places");
    let before: Vec<usize> = squad.iter().map(|&unit| world.orders_of(unit).count()).collect();
    (0..200).for_each(|_| world.tick());
    assert_eq!(world.cell_of(squad[1]), Some(cell(3, 4)));
    world.queue(&squad[1..2], Order::Hold).expect("orders can be given in a transport");
    assert_eq!([0, 1].map(|unit| world.orders_of(squad[unit]).count()), [before[0], before[1] + 1]);
    world.unboard(&squad[..2]).expect("room");
    world.tick();
    assert_eq!(
        told(&world, squad[0]),
        [EventKind::Unboarded(carrier)],
        "the order goes on: it does not start again"
    );
    let mut arrived = [0; 2];
    for _ in 0..900 {
        world.tick();
        for (arrived, &unit) in arrived.iter_mut().zip(&squad) {
            *arrived += told(&world, unit).iter().filter(|what| **what == EventKind::Arrived).count();
        }
    }
    assert_eq!(arrived, [2, 1]);
    assert_eq!(world.cell_of(squad[0]), Some(cell(50, 4)));
}

#[test]
fn a_ship_lands_units_on_the_shore_and_refuses_on_the_open_sea() {
    let mut world = field(64, 24);
    world
        .apply(&Command::SetTerrain { area: CellRect::at(cell(10, 0), 40, 24), terrain: WATER })
        .expect("legal");
    let squad = block(&mut world, cell(6, 8), 2, 3);
    let ship = transport(&mut world, "float", |kind| kind);
    let carrier = world.spawn(ship, OWNER, cell(11, 10)).expect("water");
    world.board(&squad, carrier).expect("6 places");
    world.order(&[carrier], Order::move_to(cell(30, 10))).expect("legal");
    (0..400).for_each(|_| world.tick());
    let saved = world.save();
    assert_eq!(world.unboard(&squad), Err(CommandError::NoFreeCell { unit: squad[0], at: cell(30, 10) }));
    assert_eq!(world.save(), saved);
    world.order(&[carrier], Order::move_to(cell(49, 10))).expect("legal");
    (0..400).for_each(|_| world.tick());
    world.unboard(&squad).expect("the shore is near");
    let cells: Vec<_> = squad.iter().filter_map(|&unit| world.cell_of(unit)).collect();
    assert!(cells.iter().all(|at| (50..53).contains(&at.x)), "{cells:?}");
    assert_eq!(cells.iter().collect::<std::collections::BTreeSet<_>>().len(), 6, "each on a cell of its own");
    (0..60).for_each(|_| world.tick());
    assert!(
        squad.iter().zip(&cells).all(|(&unit, &at)| world.cell_of(unit) == Some(at)),
        "no body is pushed"
    );
}

#[test]
fn units_get_out_of_a_lost_transport_or_die_with_it_as_its_type_says() {
    let mut world = field(32, 32);
    let squad = block(&mut world, cell(4, 4), 2, 3);
    let safe = transport(&mut world, "wheel", |kind| kind);
    let deadly = transport(&mut world, "wheel", |kind| UnitType { on_loss: OnLoss::Die, ..kind });
    let carriers = [safe, deadly].map(|kind| world.spawn(kind, OWNER, cell(12, 12)).expect("open"));
    world.board(&squad[..3], carriers[0]).expect("places");
    world.board(&squad[3..], carriers[1]).expect("places");
    (0..20).for_each(|_| world.tick());
    carriers.iter().for_each(|&unit| world.remove(unit).expect("alive"));
    world.tick();
    for &unit in &squad[..3] {
        assert_eq!(told(&world, unit), [EventKind::Unboarded(carriers[0])]);
        assert!(world.unit(unit).is_some_and(|unit| unit.transport.is_none()));
    }
    for &unit in &squad[3..] {
        assert_eq!(told(&world, unit), [EventKind::Died(Death::WithTransport(carriers[1]))]);
        assert!(world.unit(unit).is_none());
    }
}

#[test]
fn a_unit_without_ground_dies_with_its_aircraft() {
    let mut world = twins::field(32, 32, rules_with_air(), Config::default());
    world
        .apply(&Command::SetTerrain { area: CellRect::at(cell(0, 0), 32, 31), terrain: WATER })
        .expect("legal");
    let kind = soldier(&mut world);
    let unit = world.spawn(kind, OWNER, cell(3, 31)).expect("a beach");
    let air = transport(&mut world, "air", |kind| kind);
    let carrier = world.spawn(air, OWNER, cell(16, 5)).expect("air");
    world.board(&[unit], carrier).expect("places");
    world.tick();
    world.remove(carrier).expect("alive");
    world.tick();
    assert_eq!(told(&world, unit), [EventKind::Died(Death::WithTransport(carrier))]);
}

#[test]
fn wrong_boardings_are_refused_whole_and_name_the_unit() {
    let mut world = field(32, 32);
    let squad = block(&mut world, cell(4, 4), 4, 2);
    let truck = transport(&mut world, "wheel", |kind| UnitType { bulk: 4, ..kind });
    let [a, b] = [cell(12, 12), cell(20, 12)].map(|at| world.spawn(truck, OWNER, at).expect("open"));
    let before = world.save();
    let refusals = [
        (world.board(&squad, squad[0]), CommandError::NoTransport(squad[0])),
        (world.board(&squad, a), CommandError::NoPlaces { transport: a, needed: 8, capacity: 6 }),
        (world.board(&[a], a), CommandError::BoardsItself(a)),
        (world.board(&[], a), CommandError::NoUnits),
        (world.board(&[squad[0], UnitId::DEAD], a), CommandError::NoSuchUnit(UnitId::DEAD)),
        (world.board(&squad, UnitId::DEAD), CommandError::NoSuchUnit(UnitId::DEAD)),
        (world.unboard(&squad[..1]), CommandError::NotAboard(squad[0])),
    ];
    for (refused, expected) in refusals {
        assert_eq!(refused, Err(expected));
    }
    assert_eq!(world.save(), before);
    world.board(&squad[..6], a).expect("exactly full");
    assert_eq!(world.places_left(a), Some(0));
    assert_eq!(world.board(&squad[5..7], b), Err(CommandError::Aboard(squad[5])));
    assert_eq!(world.board(&[a], b), Err(CommandError::CarriesUnits(a)));
    world.unboard(&squad[..5]).expect("room");
    world.unboard(&squad[5..6]).expect("room");
    world.board(&[b], a).expect("an empty transport is cargo");
    assert_eq!(world.board(&squad[..1], b), Err(CommandError::Aboard(b)));
    assert_eq!(
        world.put(b, world.unit(a).expect("alive").position, Default::default()),
        Err(CommandError::Aboard(b))
    );
    let kind = world.unit(squad[0]).expect("alive").kind;
    let refused = world.set_kind(&[a], kind);
    assert_eq!(refused, Err(CommandError::NoPlaces { transport: a, needed: 4, capacity: 0 }));
    world.set_kind(&[a, b], kind).expect_err("a soldier carries nobody");
    world.set_kind(&[b], kind).expect("smaller cargo");
    assert_eq!(world.places_left(a), Some(5));
}

#[test]
fn a_transport_that_the_game_moves_takes_its_units_along_at_once() {
    let mut world = field(32, 32);
    let kind = soldier(&mut world);
    let unit = world.spawn(kind, OWNER, cell(4, 4)).expect("open");
    let truck = transport(&mut world, "wheel", |kind| UnitType { mover: Mover::Game, ..kind });
    let carrier = world.spawn(truck, OWNER, cell(5, 4)).expect("open");
    world.board(&[unit], carrier).expect("places");
    let to = cell(20, 9).centre();
    world.put(carrier, to, Default::default()).expect("on the map");
    assert_eq!(world.cell_of(unit), Some(cell(20, 9)));
    world.set_owner(&[carrier], PlayerId(1)).expect("alive");
    assert_eq!(
        world.unit(unit).map(|unit| unit.owner),
        Some(OWNER),
        "a captured transport does not capture its units"
    );
}

#[test]
fn a_unit_that_gets_out_joins_its_group_again() {
    let mut world = field(96, 32);
    let squad = block(&mut world, cell(4, 4), 3, 3);
    let truck = transport(&mut world, "wheel", |kind| kind);
    let carrier = world.spawn(truck, OWNER, cell(3, 4)).expect("open");
    world.board(&squad[..3], carrier).expect("places");
    world.order(&squad, Order::move_to(cell(80, 20))).expect("legal");
    (0..40).for_each(|_| world.tick());
    let group = world.group_of(squad[8]).expect("a group");
    assert!(squad[..3].iter().all(|&unit| world.group_of(unit).is_none()), "no slot is kept for passengers");
    world.unboard(&squad[..3]).expect("room");
    (0..3).for_each(|_| world.tick());
    assert!(squad.iter().all(|&unit| world.group_of(unit) == Some(group)));
    let mut arrived = 0;
    for _ in 0..1500 {
        world.tick();
        arrived += world.events().iter().filter(|event| event.what == EventKind::Arrived).count();
    }
    assert_eq!(arrived, 9);
}

#[test]
fn units_in_transports_go_on_after_loading_and_restoring() {
    let mut world = flat_world(64, 48, Config::default());
    let squad = block(&mut world, cell(4, 4), 4, 4);
    let truck = transport(&mut world, "wheel", |kind| kind);
    let carriers = [cell(12, 4), cell(12, 8)].map(|at| world.spawn(truck, OWNER, at).expect("open"));
    world.order(&squad, Order::move_to(cell(50, 30))).expect("legal");
    (0..30).for_each(|_| world.tick());
    world.board(&squad[..6], carriers[0]).expect("places");
    world.board(&squad[6..9], carriers[1]).expect("places");
    world.order(&carriers, Order::move_to(cell(40, 40))).expect("legal");
    (0..20).for_each(|_| world.tick());
    world.unboard(&squad[7..9]).expect("room");
    world.remove(carriers[0]).expect("alive");
    goes_on_alike(world, 25, 250);
}

#[test]
fn damaged_saves_with_passengers_are_refused() {
    let mut world = field(16, 16);
    let squad = block(&mut world, cell(4, 4), 2, 1);
    let truck = transport(&mut world, "wheel", |kind| UnitType { capacity: 1, ..kind });
    let carrier = world.spawn(truck, OWNER, cell(8, 8)).expect("open");
    world.board(&squad[..1], carrier).expect("places");
    let mut writer = waymarch::base::ByteWriter::new();
    world.save_units(&mut writer);
    let bytes = writer.into_bytes();
    let load = |bytes: &[u8]| {
        let service = waymarch::world::PathService::new(world.nav().clone());
        World::load_units(service, &mut waymarch::base::ByteReader::new(bytes))
            .map(|world| world.state_hash())
    };
    let whole = load(&bytes).expect("its own bytes");
    let mut refused = 0;
    for place in 0..bytes.len() {
        for flip in [1, 2, 16, 255] {
            let mut damaged = bytes.clone();
            damaged[place] ^= flip;
            match load(&damaged) {
                Ok(hash) => assert_ne!(hash, whole, "byte {place} says nothing"),
                Err(_) => refused += 1,
            }
        }
    }
    assert!(refused > bytes.len());
}
