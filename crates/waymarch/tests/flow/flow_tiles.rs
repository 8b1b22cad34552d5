//! Flow tiles equal a slow twin from every cell of a corridor, for every cache size and node budget, and through edits.

use std::collections::BTreeSet;

use waymarch::base::{Agent, CellPos, CellRect, Dir8, LocomotorId, SizeClass, StateHasher, Tick, Vec2, cell};
use waymarch::cost::{
    CornerRule, CostLayer, CostSettings, Falloff, SectorId, Stamp, StampId, StepRule, ThreatSource,
};
use waymarch::flow::tiles::{
    Breadth, FlowId, FlowTarget, Heading, NoHeading, TileFlows, TileReader, TileSettings,
};
use waymarch::flow::whole::{Flow, FlowByte};
use waymarch::query::{PlanError, Threat};
use waymarch::search::line_of_sight;
use waymarch::sectors::{DoorRoute, DoorScratch, Doors};
use waymarch_testkit::grids::{Grid, every_kind};
use waymarch_testkit::splitmix::SplitMix;
use waymarch_testkit::whole_field::{FieldCell, field_cells, field_cells_within};

use crate::ground::random_point;

const RULES: [StepRule; 4] = [
    StepRule::eight(CornerRule::Forbid),
    StepRule::eight(CornerRule::AllowOne),
    StepRule::eight(CornerRule::Allow),
    StepRule::FOUR,
];

fn layer(grid: &Grid, sector_size: u32) -> CostLayer {
    let sizes = vec![SizeClass::ONE, SizeClass::TWO];
    let settings = CostSettings { sector_size, sizes, ..CostSettings::default() };
    CostLayer::new(&grid.to_map("twin").validate().expect("legal"), settings)
}

/// The costs of all cells, row by row.
fn costs(layer: &CostLayer, aim: FlowTarget) -> Vec<u8> {
    let field = layer.field(aim.agent).expect("in use");
    let threat = |at| if aim.threat == Threat::Heed { layer.threat().at(at) } else { 0 };
    let cost = |at| match field.cost(at) {
        255 => 255,
        cost => cost.saturating_add(threat(at)).min(254),
    };
    layer.grid().rect().cells().map(cost).collect()
}

fn size(layer: &CostLayer) -> (u32, u32) {
    (layer.grid().width(), layer.grid().height())
}

/// The twin's cheapest routes within a flow's corridor.
fn truth(layer: &CostLayer, flows: &TileFlows, id: FlowId, rule: StepRule) -> Vec<Option<FieldCell>> {
    let aim = flows.target(id).expect("open");
    let sectors: BTreeSet<SectorId> = flows.corridor(id).collect();
    let grid = layer.changes().sectors();
    let goals: Vec<CellPos> = [aim.goal].into_iter().filter(|&at| layer.can_stop(at, aim.agent)).collect();
    field_cells_within(&costs(layer, aim), size(layer), rule, &goals, |at| sectors.contains(&grid.of(at)))
}

/// Checks that every byte of a finished flow equals the twin's. Then costs are equal too, because the twin's directions follow its costs.
fn check(layer: &CostLayer, flows: &mut TileFlows, id: FlowId, rule: StepRule, what: &str) -> usize {
    let (truth, aim) = (truth(layer, flows, id, rule), flows.target(id).expect("open"));
    let sectors: BTreeSet<SectorId> = flows.corridor(id).collect();
    let grid = layer.changes().sectors();
    let field = layer.field(aim.agent).expect("in use");
    let mut reached = 0;
    let mut reader = TileReader::new();
    for (place, at) in layer.grid().rect().cells().enumerate() {
        let byte = flows.byte(layer, id, at, &mut reader);
        if !sectors.contains(&grid.of(at)) {
            assert_eq!(byte, None, "{what} {at} is not in the corridor");
            continue;
        }
        let flow = byte.map_or(Flow::Nowhere, FlowByte::flow);
        if byte.is_some() {
            assert_eq!(flow == Flow::Closed, !field.is_passable(at), "{what} {at}");
        }
        let found = match flow {
            Flow::Step(dir) => Some(Some(dir.index())),
            Flow::Goal => Some(None),
            Flow::Nowhere | Flow::Closed => None,
        };
        assert_eq!(found, truth[place].map(|(_, direction)| direction), "{what} {aim:?} {rule:?} {at}");
        reached += usize::from(found.is_some());
    }
    reached
}

