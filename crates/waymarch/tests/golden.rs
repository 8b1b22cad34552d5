//! Golden hashes: the same inputs give the same bits on every machine. A version that changes them says so.

use waymarch::base::{
    Agent, Angle, CellRect, Dir8, Fixed, GridSize, LocomotorId, Purpose, Rng, SizeClass, StateHasher, Tick,
    Vec2, cell,
};
use waymarch::config::Config;
use waymarch::cost::{
    CostLayer, CostSettings, Falloff, FootCell, GateState, Map, Rules, Stamp, StepRule, TerrainId,
    ThreatSource,
};
use waymarch::query::{Goal, GoalQuery, PathQuery, Turning};
use waymarch::search::{Route, SearchScratch, astar, goal_search};
use waymarch::world::Navigator;
use waymarch_testkit::golden::golden;
use waymarch_testkit::grids::every_kind;
use waymarch_testkit::splitmix::SplitMix;

fn hash_route(hasher: &mut StateHasher, route: &Route) {
    hasher.write_u64(route.cost.0);
    hasher.write_u32(route.expanded);
    for at in &route.waypoints {
        hasher.write_i32(at.x);
        hasher.write_i32(at.y);
    }
}

#[test]
fn golden_routes_of_every_kind_of_grid() {
    let (mut scratch, mut route) = (SearchScratch::new(), Route::new());
    for (name, grid) in every_kind(11, 70, 55) {
        let layer = CostLayer::new(&grid.to_map(name).validate().expect("legal"), CostSettings::default());
        let mut rng = SplitMix::new(4);
        let mut hasher = StateHasher::new();
        for size in [SizeClass::ONE, SizeClass::TWO] {
            for _ in 0..20 {
                let (Some(from), Some(to)) = (grid.random_open(&mut rng), grid.random_open(&mut rng)) else {
                    continue;
                };
                let query = PathQuery::new(from, to, Agent { locomotor: LocomotorId(0), size });
                let found = astar(&layer, &query, StepRule::default(), &mut scratch, &mut route);
                hasher.write_u8(u8::from(found.is_ok()));
                hash_route(&mut hasher, &route);
            }
        }
        golden(&format!("search/astar-{}", name.replace(' ', "-")), format!("{:016x}", hasher.finish()));
    }
}

#[test]
fn golden_routes_into_goals() {
    let (mut scratch, mut route) = (SearchScratch::new(), Route::new());
    let goals = [
        "circle:50,40,4.5",
        "ring:35,27,6,9.25",
        "rect:60,5,4,9",
        "any:1,1;68,53;rect:30,0,2,2",
        "out-of:circle:30,27,22",
    ]
    .map(|text| text.parse::<Goal>().expect("a goal"));
    let turning = Turning { per_eighth: 700, heading: Some(Dir8::SW) };
    for (name, grid) in every_kind(11, 70, 55) {
        let layer = CostLayer::new(&grid.to_map(name).validate().expect("legal"), CostSettings::default());
        let mut rng = SplitMix::new(5);
        let mut hasher = StateHasher::new();
        for goal in goals.iter().cycle().take(15) {
            let (Some(one), Some(other)) = (grid.random_open(&mut rng), grid.random_open(&mut rng)) else {
                continue;
            };
            let starts = [one, other];
            let query = GoalQuery::new(&starts, goal, LocomotorId(0)).or_nearest();
            for query in [query, query.node_limit(60), query.with_turning(turning)] {
                let found = goal_search(&layer, &query, StepRule::default(), &mut scratch, &mut route);
                hasher.write_u8(found.map_or(3, |outcome| outcome as u8));
                hash_route(&mut hasher, &route);
            }
        }
        golden(&format!("search/goals-{}", name.replace(' ', "-")), format!("{:016x}", hasher.finish()));
    }
}

#[test]
fn golden_state_of_an_edited_map() {
    let map = Map::flat("golden", GridSize::new(96, 80).expect("legal"), Rules::standard());
    let mut nav = Navigator::new(map, Config::default()).expect("legal");
    golden("state/flat", format!("{:016x}", nav.state_hash().total()));
    nav.set_terrain(CellRect::at(cell(20, 10), 30, 12), TerrainId(2)).expect("on the map");
    let gate = Stamp::filled("gate", 1, 4, FootCell::Gate);
    let gate = nav.place(&gate, cell(40, 30)).expect("it fits");
    nav.place(&Stamp::solid(3, 3).lasting(5), cell(60, 60)).expect("it fits");
    nav.set_gate(gate, GateState::Open).expect("it is a gate");
    let tower = ThreatSource { at: cell(50, 40), radius: 9, strength: 77, falloff: Falloff::Linear };
    nav.add_threat(tower).expect("on the map");
    for tick in 1..=8_u32 {
        nav.tick();
        golden(&format!("state/edited-{tick}"), format!("{:016x}", nav.state_hash().total()));
    }
}

#[test]
fn golden_numbers() {
    let mut hasher = StateHasher::new();
    for raw in (0..=u16::MAX).step_by(7) {
        let angle = Angle(raw);
        hasher.write_i32(angle.sin_16());
        let turned = Vec2 { x: Fixed::from_raw(12_345), y: Fixed::from_raw(-678) }.rotate(angle);
        hasher.write_i32(turned.x.raw());
        hasher.write_i32(turned.y.raw());
        hasher.write_u16(turned.angle().0);
    }
    golden("numbers/trigonometry", format!("{:016x}", hasher.finish()));
    let mut rng = Rng::keyed(1, Tick(2), 3, Purpose(4));
    let drawn: Vec<u32> = (0..6).map(|_| rng.below(1000)).collect();
    golden("numbers/random", format!("{drawn:?}"));
}
