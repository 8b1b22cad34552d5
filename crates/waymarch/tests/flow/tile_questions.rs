//! Measurements behind two decisions about tiles: the line-of-sight pass, and which tile to evict. The tests print the figures
//! (`--nocapture`) that the documents quote, and assert the facts behind the decisions.

use waymarch::base::{CellPos, Fixed, LocomotorId, Tick, Vec2};
use waymarch::cost::{CostLayer, CostSettings, StepRule};
use waymarch::flow::tiles::{Breadth, FlowId, FlowTarget, Heading, TileFlows, TileReader, TileSettings};
use waymarch::query::Threat;
use waymarch::sectors::{DoorRoute, DoorScratch, Doors};
use waymarch_testkit::grids::{Grid, every_kind};
use waymarch_testkit::splitmix::SplitMix;

/// A unit moves 128/1024 of a cell per tick.
const SPEED: i32 = 128;

struct Scene {
    layer: CostLayer,
    doors: Doors,
    scratch: DoorScratch,
    route: DoorRoute,
}

impl Scene {
    fn new(grid: &Grid) -> Self {
        let map = grid.to_map("questions").validate().expect("legal");
        let layer = CostLayer::new(&map, CostSettings { sector_size: 32, ..CostSettings::default() });
        let agent = LocomotorId(0).into();
        let doors = Doors::new(&layer, agent, StepRule::default(), Threat::Ignore).expect("known");
        Self { layer, doors, scratch: DoorScratch::default(), route: DoorRoute::default() }
    }

    /// Opens a flow from `start` to `goal`, if there is a route.
    fn order(&mut self, flows: &mut TileFlows, start: CellPos, goal: CellPos) -> Option<FlowId> {
        let Self { layer, doors, scratch, route } = self;
        if !doors.route(layer, start, goal, scratch, route) {
            return None;
        }
        let id = flows.open(layer, FlowTarget::new(LocomotorId(0), goal)).ok()?;
        flows.widen(layer, id, route, Breadth::Around);
        Some(id)
    }
}

/// Moves a unit by its heading for one tick. Returns whether it arrived.
fn step(told: Heading, at: &mut Vec2) -> bool {
    match told {
        Heading::Go { direction, .. } => {
            let step = direction.with_length(Fixed::from_raw(SPEED));
            (at.x, at.y) = (at.x + step.x, at.y + step.y);
            false
        }
        Heading::Arrived { .. } => true,
        Heading::Nowhere(why) => panic!("{at:?} {why}"),
    }
}

/// The ticks until the unit arrives, and the number of times that its heading changed.
fn walk(flows: &TileFlows, layer: &CostLayer, id: FlowId, start: CellPos) -> (u64, u64) {
    let (mut at, mut reader, mut last, mut turns) = (start.centre(), TileReader::new(), None, 0);
    for ticks in 0..40_000 {
        let told = flows.heading(layer, id, at, &mut reader);
        if let Heading::Go { direction, .. } = told {
            // Headings straight to a goal are rounded differently at every step, so the low bits are dropped.
            let about = (direction.x.raw() >> 4, direction.y.raw() >> 4);
            turns += u64::from(last.replace(about).is_some_and(|last: (i32, i32)| {
                last.0.abs_diff(about.0) > 1 || last.1.abs_diff(about.1) > 1
            }));
        }
        if step(told, &mut at) {
            return (ticks, turns);
        }
    }
    panic!("from {start}: the unit never arrives");
}

#[test]
fn lines_of_sight_make_walks_to_near_goals_shorter_and_straighter() {
    let mut rng = SplitMix::new(41);
    let (mut all, mut count) = ([(0, 0); 2], 0);
    for (name, grid) in every_kind(42, 160, 160) {
        let mut scene = Scene::new(&grid);
        let mut sums = [(0, 0); 2];
        for _ in 0..12 {
            let (start, goal) =
                (grid.random_open(&mut rng).expect("open"), grid.random_open(&mut rng).expect("open"));
            for (sum, sight) in sums.iter_mut().zip([0, 64]) {
                let settings = TileSettings { sight, ..TileSettings::default() };
                let mut flows = TileFlows::new(&scene.layer, StepRule::default(), settings);
                let Some(id) = scene.order(&mut flows, start, goal) else { continue };
                flows.finish(&scene.layer, id);
                let (ticks, turns) = walk(&flows, &scene.layer, id, start);
                *sum = (sum.0 + ticks, sum.1 + turns);
                count += 1;
            }
        }
        println!("{name}: ticks and turns without sight {:?}, with {:?}", sums[0], sums[1]);
        for (all, sum) in all.iter_mut().zip(sums) {
            *all = (all.0 + sum.0, all.1 + sum.1);
        }
    }
    println!("{count} walks: ticks and turns without sight {:?}, with {:?}", all[0], all[1]);
    assert!(all[1].0 < all[0].0 && all[1].1 < all[0].1, "{all:?}");
}

#[test]
fn a_small_tile_cache_rebuilds_few_tiles() {
    let mut made = Vec::new();
    for capacity in [1, 8, 16, 32, 64, 1000] {
        let (mut again, mut uses) = (0, 0);
        for seed in 0..2 {
            let mut rng = SplitMix::new(43 + seed);
            let grid = Grid::scatter(seed, 256, 256, 60);
            let mut scene = Scene::new(&grid);
            let settings = TileSettings { capacity, ..TileSettings::default() };
            let mut flows = TileFlows::new(&scene.layer, StepRule::default(), settings);
            let mut units: Vec<(FlowId, Vec2)> = Vec::new();
            for _ in 0..10 {
                let start = grid.random_open(&mut rng).expect("open");
                let goal = grid.random_open(&mut rng).expect("open");
                let Some(id) = scene.order(&mut flows, start, goal) else { continue };
                flows.finish(&scene.layer, id);
                // One unit that starts at once, and one that starts later.
                units.extend([(id, start.centre()), (id, start.centre())]);
            }
            let before = flows.work().made_again;
            let mut reader = TileReader::new();
            for now in 1..1200 {
                let late = |at: usize| at % 2 == 1 && now < 300;
                let going = units.iter().enumerate().filter(|(at, _)| !late(*at));
                flows.prepare(&scene.layer, Tick(now), going.map(|(_, &(id, at))| (id, at.cell())));
                for (index, (id, at)) in units.iter_mut().enumerate() {
                    if !late(index) {
                        step(flows.heading(&scene.layer, *id, *at, &mut reader), at);
                        uses += 1;
                    }
                }
            }
            assert!(
                reader.made() <= 2 * units.len() as u64,
                "prepared tiles are read, not built: {}",
                reader.made()
            );
            again += flows.work().made_again - before;
        }
        println!("capacity {capacity}: {again} tiles made again for {uses} headings");
        made.push(again);
    }
    assert!(made.windows(2).all(|pair| pair[0] >= pair[1]), "{made:?}");
    assert!(made[0] < 1200, "{made:?}");
}