/// Walks cell by cell in the directions of the tiles. Returns the cost.
fn walk(layer: &CostLayer, flows: &mut TileFlows, id: FlowId, from: CellPos) -> Option<u64> {
    let (mut at, mut paid, mut seen) = (from, 0, BTreeSet::new());
    let mut reader = TileReader::new();
    let aim = flows.target(id)?;
    let field = layer.field(aim.agent)?;
    loop {
        assert!(seen.insert(at), "a loop from {from} at {at}");
        match flows.byte(layer, id, at, &mut reader)?.flow() {
            Flow::Goal => return Some(paid),
            Flow::Step(dir) => {
                at = at.step(dir);
                let threat = if aim.threat == Threat::Heed { layer.threat().at(at) } else { 0 };
                assert!(field.is_passable(at), "{at} is closed");
                let cost = field.cost(at).saturating_add(threat).min(254);
                paid += u64::from(waymarch::cost::step_length(dir)) * u64::from(cost);
            }
            Flow::Nowhere | Flow::Closed => return None,
        }
    }
}

/// Opens a flow to a random goal along a route from a random start.
fn random_flow(
    layer: &CostLayer,
    flows: &mut TileFlows,
    aim: FlowTarget,
    rule: StepRule,
    starts: &[CellPos],
    breadth: Breadth,
) -> Option<FlowId> {
    let id = flows.open(layer, aim).ok()?;
    let doors = Doors::new(layer, aim.agent, rule, aim.threat).expect("known");
    let (mut scratch, mut route) = (DoorScratch::default(), DoorRoute::default());
    for &start in starts {
        if doors.route(layer, start, aim.goal, &mut scratch, &mut route) {
            assert!(flows.widen(layer, id, &route, breadth));
        }
    }
    Some(id)
}

fn random_cell(rng: &mut SplitMix, (width, height): (u32, u32)) -> CellPos {
    cell(rng.below(width) as i32, rng.below(height) as i32)
}

#[test]
fn tiles_lead_along_the_cheapest_route_from_every_cell_of_a_corridor() {
    let (mut rng, mut reached) = (SplitMix::new(1), 0);
    for seed in 0..4 {
        let dims = (20 + rng.below(90), 20 + rng.below(70));
        for (name, grid) in every_kind(seed, dims.0, dims.1) {
            let mut layer = layer(&grid, rng.pick(&[8, 8, 16, 32]));
            let source = ThreatSource {
                at: cell(dims.0 as i32 / 2, 9),
                radius: 12,
                strength: 90,
                falloff: Falloff::Linear,
            };
            layer.add_threat(source).expect("on the map");
            layer.advance(Tick::ZERO);
            for rule in RULES {
                let mut flows = TileFlows::new(&layer, rule, TileSettings::default());
                for agent in layer.agents() {
                    let threat = rng.pick(&[Threat::Ignore, Threat::Heed]);
                    let breadth = rng.pick(&[Breadth::Route, Breadth::Around]);
                    let starts: Vec<CellPos> = (0..3).map(|_| random_cell(&mut rng, dims)).collect();
                    let goal = grid.random_open(&mut rng).expect("open");
                    let aim = FlowTarget::new(agent, goal).with_threat(threat);
                    let Some(id) = random_flow(&layer, &mut flows, aim, rule, &starts, breadth) else {
                        continue;
                    };
                    assert!(flows.finish(&layer, id) && flows.is_done(id));
                    reached += check(&layer, &mut flows, id, rule, name);
                }
            }
        }
    }
    assert!(reached > 100_000, "{reached} routes are too few for a test");
}

