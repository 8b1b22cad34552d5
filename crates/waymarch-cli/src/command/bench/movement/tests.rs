//! Checks that the scenes are valid, and that the measures measure.

use waymarch::base::{CellPos, cell};
use waymarch::query::{Goal, Shape};
use waymarch::world::{Order, World};

use super::super::floor_plan::FloorPlan;
use super::game::{Game, OrderedWorld};
use super::layout::{Layout, Orders, Squad};
use super::play::{Camera, play};
use super::scene::Scene;
use super::sets::{Amount, DefaultSeeds, Set};

fn scenes(set: Set, base: u32) -> Vec<Scene> {
    set.scenes(Amount { seeds: None, base, default: DefaultSeeds::Few }).expect("the set needs no files")
}

/// The scene of this name in a set.
fn scene(set: Set, name: &str) -> Scene {
    let found = scenes(set, 1).into_iter().find(|scene| scene.name == name);
    found.unwrap_or_else(|| panic!("there is no scene {name}"))
}

/// The cell that a unit's order leads to.
fn goal_cell(order: &Order) -> Option<CellPos> {
    match order {
        Order::Move(Goal::In(Shape::Point(at))) | Order::Form { at, .. } => Some(*at),
        _ => None,
    }
}

#[test]
fn every_unit_of_the_built_scenes_has_a_route_to_its_goal() {
    for set in Set::DEFAULT {
        for scene in scenes(set, 7) {
            let game = scene.start().unwrap_or_else(|error| panic!("{}: {error}", scene.name));
            let world = game.world();
            let mut starts = Vec::new();
            let mut ordered = 0;
            for unit in world.units() {
                let at = world.cell_of(unit.id).expect("the unit exists");
                assert!(!starts.contains(&at), "{}: two units start at {at}", scene.name);
                starts.push(at);
                let agent = world.unit_type(unit.kind).expect("the type exists").agent;
                for goal in world.orders_of(unit.id).filter_map(goal_cell) {
                    assert!(world.nav().reachable(at, goal, agent), "{}: {at} to {goal}", scene.name);
                    ordered += 1;
                }
            }
            assert!(ordered > 0, "{}", scene.name);
        }
    }
}

#[test]
fn units_in_mazes_have_goals_of_their_own() {
    for scene in scenes(Set::Mazes, 3) {
        let game = scene.start().expect("it can be started");
        let world = game.world();
        let goals = world.units().filter_map(|unit| world.orders_of(unit.id).find_map(goal_cell));
        let mut goals: Vec<CellPos> = goals.collect();
        goals.sort_by_key(|at| (at.y, at.x));
        goals.dedup();
        assert_eq!((goals.len(), world.unit_count()), (30, 30), "{}", scene.name);
    }
}

#[test]
fn a_seed_always_gives_the_same_scenes_and_another_seed_gives_others() {
    let hashes = |base: u32| -> Vec<u64> {
        let all = Set::DEFAULT.iter().flat_map(|&set| scenes(set, base));
        all.map(|scene| scene.start().expect("it can be started").world().state_hash().total()).collect()
    };
    let (first, again, other) = (hashes(5), hashes(5), hashes(6));
    assert_eq!(first, again);
    assert!(first.iter().zip(&other).all(|(a, b)| a != b));
}

#[test]
fn builtin_scenarios_and_own_crowd_scenes_can_be_started() {
    for set in [Set::Builtin, Set::Crowd] {
        for scene in scenes(set, 1) {
            let game = scene.start().unwrap_or_else(|error| panic!("{}: {error}", scene.name));
            assert!(game.world().unit_count() > 0 && game.max_ticks() > 0, "{}", scene.name);
        }
    }
}

#[test]
fn two_groups_in_a_gap_of_two_cells_take_longer_than_one() {
    let both = scene(Set::Gaps, "gap2x1_group");
    let one_way = both.one_way.as_deref().expect("a gap scene has a one-way scene");
    let alone = play(one_way, None, Camera::Off).expect("it can be played").row;
    assert_eq!((alone.arrived, alone.units), (40, 40));
    assert_eq!((alone.flow_ratio, alone.longest_side_wait_s), (None, Some(0.0)));
    let row = play(&both, alone.flow_per_s, Camera::Off).expect("it can be played").row;
    assert_eq!(row.units, 80);
    assert!(row.ticks > alone.ticks);
    let ratio = row.flow_ratio.expect("both sides crossed");
    assert!(ratio > 0.1 && ratio < 2.0, "{ratio}");
    let wait = row.longest_side_wait_s.expect("it was measured");
    assert!(wait > 0.0 && wait < row.ticks as f64 / 20.0, "{wait}");
}

/// A scene with units in two rooms that no route connects.
fn two_closed_rooms() -> OrderedWorld {
    let plan = FloorPlan::field(21, 10).wall([10, 1, 11, 9]);
    let mut layout = Layout::from(plan);
    layout.send(Squad::new(&[cell(2, 2)]), &[cell(7, 7)], Orders::Individual);
    layout.send(Squad::new(&[cell(3, 4)]), &[cell(17, 4)], Orders::Individual);
    layout.stand(Squad::new(&[cell(15, 7)]));
    layout.game("rooms", 1).expect("it can be started")
}

#[test]
fn a_unit_without_a_route_does_not_count_as_failed() {
    let scene = Scene::new(Set::Yard, "rooms", 1, || Ok(two_closed_rooms()));
    let played = play(&scene, None, Camera::On).expect("it can be played");
    let row = &played.row;
    assert_eq!((row.units, row.arrived, row.gave_up, row.unended, row.no_route), (3, 1, 0, 0, 1));
    assert_eq!(row.arrival_t100, played.arrivals.last().copied());
    let film = played.film.expect("the camera was on");
    assert_eq!(film.shots.first().map(|shot| shot.tick), Some(0));
    assert_eq!(film.shots.last().map(|shot| shot.tick), Some(row.ticks));
    assert!(film.shots.len() <= 26, "{}", film.shots.len());
    let count = |shot: &super::film::Shot| shot.dots.values().map(Vec::len).sum::<usize>();
    assert!(film.shots.iter().all(|shot| count(shot) == 3));
}

/// A game whose only unit has an order that cannot end in time.
struct ShortGame(OrderedWorld);

impl Game for ShortGame {
    fn give_commands(&mut self) -> Result<(), crate::diagnostics::Failure> {
        Ok(())
    }

    fn tick(&mut self) {
        self.0.tick();
    }

    fn world(&self) -> &World {
        self.0.world()
    }

    fn has_more_commands(&self) -> bool {
        false
    }

    fn max_ticks(&self) -> u64 {
        5
    }
}

#[test]
fn an_order_that_goes_on_at_the_limit_is_unended() {
    let scene = Scene::new(Set::Yard, "short", 1, || Ok(ShortGame(two_closed_rooms())));
    let row = play(&scene, None, Camera::Off).expect("it can be played").row;
    assert_eq!((row.ticks, row.arrived, row.unended), (5, 0, 2));
    assert_eq!(row.arrival_t50, None);
}
