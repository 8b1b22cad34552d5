//! Forming groups: when units begin an order that was given to several, each is given a place to stand.

use alloc::vec::Vec;

use super::byway::{Branch, Patience};
use super::cohesion::Cohesion;
use super::errand::Phase;
use super::group::{Group, GroupId, News, Passage, Post, View};
use super::let_pass::RightOfWay;
use super::orders::OrderId;
use super::reserved::{PLACES_AHEAD, Place};
use super::service::{Guidance, POINTS, PathId, PathStatus};
use super::simulation::World;
use super::spare_lists::SpareLists;
use super::units::UnitId;
use crate::avoid::Fine;
use crate::base::{Agent, Angle, CellPos, Fixed, Tick, Vec2, make_room, spoil};
use crate::groups::{
    Assignment, Fit, Formations, GateFinder, LanePlace, Lanes, MAX_MEMBERS, Member, Role, Slot, Traffic,
    WayGate,
};
use crate::query::{Goal, PathAsk, Priority, Shape};

/// A group stays for so many seconds after its order is over.
const LINGERS: u64 = 10;

/// However often the map is edited, gates are found in one of so many ticks.
const GATES_AT_LEAST_EVERY: u64 = 7;

/// As many nodes take as long as finding the gates of a way.
pub(super) const GATES_NODES: u32 = 1024;

/// Scratch: what forming groups takes.
#[derive(Clone, Debug, Default)]
pub(super) struct Sergeant {
    /// Orders that units begin without a group, and who has them.
    begun: Vec<(OrderId, u16)>,
    called: Vec<(OrderId, u16, u32)>,
    pub(super) members: Vec<Member>,
    pub(super) starts: Vec<(Agent, CellPos)>,
    pub(super) formations: Formations,
    pub(super) assignment: Assignment,
    pub(super) slots: Vec<Slot>,
    pub(super) taken: Vec<Option<u32>>,
    pub(super) lanes: Vec<LanePlace>,
    pub(super) sorted: Vec<(i64, u32, u32)>,
    /// Groups whose slots are to be made anew; who is there already, and where.
    pub(super) stale: Vec<GroupId>,
    pub(super) held: Vec<(Fine, Fixed)>,
    /// Places that are taken in this tick, and in which tick that was looked at.
    pub(super) places: Vec<Place>,
    pub(super) noted: Option<Tick>,
    pub(super) finder: GateFinder,
    pub(super) points: Vec<Fine>,
    pub(super) gates: Vec<WayGate>,
    /// Gates of meetings that one of the two will not come to.
    ended: Vec<WayGate>,
    gone: Vec<GroupId>,
    spare_posts: SpareLists<(u32, Post)>,
    pub(super) spare_passages: SparePassages,
}

/// Scratch: lists of gates. A way across a large map has up to a hundred.
#[derive(Clone, Debug)]
pub(super) struct SparePassages(pub(super) SpareLists<Passage>);

impl Default for SparePassages {
    fn default() -> Self {
        Self(SpareLists::with_room_for(128))
    }
}

impl Sergeant {
    /// Makes memory ahead of need, for orders to `called` of so many units.
    pub(super) fn stock_up(&mut self, called: usize, units: usize) {
        const GROUPS: usize = 64;
        self.spare_posts.stock_up();
        self.spare_passages.0.stock_up();
        self.formations.make_room(called);
        make_room(&mut self.begun, GROUPS);
        make_room(&mut self.gone, GROUPS);
        make_room(&mut self.ended, GROUPS);
        make_room(&mut self.called, called);
        make_room(&mut self.held, (2 * PLACES_AHEAD).min(units));
        make_room(&mut self.places, 2 * units);
        make_room(&mut self.points, POINTS);
    }
}

