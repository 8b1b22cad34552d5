//! Looking again at routes when the map has changed: nothing is done while nothing changes.

use alloc::vec::Vec;

use super::byway::Branch;
use super::errand::Phase;
use super::events::{EventKind, RouteChange};
use super::group::{Passage, Post};
use super::service::{Guidance, PathStatus};
use super::simulation::World;
use super::stuck::Rung;
use crate::avoid::Fine;
use crate::base::{CellPos, CellRect, Fixed, Tick, Vec2, WorldPos};
use crate::config::RepathFrequency;
use crate::cost::{ChangeLog, ChangeMark, CornerRule, SectorId, StepRule};
use crate::search::line_of_sight_between;

/// With more changed places than this, all routes are looked at.
const MANY: usize = 32;

/// A way that opened is taken if it is shorter by this much, in 1024ths of a cell.
const WORTHWHILE: u64 = 4 * 1024;

/// World: what of the map has changed since routes were last looked at.
#[derive(Clone, Debug)]
pub(super) struct Unseen {
    /// What changed before `mark`, in the order it did; known after a snapshot was loaded only. `None`: perhaps everything.
    before: Option<Vec<SectorId>>,
    /// What changed after it, the layer knows.
    mark: ChangeMark,
}

impl Unseen {
    /// Nothing is left to be looked at.
    pub(super) fn nothing(changes: &ChangeLog) -> Self {
        Self { before: Some(Vec::new()), mark: changes.mark_now() }
    }

    /// What was saved is left to be looked at, and nothing since.
    pub(super) fn saved(before: Option<Vec<SectorId>>, changes: &ChangeLog) -> Self {
        Self { before, mark: changes.mark_now() }
    }

    /// The sectors to be looked at, some perhaps several times; `None` if there are so many that everything is looked at.
    pub(super) fn list<'a>(&'a self, changes: &'a ChangeLog) -> Option<impl Iterator<Item = SectorId> + 'a> {
        let (before, since) = (self.before.as_ref()?, changes.since(self.mark)?);
        let few = before.len() + since.len() <= MANY;
        few.then(|| before.iter().chain(since).copied())
    }
}

/// What of the map has changed.
enum Changed<'a> {
    /// Perhaps all of it.
    Anything,
    /// These areas.
    Areas(&'a [CellRect]),
}

impl Changed<'_> {
    fn touches(&self, a: WorldPos, b: WorldPos) -> bool {
        let Changed::Areas(areas) = self else { return true };
        let (a, b) = (a.cell(), b.cell());
        let low = CellPos::new(a.x.min(b.x), a.y.min(b.y));
        // With the neighbours that a broad line looks at.
        let bounds = CellRect::at(low, a.x.abs_diff(b.x) + 1, a.y.abs_diff(b.y) + 1).grow(1, 1);
        areas.iter().any(|area| !area.intersect(bounds).is_empty())
    }
}

/// What a unit does about a change.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Finding {
    Nothing,
    /// It stands on closed ground.
    Buried,
    /// Something is in the way.
    InTheWay,
    /// Something is in the way of a route that another was to take the place of if it were better: now it has to.
    NoLonger,
    /// There may be a way now.
    MayBeOpen,
    /// It goes a long way round, and something changed where the straight way would be.
    MayBeShorter,
}

impl World {
    /// Looks at the ways of all units that are under way or wait for one, if the map has changed since it last did and a look is due.
    ///
    /// *Invariant:* what is looked at depends on the edits since the last look and on nothing else, snapshots included.
    pub(super) fn review(&mut self) {
        let nav = self.service.nav();
        let (config, now, layer) = (nav.config().get(), nav.now(), nav.layer());
        if !is_due(config.repath_frequency, now) {
            return;
        }
        self.areas.clear();
        let few = match self.unseen.list(layer.changes()) {
            Some(sectors) => {
                let grid = layer.changes().sectors();
                self.areas.extend(sectors.map(|sector| grid.area(sector)));
                if self.areas.is_empty() {
                    return;
                }
                true
            }
            None => false,
        };
        self.unseen = Unseen::nothing(layer.changes());
        let areas = core::mem::take(&mut self.areas);
        let changed = if few { Changed::Areas(&areas) } else { Changed::Anything };
        for slot in 0..self.units.slots() {
            self.take_fresh(slot);
            match self.find(slot, &changed) {
                Finding::Nothing => {}
                Finding::Buried => self.units.errand[slot].phase = Phase::Asking,
                Finding::InTheWay => self.lead_around(slot),
                Finding::NoLonger => self.units.errand[slot].why = RouteChange::Ground,
                Finding::MayBeShorter => self.ask_afresh(slot, RouteChange::Opened),
                Finding::MayBeOpen if self.units.errand[slot].phase == Phase::Waiting => {
                    self.units.stuck[slot].retry = now;
                }
                Finding::MayBeOpen => {
                    self.units.stuck[slot].rung = Rung::Ground;
                    self.ask_afresh(slot, RouteChange::Opened);
                }
            }
        }
        self.review_ways(&changed);
        self.review_byways(&changed);
        self.areas = areas;
    }

