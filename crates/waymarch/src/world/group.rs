//! Units that were told to go somewhere together: where each is to stand, and the gates that all go through on the way.

use alloc::vec::Vec;

use super::byway::{Branch, Byway, Patience};
use super::cohesion::Cohesion;
use super::let_pass::RightOfWay;
use super::orders::OrderId;
use super::service::PathId;
use super::units::UnitId;
use crate::avoid::{FINE_CELL, Fine};
use crate::base::{
    Agent, Angle, ByteReader, ByteWriter, CellPos, Fixed, GridSize, Id, LoadError, Persist, Slots, Tick,
    persist_choices, persist_fields,
};
use crate::groups::{Formation, Gate, LanePlace, Lanes, MAX_MEMBERS, MAX_RADIUS, Traffic, WayGate};

/// What a [`GroupId`] names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GroupTag {}

/// The name of a group: units that were given one order together.
pub type GroupId = Id<GroupTag>;

/// Units aim so far beyond a bend, so that they do not slow down before it: half a cell.
const BEYOND: i64 = FINE_CELL as i64 / 2;
/// And so far beyond the entrance of a narrow place, so that they come together before it: a fifth of a cell.
const INSIDE: i64 = FINE_CELL as i64 / 5;
/// From so far before a narrow place units turn into their lanes: six cells.
const FUNNEL: i64 = 6 * FINE_CELL as i64;
/// A unit that is past a gate's line but further away from it than the gate is wide and this much did not go through it: 6 cells.
const STRAYED: i64 = 6 * FINE_CELL as i64;

/// How wide groups can be.
pub(super) const WIDTHS: core::ops::RangeInclusive<i64> = 0..=1 << 40;

/// World: what a unit sees of where it is to go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum View {
    /// It has not looked yet.
    Unknown,
    /// All of the way there.
    Clear,
    /// Something is in between.
    Hidden,
    /// Something is between it and its place in the gate, but not between it and where the group's middle goes through.
    Taut,
    /// Something is in between, and its own route leads back through a gate that it has passed: it needs another.
    Lost,
    /// All of the way to its slot, past gates that it has left out therefore.
    Ahead,
}

impl View {
    /// Whether nothing is between it and where it is to go.
    pub(super) fn is_clear(self) -> bool {
        matches!(self, Self::Clear | Self::Ahead)
    }
}

/// World: a unit's part in a group.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Post {
    pub(super) group: GroupId,
    /// Where its middle is to be in the end.
    pub(super) slot: Fine,
    /// Where it walks in the group.
    pub(super) lane: LanePlace,
    /// Which of the group's ways it goes.
    pub(super) branch: Branch,
    /// Which gate of that way it goes through next.
    pub(super) gate: u16,
    /// Whether it saw its place in that gate, or its slot beyond the last, when it last looked.
    pub(super) view: View,
    /// Beyond which gate it was lost and asked for another route: once each, since that may lead back as well.
    pub(super) lost: Option<u16>,
    /// Which way it is to look when it is there.
    pub(super) facing: Option<Angle>,
}

impl Post {
    /// The next gate is another one: it looks for it.
    pub(super) fn look_anew(&mut self, gate: u16) {
        (self.gate, self.view, self.lost) = (gate, View::Unknown, None);
    }
}

/// World: a gate of a group's way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Passage {
    pub(super) way: WayGate,
    /// Whether others come the other way.
    pub(super) traffic: Traffic,
    /// Derived: how wide the gate is, which takes a root and is asked for each member in each tick.
    width: i64,
}

impl Passage {
    pub(super) fn new(way: WayGate, traffic: Traffic) -> Self {
        Self { way, traffic, width: way.width() }
    }

    /// Whether a unit at a point has gone through it, and not around it.
    pub(super) fn is_passed(&self, at: Fine) -> bool {
        let is_near = || {
            let near = self.width + STRAYED;
            i128::from(at.distance_squared(self.way.taut)) < i128::from(near).pow(2)
        };
        self.way.is_behind(at) && is_near()
    }
}

/// World: a group.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Group {
    /// What they were told, and which stop of a patrol it is.
    pub(super) order: OrderId,
    pub(super) leg: u16,
    /// For whose ground gates are looked for: the broadest of them.
    pub(super) agent: Agent,
    /// The way of the group's middle, while it is looked for.
    pub(super) way: PathId,
    pub(super) passages: Vec<Passage>,
    /// Another way for its rear, if a gate was crowded.
    pub(super) byway: Option<Byway>,
    pub(super) patience: Patience,
    pub(super) lanes: Lanes,
    /// How fast the slowest is.
    pub(super) speed: Fixed,
    /// The broadest radius.
    pub(super) radius: Fixed,
    /// When its order was over; it stays for a while, so that those who are there can exchange places.
    pub(super) over: Option<Tick>,
    /// The posts of those who have not begun yet, by slot of the unit.
    pub(super) posts: Vec<(u32, Post)>,
    /// Where its way leads.
    pub(super) end: CellPos,
    /// Where its way enters a goal that is more than a point.
    pub(super) entry: Option<Entry>,
    /// The middle of what it stands around, or of where it stands, when slots were last made.
    pub(super) anchor: Fine,
    /// At a dock: the place that only one can have, and who has it.
    pub(super) first: Fine,
    pub(super) berth: UnitId,
    /// Another formation than its order's, and which way it looks, told on the way.
    pub(super) formation: Option<Formation>,
    pub(super) facing: Option<Angle>,
    /// Whether its slots are to be made anew: somebody left, or came.
    pub(super) news: News,
    /// When they were last made.
    pub(super) posted: Tick,
    pub(super) cohesion: Cohesion,
    /// Which of two groups that cross goes first.
    pub(super) turn: RightOfWay,
    /// How many of its last gates are where it met others.
    pub(super) meetings: u16,
}