#[test]
fn a_walk_costs_the_same_as_the_twins_and_never_loops_while_tiles_are_built() {
    let mut rng = SplitMix::new(2);
    for (name, grid) in every_kind(5, 90, 80) {
        let layer = layer(&grid, 16);
        let rule = StepRule::default();
        let settings = TileSettings { per_tick: 1, ..TileSettings::default() };
        let mut flows = TileFlows::new(&layer, rule, settings);
        let starts: Vec<CellPos> = (0..4).filter_map(|_| grid.random_open(&mut rng)).collect();
        let aim = FlowTarget::new(LocomotorId(0), grid.random_open(&mut rng).expect("open"));
        let id = random_flow(&layer, &mut flows, aim, rule, &starts, Breadth::Around).expect("open");
        let truth = truth(&layer, &flows, id, rule);
        let mut ticks = 0;
        loop {
            ticks += 1;
            flows.tick(&layer, Tick(ticks));
            for _ in 0..30 {
                let from = grid.random_open(&mut rng).expect("open");
                let best = truth[grid.index((from.x, from.y))].map(|(cost, _)| cost);
                let found = walk(&layer, &mut flows, id, from);
                assert!(found.is_none() || found >= best, "{name}");
                assert!(!flows.is_done(id) || found == best, "{name} {from}");
            }
            if flows.is_done(id) {
                break;
            }
            assert!(ticks < 5000, "{name}: the flow is not done after 5000 ticks");
        }
    }
}

#[test]
fn the_cache_size_changes_no_heading_at_any_tick() {
    let mut rng = SplitMix::new(3);
    let mut reader = TileReader::new();
    for (name, grid) in every_kind(6, 100, 70) {
        let mut layer = layer(&grid, 16);
        let rule = StepRule::default();
        let with = |capacity, ttl| TileSettings { capacity, ttl, per_tick: 3, ..TileSettings::default() };
        let mut rivals = [with(1, 1), with(2, 0), with(64, 120), with(1000, 1000)]
            .map(|with| TileFlows::new(&layer, rule, with));
        let aims: Vec<FlowTarget> = (0..3)
            .map(|_| FlowTarget::new(LocomotorId(0), grid.random_open(&mut rng).expect("open")))
            .collect();
        let starts: Vec<CellPos> = (0..3).filter_map(|_| grid.random_open(&mut rng)).collect();
        let mut ids = Vec::new();
        for flows in &mut rivals {
            let open = |&aim: &FlowTarget| {
                random_flow(&layer, flows, aim, rule, &starts, Breadth::Around).expect("an open goal")
            };
            ids.push(aims.iter().map(open).collect::<Vec<_>>());
        }
        let mut users: Vec<CellPos> = (0..6).filter_map(|_| grid.random_open(&mut rng)).collect();
        let mut most = [0; 4];
        for now in 0..40 {
            if now == 20 {
                let at = random_cell(&mut rng, (95, 65));
                layer.place(&Stamp::solid(4, 4), at, Tick(now)).expect("on the map");
            }
            let moved = rng.below(users.len() as u32) as usize;
            users[moved] = grid.random_open(&mut rng).expect("open");
            for ((flows, ids), most) in rivals.iter_mut().zip(&ids).zip(&mut most) {
                let users = users.iter().zip((0..ids.len()).cycle());
                flows.prepare(&layer, Tick(now), users.map(|(&at, flow)| (ids[flow], at)));
                *most = flows.tiles().max(*most);
            }
            let hashes = rivals.each_ref().map(StateHasher::hash_of);
            assert_eq!(hashes, [hashes[0]; 4], "{name} {now}");
            for _ in 0..25 {
                let at = random_point(&mut rng, (100, 70));
                for flow in 0..aims.len() {
                    let told: Vec<Heading> = rivals
                        .iter()
                        .zip(&ids)
                        .map(|(flows, ids)| flows.heading(&layer, ids[flow], at, &mut reader))
                        .collect();
                    assert!(told.iter().all(|heading| *heading == told[0]), "{name} {now} {at:?} {told:?}");
                }
            }
        }
        assert!(most[0] <= 4 * users.len() && most[3] > 4 * users.len(), "{name} {most:?}");
    }
}