    /// Looks for the ways of groups anew that lead past a change.
    fn review_ways(&mut self, changed: &Changed<'_>) {
        let mut sergeant = core::mem::take(&mut self.sergeant);
        let list = &mut sergeant.sorted;
        list.clear();
        for slot in 0..self.units.slots() {
            let goes = self.units.errand[slot].phase == Phase::Going;
            if let Some(post) = self.units.post[slot].filter(|post| goes && post.branch == Branch::Main) {
                list.push((i64::from(post.group.index()), slot as u32, u32::from(post.gate)));
            }
        }
        list.sort_unstable();
        for members in list.chunk_by(|a, b| a.0 == b.0).filter(|members| members.len() > 1) {
            let Some(id) = self.groups.list.id_at(members[0].0 as u32) else { continue };
            let Some(group) = self.groups.list.get(id) else { continue };
            // One that is still looked for is found on the map as it is.
            if self.service.status(group.way).is_some() || self.orders.get(group.order).is_none() {
                continue;
            }
            let (x, y) = members.iter().fold((0, 0), |(x, y), member| {
                let at = self.units.middle(member.1 as usize);
                (x + i64::from(at.x), y + i64::from(at.y))
            });
            let count = members.len() as i64;
            let middle = Fine::new((x / count) as i32, (y / count) as i32);
            let far = |slot: u32| (self.units.middle(slot as usize).distance_squared(middle), slot);
            let Some(&(_, first, gate)) = members.iter().min_by_key(|member| far(member.1)) else { continue };
            let point = |at: Fine| Vec2::from(at).at_height(Fixed::ZERO);
            let gates = group.passages.get(gate as usize..).unwrap_or(&[]);
            let ends = gates.iter().map(|gate| point(gate.way.taut)).chain([group.end.centre()]);
            let mut from = point(self.units.middle(first as usize));
            let hit = ends.into_iter().any(|to| {
                let hit = changed.touches(from, to);
                from = to;
                hit
            });
            if hit {
                let way = self.ask_way(first, group.order, group.end, group.agent);
                if let Some(group) = self.groups.list.get_mut(id) {
                    group.way = way;
                }
            }
        }
        self.sergeant = sergeant;
    }

    /// Those whom a group sent round go by their own routes from now on if a change has closed that way at its gates, or between two of them.
    fn review_byways(&mut self, changed: &Changed<'_>) {
        let nav = self.service.nav();
        let rule = StepRule { corners: CornerRule::AllowOne, ..nav.config().step_rule() };
        for (id, group) in self.groups.list.iter_mut() {
            let (Some(byway), Some(field)) = (&mut group.byway, nav.layer().field(group.agent)) else {
                continue;
            };
            let point = |gate: &Passage| Vec2::from(gate.way.taut).at_height(Fixed::ZERO);
            let gates = byway.passages.iter().map(point);
            let closed = |(a, b): (WorldPos, WorldPos)| {
                changed.touches(a, b) && !line_of_sight_between(field, rule, a, b)
            };
            if !gates.clone().zip(gates.clone().skip(1).chain(gates.clone().next_back())).any(closed) {
                continue;
            }
            byway.narrow = 0;
            self.sergeant.spare_passages.0.keep(core::mem::take(&mut byway.passages));
            let posts = self.units.post.iter_mut().flatten();
            let waiting = group.posts.iter_mut().map(|(_, post)| post);
            let sent = |post: &&mut Post| post.group == id && post.branch == Branch::Byway;
            for post in posts.chain(waiting).filter(sent) {
                post.look_anew(0);
            }
        }
    }

    /// A route that was answered in the last tick is followed from now on, so it is the one to be looked at.
    fn take_fresh(&mut self, slot: usize) {
        let errand = &self.units.errand[slot];
        let is_there = self.service.status(errand.fresh).is_some_and(|status| status.is_settled());
        if errand.phase != Phase::Going || errand.escape.is_some() || !is_there {
            return;
        }
        if let Some(id) = self.units.id_at(slot) {
            // Whatever is left to do is done when orders are carried out, later in this tick.
            self.hear_of_fresh(slot, id);
        }
    }

