//! Headings from tiles at any point within cells, for units of one to three cells a side, while stamps are placed and removed.

use waymarch::base::{Agent, CellPos, CellRect, Fixed, LocomotorId, SizeClass, Tick, Vec2, cell};
use waymarch::cost::{
    CornerRule, CostLayer, CostSettings, Falloff, Stamp, StampId, StepRule, ThreatSource, with_threat,
};
use waymarch::flow::tiles::{
    Breadth, FlowId, FlowTarget, Guide, Heading, NoHeading, TileFlows, TileReader, TileSettings,
};
use waymarch::query::Threat;
use waymarch::sectors::{DoorRoute, DoorScratch, Doors};
use waymarch_testkit::grids::{Grid, every_kind};
use waymarch_testkit::rule::{Rule, step_cost};
use waymarch_testkit::splitmix::SplitMix;
use waymarch_testkit::tile_walks::go_straight;
use waymarch_testkit::whole_field::field_cells_within;

use crate::ground::random_point;

const RULES: [StepRule; 4] = [
    StepRule::eight(CornerRule::Forbid),
    StepRule::eight(CornerRule::AllowOne),
    StepRule::eight(CornerRule::Allow),
    StepRule::FOUR,
];
const SIZES: [SizeClass; 3] = [SizeClass::ONE, SizeClass::TWO, SizeClass::THREE];
const FOOT: LocomotorId = LocomotorId(0);

fn layer(grid: &Grid) -> CostLayer {
    let settings = CostSettings { sector_size: 16, sizes: SIZES.to_vec(), ..CostSettings::default() };
    CostLayer::new(&grid.to_map("fuzz").validate().expect("legal"), settings)
}

/// A map that is edited, a flow on it, and the unit that follows it.
struct Scene {
    layer: CostLayer,
    flows: TileFlows,
    id: FlowId,
    aim: FlowTarget,
    rule: StepRule,
    standing: Vec<StampId>,
    now: Tick,
    edits: u32,
    reader: TileReader,
}

impl Scene {
    /// Opens a flow to a random goal with routes from random cells. `None` if no cell is open to units of that size.
    fn new(grid: &Grid, agent: Agent, rule: StepRule, per_tick: u32, rng: &mut SplitMix) -> Option<Self> {
        let mut layer = layer(grid);
        let middle = cell(grid.width as i32 / 2, grid.height as i32 / 2);
        let source = ThreatSource { at: middle, radius: 10, strength: 60, falloff: Falloff::Linear };
        layer.add_threat(source).expect("on the map");
        layer.advance(Tick::ZERO);
        let field = layer.field(agent).expect("in use");
        let open: Vec<CellPos> = layer.grid().rect().cells().filter(|&at| field.is_passable(at)).collect();
        if open.len() < 20 {
            return None;
        }
        let threat = rng.pick(&[Threat::Ignore, Threat::Heed]);
        let aim = FlowTarget::new(agent, rng.pick(&open)).with_threat(threat);
        let settings = TileSettings { per_tick, sight: 12, ..TileSettings::default() };
        let mut flows = TileFlows::new(&layer, rule, settings);
        let id = flows.open(&layer, aim).expect("an open goal");
        let doors = Doors::new(&layer, agent, rule, threat).expect("known");
        let (mut scratch, mut route) = (DoorScratch::default(), DoorRoute::default());
        for _ in 0..6 {
            if doors.route(&layer, rng.pick(&open), aim.goal, &mut scratch, &mut route) {
                flows.widen(&layer, id, &route, Breadth::Around);
            }
        }
        Some(Self {
            layer,
            flows,
            id,
            aim,
            rule,
            standing: Vec::new(),
            now: Tick::ZERO,
            edits: 0,
            reader: TileReader::new(),
        })
    }

    fn size(&self) -> (u32, u32) {
        (self.layer.grid().width(), self.layer.grid().height())
    }

    /// The cost of each cell for a unit of this size, computed from all cells under the unit.
    fn costs(&self) -> Vec<u8> {
        let (size, side) = (self.layer.grid(), self.aim.agent.size);
        let small = self.layer.field(Agent { size: SizeClass::ONE, ..self.aim.agent }).expect("in use");
        let under = |at: CellPos| {
            let (nw, se) = (side.reach_north_west(), side.reach_south_east());
            let body = CellRect::at(at, 1, 1).grow(nw, se);
            let dearest = body.cells().map(|at| if size.contains(at) { small.cost(at) } else { 255 }).max();
            let threat = if self.aim.threat == Threat::Heed { self.layer.threat().at(at) } else { 0 };
            with_threat(dearest.unwrap_or(255), threat)
        };
        size.rect().cells().map(under).collect()
    }