/// World: where a way enters a goal, and in which direction.
pub(super) type Entry = (Fine, Angle);

/// World: whether a group's slots have to be made anew.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum News {
    /// They are as they should be.
    #[default]
    None,
    /// Somebody is missing: soon.
    Missing,
    /// Somebody came: at once.
    Joined,
    /// All are to stand otherwise: at once.
    Anew,
}

impl Group {
    /// How broad it is, from side to side.
    pub(super) fn width(&self) -> i64 {
        self.broad(self.lanes)
    }

    /// How broad some lanes of it are.
    fn broad(&self, lanes: Lanes) -> i64 {
        lanes.width + 2 * (i64::from(self.radius.raw()) << 6)
    }

    /// Where a unit heads for on its way to its place in a gate. Before a narrow one that is a point of its lane some way before it, so that it has turned
    /// into the lane where the gate begins: units that come together askew at the door itself slow each other down there.
    pub(super) fn funnel(&self, post: &Post, from: Fine, aim: Fine, has_room: impl Fn(Fine) -> bool) -> Fine {
        let Some(passage) = self.gates(post.branch).get(usize::from(post.gate)) else { return aim };
        if passage.width >= self.broad(self.lanes(post.branch)) {
            return aim;
        }
        let ahead = passage.way.ahead;
        let (x, y) = (i64::from(aim.x) - i64::from(from.x), i64::from(aim.y) - i64::from(from.y));
        let along = (x * i64::from(ahead.0) + y * i64::from(ahead.1)) / 1024;
        let early = passage.way.beyond(aim, -along.clamp(0, FUNNEL) / 4);
        if has_room(early) { early } else { aim }
    }

    /// Where a unit goes through one of its gates: at its own place, or as much nearer to where the group's middle does as that is too near to a
    /// wall. Gates may lie aslant before a wall, and `has_room` says whether a unit's middle can be at a point.
    pub(super) fn aim(&self, post: &Post, radius: Fixed, has_room: impl Fn(Fine) -> bool) -> Option<Fine> {
        let passage = self.gates(post.branch).get(usize::from(post.gate))?;
        let width = passage.width;
        let lanes = self.lanes(post.branch).across_line(width, passage.way.slant, radius);
        let line = (&passage.way.gate, width);
        let at = lanes.aim_at(post.lane, radius, line, passage.way.taut, passage.traffic);
        let (own, taut) = (self.in_gate(post, passage, at), self.in_gate(post, passage, passage.way.taut));
        let part = |own: i32, taut: i32, eighths: i64| {
            (i64::from(own) + (i64::from(taut) - i64::from(own)) * eighths / 8) as i32
        };
        let nearer = |eighths| Fine::new(part(own.x, taut.x, eighths), part(own.y, taut.y, eighths));
        Some((0..8).map(nearer).find(|&at| has_room(at)).unwrap_or(taut))
    }

    /// Where the group's middle goes through the gate that is next for a unit.
    pub(super) fn taut(&self, post: &Post) -> Option<Fine> {
        let passage = self.gates(post.branch).get(usize::from(post.gate))?;
        Some(self.in_gate(post, passage, passage.way.taut))
    }

    /// What to head for to go through a gate at a point of it.
    fn in_gate(&self, post: &Post, passage: &Passage, at: Fine) -> Fine {
        let narrow = passage.width < self.broad(self.lanes(post.branch));
        passage.way.beyond(at, if narrow { INSIDE } else { BEYOND })
    }
}

/// World: the groups.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Groups {
    pub(super) list: Slots<GroupTag, Group>,
    /// Derived: by order.
    index: Vec<(OrderId, u16, GroupId)>,
}

impl Groups {
    /// Makes memory ahead of need.
    pub(super) fn stock_up(&mut self) {
        const MORE: usize = 16;
        self.list.reserve(MORE);
        self.index.reserve(MORE);
    }

    /// The group that was given an order, for a stop of it.
    pub(super) fn of_order(&self, order: OrderId, leg: u16) -> Option<(GroupId, &Group)> {
        let place = self.index.binary_search_by_key(&(order, leg), |&(order, leg, _)| (order, leg)).ok()?;
        let id = self.index[place].2;
        Some((id, self.list.get(id)?))
    }

