//! The progress of flow tiles is World data: headings stay the same after save and load and when threads read them. Units have headings
//! while tiles are built or rebuilt.

use waymarch::base::{CellPos, Fixed, LocomotorId, StateHasher, Tick, Vec2, cell};
use waymarch::cost::{CostLayer, CostSettings, Stamp, StepRule};
use waymarch::flow::tiles::{
    Breadth, FlowId, FlowTarget, Guide, Heading, NoHeading, TileFlows, TileReader, TileSettings,
    TileStateFault,
};
use waymarch::query::Threat;
use waymarch::sectors::{DoorRoute, DoorScratch, Doors};
use waymarch_testkit::grids::{Grid, every_kind};
use waymarch_testkit::splitmix::SplitMix;

fn layer(grid: &Grid, sector_size: u32) -> CostLayer {
    let settings = CostSettings { sector_size, ..CostSettings::default() };
    CostLayer::new(&grid.to_map("state").validate().expect("legal"), settings)
}

/// Adds a route from `from` to a flow. Returns whether there is one.
fn route_to(layer: &CostLayer, flows: &mut TileFlows, id: FlowId, from: CellPos, breadth: Breadth) -> bool {
    let aim = flows.target(id).expect("open");
    let doors = Doors::new(layer, aim.agent, StepRule::default(), Threat::Ignore).expect("known");
    let mut route = DoorRoute::default();
    doors.route(layer, from, aim.goal, &mut DoorScratch::default(), &mut route)
        && flows.widen(layer, id, &route, breadth)
}

fn point(rng: &mut SplitMix, width: u32, height: u32) -> Vec2 {
    let mut axis = |cells: u32| Fixed::from_raw(rng.below(cells * 1024) as i32);
    Vec2 { x: axis(width), y: axis(height) }
}

#[test]
fn saving_and_loading_at_any_tick_changes_no_heading_and_no_hash() {
    let mut rng = SplitMix::new(11);
    let (mut loads, mut behind) = (0, 0);
    for (name, grid) in every_kind(21, 110, 80) {
        let (mut layer, rule) = (layer(&grid, 16), StepRule::default());
        let settings = TileSettings { per_tick: 2, sight: 20, ..TileSettings::default() };
        let mut flows = TileFlows::new(&layer, rule, settings);
        let mut ids = Vec::new();
        for _ in 0..3 {
            let aim = FlowTarget::new(LocomotorId(0), grid.random_open(&mut rng).expect("open"));
            let id = flows.open(&layer, aim).expect("an open goal");
            for _ in 0..3 {
                route_to(&layer, &mut flows, id, grid.random_open(&mut rng).expect("open"), Breadth::Around);
            }
            ids.push(id);
        }
        let mut users: Vec<CellPos> = (0..8).filter_map(|_| grid.random_open(&mut rng)).collect();
        let mut loaded: Option<TileFlows> = None;
        let (mut reader, mut other) = (TileReader::new(), TileReader::new());
        for now in 1..70 {
            let is_edited = now % 9 == 4;
            if is_edited {
                let at = cell(rng.below(100) as i32, rng.below(70) as i32);
                layer
                    .place(&Stamp::solid(1 + rng.below(6), 1 + rng.below(6)), at, Tick(now))
                    .expect("it fits");
            }
            // Sometimes between an edit and the tick that follows it.
            if is_edited || rng.below(6) == 0 {
                let state = flows.state(&layer);
                loaded = Some(TileFlows::restore(&layer, rule, settings, &state).expect("its own state"));
                assert_eq!(loaded.as_ref().map(|flows| flows.state(&layer)), Some(state));
                (loads, behind) = (loads + 1, behind + u32::from(is_edited));
            }
            let compare = |flows: &TileFlows, loaded: &TileFlows, at, reader: &mut _, other: &mut _| {
                for &id in &ids {
                    let (was, is) =
                        (flows.heading(&layer, id, at, reader), loaded.heading(&layer, id, at, other));
                    assert_eq!(was, is, "{name} {now} {at:?}");
                }
            };
            if let Some(loaded) = &loaded {
                for _ in 0..30 {
                    compare(&flows, loaded, point(&mut rng, 110, 80), &mut reader, &mut other);
                }
            }
            if now % 7 == 0 {
                let (flow, from) = (ids[rng.below(3) as usize], users[0]);
                route_to(&layer, &mut flows, flow, from, Breadth::Around);
                if let Some(loaded) = &mut loaded {
                    route_to(&layer, loaded, flow, from, Breadth::Around);
                }
            }
            let moved = rng.below(users.len() as u32) as usize;
            users[moved] = grid.random_open(&mut rng).expect("open");
            let following = || users.iter().zip(ids.iter().cycle()).map(|(&at, &id)| (id, at));
            flows.prepare(&layer, Tick(now), following());
            if let Some(loaded) = &mut loaded {
                loaded.prepare(&layer, Tick(now), following());
                assert_eq!(StateHasher::hash_of(&flows), StateHasher::hash_of(loaded), "{name} {now}");
                for _ in 0..30 {
                    compare(&flows, loaded, point(&mut rng, 110, 80), &mut reader, &mut other);
                }
            }
        }
    }
    assert!(loads > 50 && behind > 20, "{loads} {behind}");
}

