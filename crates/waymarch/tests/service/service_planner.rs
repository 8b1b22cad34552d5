//! A game's planner is followed exactly, alone and together, and is told unit and player if it asks.

use waymarch::base::{Asker, CellPos, GridSize, LocomotorId, Observer, cell};
use waymarch::config::{Config, PathSmoothing};
use waymarch::cost::{Map, Rules, Stamp};
use waymarch::planners::{PlanScratch, PlanView, Planner, Promise};
use waymarch::query::{Detail, PathAsk, PathQuery, PlanError, Priority};
use waymarch::search::{Route, astar};
use waymarch::world::{
    Guidance, Navigator, Order, OrderEffort, PathId, PathService, PathStatus, PlayerId, UnitId, UnitType,
    When, World,
};

const FOOT: LocomotorId = LocomotorId(0);

fn nav(config: Config) -> Navigator {
    let map = Map::flat("field", GridSize::new(64, 40).expect("legal"), Rules::standard());
    Navigator::new(map, config).expect("legal")
}

/// Routes pass one cell, which depends on the player if the planner heeds it.
#[derive(Clone)]
struct Scenic {
    by: [CellPos; 2],
    heeds: bool,
}

impl Scenic {
    fn place(&self, asker: Asker) -> CellPos {
        self.by[usize::from(asker.player == Some(Observer(1)) && asker.unit.is_some())]
    }
}

impl Planner for Scenic {
    fn name(&self) -> &str {
        "scenic"
    }

    fn promise(&self) -> Promise {
        Promise::Legal
    }

    fn heeds_asker(&self) -> bool {
        self.heeds
    }

    fn plan(
        &self,
        view: &PlanView<'_>,
        query: &PathQuery,
        scratch: &mut PlanScratch,
        out: &mut Route,
    ) -> Result<(), PlanError> {
        assert!(self.heeds || query.asker == Asker::NOBODY, "a planner that does not ask is not told");
        let (rule, by) = (view.config.step_rule(), self.place(query.asker));
        let (first, second) = (PathQuery { to: by, ..*query }, PathQuery { from: by, ..*query });
        let mut rest = Route::new();
        astar(view.layer, &first, rule, &mut scratch.search, out)?;
        astar(view.layer, &second, rule, &mut scratch.search, &mut rest)?;
        out.cost.0 += rest.cost.0;
        out.waypoints.extend(&rest.waypoints[1..]);
        Ok(())
    }

    fn boxed(&self) -> Box<dyn Planner> {
        Box::new(self.clone())
    }
}

/// A World with units of players 0 and 1, in two blocks of `side` x `side`.
fn world(config: Config, side: i32) -> (World, [Vec<UnitId>; 2]) {
    let mut world = World::new(nav(config));
    let kind = world.add_type(UnitType::new("soldier", FOOT)).expect("legal");
    let mut block = |player: u8, x: i32| -> Vec<UnitId> {
        let places: Vec<CellPos> = (0..side * side).map(|k| cell(x + k % side, 4 + k / side)).collect();
        world.spawn_many(kind, PlayerId(player), &places).expect("open")
    };
    let units = [block(0, 3), block(1, 12)];
    (world, units)
}

fn apart(a: CellPos, b: CellPos) -> i32 {
    (a.x - b.x).abs().max((a.y - b.y).abs())
}

/// For each unit, how near it comes to `by`, in cells, and whether it ends idle.
fn nearest(world: &mut World, units: &[UnitId], by: CellPos, ticks: u32) -> Vec<(i32, bool)> {
    let mut near = vec![i32::MAX; units.len()];
    for _ in 0..ticks {
        world.tick();
        for (unit, near) in units.iter().zip(&mut near) {
            *near = (*near).min(apart(world.cell_of(*unit).expect("it lives"), by));
        }
    }
    let idle = |unit: &UnitId| world.orders_of(*unit).next().is_none();
    near.into_iter().zip(units.iter().map(idle)).collect()
}

#[test]
fn a_group_follows_the_planner_of_the_game_with_and_without_smoothing() {
    let by = cell(30, 34);
    for path_smoothing in [PathSmoothing::Funnel, PathSmoothing::None] {
        for side in [2, 4] {
            let (mut world, [units, _]) = world(Config { path_smoothing, ..Config::default() }, side);
            world.set_planner(Some(Box::new(Scenic { by: [by, by], heeds: false })));
            world.order(&units, Order::move_to(cell(56, 6))).expect("legal");
            let told = nearest(&mut world, &units, by, 2600);
            // The units crowd at the point: each comes as near as the others let it.
            assert!(told.iter().all(|&(near, idle)| near <= 2 && idle), "{side}: {told:?}");
        }
    }
}