#[test]
fn the_node_budget_changes_when_tiles_are_ready_and_not_their_content() {
    let mut rng = SplitMix::new(4);
    let mut reader = TileReader::new();
    for (name, grid) in every_kind(7, 120, 60) {
        let layer = layer(&grid, 16);
        let rule = StepRule::default();
        let aim = FlowTarget::new(LocomotorId(0), grid.random_open(&mut rng).expect("open"));
        let starts: Vec<CellPos> = (0..3).filter_map(|_| grid.random_open(&mut rng)).collect();
        let mut last = None;
        for per_tick in [1, 3, 1000] {
            let settings = TileSettings { per_tick, ..TileSettings::default() };
            let mut flows = TileFlows::new(&layer, rule, settings);
            let id = random_flow(&layer, &mut flows, aim, rule, &starts, Breadth::Around).expect("open");
            let mut ticks = 0;
            while !flows.is_done(id) {
                let before = flows.work().integrated;
                flows.tick(&layer, Tick(ticks));
                assert!(flows.work().integrated - before <= u64::from(per_tick));
                ticks += 1;
            }
            assert!(per_tick < 1000 || ticks <= 1, "{name}");
            let bytes: Vec<_> =
                layer.grid().rect().cells().map(|at| flows.byte(&layer, id, at, &mut reader)).collect();
            let order = (flows.work().integrated, bytes);
            assert!(last.replace(order.clone()).is_none_or(|last| last == order), "{name} {per_tick}");
        }
    }
}

#[test]
fn after_edits_a_flow_equals_a_new_one_and_only_changed_sectors_are_integrated() {
    let mut rng = SplitMix::new(5);
    let mut reader = TileReader::new();
    let (mut updated, mut from_scratch) = (0, 0);
    for (name, grid) in every_kind(8, 110, 90) {
        for rule in [RULES[0], RULES[2]] {
            let mut layer = layer(&grid, 16);
            let mut flows = TileFlows::new(&layer, rule, TileSettings::default());
            let agent = rng.pick(&[SizeClass::ONE, SizeClass::TWO]);
            let agent = Agent { locomotor: LocomotorId(0), size: agent };
            let goal = grid.random_open(&mut rng).expect("open");
            let starts: Vec<CellPos> = (0..3).filter_map(|_| grid.random_open(&mut rng)).collect();
            let aim = FlowTarget::new(agent, goal);
            let Some(id) = random_flow(&layer, &mut flows, aim, rule, &starts, Breadth::Around) else {
                continue;
            };
            flows.finish(&layer, id);
            let mut standing: Vec<StampId> = Vec::new();
            for round in 0..12 {
                if round % 3 == 2 {
                    layer
                        .remove(standing.swap_remove(rng.below(standing.len() as u32) as usize))
                        .expect("there");
                } else {
                    let stamp = Stamp::solid(1 + rng.below(9), 1 + rng.below(9));
                    let at = random_cell(&mut rng, (100, 80));
                    standing.push(layer.place(&stamp, at, Tick::ZERO).expect("on the map"));
                }
                let before = flows.work().integrated;
                flows.finish(&layer, id);
                updated += flows.work().integrated - before;
                check(&layer, &mut flows, id, rule, name);
                let mut other = TileFlows::new(&layer, rule, TileSettings::default());
                let Ok(twin) = other.open(&layer, aim) else { continue };
                for sector in flows.corridor(id).collect::<Vec<_>>() {
                    let area = layer.changes().sectors().area(sector);
                    let at = cell(area.x0, area.y0);
                    let route = DoorRoute { cells: vec![at, at], ..DoorRoute::default() };
                    other.widen(&layer, twin, &route, Breadth::Route);
                }
                other.finish(&layer, twin);
                from_scratch += other.work().integrated;
                for at in layer.grid().rect().cells() {
                    let (found, told) =
                        (flows.byte(&layer, id, at, &mut reader), other.byte(&layer, twin, at, &mut reader));
                    assert_eq!(found, told, "{name} {rule:?} {at} {round}");
                }
            }
        }
    }
    assert!(updated * 4 < from_scratch * 3, "{updated} sectors after edits, {from_scratch} from scratch");
}

