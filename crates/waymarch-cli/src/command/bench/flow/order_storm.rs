//! The order storm: ten groups are ordered across the map in one tick.

use std::collections::BTreeSet;
use std::time::Instant;

use comfy_table::Table;
use serde::Serialize;
use waymarch::base::{Agent, CellPos, CellRect, Fixed, LocomotorId, Purpose, Rng, Tick, Vec2};
use waymarch::cost::{CostLayer, CostSettings, Stamp, StepRule, ValidMap};
use waymarch::flow::tiles::{Breadth, FlowId, FlowTarget, Heading, TileFlows, TileReader, TileSettings};
use waymarch::query::Threat;
use waymarch::sectors::{DoorGoal, DoorRoute, DoorScratch, Doors, RoomId, Sectors};

use super::super::cells::{chebyshev, random_cell};
use crate::report::{grouped, rounded};
use crate::stats::mean_or_zero;
use crate::table::table;

/// 10 groups are ordered in the same tick.
const GROUPS: usize = 10;
/// 30 ticks after the order are measured.
const LATER: u64 = 30;
/// Members of a group start at most 12 cells from its centre.
const CAMP: i32 = 12;
/// Each storm runs 3 times, and the shortest time of each tick counts: other programs may slow a run.
const ROUNDS: usize = 3;
/// The limit for the tick of the order: 5 ms per 800 units.
const LIMIT_MS: f64 = 5.0;
/// Units move 256/1024 of a cell per tick.
const SPEED: i32 = 256;
/// A building is placed every 5 ticks.
const EVERY: u64 = 5;

/// What happens after the order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum After {
    /// Units stand still while tiles are made.
    Standing,
    /// Units follow their headings, a quarter of a cell per tick, while buildings are placed ahead of them.
    Moving,
}

/// The results of one storm; scripts rely on the keys.
#[derive(Debug, Serialize)]
pub(super) struct Storm {
    map: String,
    after: After,
    units: usize,
    groups: usize,
    /// The tick of the order: planning and the headings of all units.
    order_tick_ms: f64,
    /// The longest and the mean of the ticks after it, headings included.
    worst_later_ms: f64,
    mean_later_ms: f64,
    /// Units without a heading in the tick of the order, and in the worst tick after it.
    without_heading: usize,
    without_heading_later: usize,
    /// Groups without a flow.
    failed: usize,
    /// Sectors integrated and tiles made for units, in all ticks.
    integrated: u64,
    made: u64,
    /// Whether the tick of the order takes at most 5 ms per 800 units, and later ticks take less on average.
    within_limits: bool,
}

impl Storm {
    /// Whether every unit had a heading in every tick. Times are not judged: they depend on the machine.
    pub(super) fn is_good(&self) -> bool {
        (self.without_heading, self.without_heading_later, self.failed) == (0, 0, 0)
    }
}

/// A group: its goal, the positions of its members, and the rooms from which its flow is known to lead.
#[derive(Clone)]
struct Group {
    goal: CellPos,
    members: Vec<Vec2>,
    flow: Option<FlowId>,
    rooms: BTreeSet<(u32, u16)>,
}

/// The settings of one storm.
#[derive(Clone, Copy)]
pub(super) struct StormCase<'a> {
    /// The map as named on the command line.
    pub(super) word: &'a str,
    pub(super) map: &'a ValidMap,
    pub(super) units: usize,
    pub(super) seed: u32,
    pub(super) after: After,
}

/// Orders all units across the map in one tick and measures what it costs.
pub(super) fn measure(case: &StormCase<'_>) -> Storm {
    let mut times: Vec<f64> = Vec::new();
    let mut storm = None;
    for _ in 0..ROUNDS {
        let mut game = StormGame::new(case.map, case.units, case.seed);
        let result = game.run(case);
        if times.is_empty() {
            times.clone_from(&game.times);
        }
        times.iter_mut().zip(&game.times).for_each(|(least, &time)| *least = least.min(time));
        storm = Some(result);
    }
    let mut storm = storm.unwrap_or_else(|| StormGame::new(case.map, 0, case.seed).run(case));
    let (order, later) = times.split_first().map_or((0.0, &[][..]), |(&order, later)| (order, later));
    let mean = mean_or_zero(later);
    storm.order_tick_ms = rounded(order, 3);
    storm.mean_later_ms = rounded(mean, 3);
    storm.worst_later_ms = rounded(later.iter().copied().fold(0.0, f64::max), 3);
    storm.within_limits = order <= LIMIT_MS * (case.units as f64 / 800.0).max(1.0) && mean <= order;
    storm
}

