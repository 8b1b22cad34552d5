//! A scenario as data. Names in the file are already resolved to indices.

use waymarch::base::{Angle, CellPos, CellRect, Fixed, Tick, Vec2};
use waymarch::cost::{GateState, Stamp, TerrainId, ThreatSource};
use waymarch::groups::{Formation, FormationLayout, FormationProfile};
use waymarch::query::Goal;
use waymarch::world::{Around, Concealment, PlayerId, Setup, TeamId, UnitType, UnitTypeId, When, WhenTaken};

/// A scenario has at most 100,000 units.
pub const MAX_SCENARIO_UNITS: u32 = 100_000;
/// A scenario runs for at most 100,000,000 ticks: about 58 days at 20 ticks per second.
pub const MAX_SCENARIO_TICKS: u64 = 100_000_000;

/// A scenario file with every name resolved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Scenario {
    /// The scenario's name.
    pub name: String,
    /// One line of description.
    pub about: String,
    /// Map, settings and seed.
    pub setup: Setup,
    /// How many ticks it runs.
    pub ticks: u64,
    /// The unit types.
    pub types: Vec<UnitType>,
    /// The units, squad by squad.
    pub squads: Vec<Squad>,
    /// The groups that orders name.
    pub groups: Vec<Group>,
    /// Formations with names, which orders use like those of the engine. Orders hold what they name.
    pub formations: Vec<FormationProfile>,
    /// The names that edits give to stamps and threat sources.
    pub names: Vec<String>,
    /// Orders and edits, sorted by tick. Within one tick squads appear first. Then come edits, orders and mixed actions, each in the
    /// order of the file.
    pub actions: Vec<ScheduledAction>,
}

/// Units of one type that are spawned together: at the start, or by an [`Action::Spawn`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Squad {
    /// The type of its units.
    pub kind: UnitTypeId,
    /// The player that owns them.
    pub owner: PlayerId,
    /// Where they start.
    pub place: Placement,
    /// The direction that they face at first.
    pub facing: Angle,
    /// What happens to a unit whose cell is taken.
    pub taken: WhenTaken,
}

/// Where the units of a squad start.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Placement {
    /// One unit in each cell.
    Cells(Vec<CellPos>),
    /// This many units on the first open cells of a rectangle, row by row.
    Rect(CellRect, u32),
    /// Evenly spaced on a circle.
    Ring {
        /// The circle's centre.
        centre: CellPos,
        /// The circle's radius in cells.
        radius: Fixed,
        /// The number of units.
        count: u32,
    },
}

/// A named group of squads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Group {
    /// The name.
    pub name: String,
    /// Indices of its squads.
    pub squads: Vec<usize>,
}

/// An order or an edit, and the ticks at which it happens.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScheduledAction {
    /// The first tick at which it happens.
    pub tick: Tick,
    /// How it repeats; once if `None`.
    pub repeat: Option<Repeat>,
    /// What happens.
    pub action: Action,
}

/// How an action repeats.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Repeat {
    /// Ticks between two repetitions, at least 1.
    pub every: u32,
    /// The last tick at which it may happen.
    pub until: Tick,
}

impl ScheduledAction {
    /// Whether it happens at `now`.
    #[must_use]
    pub fn is_due(&self, now: Tick) -> bool {
        match self.repeat {
            Some(Repeat { every, until }) => {
                now >= self.tick
                    && now <= until
                    && now.since(self.tick).is_multiple_of(u64::from(every.max(1)))
            }
            None => now == self.tick,
        }
    }

    /// Whether it does not happen at `now` or later.
    #[must_use]
    pub fn is_over(&self, now: Tick) -> bool {
        let last = self.repeat.map_or(self.tick, |repeat| repeat.until);
        now > last
    }
}

/// What a threat source of a scenario belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SourceOwner {
    /// To this player.
    Player(PlayerId),
    /// To the first living unit of the group with this index. The source moves with it.
    Group(usize),
}