    /// One group more, of an order that has none for this stop.
    pub(super) fn add(&mut self, group: Group) -> GroupId {
        let (order, leg) = (group.order, group.leg);
        let id = self.list.insert(group);
        let place = self.index.partition_point(|&(other, stop, _)| (other, stop) < (order, leg));
        self.index.insert(place, (order, leg, id));
        id
    }

    /// One group less.
    pub(super) fn remove(&mut self, id: GroupId) -> Option<Group> {
        self.index.retain(|entry| entry.2 != id);
        self.list.remove(id)
    }

    /// Those of a list, as it was saved.
    fn of(list: Slots<GroupTag, Group>) -> Self {
        let mut index: Vec<_> = list.iter().map(|(id, group)| (group.order, group.leg, id)).collect();
        index.sort_unstable();
        Self { list, index }
    }
}

impl Groups {
    /// Whether a post could have come about: it may be one in a group that is gone.
    pub(super) fn holds(&self, grid: GridSize, post: &Post) -> bool {
        let gates =
            self.list.get(post.group).map_or(usize::from(u16::MAX), |group| group.gates(post.branch).len());
        grid.contains(post.slot.cell()) && usize::from(post.gate) <= gates
    }

    /// What is wrong with groups that were read, for a map of `grid` with costs for whom `has_costs` says.
    pub(super) fn check(
        &self,
        grid: GridSize,
        has_costs: impl Fn(Agent) -> bool,
    ) -> Result<(), &'static str> {
        if self.index.windows(2).any(|pair| (pair[0].0, pair[0].1) == (pair[1].0, pair[1].1)) {
            return Err("two groups of one order");
        }
        for (id, group) in self.list.iter() {
            if !has_costs(group.agent) {
                return Err("a group whose ground has no costs");
            }
            let ordered = group.posts.windows(2).all(|pair| pair[0].0 < pair[1].0);
            let own = |(_, post): &(u32, Post)| post.group == id && self.holds(grid, post);
            if !ordered || !group.posts.iter().all(own) || group.posts.len() > MAX_MEMBERS {
                return Err("a group whose places make no sense");
            }
            let length = |way: &WayGate| i32::from(way.ahead.0).pow(2) + i32::from(way.ahead.1).pow(2);
            let on_map = |way: &WayGate| grid.contains(way.taut.cell()) && length(way) <= 1 << 21;
            if group.byway.as_ref().is_some_and(|byway| !byway.makes_sense(grid, on_map)) {
                return Err("a group whose second way leaves the map");
            }
            if group.passages.len() > usize::from(u16::MAX)
                || !group.passages.iter().all(|gate| on_map(&gate.way))
            {
                return Err("a group with a gate off the map");
            }
            if !grid.contains(group.end) {
                return Err("a group whose way leads off the map");
            }
            let custom =
                if let Some(Formation::Custom(places)) = &group.formation { places.len() } else { 0 };
            if custom > MAX_MEMBERS {
                return Err("a group in a formation of too many places");
            }
            if !WIDTHS.contains(&group.lanes.width) || group.radius < Fixed::ZERO || group.radius > MAX_RADIUS
            {
                return Err("a group of impossible width");
            }
        }
        Ok(())
    }
}

persist_choices! {
    View { Unknown, Clear, Hidden, Taut, Lost, Ahead }
    News { None, Missing, Joined, Anew }
    Traffic { OneWay, Opposing }
}

persist_fields! {
    LanePlace { rank: u16, across: u16 }
    Lanes { width: i64 }
    Gate { left: Fine, right: Fine }
    WayGate { gate: Gate, taut: Fine, ahead: (i16, i16), slant: u16 }
    Post {
        group: GroupId,
        slot: Fine,
        lane: LanePlace,
        branch: Branch,
        gate: u16,
        view: View,
        lost: Option<u16>,
        facing: Option<Angle>,
    }
    Group {
        order: OrderId,
        leg: u16,
        agent: Agent,
        way: PathId,
        passages: Vec<Passage>,
        byway: Option<Byway>,
        patience: Patience,
        lanes: Lanes,
        speed: Fixed,
        radius: Fixed,
        over: Option<Tick>,
        posts: Vec<(u32, Post)>,
        end: CellPos,
        entry: Option<Entry>,
        anchor: Fine,
        first: Fine,
        berth: UnitId,
        formation: Option<Formation>,
        facing: Option<Angle>,
        news: News,
        posted: Tick,
        cohesion: Cohesion,
        turn: RightOfWay,
        meetings: u16,
    }
}

impl Persist for Passage {
    fn save(&self, writer: &mut ByteWriter) {
        self.way.save(writer);
        self.traffic.save(writer);
    }

    fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        Ok(Self::new(WayGate::load(reader)?, Traffic::load(reader)?))
    }
}

impl Persist for Groups {
    fn save(&self, writer: &mut ByteWriter) {
        self.list.save(writer);
    }

    fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        Slots::load(reader).map(Self::of)
    }
}