    /// Has a route mended that something is in the way of; if that is the end of it, the unit hears so at once.
    fn lead_around(&mut self, slot: usize) {
        let (errand, at) = (&self.units.errand[slot], self.units.at(slot).at_height(Fixed::ZERO));
        let (path, next) = (errand.path, errand.trace.next);
        match self.units.id_at(slot) {
            Some(id) if self.would_be_led(slot) && self.service.repair(path, at, next) => {
                self.units.errand[slot].rejoin();
                self.events.add(id, EventKind::RouteChanged(RouteChange::Ground));
            }
            _ => self.ask_afresh(slot, RouteChange::Ground),
        }
    }

    fn find(&self, slot: usize, changed: &Changed<'_>) -> Finding {
        let errand = &self.units.errand[slot];
        if !matches!(errand.phase, Phase::Going | Phase::Waiting) || errand.escape.is_some() {
            return Finding::Nothing;
        }
        let Some(kind) = self.types.get(self.units.kind[slot]) else { return Finding::Nothing };
        let nav = self.service.nav();
        let Some(field) = nav.layer().field(kind.agent) else { return Finding::Nothing };
        if errand.phase == Phase::Going && !field.is_passable(self.units.cell(slot)) {
            return Finding::Buried;
        }
        if errand.short.is_some() && !self.waits_for_fresh(slot) && self.would_be_led(slot) {
            return Finding::MayBeOpen;
        }
        let settled = self.service.status(errand.path).is_some_and(|status| status != PathStatus::Temporary);
        let on_block = nav.config().get().repath_on_block;
        // A route that is still to be found takes the place of this one, and is found on the map as it is now.
        let waits = self.waits_for_fresh(slot);
        let replaced = waits && !matches!(errand.why, RouteChange::Target | RouteChange::Opened);
        if errand.phase != Phase::Going || !on_block || !settled || replaced {
            return Finding::Nothing;
        }
        let points = match self.service.guidance(errand.path) {
            Some(Guidance::Waypoints(points)) => points,
            // A flow finds another way by itself, if there is one.
            Some(Guidance::Flow(_, end)) if !nav.reachable(self.units.cell(slot), end.cell(), kind.agent) => {
                return if waits { Finding::NoLonger } else { Finding::InTheWay };
            }
            _ => return Finding::Nothing,
        };
        let rest = points.get((errand.trace.next as usize).saturating_sub(1)..).unwrap_or(points);
        let rule = nav.config().step_rule();
        // A route may start near a wall, where a body sees nothing; its middle does.
        let thin = StepRule { corners: CornerRule::AllowOne, ..rule };
        let closed = |a: WorldPos, b: WorldPos| {
            let rule = if a == a.cell().centre() { rule } else { thin };
            changed.touches(a, b) && !line_of_sight_between(field, rule, a, b)
        };
        let blocked = rest.windows(2).any(|pair| closed(pair[0], pair[1]));
        if blocked {
            if waits { Finding::NoLonger } else { Finding::InTheWay }
        } else if !waits && self.goes_round(slot, points, changed) {
            Finding::MayBeShorter
        } else {
            Finding::Nothing
        }
    }
}

impl World {
    /// Whether a unit's way is half as long again as the straight one, which leads past a change: a bridge may be back.
    fn goes_round(&self, slot: usize, points: &[WorldPos], changed: &Changed<'_>) -> bool {
        let (errand, at) = (&self.units.errand[slot], self.units.at(slot));
        let Some(&end) = points.last() else { return false };
        let straight = u64::from(at.distance(Vec2::from(end)).raw().unsigned_abs());
        let by_itself = self.units.stuck[slot].rung == Rung::Ground && errand.short.is_none();
        by_itself
            && changed.touches(at.at_height(Fixed::ZERO), end)
            && self
                .leader()
                .way_left(slot, errand.path, errand.trace.next)
                .is_some_and(|left| left * 2 > straight * 3)
    }

    /// Whether the route that is to take the place of a unit's own, because a shorter way may have opened, is no better.
    pub(super) fn is_no_better(&self, slot: usize) -> bool {
        let errand = &self.units.errand[slot];
        if errand.why != RouteChange::Opened || self.falls_short(slot).is_some() {
            return false;
        }
        let leader = self.leader();
        let (old, new) =
            (leader.way_left(slot, errand.path, errand.trace.next), leader.way_left(slot, errand.fresh, 1));
        // On weighted ground a longer way may be the cheaper one; only much shorter ones are surely better.
        old.zip(new).is_some_and(|(old, new)| new + WORTHWHILE >= old)
    }
}

fn is_due(frequency: RepathFrequency, now: Tick) -> bool {
    now.is_multiple_of(match frequency {
        RepathFrequency::Low => 8,
        RepathFrequency::Medium => 4,
        RepathFrequency::High => 2,
        RepathFrequency::Adaptive => 1,
    })
}
