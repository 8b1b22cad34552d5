//! Faulty branches: the check names tick and branch, and the failing game becomes a small file that fails again.

use waymarch::world::{EventKind, Serial};
use waymarch_maps::scenario::{Scenario, Simulation, find_map};
use waymarch_maps::yaml::read_scenario;

use super::fault::Fault;
use super::{BranchKind, Checker, Failure, Thoroughness, draw_game, shrink, written};

/// A unit that starts to walk at tick 3, a stamp from tick 9 on, and things that no fault needs.
const WALK: &str = "waymarch_scenario: 1
name: walk
map: flat:12x4
ticks: 120
config: {stuck_threshold: 90}
unit_types:
  a: {locomotor: foot, speed: 0.25}
  b: {locomotor: track, speed: 0.125}
units:
  - {group: w, type: a, at: [1, 1]}
  - {group: v, type: b, cells: [[0, 3], [2, 3]]}
actions:
  - {tick: 2, reload: true}
  - {tick: 3, group: w, move: [9, 1]}
  - {tick: 5, terrain: Rough, area: [4, 2, 2, 2]}
  - {tick: 6, group: v, hold: true}
  - {tick: 9, place: {size: [1, 1]}, at: [10, 3]}
  - {tick: 20, group: v, stop: true}
";

fn read(text: &str) -> Scenario {
    read_scenario("game", text.as_bytes(), &|word| find_map(word, None))
        .unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn faulty(kind: Option<BranchKind>, fault: Fault) -> Checker {
    Checker { fault: Some((kind, fault)), ..Checker::new() }
}

fn failure_of(checker: &Checker, game: &Scenario, thoroughness: Thoroughness) -> Failure {
    checker.check(game, thoroughness, &mut || {}).expect_err("the fault is found")
}

/// The number of ticks after which something is so in the game without faults.
fn first_tick(game: &Scenario, is_so: impl Fn(&Simulation) -> bool) -> u64 {
    let mut simulation = Simulation::new(game.clone(), 0).expect("it can be played");
    while !is_so(&simulation) {
        assert!(simulation.world().now().0 < game.ticks, "it never happens");
        simulation.step(&Serial);
    }
    simulation.world().now().0
}

#[test]
fn a_faulty_branch_is_found_in_the_tick_of_its_fault_and_named() {
    let (game, kind) = (read(WALK), BranchKind::RestoreOlder);
    let arrives =
        first_tick(&game, |game| game.world().events().iter().any(|event| event.what == EventKind::Arrived));
    let moves = first_tick(&game, |game| {
        game.world().units().any(|unit| unit.velocity != waymarch::base::Vec2::ZERO)
    });
    // The fault follows the first tick in which a unit moves. Saved bytes are compared every 8 ticks: after tick 11 first.
    for (fault, tick, what) in [
        (Fault::Position, moves + 1, "differs in "),
        (Fault::LostEvent, arrives, "events differ, forked at tick 0: event 0 is None, not Some"),
        (Fault::Byte, 12, "hashes agree, but saved bytes differ"),
        (Fault::RefusedSave, 10, "the World's own save is refused"),
        (Fault::Panic, 9, "a faulty branch"),
    ] {
        for thoroughness in [Thoroughness::Only(kind), Thoroughness::Every] {
            let failure = failure_of(&faulty(Some(kind), fault), &game, thoroughness);
            assert!(failure.what.contains(what), "{fault:?}: {failure}");
            assert_eq!((failure.tick, failure.branch), (tick, Some(kind)), "{fault:?}: {failure}");
        }
        let other =
            faulty(Some(BranchKind::Poison), fault).check(&game, Thoroughness::Only(kind), &mut || {});
        assert!(other.is_ok(), "{fault:?}: only faulty branches fail: {other:?}");
    }
}

#[test]
fn a_fork_that_differs_at_once_is_found_before_the_next_tick() {
    // Bytes are compared after ticks 11 and 19: between them only the fork is compared.
    let game = read(
        &WALK.replace("tick: 9, place", "tick: 12, place").replace("tick: 2, reload", "tick: 14, reload"),
    );
    let kind = BranchKind::Load;
    let failure = failure_of(&faulty(Some(kind), Fault::Byte), &game, Thoroughness::Only(kind));
    assert_eq!((failure.tick, failure.branch), (14, Some(kind)), "{failure}");
}

#[test]
fn a_replay_with_a_lost_event_is_found() {
    let failure =
        failure_of(&faulty(None, Fault::LostEvent), &read(WALK), Thoroughness::Only(BranchKind::Clone));
    assert!(failure.what.starts_with("replay: events of tick "), "{failure}");
    assert_eq!(failure.branch, None);
}

#[test]
fn a_failing_game_shrinks_to_few_actions_and_its_file_fails_again_in_the_same_way() {
    let kind = BranchKind::Load;
    for fault in [Fault::Position, Fault::LostEvent, Fault::Byte] {
        let checker = faulty(Some(kind), fault);
        let (game, failure) = drawn_failure(&checker);
        let mut attempts = 0;
        let mut go_on = || {
            attempts += 1;
            true
        };
        let (smallest, last) = shrink(&checker, &game, &failure, &mut go_on);
        assert!(attempts > 0 && last.branch == Some(kind) && last.is_like(&failure), "{failure}\n{last}");
        let text = written(&smallest, &last).expect("a scenario file");
        assert!(smallest.actions.len() <= 2 && smallest.squads.len() <= 2, "{fault:?}:\n{text}");
        assert!(smallest.setup.map.size.cells() <= 25 && smallest.ticks <= 20, "{fault:?}:\n{text}");
        assert!(text.starts_with(&format!("# tick {}, branch Load: ", last.tick)), "{text}");
        let again = read(&text);
        assert!(again == smallest, "{text}");
        assert_eq!(failure_of(&checker, &again, Thoroughness::Only(kind)), last, "{text}");
        let sound = Checker::new().check(&again, Thoroughness::Only(kind), &mut || {});
        assert!(sound.is_ok(), "{fault:?}: {sound:?}");
    }
}

/// The first drawn game with many actions that a faulty branch makes fail.
fn drawn_failure(checker: &Checker) -> (Scenario, Failure) {
    let is_fit = |game: &Scenario| {
        game.actions.len() > 8 && game.ticks < 100 && (30..900).contains(&game.setup.map.size.cells())
    };
    let games = (0..2000).map(draw_game).filter(is_fit).take(100);
    let mut failing = games.filter_map(|game| {
        let failure = checker.check(&game, Thoroughness::Drawn, &mut || {}).err()?;
        Some((game, failure))
    });
    failing.next().expect("one of the games has a faulty branch")
}