#[test]
fn on_even_ground_the_goal_is_visible_where_a_line_as_wide_as_the_unit_is_clear() {
    let mut rng = SplitMix::new(6);
    let mut reader = TileReader::new();
    let mut seen = 0;
    for seed in 0..6 {
        for (name, grid) in every_kind(seed, 60, 50) {
            let mut costs = grid.cost.clone();
            costs.retain(|&cost| cost != 255);
            if costs.iter().any(|cost| *cost != costs[0]) {
                continue;
            }
            let layer = layer(&grid, 16);
            let (rule, sight) = (StepRule::default(), 20);
            let mut flows = TileFlows::new(&layer, rule, TileSettings { sight, ..TileSettings::default() });
            let goal = grid.random_open(&mut rng).expect("open");
            let id = flows.open(&layer, FlowTarget::new(LocomotorId(0), goal)).expect("open");
            for sector in layer.changes().sectors().all() {
                let area = layer.changes().sectors().area(sector);
                let at = cell(area.x0, area.y0);
                let route = DoorRoute { cells: vec![at, at], ..DoorRoute::default() };
                flows.widen(&layer, id, &route, Breadth::Route);
            }
            flows.finish(&layer, id);
            let field = layer.field(LocomotorId(0).into()).expect("in use");
            for at in layer.grid().rect().cells() {
                let sees = flows
                    .byte(&layer, id, at, &mut reader)
                    .is_some_and(|byte| byte.0 & FlowByte::HAS_LOS != 0);
                let near = (at.x - goal.x).abs().max((at.y - goal.y).abs()) <= 20;
                assert_eq!(sees, near && line_of_sight(field, rule, at, goal), "{name} {at} to {goal}");
                seen += usize::from(sees);
            }
        }
    }
    assert!(seen > 5000, "{seen}");
}

#[test]
fn units_are_not_led_straight_over_costly_ground_or_past_a_cheaper_route() {
    let mut grid = Grid::filled(64, 40, 10);
    for x in 0..64 {
        grid.set((x, 20), 1);
    }
    let layer = layer(&grid, 16);
    let rule = StepRule::default();
    let mut flows = TileFlows::new(&layer, rule, TileSettings::default());
    let goal = cell(60, 18);
    let starts = [cell(2, 18), cell(58, 5)];
    let aim = FlowTarget::new(LocomotorId(0), goal);
    let id = random_flow(&layer, &mut flows, aim, rule, &starts, Breadth::Around).expect("open");
    flows.finish(&layer, id);
    let sees = |flows: &mut TileFlows, at| {
        flows.byte(&layer, id, at, &mut TileReader::new()).is_some_and(|byte| byte.0 & FlowByte::HAS_LOS != 0)
    };
    assert!(sees(&mut flows, cell(60, 5)), "the straight line down is the cheapest");
    assert!(!sees(&mut flows, cell(2, 18)), "the road is cheaper");
    assert!(!sees(&mut flows, cell(60, 25)), "the road is in between: another cost");
}