struct StormGame {
    layer: CostLayer,
    sectors: Sectors,
    doors: Option<Doors>,
    flows: TileFlows,
    agent: Agent,
    groups: Vec<Group>,
    scratch: DoorScratch,
    route: DoorRoute,
    towards: DoorGoal,
    reader: TileReader,
    /// Of each tick, in milliseconds.
    times: Vec<f64>,
    failed: usize,
}

impl StormGame {
    fn new(map: &ValidMap, units: usize, seed: u32) -> Self {
        let (rule, agent) = (StepRule::default(), Agent::from(LocomotorId(0)));
        let layer = CostLayer::new(map, CostSettings::default());
        let sectors = Sectors::new(&layer, rule);
        let groups = form_groups(&layer, &sectors, agent, GroupDraw { units, seed });
        let doors = Doors::new(&layer, agent, rule, Threat::Ignore).ok();
        let mut scratch = DoorScratch::default();
        // A game does this while it loads the map.
        if let Some(doors) = &doors {
            doors.prepare_all(&layer, &mut scratch);
        }
        Self {
            flows: TileFlows::new(&layer, rule, TileSettings::default()),
            failed: GROUPS - groups.len(),
            layer,
            sectors,
            doors,
            agent,
            groups,
            scratch,
            route: DoorRoute::default(),
            towards: DoorGoal::new(CellPos::default()),
            reader: TileReader::new(),
            times: Vec::new(),
        }
    }

    fn run(&mut self, case: &StormCase<'_>) -> Storm {
        let StormCase { word, after, seed, .. } = *case;
        let start = Instant::now();
        for group in &mut self.groups {
            group.flow = self.flows.open(&self.layer, FlowTarget::new(self.agent, group.goal)).ok();
            self.failed += usize::from(group.flow.is_none());
        }
        let without_heading = self.plan(Tick(1), 0);
        self.times.push(start.elapsed().as_secs_f64() * 1e3);
        let mut random = Rng::keyed(u64::from(seed), Tick::ZERO, 1, Purpose(5));
        let mut without_heading_later = 0;
        for now in 2..2 + LATER {
            if after == After::Moving && now % EVERY == 0 {
                self.build(now, &mut random);
            }
            let start = Instant::now();
            if after == After::Moving {
                self.follow();
            }
            let speed = if after == After::Moving { SPEED } else { 0 };
            without_heading_later = self.plan(Tick(now), speed).max(without_heading_later);
            self.times.push(start.elapsed().as_secs_f64() * 1e3);
        }
        let work = self.flows.work();
        Storm {
            map: word.to_owned(),
            after,
            units: self.groups.iter().map(|group| group.members.len()).sum(),
            groups: self.groups.len(),
            order_tick_ms: 0.0,
            worst_later_ms: 0.0,
            mean_later_ms: 0.0,
            without_heading,
            without_heading_later,
            failed: self.failed,
            integrated: work.integrated,
            made: work.made_again + self.reader.made(),
            within_limits: false,
        }
    }

    /// Places a building 6 cells ahead of a random group, unless it would cover a unit or a goal or cut a unit off.
    fn build(&mut self, now: u64, random: &mut Rng) {
        let Some(group) = self.groups.get(random.below(GROUPS as u32) as usize) else { return };
        let Some(unit) = group.members.first().map(|at| at.cell()) else { return };
        let at = unit.offset((group.goal.x - unit.x).signum() * 6, (group.goal.y - unit.y).signum() * 6);
        let area = CellRect::at(at, 3, 3);
        let mut members = self.groups.iter().flat_map(|group| &group.members);
        let is_free = members.all(|at| !area.grow(1, 1).contains(at.cell()))
            && self.groups.iter().all(|group| !area.contains(group.goal));
        if !is_free {
            return;
        }
        if let Ok(stamp) = self.layer.place(&Stamp::solid(3, 3), at, Tick(now)) {
            self.sectors.follow(&self.layer);
            let cuts = |group: &Group| {
                let goes = |at: &Vec2| self.sectors.reachable(at.cell(), group.goal, self.agent);
                !group.members.iter().all(goes)
            };
            if self.groups.iter().any(cuts) {
                // Removing a stamp that was just placed cannot fail.
                let _removed = self.layer.remove(stamp);
            }
        }
    }

    /// Updates sectors and doors after an edit.
    fn follow(&mut self) {
        self.sectors.follow(&self.layer);
        let Some(doors) = &mut self.doors else { return };
        if !doors.is_current(&self.layer) {
            doors.follow(&self.layer);
            // The numbers of rooms have changed.
            self.groups.iter_mut().for_each(|group| group.rooms.clear());
        }
    }