impl Sergeant {
    /// Fills it with rubbish; no answer and no hash changes.
    pub(super) fn poison(&mut self, now: Tick) {
        let (at, agent) = (Fine::new(7, -7), Agent::default());
        spoil(&mut self.begun, (OrderId::DEAD, 7));
        spoil(&mut self.called, (OrderId::DEAD, 7, u32::MAX));
        spoil(&mut self.members, Member { id: u32::MAX, at, ..Member::default() });
        spoil(&mut self.starts, (agent, at.cell()));
        self.formations.poison();
        self.assignment.poison();
        let (radius, role, fit) = (Fixed::ONE, Role::default(), Fit::Moved);
        spoil(&mut self.slots, Slot { at, agent, radius, role, rank: 7, file: 7, fit });
        spoil(&mut self.taken, Some(u32::MAX));
        spoil(&mut self.lanes, LanePlace { rank: 7, across: 7 });
        spoil(&mut self.sorted, (7, u32::MAX, 7));
        spoil(&mut self.stale, GroupId::DEAD);
        spoil(&mut self.held, (at, Fixed::ONE));
        spoil(&mut self.places, Place { unit: 7, at, radius, friend: None });
        self.noted = Some(now);
        self.finder.poison();
        spoil(&mut self.points, at);
        let way = GateFinder::across(at, (1024, 0), 7, |_| true);
        spoil(&mut self.gates, way);
        spoil(&mut self.ended, way);
        spoil(&mut self.gone, GroupId::DEAD);
        self.spare_posts.poison();
        self.spare_passages.0.poison();
    }
}

impl World {
    /// Groups are formed of units that begin the same order in this tick, and groups whose order is over go.
    pub(super) fn muster(&mut self) {
        self.sergeant.noted = None;
        self.dismiss();
        self.call();
        self.remake();
        for slot in 0..self.units.slots() {
            self.fall_in(slot);
        }
        self.relieve();
    }

    /// Whether ways of groups are looked at in this tick: gates can wait for one that is not so long, but not for ever.
    pub(super) fn gates_are_due(&self) -> bool {
        self.service.edits() == 0 || is_turn(self.now(), GATES_AT_LEAST_EVERY, 0)
    }

    /// Lets go of groups that nobody needs.
    fn dismiss(&mut self) {
        let mut gone = core::mem::take(&mut self.sergeant.gone);
        gone.clear();
        let now = self.now();
        let stays = u64::from(self.service.nav().config().get().ticks_per_second) * LINGERS;
        for (id, group) in self.groups.list.iter_mut() {
            if self.orders.get(group.order).is_some() {
                continue;
            }
            let over = *group.over.get_or_insert(now);
            if now.0 >= over.0 + stays {
                gone.push(id);
            }
        }
        for &id in &gone {
            self.disband(id);
        }
        self.sergeant.gone = gone;
    }

    pub(super) fn disband(&mut self, id: GroupId) {
        if let Some(group) = self.groups.remove(id) {
            self.service.cancel(group.way);
            self.service.cancel(group.patience.ask);
            if let Some(byway) = group.byway {
                self.sergeant.spare_passages.0.keep(byway.passages);
            }
            self.sergeant.spare_posts.keep(group.posts);
            self.sergeant.spare_passages.0.keep(group.passages);
        }
    }