/// Follows a heading for up to a cell and returns the cells entered. Checks that every change of cell is a legal step.
fn follow_ray(
    layer: &CostLayer,
    aim: FlowTarget,
    rule: StepRule,
    from: Vec2,
    ray: (i64, i64),
) -> Result<(), String> {
    let field = layer.field(aim.agent).expect("in use");
    let start = from.cell();
    let (x, y) = (i64::from(from.x.raw() & 1023), i64::from(from.y.raw() & 1023));
    // Samples lie at odd 8192ths of the line, so that no sample is exactly on a corner, which belongs to one of four cells.
    const PARTS: i64 = 8192;
    let mut last = (0, 0);
    let mut at = start;
    for part in (1..PARTS).step_by(2) {
        let side = |at: i64, by: i64| (at * PARTS + by * part).div_euclid(1024 * PARTS);
        let now = (side(x, ray.0), side(y, ray.1));
        if now == last {
            continue;
        }
        let next = cell(start.x + now.0 as i32, start.y + now.1 as i32);
        let Some(dir) = Dir8::from_delta(next.x - at.x, next.y - at.y) else { return Err("jumps".into()) };
        let mut around = 0;
        for dir in Dir8::ALL {
            around |= usize::from(field.is_passable(at.step(dir))) << dir.index();
        }
        if rule.table()[around] >> dir.index() & 1 == 0 {
            return Err(format!("an illegal step {dir:?} from {at} into {next}"));
        }
        let whole = Dir8::from_delta(now.0 as i32, now.1 as i32);
        if whole.is_some_and(Dir8::is_diagonal) && at != start {
            let mut around = 0;
            for dir in Dir8::ALL {
                around |= usize::from(field.is_passable(start.step(dir))) << dir.index();
            }
            if whole.is_some_and(|dir| rule.table()[around] >> dir.index() & 1 == 0) {
                return Err(format!("cuts a corner from {start} over {at} into {next}"));
            }
        }
        (at, last) = (next, now);
    }
    Ok(())
}

#[test]
fn no_heading_at_any_point_leads_into_a_closed_cell_or_past_a_forbidden_corner() {
    let mut rng = SplitMix::new(7);
    let mut reader = TileReader::new();
    let mut went = 0;
    for seed in 0..3 {
        for (name, grid) in every_kind(seed, 70, 60) {
            let layer = layer(&grid, 16);
            for rule in RULES {
                let settings = TileSettings { per_tick: 2, sight: 12, ..TileSettings::default() };
                let mut flows = TileFlows::new(&layer, rule, settings);
                let agent = rng.pick(&[SizeClass::ONE, SizeClass::TWO]);
                let aim = FlowTarget::new(
                    Agent { locomotor: LocomotorId(0), size: agent },
                    grid.random_open(&mut rng).expect("open"),
                );
                let starts: Vec<CellPos> = (0..3).filter_map(|_| grid.random_open(&mut rng)).collect();
                let Some(id) = random_flow(&layer, &mut flows, aim, rule, &starts, Breadth::Around) else {
                    continue;
                };
                for now in 0..12 {
                    flows.tick(&layer, Tick(now));
                    for _ in 0..60 {
                        let at = random_point(&mut rng, (70, 60));
                        let heading = flows.heading(&layer, id, at, &mut reader);
                        let Heading::Go { direction, .. } = heading else { continue };
                        went += 1;
                        let ray = (i64::from(direction.x.raw()), i64::from(direction.y.raw()));
                        let told = follow_ray(&layer, aim, rule, at, ray);
                        assert_eq!(told, Ok(()), "{name} {rule:?} {at:?} {heading:?}");
                    }
                }
            }
        }
    }
    assert!(went > 10_000, "{went}");
}

