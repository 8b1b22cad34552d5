//! Scenarios: a map, units, and what they are told and what happens to the map at which tick.
//!
//! The file format is described in `docs/scenarios.md`; [`read_scenario`](crate::yaml::read_scenario) reads it, [`Simulation`] plays it.

mod builtin;
mod maps;
mod metrics;
mod simulation;
mod things;

use waymarch::base::{Angle, CellPos, CellRect, Fixed, Tick};
use waymarch::cost::{GateState, Stamp, TerrainId, ThreatSource};
use waymarch::groups::Formation;
use waymarch::query::Goal;
use waymarch::world::{Around, PlayerId, Setup, UnitType, UnitTypeId, When};

pub use builtin::{BUILTIN_SCENARIOS, builtin_scenario};
pub use maps::{find_map, load_scenario};
pub use metrics::Metrics;
pub use simulation::{Simulation, SimulationError};

/// At most so many units in a scenario.
pub const MAX_SCENARIO_UNITS: u32 = 100_000;
/// At most so many ticks.
pub const MAX_SCENARIO_TICKS: u64 = 100_000_000;

/// A scenario as its file says it, every name in it looked up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Scenario {
    /// What it is called.
    pub name: String,
    /// A line about it.
    pub about: String,
    /// Map, settings and seed.
    pub setup: Setup,
    /// How long it is to be watched.
    pub ticks: u64,
    /// The kinds of units.
    pub types: Vec<UnitType>,
    /// The units, squad by squad.
    pub squads: Vec<Squad>,
    /// Who can be told something.
    pub groups: Vec<Group>,
    /// The names that edits give to what they make.
    pub names: Vec<String>,
    /// What happens, by tick; in one tick edits before orders, then as the file has it.
    pub deeds: Vec<Deed>,
}

/// Units of one kind that stand together at the beginning.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Squad {
    /// Their kind.
    pub kind: UnitTypeId,
    /// Whose they are.
    pub owner: PlayerId,
    /// Where they stand.
    pub place: Muster,
}

/// Where units stand at the beginning.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Muster {
    /// One in each cell.
    Cells(Vec<CellPos>),
    /// On the first open cells of a rectangle, row by row.
    Rect(CellRect, u32),
    /// On a ring, evenly.
    Ring {
        /// Its middle.
        centre: CellPos,
        /// How wide it is.
        radius: Fixed,
        /// How many units.
        count: u32,
    },
}

/// Units that have a name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Group {
    /// The name.
    pub name: String,
    /// Their squads, by number.
    pub squads: Vec<usize>,
}

/// Something that happens.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Deed {
    /// When, for the first time.
    pub tick: Tick,
    /// How often, and until when; once if nothing is said.
    pub again: Option<(u32, Tick)>,
    /// What.
    pub what: What,
}

/// What happens.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum What {
    /// A group is told what to do.
    Order {
        /// Its number.
        group: usize,
        /// What.
        plan: Plan,
        /// At once or later.
        when: When,
    },
    /// A stamp is placed.
    Place {
        /// The footprint.
        stamp: Stamp,
        /// Where.
        spot: Spot,
        /// What it is called from now on, by number.
        name: Option<usize>,
    },
    /// What has this name goes: a stamp or a threat source.
    Remove(usize),
    /// The gate of the stamp of this name opens or closes.
    Gate(usize, GateState),
    /// Terrain is repainted.
    Terrain(CellRect, TerrainId),
    /// Ground is raised or lowered.
    Height(CellRect, i16),
    /// A threat source appears, or the one of that name moves and changes.
    Threat(ThreatSource, Option<usize>),
}

/// Where a stamp is placed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Spot {
    /// With its north-west cell here.
    At(CellPos),
    /// Anywhere within, by luck.
    Within(CellRect),
}

/// What an order is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Whom {
    /// A cell.
    Cell(CellPos),
    /// The first unit of a group that lives.
    Group(usize),
    /// The stamp of this name, by number.
    Stamp(usize),
}

/// What a group is told.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Plan {
    /// All go into one goal.
    Move(Goal),
    /// All go to a cell and stand there in formation.
    Form {
        /// Where.
        at: CellPos,
        /// How.
        formation: Formation,
        /// Which way they look.
        facing: Option<Angle>,
    },
    /// All go into one goal and say whom they see on the way, within so far.
    Attack(Goal, Fixed),
    /// All keep near the middle of another group.
    FollowGroup(usize, Fixed),
    /// All stay within so far of something.
    Guard(Whom, Fixed),
    /// All stand around something.
    Around(Whom, Around),
    /// All go so far from each other.
    Spread(Fixed),
    /// All are told what the first of another group is told.
    Join(usize),
    /// All take another formation on the way.
    Reform(Formation, Option<Angle>),
    /// All halt and keep their orders.
    Engage,
    /// All go on.
    Resume,
    /// Each goes to a cell of its own within, by luck.
    Scatter(CellRect),
    /// Each goes to the other side of a cell.
    Opposite(CellPos),
    /// All go from stop to stop.
    Patrol(Vec<CellPos>),
    /// All keep near the first unit of another group.
    Follow(usize, Fixed),
    /// All stop.
    Stop,
    /// All stop and give way to nobody.
    Hold,
}
