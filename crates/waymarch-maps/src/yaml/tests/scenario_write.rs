//! Written scenarios read back as they were.

use crate::scenario::{Action, BUILTIN_SCENARIOS, GroupOrder, builtin_scenario, find_map};
use crate::yaml::{read_scenario, write_scenario};

/// Every key that scenario files gained for random games.
const WHOLE_GAME: &str = "
waymarch_scenario: 1
name: whole game
map: flat:12x9
unit_types:
  scout: {locomotor: foot, speed: 0.25, mover: game}
  tank: {locomotor: track, size: 2, turn: 90, turn_in_place: 30, reverse: never}
units:
  - {group: a, type: scout, at: [1, 1], facing: south}
  - {group: a, type: scout, cells: [[2, 1], [3, 1]]}
  - {group: b, type: tank, owner: 3, ring: [6, 5], radius: 1.5, count: 2, tick: 4}
groups: {all: [a, b]}
formations:
  hedgehog: {formation: circle, radius: 3.5, spacing: 0.25}
  arrow: {formation: wedge, angle: 100}
  pair: {formation: [[0, 0], [1, 0]]}
orders:
  - {group: all, move: [8, 6], formation: hedgehog, radius: 2}
  - {group: all, move: [8, 6], formation: arrow}
  - {group: all, move: [8, 6], width: 4}
  - {group: all, line: [[2, 5], [9, 5]], spacing: 0.5}
  - {group: all, move: [9, 7], formation: [[0, 0], [1.5, -0.25], [0, 2]], facing: west}
actions:
  - {tick: 3, group: a, put: [4.5, 3.25], velocity: [0.125, -0.5]}
  - {tick: 3, config: {stuck_threshold: 1, size_classes: [1, 2, 4], name: 'a: b'}}
  - {tick: 3, reload: true}
  - tick: 4
    as: g
    at: [3, 3]
    place:
      rows: |
        g9
  - {tick: 5, every: 3, until: 20, open: g}
  - {tick: 6, group: b, kill: true}
  - {tick: 7, planner: astar}
  - {tick: 9, planner: none}
  - {tick: 10, every: 2, until: 14, random: 18446744073709551615}
";

#[test]
fn every_scenario_reads_back_as_it_was_written() {
    let own = read_scenario("own", WHOLE_GAME.as_bytes(), &|word| find_map(word, None));
    let own = own.unwrap_or_else(|error| panic!("{error}"));
    let orders = own.actions.iter().filter(|scheduled| {
        matches!(&scheduled.action, Action::Order { order: GroupOrder::Put { .. } | GroupOrder::Kill, .. })
    });
    assert_eq!(orders.count(), 2);
    assert_eq!(own.actions.iter().filter(|all| matches!(all.action, Action::Spawn(2))).count(), 1);
    let all = BUILTIN_SCENARIOS.iter().filter_map(|(name, _)| builtin_scenario(name)).chain([own]);
    for scenario in all {
        let text = write_scenario(&scenario.name, &scenario).unwrap_or_else(|error| panic!("{error}"));
        let again = read_scenario(&scenario.name, text.as_bytes(), &|_| Err("no maps".to_string()));
        let again = again.unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert!(again == scenario, "{}:\n{text}", scenario.name);
    }
}

#[test]
fn an_action_is_refused_with_its_place() {
    for (wrong, why) in [
        ("{tick: 3, reload: false}", "it must be true"),
        ("{planner: best}", "there is no planner called"),
        ("{config: {stuck_threshold: 0}}", "it must be a whole number"),
        ("{group: a, put: [1]}", "a point [x, y]"),
        ("{group: a, kill: false}", "it must be true"),
        ("{group: a, move: [1, 1], velocity: [1, 1]}", "no effect"),
        ("{random: -1}", "out of range, 0..=18446744073709551615"),
        ("{tick: 3}", "exactly one of these keys"),
    ] {
        let text = format!(
            "waymarch_scenario: 1\nmap: flat:4x4\nunit_types: {{s: {{}}}}\nunits: [{{group: a, at: [0, 0]}}]\nactions:\n  - {wrong}\n"
        );
        let error = read_scenario("in", text.as_bytes(), &|word| find_map(word, None)).unwrap_err();
        assert!(error.to_string().contains(why), "{wrong}: {error}");
        assert!(error.to_string().contains("in:6"), "{wrong}: {error}");
    }
}