#[test]
fn units_that_follow_headings_arrive_from_anywhere() {
    let mut rng = SplitMix::new(8);
    let mut reader = TileReader::new();
    for (name, grid) in every_kind(9, 80, 64) {
        let layer = layer(&grid, 16);
        for rule in [RULES[0], RULES[3]] {
            let mut flows = TileFlows::new(&layer, rule, TileSettings::default());
            let aim = FlowTarget::new(LocomotorId(0), grid.random_open(&mut rng).expect("open"));
            let starts: Vec<CellPos> = (0..20).filter_map(|_| grid.random_open(&mut rng)).collect();
            let id = random_flow(&layer, &mut flows, aim, rule, &starts, Breadth::Around).expect("open");
            flows.finish(&layer, id);
            let truth = truth(&layer, &flows, id, rule);
            for &start in &starts {
                let Some((cost, _)) = truth[grid.index((start.x, start.y))] else { continue };
                let mut at = start.centre();
                let within = random_point(&mut rng, (1, 1));
                (at.x, at.y) = (
                    at.x - waymarch::base::Fixed::HALF + within.x,
                    at.y - waymarch::base::Fixed::HALF + within.y,
                );
                let cheapest = u64::from(*grid.cost.iter().min().expect("cells"));
                // Twice the number of steps of a tenth of a cell that a route of this cost can have on the cheapest ground.
                let most = 40 + cost / cheapest / 1024 * 20;
                let mut arrived = false;
                for _ in 0..most {
                    match flows.heading(&layer, id, at, &mut reader) {
                        Heading::Go { direction, .. } => {
                            let step = direction.with_length(waymarch::base::Fixed::from_raw(102));
                            (at.x, at.y) = (at.x + step.x, at.y + step.y);
                        }
                        Heading::Arrived { .. } => {
                            arrived = true;
                            break;
                        }
                        Heading::Nowhere(why) => panic!("{name} {rule:?} from {start} at {at:?}: {why}"),
                    }
                }
                assert!(arrived, "{name} {rule:?} from {start} to {}: still at {}", aim.goal, at.cell());
            }
        }
    }
}

#[test]
fn routes_along_a_corridor_cost_nearly_the_optimum() {
    let mut rng = SplitMix::new(10);
    let rule = StepRule::default();
    let (mut sum, mut count, mut worst) = (0, 0, 1_000_000);
    for (name, grid) in every_kind(11, 256, 256) {
        if ["maze", "dense"].contains(&name) {
            continue;
        }
        let layer = layer(&grid, 32);
        for _ in 0..6 {
            let aim = FlowTarget::new(LocomotorId(0), grid.random_open(&mut rng).expect("open"));
            let best = field_cells(&costs(&layer, aim), (256, 256), rule, &[aim.goal]);
            for _ in 0..4 {
                let start = grid.random_open(&mut rng).expect("open");
                let mut flows = TileFlows::new(&layer, rule, TileSettings::default());
                let id = random_flow(&layer, &mut flows, aim, rule, &[start], Breadth::Around).expect("open");
                flows.finish(&layer, id);
                let Some((best, _)) = best[grid.index((start.x, start.y))] else { continue };
                let found = walk(&layer, &mut flows, id, start).expect("reached");
                // The ratio of the costs in millionths.
                if let Some(ratio) = (found * 1_000_000).checked_div(best) {
                    (sum, count, worst) = (sum + ratio, count + 1, worst.max(ratio));
                }
            }
        }
    }
    println!("{count} routes, in millionths of the optimum: mean {}, worst {worst}", sum / count.max(1));
    assert!(count > 100 && sum <= 1_020_000 * count && worst <= 1_100_000, "{sum} {count} {worst}");
}

#[test]
fn goals_behind_one_bottleneck_share_the_tiles_before_it() {
    let mut grid = Grid::filled(128, 32, 1);
    for y in 0..32 {
        if y != 16 {
            grid.set((64, y), 255);
        }
    }
    let layer = layer(&grid, 32);
    let rule = StepRule::default();
    let mut flows = TileFlows::new(&layer, rule, TileSettings::default());
    for goal in [cell(120, 3), cell(100, 30), cell(90, 16)] {
        let aim = FlowTarget::new(LocomotorId(0), goal);
        let id = random_flow(&layer, &mut flows, aim, rule, &[cell(3, 3)], Breadth::Route).expect("open");
        flows.finish(&layer, id);
        check(&layer, &mut flows, id, rule, "bottleneck");
    }
    // Each flow has four sectors. The two before the wall and the one with the near side of the gap are the same for all flows.
    assert!(flows.work().shared >= 4, "{:?}", flows.work());
    assert!(flows.tiles() <= 8, "{}", flows.tiles());
}