    /// Finds orders that are begun by units without a group, and all who have them.
    fn call(&mut self) {
        let mut sergeant = core::mem::take(&mut self.sergeant);
        sergeant.begun.clear();
        for slot in 0..self.units.slots() {
            if let Some(begun) = self.begins(slot) {
                if sergeant.begun.last() != Some(&begun) {
                    sergeant.begun.push(begun);
                }
            }
        }
        sergeant.begun.sort_unstable();
        sergeant.begun.dedup();
        let groups = &self.groups;
        sergeant.begun.retain(|&(order, leg)| groups.of_order(order, leg).is_none());
        if !sergeant.begun.is_empty() {
            sergeant.called.clear();
            for slot in 0..self.units.slots() {
                // Whoever has the order is called, wherever it is with it: so a patrol keeps together.
                for &order in &self.units.queue[slot].0 {
                    let first = sergeant.begun.partition_point(|begun| begun.0 < order);
                    let begun = sergeant.begun[first..].iter().take_while(|begun| begun.0 == order);
                    sergeant.called.extend(begun.map(|&(order, leg)| (order, leg, slot as u32)));
                }
            }
            sergeant.called.sort_unstable();
            sergeant.called.dedup();
            let called = core::mem::take(&mut sergeant.called);
            for run in called.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
                let alone =
                    run.len() == 1 && self.orders.get(run[0].0).is_none_or(|order| !order.posts_one());
                if !alone && run.len() <= MAX_MEMBERS {
                    self.form(run, &mut sergeant);
                }
            }
            sergeant.called = called;
        }
        self.sergeant = sergeant;
    }

    /// The order, and which stop of it, that a unit is about to begin with.
    fn begins(&self, slot: usize) -> Option<(OrderId, u16)> {
        let errand = &self.units.errand[slot];
        let &order = self.units.queue[slot].0.front()?;
        let starts = match errand.phase {
            Phase::Idle => true,
            Phase::Asking => self.units.post[slot].is_none(),
            Phase::Going | Phase::Waiting => false,
        };
        if !starts || errand.halted {
            return None;
        }
        let forms = self.forms_groups(self.orders.get(order)?);
        forms.then_some((order, errand.leg))
    }

    /// A unit that begins an order takes its post, if it has one.
    fn fall_in(&mut self, slot: usize) {
        let errand = &self.units.errand[slot];
        if errand.phase == Phase::Idle && !self.units.queue[slot].0.is_empty() {
            self.units.post[slot] = None;
        }
        let Some((order, leg)) = self.begins(slot) else { return };
        let Some((_, group)) = self.groups.of_order(order, leg) else { return };
        let own = group.posts.binary_search_by_key(&(slot as u32), |(unit, _)| *unit);
        self.units.post[slot] = own.ok().map(|place| group.posts[place].1);
    }

    /// Gives each of the units called a place to stand and one to walk.
    fn form(&mut self, called: &[(OrderId, u16, u32)], sergeant: &mut Sergeant) {
        let Some(&(order, leg, _)) = called.first() else { return };
        let Some(standing) = self.standing_of(order, leg, None) else { return };
        self.gather(called.iter().map(|called| called.2), &standing, sergeant);
        sergeant.held.clear();
        self.reserve(&standing, sergeant);
        let Some(arranged) = self.arrange(&standing, sergeant) else { return };
        let Sergeant { members, slots, taken, lanes, sorted, spare_posts, places, .. } = sergeant;
        let broadest = members.iter().map(|member| (member.agent.size, member.radius, member.agent)).max();
        let Some((_, radius, agent)) = broadest else { return };
        let lanes_of = Lanes::of(members, arranged.centre, sorted, lanes);
        let way = if members.len() > 1 {
            self.ask_way(middle_most(members), order, arranged.end, agent)
        } else {
            PathId::DEAD
        };
        let speed = members.iter().map(|member| member.speed).min().unwrap_or(Fixed::ZERO);
        let id = self.groups.add(Group {
            order,
            leg,
            agent,
            way,
            passages: Vec::new(),
            byway: None,
            patience: Patience::default(),
            cohesion: Cohesion::default(),
            lanes: lanes_of,
            speed,
            radius,
            over: None,
            posts: Vec::new(),
            end: arranged.end,
            entry: None,
            anchor: arranged.anchor,
            first: slots.first().map_or(arranged.centre, |slot| slot.at),
            berth: UnitId::DEAD,
            formation: arranged.keeps.clone(),
            facing: arranged.facing,
            news: News::None,
            posted: self.now(),
            turn: RightOfWay::new(self.now()),
            meetings: 0,
        });
        let posts =
            members.iter().zip(taken.iter().zip(lanes.iter())).filter_map(|(member, (slot, lane))| {
                let slot = slots.get((*slot)? as usize)?.at;
                let facing = arranged.facing_at(slot);
                let (branch, view) = (Branch::Main, View::Unknown);
                let post = Post { group: id, slot, lane: *lane, branch, gate: 0, view, lost: None, facing };
                Some((member.id, post))
            });
        if let Some(group) = self.groups.list.get_mut(id) {
            group.posts = spare_posts.take(members.len());
            group.posts.extend(posts);
            // Groups that are formed after it in this tick keep clear of it.
            let radius = |slot: u32| self.types.get(self.units.kind[slot as usize]).map(|kind| kind.radius);
            places.extend(group.posts.iter().map(|&(unit, post)| Place {
                unit,
                at: post.slot,
                radius: radius(unit).unwrap_or_default(),
                friend: None,
            }));
        }
    }

    /// Asks for the way of a group, from where the unit in a slot is.
    pub(super) fn ask_way(&mut self, middle: u32, order: OrderId, end: CellPos, agent: Agent) -> PathId {
        let kind = self.types.get(self.units.kind[middle as usize]);
        let threat = kind.map(|kind| self.service.nav().config().threat_for(kind.controller));
        let from = self.units.at(middle as usize).at_height(Fixed::ZERO);
        let ask = match self.shape_of(order) {
            Some(goal) => PathAsk::to_goal(from, goal.clone(), agent),
            None => PathAsk::new(from, end, agent),
        };
        // Units come first; a small group's way is that of one of them.
        let ask = ask.with_threat(threat.unwrap_or_default()).alone().with_priority(Priority::Low);
        self.service.request_for_later(ask)
    }

    /// The goal of an order, if it is more than a point.
    fn shape_of(&self, order: OrderId) -> Option<&Goal> {
        self.orders.get(order)?.goal().filter(|goal| !matches!(goal, Goal::In(Shape::Point(_))))
    }

    /// Turns ways of groups that have been found into gates.
    pub(super) fn find_gates(&mut self) {
        let mut sergeant = core::mem::take(&mut self.sergeant);
        let mut found = 0_u32;
        sergeant.ended.clear();
        for number in 0..self.groups.list.slot_count() as u32 {
            let Some(id) = self.groups.list.id_at(number) else { continue };
            let Some(group) = self.groups.list.get_mut(id) else { continue };
            let Some(status) = self.service.status(group.way) else { continue };
            if !status.is_settled() {
                continue;
            }
            let Sergeant { finder, points, gates, spare_passages, ended, .. } = &mut sergeant;
            points.clear();
            if let (PathStatus::Complete, Some(Guidance::Waypoints(way))) =
                (status, self.service.guidance(group.way))
            {
                points.extend(way.iter().map(|&at| Fine::from(Vec2::from(at))));
            }
            if let Some(field) = self.service.nav().layer().field(group.agent.locomotor.into()) {
                finder.find(points, group.width(), |at| field.is_passable(at), gates);
                found += 1;
                group.note_new_gates(gates);
                let passages = core::mem::take(&mut group.passages);
                let (own, met) =
                    passages.split_at(passages.len().saturating_sub(usize::from(group.meetings)));
                if !gates.is_empty() || !met.is_empty() {
                    group.passages = spare_passages.0.take(gates.len() + met.len());
                }
                group.passages.extend(gates.iter().map(|&way| Passage::new(way, Traffic::OneWay)));
                group.keep_meetings(points, met, |at| field.is_passable(at), ended);
                self.service.cancel(core::mem::replace(&mut group.patience.ask, PathId::DEAD));
                // All look for their place in the first of them at once; who has passed one where others come does not go back for it.
                let posts = self.units.post.iter_mut().flatten();
                let waiting = group.posts.iter_mut().map(|(_, post)| post);
                let main = |post: &&mut Post| post.group == id && post.branch == Branch::Main;
                for post in posts.chain(waiting).filter(main) {
                    // Who has left gates out has passed none.
                    let gate = if post.view == View::Ahead { 0 } else { post.gate };
                    let passed = usize::from(gate).saturating_sub(own.len());
                    let stay = |passage: &&Passage| group.passages[gates.len()..].contains(passage);
                    let past = met.iter().take(passed).filter(stay).count();
                    post.look_anew(if past > 0 { (gates.len() + past) as u16 } else { 0 });
                }
                spare_passages.0.keep(passages);
            }
            self.service.cancel(group.way);
            group.way = PathId::DEAD;
            if let [.., from, to] = points[..] {
                let order = group.order;
                if self.shape_of(order).is_some() {
                    self.enters(id, from, to);
                }
            }
        }
        self.service.owe(found.saturating_mul(GATES_NODES));
        self.end_meetings(&sergeant.ended);
        self.sergeant = sergeant;
    }
}