/// An order to a group, or an edit of the map.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Action {
    /// A group gets an order.
    Order {
        /// The group's index.
        group: usize,
        /// The order.
        order: GroupOrder,
        /// At once, or after the orders that its units have.
        when: When,
    },
    /// A stamp is placed.
    Place {
        /// The footprint.
        stamp: Stamp,
        /// Where.
        position: StampPosition,
        /// Index of the name that later edits use for it.
        name: Option<usize>,
    },
    /// The stamp or threat source with this name is removed.
    Remove(usize),
    /// The gate of the stamp with this name opens, closes, or opens to some teams.
    Gate(usize, GateState),
    /// A player joins a team.
    Team(PlayerId, TeamId),
    /// The terrain of a rectangle is set.
    Terrain(CellRect, TerrainId),
    /// The elevation of a rectangle is set.
    Height(CellRect, i16),
    /// A threat source is added. If the name already has one, that source is changed instead.
    Threat(ThreatSource, Option<usize>),
    /// As [`Action::Threat`]; a new source belongs to a player, or to a unit.
    ThreatOf(ThreatSource, Option<usize>, SourceOwner),
    /// The units of the squad with this index appear.
    Spawn(usize),
    /// These settings change: keys and values as in settings files. All others stay.
    Configure(Vec<(String, String)>),
    /// The World is saved, and the game continues with the World that is loaded from these bytes.
    Reload,
    /// The built-in planner of this name finds the routes of units from now on; `None` is the engine's own choice.
    Planner(Option<String>),
    /// The command that [`random_command`](super::random_command) draws from this number, legal or not.
    Random(u64),
}

/// Where a stamp is placed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StampPosition {
    /// With its north-west cell here.
    At(CellPos),
    /// With its north-west cell on a random cell of this rectangle.
    Within(CellRect),
}

/// The target of an order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OrderTarget {
    /// A cell.
    Cell(CellPos),
    /// The first unit of a group that still exists.
    Group(usize),
    /// The stamp with this name, by index.
    Stamp(usize),
}

/// An order to a group. It becomes one command for all units of the group, or one for each.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GroupOrder {
    /// Go to a goal.
    Move(Goal),
    /// Go to a cell and stand there in formation.
    Form {
        /// The cell.
        at: CellPos,
        /// The formation.
        formation: Formation,
        /// The facing at the goal; the direction of travel if `None`.
        facing: Option<Angle>,
        /// Spacing, width, angle and radius.
        layout: FormationLayout,
    },
    /// Go to a goal and report units in sight during the walk, up to this distance.
    Attack(Goal, Fixed),
    /// Stay within this distance of the middle of another group.
    FollowGroup(usize, Fixed),
    /// Stay within this distance of a target.
    Guard(OrderTarget, Fixed),
    /// Stand around a target.
    Around(OrderTarget, Around),
    /// Move apart by this distance.
    Spread(Fixed),
    /// Take over the orders of the first unit of another group.
    Join(usize),
    /// Change the formation during the walk.
    Reform(Formation, Option<Angle>),
    /// Halt and keep all orders.
    Engage,
    /// Continue after a halt.
    Resume,
    /// Each unit goes to its own random cell of a rectangle.
    Scatter(CellRect),
    /// Each unit goes to the opposite side of a cell.
    Opposite(CellPos),
    /// Patrol between stops.
    Patrol(Vec<CellPos>),
    /// Follow the first unit of another group at this distance.
    Follow(usize, Fixed),
    /// Stop.
    Stop,
    /// Stop and do not step aside.
    Hold,
    /// Every unit is removed from the game.
    Kill,
    /// Every unit belongs to this player from now on.
    Capture(PlayerId),
    /// Every unit becomes of the type with this index.
    Become(usize),
    /// Every unit walks at this part of its type's speed, in per cent.
    Speed(u16),
    /// Every unit is hidden from enemies, or visible again.
    Conceal(Concealment),
    /// The units get into the transports of another group, in order, as far as there are places.
    Board(usize),
    /// The units get out of their transports.
    Unboard,
    /// Every unit is put at a point, in cells, and moves with a velocity, in cells per tick.
    Put {
        /// The point of its centre.
        at: Vec2,
        /// Its velocity.
        velocity: Vec2,
    },
}