#[test]
fn flows_take_turns_at_a_budget_of_one_sector_per_tick() {
    let layer = layer(&Grid::filled(128, 64, 1), 16);
    let rule = StepRule::default();
    let mut flows = TileFlows::new(&layer, rule, TileSettings { per_tick: 1, ..TileSettings::default() });
    let ids: Vec<FlowId> = (0..4)
        .map(|row| {
            let aim = FlowTarget::new(LocomotorId(0), cell(120, 16 * row + 8));
            let start = [cell(3, 16 * row + 8)];
            random_flow(&layer, &mut flows, aim, rule, &start, Breadth::Route).expect("open")
        })
        .collect();
    let done_at: Vec<u64> = (1..200)
        .map(|tick| {
            flows.tick(&layer, Tick(tick));
            ids.iter().filter(|&&id| flows.is_done(id)).count() as u64
        })
        .collect();
    assert_eq!(done_at.last(), Some(&4), "{done_at:?}");
    // The flows have corridors of the same length, so none is done long before the others.
    let ticks_until = |count: u64| done_at.iter().take_while(|&&done| done < count).count();
    let (first, last) = (ticks_until(1), ticks_until(4));
    assert!(first > 4 && last - first <= first, "first after {first} ticks, last after {last}");
}

#[test]
fn illegal_queries_are_refused() {
    let grid = Grid::filled(40, 30, 1);
    let mut layer = layer(&grid, 16);
    layer.place(&Stamp::solid(3, 3), cell(10, 10), Tick::ZERO).expect("on the map");
    let (mut reader, mut other) = (TileReader::new(), TileReader::new());
    let mut flows = TileFlows::new(&layer, StepRule::default(), TileSettings::default());
    let mut open = |at| flows.open(&layer, FlowTarget::new(LocomotorId(0), at));
    assert_eq!(open(cell(11, 11)), Err(PlanError::GoalBlocked { at: cell(11, 11) }));
    assert!(matches!(open(cell(-1, 4)), Err(PlanError::OffMap { .. })));
    let unknown = flows.open(&layer, FlowTarget::new(LocomotorId(7), cell(1, 1)));
    assert!(matches!(unknown, Err(PlanError::UnknownAgent(_))));
    let id = flows.open(&layer, FlowTarget::new(LocomotorId(0), cell(3, 3))).expect("open");
    flows.finish(&layer, id);
    let mut why = |at: Vec2| match flows.heading(&layer, id, at, &mut other) {
        Heading::Nowhere(why) => Some(why),
        _ => None,
    };
    assert_eq!(why(cell(11, 11).centre()), Some(NoHeading::Closed));
    assert_eq!(why(cell(-1, 0).centre()), Some(NoHeading::OffMap));
    assert_eq!(why(cell(i32::MAX, 0).centre()), Some(NoHeading::OffMap));
    assert_eq!(why(cell(30, 20).centre()), Some(NoHeading::OffCorridor));
    assert_eq!(why(cell(9, 9).centre()), None);
    assert!(
        matches!(flows.heading(&layer, id, cell(3, 3).centre(), &mut reader), Heading::Arrived { direction } if direction.is_zero())
    );
    // A building covers the goal: there is no route until the building is removed.
    let stamp = layer.place(&Stamp::solid(1, 1), cell(3, 3), Tick::ZERO).expect("on the map");
    flows.tick(&layer, Tick(1));
    assert_eq!(
        flows.heading(&layer, id, cell(9, 9).centre(), &mut reader),
        Heading::Nowhere(NoHeading::NoRoute)
    );
    layer.remove(stamp).expect("there");
    flows.tick(&layer, Tick(2));
    assert!(matches!(flows.heading(&layer, id, cell(9, 9).centre(), &mut reader), Heading::Go { .. }));
    assert!(flows.close(id) && !flows.close(id));
    assert_eq!(
        flows.heading(&layer, id, cell(9, 9).centre(), &mut reader),
        Heading::Nowhere(NoHeading::UnknownFlow)
    );
    let area = CellRect::at(cell(0, 0), 40, 30);
    assert!(area.cells().all(|at| flows.byte(&layer, id, at, &mut reader).is_none()));
}