#[test]
fn a_planner_that_asks_is_told_unit_and_player_also_for_groups_and_after_loading() {
    let (by, scenic) =
        ([cell(30, 34), cell(30, 20)], |heeds| Scenic { by: [cell(30, 34), cell(30, 20)], heeds });
    let (mut game, units) = world(Config::default(), 3);
    game.set_planner(Some(Box::new(scenic(true))));
    for units in &units {
        game.order(units, Order::move_to(cell(56, 6))).expect("legal");
    }
    game.tick();
    let mut loaded = World::load(&game.save()).expect("its own save");
    loaded.set_planner(Some(Box::new(scenic(true))));
    assert_eq!(loaded.state_hash(), game.state_hash());
    for tick in 0..2600 {
        game.tick();
        loaded.tick();
        if tick % 200 == 0 {
            assert_eq!(loaded.state_hash(), game.state_hash(), "tick {tick}");
        }
    }
    let (mut game, units) = world(Config::default(), 3);
    game.set_planner(Some(Box::new(scenic(true))));
    for (units, by) in units.iter().zip(by) {
        game.order(units, Order::move_to(cell(56, 6))).expect("legal");
        let told = nearest(&mut game, units, by, 2600);
        assert!(told.iter().all(|&(near, idle)| near <= 2 && idle), "{by}: {told:?}");
    }
    // A planner that does not ask answers all players alike.
    let (mut game, units) = world(Config::default(), 1);
    game.set_planner(Some(Box::new(scenic(false))));
    game.order(&units[1], Order::move_to(cell(56, 6))).expect("legal");
    assert!(nearest(&mut game, &units[1], by[0], 1500)[0].0 <= 1);
}

#[test]
fn a_planner_that_is_set_later_is_told_who_waits() {
    let (mut game, [_, units]) = world(Config::default(), 2);
    game.order(&units, Order::move_to(cell(56, 6))).expect("legal");
    game.set_planner(Some(Box::new(Scenic { by: [cell(30, 34), cell(30, 20)], heeds: true })));
    let told = nearest(&mut game, &units, cell(30, 20), 2000);
    assert!(told.iter().all(|&(near, _)| near <= 2), "{told:?}");
}

#[test]
fn a_cut_route_of_the_planner_is_planned_anew_and_direct_requests_ask_it_too() {
    let by = cell(30, 34);
    let scenic = Scenic { by: [by, by], heeds: false };
    let mut service = PathService::new(nav(Config::default())).with_planner(Box::new(scenic));
    let ask = PathAsk::new(cell(5, 5).centre(), cell(58, 5), FOOT);
    let ids: Vec<PathId> = [Detail::Full, Detail::Simplified, Detail::Direct]
        .map(|detail| service.request(ask.clone().with_detail(detail)))
        .to_vec();
    (0..3).for_each(|_| service.tick());
    let passes = |service: &PathService, id| match service.guidance(id) {
        Some(Guidance::Waypoints(points)) => points.contains(&by.centre()),
        other => panic!("{other:?}"),
    };
    assert!(ids.iter().all(|&id| passes(&service, id)));
    // Before the point is reached: the new route leads over it again.
    service.nav_mut().place(&Stamp::solid(1, 30), cell(20, 6)).expect("it fits");
    (0..4).for_each(|_| service.tick());
    assert!(ids.iter().all(|&id| service.status(id) == Some(PathStatus::Complete)));
    assert!(passes(&service, ids[0]));
}

#[test]
fn an_order_says_how_much_work_its_routes_are_worth() {
    let (mut game, [units, others]) = world(Config::default(), 1);
    game.apply(&waymarch::world::Command::Place { stamp: Stamp::solid(1, 30), at: cell(30, 0) })
        .expect("it fits");
    let effort = OrderEffort { detail: Detail::Direct, priority: Priority::High };
    game.order_with(&units, Order::move_to(cell(50, 4)), When::Now, effort).expect("legal");
    game.order(&others, Order::move_to(cell(50, 4))).expect("legal");
    game.queue(&units, Order::move_to(cell(40, 4))).expect("legal");
    let efforts: Vec<OrderEffort> = game.efforts_of(units[0]).collect();
    assert_eq!(efforts, [effort, OrderEffort::default()]);
    let loaded = World::load(&game.save()).expect("its own save");
    assert_eq!(loaded.efforts_of(units[0]).collect::<Vec<_>>(), efforts);
    assert_eq!(loaded.state_hash(), game.state_hash());
    (0..3).for_each(|_| game.tick());
    let points = |unit: UnitId| {
        let mut out = Vec::new();
        game.route_points(unit, 100, &mut out).expect("under way");
        out.len()
    };
    assert_eq!(points(units[0]), 2, "a straight line, through the wall");
    assert!(points(others[0]) > 2, "around the wall");
    // The effort ends with the order.
    game.order(&units, Order::Stop).expect("legal");
    game.tick();
    let mut plain = World::load(&game.save()).expect("its own save");
    plain.tick();
    assert_eq!(plain.efforts_of(units[0]).count(), 0);
}