    /// One tick: finds routes from rooms without a flow, makes tiles, and moves every unit along its heading. Gives the number of units
    /// without a heading.
    fn plan(&mut self, now: Tick, speed: i32) -> usize {
        let Self { layer, sectors, doors, flows, agent, groups, scratch, route, towards, reader, .. } = self;
        let Some(doors) = doors else { return 0 };
        for group in groups.iter_mut() {
            let Some(flow) = group.flow else { continue };
            towards.begin(group.goal);
            for at in group.members.iter().map(|at| at.cell()) {
                let Some(RoomId { sector, part }) = sectors.room(at, *agent) else { continue };
                if group.rooms.insert((sector.0, part))
                    && !flows.leads(layer, flow, at, reader)
                    && doors.route_towards(layer, at, towards, scratch, route)
                {
                    flows.widen(layer, flow, route, Breadth::Around);
                }
            }
        }
        let users = groups.iter().filter_map(|group| Some((group.flow?, group)));
        let users = users.flat_map(|(flow, group)| group.members.iter().map(move |at| (flow, at.cell())));
        flows.prepare(layer, now, users);
        let mut lost = 0;
        for group in groups {
            let Some(flow) = group.flow else { continue };
            for at in &mut group.members {
                match flows.heading(layer, flow, *at, reader) {
                    Heading::Go { direction, .. } => {
                        let step = direction.with_length(Fixed::from_raw(speed));
                        (at.x, at.y) = (at.x + step.x, at.y + step.y);
                    }
                    Heading::Arrived { .. } => {}
                    Heading::Nowhere(_) => lost += 1,
                }
            }
        }
        lost
    }
}

/// The number of units, and the seed of their positions.
#[derive(Clone, Copy)]
struct GroupDraw {
    units: usize,
    seed: u32,
}

/// Ten groups around random cells, each with a goal at least half the map away that all its members can reach.
fn form_groups(layer: &CostLayer, sectors: &Sectors, agent: Agent, draw: GroupDraw) -> Vec<Group> {
    let (grid, GroupDraw { units, seed }) = (layer.grid(), draw);
    let mut random = Rng::keyed(u64::from(seed), Tick::ZERO, 0, Purpose(5));
    let mut groups = Vec::new();
    for _ in 0..GROUPS * 400 {
        if groups.len() == GROUPS {
            break;
        }
        let mut spot = || random_cell(&mut random, grid);
        let (camp, goal) = (spot(), spot());
        let far = chebyshev(camp, goal) * 2 > grid.width().min(grid.height());
        if !far || !layer.can_stop(goal, agent) || !sectors.reachable(camp, goal, agent) {
            continue;
        }
        let around = CellRect::at(camp.offset(-CAMP, -CAMP), CAMP as u32 * 2, CAMP as u32 * 2);
        let free = around.intersect(layer.grid().rect());
        let free: Vec<CellPos> = free.cells().filter(|&at| sectors.reachable(at, goal, agent)).collect();
        // In large groups several units share a cell.
        let members = (0..units / GROUPS).filter_map(|unit| free.get(unit * 7 % free.len().max(1)));
        let members = members.map(|at| at.centre()).collect();
        groups.push(Group { goal, members, flow: None, rooms: BTreeSet::new() });
    }
    groups
}

/// The table for people.
pub(super) fn storm_table(storms: &[Storm]) -> Table {
    let header = [
        "order storm",
        "then",
        "units",
        "order tick ms",
        "later mean ms",
        "later worst ms",
        "without heading",
        "later",
        "failed",
        "sectors",
        "tiles",
        "limits",
    ];
    let cells = |storm: &Storm| {
        [
            storm.map.clone(),
            match storm.after {
                After::Standing => "standing".to_owned(),
                After::Moving => "moving, edits".to_owned(),
            },
            grouped(storm.units as u64),
            format!("{:.2}", storm.order_tick_ms),
            format!("{:.2}", storm.mean_later_ms),
            format!("{:.2}", storm.worst_later_ms),
            grouped(storm.without_heading as u64),
            grouped(storm.without_heading_later as u64),
            grouped(storm.failed as u64),
            grouped(storm.integrated),
            grouped(storm.made),
            if storm.within_limits { "met".to_owned() } else { "NOT met".to_owned() },
        ]
    };
    table(header, storms.iter().map(cells), 2..12)
}