    /// Places a stamp away from the unit, or removes one.
    fn edit(&mut self, around: CellPos, rng: &mut SplitMix) {
        if !self.standing.is_empty() && rng.chance(400) {
            let id = self.standing.swap_remove(rng.below(self.standing.len() as u32) as usize);
            self.layer.remove(id).expect("it stands");
            self.edits += 1;
            return;
        }
        let (w, h) = (1 + rng.below(6), 1 + rng.below(6));
        let size = self.size();
        let at = cell(rng.below(size.0 - w + 1) as i32, rng.below(size.1 - h + 1) as i32);
        let kept = CellRect::at(around, 1, 1).grow(4, 4);
        let goal = CellRect::at(self.aim.goal, 1, 1).grow(4, 4);
        let area = CellRect::at(at, w, h);
        if area.intersect(kept).is_empty() && area.intersect(goal).is_empty() {
            self.standing.push(self.layer.place(&Stamp::solid(w, h), at, self.now).expect("on the map"));
            self.edits += 1;
        }
    }

    /// Adds a route from a cell to the flow's corridor, if there is one.
    fn bring_route(&mut self, from: CellPos) {
        let FlowTarget { agent, threat, goal } = self.aim;
        let doors = Doors::new(&self.layer, agent, self.rule, threat).expect("known");
        let mut route = DoorRoute::default();
        if doors.route(&self.layer, from, goal, &mut DoorScratch::default(), &mut route) {
            self.flows.widen(&self.layer, self.id, &route, Breadth::Around);
        }
    }

    fn tick(&mut self) {
        self.now = self.now.next();
        self.flows.tick(&self.layer, self.now);
    }

    /// The remaining cost from a cell within the corridor.
    fn left(&self, at: CellPos, costs: &[u8]) -> Option<u64> {
        let grid = self.layer.changes().sectors();
        let parts: Vec<_> = self.flows.corridor(self.id).collect();
        let within = |at| parts.binary_search(&grid.of(at)).is_ok();
        let field = field_cells_within(costs, self.size(), self.rule, &[self.aim.goal], within);
        field[at.y as usize * self.size().0 as usize + at.x as usize].map(|(cost, _)| cost)
    }
}

fn raw(at: Vec2) -> (i64, i64) {
    (i64::from(at.x.raw()), i64::from(at.y.raw()))
}

#[test]
fn no_heading_leads_into_anything_at_any_size_while_the_map_is_edited() {
    let (mut rng, mut went, mut guides) = (SplitMix::new(1), [0; 3], [0; 5]);
    for seed in 0..2 {
        for (name, grid) in every_kind(seed, 60, 50) {
            for (rule, size) in RULES.into_iter().flat_map(|rule| SIZES.map(|size| (rule, size))) {
                let agent = Agent { locomotor: FOOT, size };
                let Some(mut scene) = Scene::new(&grid, agent, rule, 2, &mut rng) else { continue };
                for round in 0..16 {
                    if round % 4 == 3 {
                        scene.edit(scene.aim.goal, &mut rng);
                    }
                    // Headings are read before and after the tick that follows the edit.
                    if round % 2 == 0 {
                        scene.tick();
                    }
                    let costs = scene.costs();
                    for _ in 0..50 {
                        let at = random_point(&mut rng, (60, 50));
                        let heading = scene.flows.heading(&scene.layer, scene.id, at, &mut scene.reader);
                        let (direction, by) = match heading {
                            Heading::Go { direction, by } => (direction, Some(by)),
                            Heading::Arrived { direction } => (direction, None),
                            Heading::Nowhere(_) => continue,
                        };
                        let ray = (i64::from(direction.x.raw()), i64::from(direction.y.raw()));
                        let told = go_straight(&costs, (60, 50), rule, raw(at), ray);
                        assert!(told.is_ok(), "{name} {rule:?} {size} {at:?} {heading:?}: {told:?}");
                        went[usize::from(size.side()) - 1] += 1;
                        guides[match by {
                            Some(Guide::Field) => 0,
                            Some(Guide::Cell) => 1,
                            Some(Guide::Sight) => 2,
                            Some(Guide::Door) => 3,
                            Some(Guide::Inward) | None => 4,
                        }] += 1;
                    }
                }
            }
        }
    }
    assert!(went.iter().all(|&count| count > 5000), "{went:?}");
    assert!(guides.iter().all(|&count| count > 100), "every kind of heading occurs: {guides:?}");
}

/// The point of the cell `home` that is nearest to `at`.
fn within(home: CellPos, at: Vec2) -> Vec2 {
    let axis = |cell: i32, at: Fixed| Fixed::from_raw(at.raw().clamp(cell * 1024, cell * 1024 + 1023));
    Vec2 { x: axis(home.x, at.x), y: axis(home.y, at.y) }
}

