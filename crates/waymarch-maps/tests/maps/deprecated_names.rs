//! Old names of this crate, which work until 0.3.0. A name that is removed earlier breaks this file.

#![allow(deprecated, reason = "these tests use deprecated names")]

use std::path::Path;

use waymarch::base::GridSize;
use waymarch::cost::{Map, Rules};
use waymarch::world::{Recording, Serial, TickPhase};
use waymarch_maps::scenario::{
    Action, Deed, GroupOrder, Muster, OrderTarget, Placement, Plan, ScheduledAction, Simulation, Spot,
    StampPosition, What, Whom, builtin_scenario,
};
use waymarch_maps::{FileResult, LoadOptions, refine, replay};

#[test]
fn deprecated_types_are_the_new_types() {
    let _: fn(ScheduledAction) -> Deed = |same| same;
    let _: fn(Action) -> What = |same| same;
    let _: fn(Placement) -> Muster = |same| same;
    let _: fn(StampPosition) -> Spot = |same| same;
    let _: fn(OrderTarget) -> Whom = |same| same;
    let _: fn(GroupOrder) -> Plan = |same| same;
}

#[test]
fn deprecated_functions_have_their_old_signatures() {
    let _: fn(&Path) -> FileResult<Recording> = replay::load_recording;
    let _: fn(&Path, &Recording) -> FileResult<()> = replay::save_recording;
    let map = Map::flat("field", GridSize::new(9, 9).unwrap(), Rules::standard());
    assert_eq!(refine(map.clone(), &LoadOptions::default()).unwrap(), map);
}

#[test]
fn deprecated_ticks_of_a_simulation_do_the_same() {
    let scenario = builtin_scenario("door").unwrap();
    let mut old = Simulation::new(scenario.clone(), 0).unwrap();
    let mut new = Simulation::new(scenario, 0).unwrap();
    let mut phases = Vec::new();
    old.act();
    old.pass(&Serial);
    old.act();
    old.pass_watched(&Serial, |phase: TickPhase| phases.push(phase));
    for _ in 0..2 {
        new.give_due_commands();
        new.tick(&Serial);
    }
    assert_eq!(old.world().state_hash(), new.world().state_hash());
    assert_eq!(phases, TickPhase::ALL);
}