#[test]
fn a_state_of_another_map_is_refused() {
    let (big, small) = (layer(&Grid::filled(200, 100, 1), 16), layer(&Grid::filled(60, 100, 1), 16));
    let (rule, settings) = (StepRule::default(), TileSettings::default());
    let mut flows = TileFlows::new(&big, rule, settings);
    let restored =
        |flows: &TileFlows, layer| TileFlows::restore(layer, rule, settings, &flows.state(&big)).map(|_| ());
    assert_eq!(restored(&flows, &small), Ok(()), "no flows, no fault");
    let far = FlowTarget::new(LocomotorId(0), cell(190, 50));
    let id = flows.open(&big, far).expect("open");
    assert_eq!(restored(&flows, &small), Err(TileStateFault::Aim(far)));
    flows.close(id);
    let near = FlowTarget::new(LocomotorId(0), cell(10, 50));
    let id = flows.open(&big, near).expect("open");
    route_to(&big, &mut flows, id, cell(190, 3), Breadth::Route);
    flows.finish(&big, id);
    assert!(restored(&flows, &small).is_err());
    assert_eq!(restored(&flows, &big), Ok(()));
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the test reads tiles from several threads")]
fn several_threads_read_the_same_headings_as_one() {
    let mut rng = SplitMix::new(12);
    let grid = Grid::scatter(4, 128, 96, 150);
    let layer = layer(&grid, 16);
    let settings = TileSettings { capacity: 3, per_tick: 6, ..TileSettings::default() };
    let mut flows = TileFlows::new(&layer, StepRule::default(), settings);
    let aim = FlowTarget::new(LocomotorId(0), grid.random_open(&mut rng).expect("open"));
    let id = flows.open(&layer, aim).expect("open");
    for _ in 0..6 {
        route_to(&layer, &mut flows, id, grid.random_open(&mut rng).expect("open"), Breadth::Around);
    }
    let points: Vec<Vec2> = (0..800).map(|_| point(&mut rng, 128, 96)).collect();
    for now in 0..12 {
        flows.prepare(&layer, Tick(now), points[..40].iter().map(|at| (id, at.cell())));
        let told = |points: &[Vec2]| -> Vec<Heading> {
            let mut reader = TileReader::new();
            points.iter().map(|&at| flows.heading(&layer, id, at, &mut reader)).collect()
        };
        let alone = told(&points);
        let by_threads: Vec<Heading> = std::thread::scope(|scope| {
            let parts: Vec<_> = points.chunks(200).map(|part| scope.spawn(move || told(part))).collect();
            parts.into_iter().flat_map(|part| part.join().expect("no panic")).collect()
        });
        assert_eq!(alone, by_threads);
    }
}

/// The heading of a unit at the centre of a cell.
fn heading(flows: &TileFlows, layer: &CostLayer, id: FlowId, at: CellPos) -> Heading {
    flows.heading(layer, id, at.centre(), &mut TileReader::new())
}

#[test]
fn an_edit_beside_the_goal_keeps_far_units_on_their_tiles_while_the_search_restarts() {
    let grid = Grid::filled(256, 32, 1);
    let mut layer = layer(&grid, 32);
    let settings = TileSettings { per_tick: 1, sight: 4, ..TileSettings::default() };
    let mut flows = TileFlows::new(&layer, StepRule::default(), settings);
    let (far, goal) = (cell(5, 9), cell(250, 16));
    let id = flows.open(&layer, FlowTarget::new(LocomotorId(0), goal)).expect("open");
    assert!(route_to(&layer, &mut flows, id, far, Breadth::Route));
    flows.finish(&layer, id);
    layer.place(&Stamp::solid(1, 9), cell(245, 12), Tick(1)).expect("on the map");
    let mut ticks = 0;
    while !flows.is_done(id) || ticks == 0 {
        ticks += 1;
        flows.prepare(&layer, Tick(ticks), [(id, far)]);
        for x in (1..244).step_by(3) {
            let told = heading(&flows, &layer, id, cell(x, 9));
            let is_led = matches!(told, Heading::Go { by: Guide::Field | Guide::Cell, .. });
            assert!(is_led, "{ticks} {x} {told:?}");
        }
    }
    assert!(ticks > 3, "the search took only {ticks} ticks: too few for the test");
}

#[test]
fn widening_a_corridor_keeps_all_tiles() {
    let grid = Grid::filled(256, 96, 1);
    let layer = layer(&grid, 32);
    let settings = TileSettings { per_tick: 1, sight: 4, ..TileSettings::default() };
    let mut flows = TileFlows::new(&layer, StepRule::default(), settings);
    let id = flows.open(&layer, FlowTarget::new(LocomotorId(0), cell(250, 16))).expect("open");
    assert!(route_to(&layer, &mut flows, id, cell(5, 9), Breadth::Route));
    flows.finish(&layer, id);
    assert!(route_to(&layer, &mut flows, id, cell(5, 90), Breadth::Around));
    assert!(!flows.is_done(id));
    let before = flows.work().integrated;
    for now in 1..200 {
        let told = heading(&flows, &layer, id, cell(5, 9));
        assert!(matches!(told, Heading::Go { by: Guide::Field | Guide::Cell, .. }), "{now} {told:?}");
        flows.prepare(&layer, Tick(now), [(id, cell(5, 9))]);
    }
    assert!(flows.is_done(id) && flows.work().integrated > before);
}

/// A map of two halves, with a wall between them in the middle sector.
fn two_rooms() -> Grid {
    let mut grid = Grid::filled(96, 32, 1);
    for x in 0..80 {
        grid.set((x, 16), 255);
    }
    grid
}

#[test]
fn until_the_search_arrives_each_room_of_a_sector_is_led_to_its_own_door() {
    let layer = layer(&two_rooms(), 32);
    let settings = TileSettings { per_tick: 1, sight: 4, ..TileSettings::default() };
    let mut flows = TileFlows::new(&layer, StepRule::default(), settings);
    let id = flows.open(&layer, FlowTarget::new(LocomotorId(0), cell(90, 4))).expect("open");
    let (north, south) = (cell(3, 12), cell(3, 20));
    assert!(route_to(&layer, &mut flows, id, north, Breadth::Around));
    let mut reader = TileReader::new();
    assert!(flows.leads(&layer, id, north, &mut reader));
    assert!(!flows.leads(&layer, id, south, &mut reader), "the door is behind the wall");
    assert_eq!(heading(&flows, &layer, id, south), Heading::Nowhere(NoHeading::NoDoor));
    assert!(route_to(&layer, &mut flows, id, south, Breadth::Around));
    // No tile is integrated yet. Both units follow doors until they are in the goal's sector, each on its side of the wall.
    for (start, rows) in [(north, 0..16), (south, 17..32)] {
        let passed = walk_by_doors(&flows, &layer, id, start, 64);
        assert!(passed.iter().all(|at| rows.contains(&at.y)), "{start} {passed:?}");
    }
}

/// Moves a unit along doors until column `x`. Returns the cells passed.
fn walk_by_doors(flows: &TileFlows, layer: &CostLayer, id: FlowId, start: CellPos, x: i32) -> Vec<CellPos> {
    let (mut at, mut passed, mut reader) = (start.centre(), vec![start], TileReader::new());
    for _ in 0..2000 {
        if at.cell().x >= x {
            return passed;
        }
        let told = flows.heading(layer, id, at, &mut reader);
        let Heading::Go { direction, by: Guide::Door | Guide::Inward } = told else {
            panic!("{at:?} {told:?}")
        };
        let step = direction.with_length(Fixed::from_raw(100));
        (at.x, at.y) = (at.x + step.x, at.y + step.y);
        passed.push(at.cell());
    }
    panic!("from {start}: no further than {at:?}");
}

#[test]
fn doors_that_were_built_over_are_replaced_by_those_of_a_route_around() {
    let mut grid = Grid::filled(128, 32, 1);
    for y in 0..32 {
        if y != 4 && y != 28 {
            grid.set((32, y), 255);
        }
    }
    let mut layer = layer(&grid, 32);
    let settings = TileSettings { per_tick: 1, sight: 4, ..TileSettings::default() };
    let mut flows = TileFlows::new(&layer, StepRule::default(), settings);
    let id = flows.open(&layer, FlowTarget::new(LocomotorId(0), cell(120, 2))).expect("open");
    let unit = cell(8, 6);
    assert!(route_to(&layer, &mut flows, id, unit, Breadth::Route));
    let mut reader = TileReader::new();
    assert!(walk_by_doors(&flows, &layer, id, unit, 33).contains(&cell(32, 4)), "by the nearer gap");
    layer.place(&Stamp::solid(1, 1), cell(32, 4), Tick(1)).expect("on the map");
    flows.prepare(&layer, Tick(1), [(id, unit)]);
    assert!(!flows.leads(&layer, id, unit, &mut reader), "the gap is closed");
    assert!(route_to(&layer, &mut flows, id, unit, Breadth::Route));
    assert!(flows.leads(&layer, id, unit, &mut reader));
    assert!(walk_by_doors(&flows, &layer, id, unit, 33).contains(&cell(32, 28)), "by the other one");
}

#[test]
fn a_sector_that_units_enter_counts_in_the_budget_whether_or_not_its_tile_was_cached() {
    let grid = Grid::filled(512, 32, 1);
    let layer = layer(&grid, 32);
    let done_after = |users: &[CellPos]| {
        let settings = TileSettings { per_tick: 4, sight: 4, ..TileSettings::default() };
        let mut flows = TileFlows::new(&layer, StepRule::default(), settings);
        let id = flows.open(&layer, FlowTarget::new(LocomotorId(0), cell(500, 16))).expect("open");
        assert!(route_to(&layer, &mut flows, id, cell(5, 9), Breadth::Route));
        let mut now = 0;
        while !flows.is_done(id) {
            now += 1;
            // Every other tick, half of the units are elsewhere, so that all sectors count as newly entered.
            let there = users.iter().skip(now as usize % 2).step_by(2);
            flows.prepare(&layer, Tick(now), there.map(|&at| (id, at)));
        }
        now
    };
    let users: Vec<CellPos> = (0..8).map(|sector| cell(sector * 32 + 16, 16)).collect();
    let (without, with) = (done_after(&[]), done_after(&users));
    assert!(without <= 5 && with >= 2 * without, "{without} {with}");
}