impl World {
    /// The way of a group leads into its goal from here to there: slots are made anew on that side.
    fn enters(&mut self, id: GroupId, from: Fine, to: Fine) {
        let part = |to: i32, from: i32| ((i64::from(to) - i64::from(from)) >> 1) as i32;
        let entry = (to, Angle::atan2(part(to.y, from.y), part(to.x, from.x)));
        if let Some(group) = self.groups.list.get_mut(id) {
            if group.entry != Some(entry) {
                (group.entry, group.news) = (Some(entry), News::Anew);
            }
        }
    }
}

/// Of all members the one nearest to their middle, the first of several.
pub(super) fn middle_most(members: &[Member]) -> u32 {
    let count = members.len().max(1) as i64;
    let sum = members
        .iter()
        .fold((0, 0), |(x, y), member| (x + i64::from(member.at.x), y + i64::from(member.at.y)));
    let middle = Fine::new((sum.0 / count) as i32, (sum.1 / count) as i32);
    let nearest = members.iter().min_by_key(|member| (member.at.distance_squared(middle), member.id));
    nearest.map_or(0, |member| member.id)
}

/// Whether something that is done every so many ticks is due.
pub(super) fn is_turn(now: Tick, every: u64, turn: u64) -> bool {
    now.0 % every == turn
}