/// Moves a unit by its headings with edits between the steps. Returns whether it arrived; otherwise it was cut off.
fn arrive(scene: &mut Scene, start: Vec2, speed: i32, rng: &mut SplitMix, what: &str) -> bool {
    let (mut at, mut costs, mut edits) = (start, scene.costs(), 6);
    let (rule, FlowTarget { agent, goal, .. }) = (scene.rule, scene.aim);
    let what = |at| format!("{what} {rule:?} {agent:?} from {start:?} to {goal} at {at:?} by {speed}");
    let mut left = scene.left(at.cell(), &costs);
    let mut patience = None;
    for step in 0..200_000_u32 {
        if edits > 0 && step % 37 == 36 {
            edits -= 1;
            scene.edit(at.cell(), rng);
            (costs, patience) = (scene.costs(), None);
            left = scene.left(at.cell(), &costs);
        }
        if step % 3 == 0 {
            scene.tick();
        }
        if edits == 0 && scene.flows.is_done(scene.id) && patience.is_none() {
            // No more edits: allow twice the number of steps that a route of the remaining cost can have on the cheapest ground.
            let cheapest = u64::from(*costs.iter().min().expect("cells")).max(1);
            let Some(left) = scene.left(at.cell(), &costs) else { return false };
            patience = Some(step + 100 + (left / cheapest * 2 / speed as u64) as u32);
        }
        match scene.flows.heading(&scene.layer, scene.id, at, &mut scene.reader) {
            Heading::Arrived { .. } => return true,
            Heading::Nowhere(NoHeading::NoRoute) => {
                assert!(left.is_none() || !scene.flows.is_done(scene.id), "there is a route: {}", what(at));
                if left.is_none() && edits == 0 {
                    return false;
                }
            }
            // The unit left the corridor: a route from its cell is added.
            Heading::Nowhere(NoHeading::NoDoor) => scene.bring_route(at.cell()),
            Heading::Nowhere(why) => panic!("{why}: {}", what(at)),
            Heading::Go { direction, .. } => {
                let by = direction.with_length(Fixed::from_raw(speed));
                let offset = (i64::from(by.x.raw()), i64::from(by.y.raw()));
                let (was, told) = (at, go_straight(&costs, scene.size(), rule, raw(at), offset));
                (at.x, at.y) = (at.x + by.x, at.y + by.y);
                if matches!(rule.corners, CornerRule::Forbid) || rule == StepRule::FOUR {
                    assert!(told.is_ok(), "{told:?}: {}", what(was));
                } else if told.is_err() {
                    // Rounded to whole 1024ths, a heading exactly over a corner may pass it or end on it, in a closed cell. A mover then
                    // keeps the unit in its own cell, and there is a route from there.
                    let (from, to) = (was.cell(), at.cell());
                    let step =
                        step_cost(&costs, scene.size(), Rule::from(rule), (from.x, from.y), (to.x, to.y));
                    if from != to && step.is_err() {
                        at = within(from, at);
                    }
                }
            }
        }
        assert!(patience.is_none_or(|patience| step < patience), "the unit does not arrive: {}", what(at));
    }
    panic!("the unit does not arrive: {}", what(at))
}

#[test]
fn units_of_every_size_arrive_by_every_rule_while_the_map_is_edited() {
    let (mut rng, mut arrived, mut gave_up, mut edits) = (SplitMix::new(8), [0; 3], 0, 0);
    for (name, grid) in every_kind(9, 64, 48) {
        for (rule, size) in RULES.into_iter().flat_map(|rule| SIZES.map(|size| (rule, size))) {
            let agent = Agent { locomotor: FOOT, size };
            let per_tick = rng.pick(&[1, 4, 1000]);
            let Some(mut scene) = Scene::new(&grid, agent, rule, per_tick, &mut rng) else { continue };
            for _ in 0..4 {
                while !scene.flows.is_done(scene.id) {
                    scene.tick();
                }
                let costs = scene.costs();
                let start = random_point(&mut rng, (64, 48));
                if scene.left(start.cell(), &costs).is_none() {
                    continue;
                }
                let speed = rng.pick(&[40, 102, 300, 1000]);
                if arrive(&mut scene, start, speed, &mut rng, name) {
                    arrived[usize::from(size.side()) - 1] += 1;
                } else {
                    gave_up += 1;
                }
            }
            edits += scene.edits;
        }
    }
    println!("{arrived:?} arrived, {gave_up} were cut off, {edits} edits");
    assert!(arrived.iter().all(|&count| count > 30) && edits > 300, "{arrived:?} {gave_up} {edits}");
}
