//! The order storm of `waymarch bench flow`: many units in ten groups, all ordered across the map in one tick.

use std::collections::BTreeSet;
use std::time::Instant;

use comfy_table::{CellAlignment, Table, presets};
use serde::Serialize;
use waymarch::base::{Agent, CellPos, CellRect, Fixed, LocomotorId, Purpose, Rng, Tick, WorldPos, cell};
use waymarch::cost::{CostLayer, CostSettings, Stamp, StepRule, ValidMap};
use waymarch::flow::tiles::{Breadth, FlowId, Heading, TileAim, TileFlows, TileReader, TileSettings};
use waymarch::query::Threat;
use waymarch::sectors::{DoorGoal, DoorRoute, DoorScratch, Doors, RoomId, Sectors};

use crate::report::{grouped, rounded};

/// Groups that are ordered at once.
const GROUPS: usize = 10;
/// Ticks after the order that are measured.
const LATER: u64 = 30;
/// Members of a group stand at most this many cells from its middle.
const CAMP: i32 = 12;
/// Each storm is done so often; of each tick the quickest counts, as other programs run too.
const ROUNDS: usize = 3;
/// What the tick of an order may take at 800 units.
const LIMIT_MS: f64 = 5.0;
/// How far units go in a tick, in 1024ths of a cell.
const SPEED: i32 = 256;
/// A building is put up every so many ticks.
const EVERY: u64 = 5;

/// What happens after the order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum After {
    /// Units wait where they are while tiles are made.
    Standing,
    /// They go where they are led, a quarter of a cell a tick, while buildings go up on their ways.
    Moving,
}

/// What came of one storm; the keys are a promise to scripts.
#[derive(Debug, Serialize)]
pub(super) struct Storm {
    map: String,
    after: After,
    units: usize,
    groups: usize,
    /// Planning and all headings of the tick in which everybody is ordered.
    order_tick_ms: f64,
    /// The dearest and the mean of the ticks after it, headings included.
    worst_later_ms: f64,
    mean_later_ms: f64,
    /// Units without a heading in the tick of the order, and in the worst one after it.
    without_heading: usize,
    without_heading_later: usize,
    /// Groups that could not be ordered.
    failed: usize,
    /// Sectors integrated by searches and tiles made for units, in all ticks.
    integrated: u64,
    made: u64,
    /// The order's tick takes no more than 5 ms for each 800 units, and the others take less on average.
    within_limits: bool,
}

impl Storm {
    /// Whether everybody had somewhere to go. Times are told, not judged here: they depend on what else the machine does.
    pub(super) fn is_good(&self) -> bool {
        (self.without_heading, self.without_heading_later, self.failed) == (0, 0, 0)
    }
}

/// A group: its goal, where its members are, and the rooms from which they are known to be led.
#[derive(Clone)]
struct Group {
    goal: CellPos,
    members: Vec<WorldPos>,
    flow: Option<FlowId>,
    rooms: BTreeSet<(u32, u16)>,
}

/// Orders `units` units across a map in one tick and watches what it costs.
pub(super) fn measure(word: &str, map: &ValidMap, units: usize, seed: u32, after: After) -> Storm {
    let mut times: Vec<f64> = Vec::new();
    let mut storm = None;
    for _ in 0..ROUNDS {
        let mut field = Battle::new(map, units, seed);
        let told = field.run(word, after, seed);
        if times.is_empty() {
            times.clone_from(&field.times);
        }
        times.iter_mut().zip(&field.times).for_each(|(least, &time)| *least = least.min(time));
        storm = Some(told);
    }
    let mut storm = storm.unwrap_or_else(|| Battle::new(map, 0, seed).run(word, after, seed));
    let (order, later) = times.split_first().map_or((0.0, &[][..]), |(&order, later)| (order, later));
    let mean = later.iter().sum::<f64>() / later.len().max(1) as f64;
    storm.order_tick_ms = rounded(order, 3);
    storm.mean_later_ms = rounded(mean, 3);
    storm.worst_later_ms = rounded(later.iter().copied().fold(0.0, f64::max), 3);
    storm.within_limits = order <= LIMIT_MS * (units as f64 / 800.0).max(1.0) && mean <= order;
    storm
}

struct Battle {
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

impl Battle {
    fn new(map: &ValidMap, units: usize, seed: u32) -> Self {
        let (rule, agent) = (StepRule::default(), Agent::from(LocomotorId(0)));
        let layer = CostLayer::new(map, CostSettings::default());
        let sectors = Sectors::new(&layer, rule);
        let groups = muster(&layer, &sectors, agent, units, seed);
        let doors = Doors::new(&layer, agent, rule, Threat::Ignore).ok();
        let mut scratch = DoorScratch::default();
        // A game does this while the map is loaded.
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

    fn run(&mut self, word: &str, after: After, seed: u32) -> Storm {
        let start = Instant::now();
        for group in &mut self.groups {
            group.flow = self.flows.open(&self.layer, TileAim::new(self.agent, group.goal)).ok();
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

    /// Puts up a building a few cells ahead of some unit, where nobody stands and nobody is cut off.
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
                let goes = |at: &WorldPos| self.sectors.reachable(at.cell(), group.goal, self.agent);
                !group.members.iter().all(goes)
            };
            if self.groups.iter().any(cuts) {
                // It stood there at the start; it just did not last.
                let _gone = self.layer.remove(stamp);
            }
        }
    }

    /// Follows what was built.
    fn follow(&mut self) {
        self.sectors.follow(&self.layer);
        let Some(doors) = &mut self.doors else { return };
        if !doors.is_current(&self.layer) {
            doors.follow(&self.layer);
            // Rooms have other numbers now.
            self.groups.iter_mut().for_each(|group| group.rooms.clear());
        }
    }

    /// A tick: routes from rooms that flows do not lead out of, tiles, and everybody's heading, who goes that way. Gives how many
    /// have none.
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
                    Heading::Go { way, .. } => {
                        let step = way.with_length(Fixed::from_raw(speed));
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

/// Ten groups in camps, each with a goal on the other side of the map that all its members can reach.
fn muster(layer: &CostLayer, sectors: &Sectors, agent: Agent, units: usize, seed: u32) -> Vec<Group> {
    let (width, height) = (layer.grid().width(), layer.grid().height());
    let mut random = Rng::keyed(u64::from(seed), Tick::ZERO, 0, Purpose(5));
    let mut groups = Vec::new();
    for _ in 0..GROUPS * 400 {
        if groups.len() == GROUPS {
            break;
        }
        let mut spot = || cell(random.below(width) as i32, random.below(height) as i32);
        let (camp, goal) = (spot(), spot());
        let far = camp.x.abs_diff(goal.x).max(camp.y.abs_diff(goal.y)) * 2 > width.min(height);
        if !far || !layer.can_stop(goal, agent) || !sectors.reachable(camp, goal, agent) {
            continue;
        }
        let around = CellRect::at(camp.offset(-CAMP, -CAMP), CAMP as u32 * 2, CAMP as u32 * 2);
        let free = around.intersect(layer.grid().rect());
        let free: Vec<CellPos> = free.cells().filter(|&at| sectors.reachable(at, goal, agent)).collect();
        // Big groups stand close together: several units to a cell.
        let members = (0..units / GROUPS).filter_map(|unit| free.get(unit * 7 % free.len().max(1)));
        let members = members.map(|at| at.centre()).collect();
        groups.push(Group { goal, members, flow: None, rooms: BTreeSet::new() });
    }
    groups
}

/// The storms people see.
pub(super) fn table(storms: &[Storm]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::UTF8_HORIZONTAL_ONLY).set_header([
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
    ]);
    for storm in storms {
        table.add_row([
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
        ]);
    }
    for column in table.column_iter_mut().skip(2) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}
