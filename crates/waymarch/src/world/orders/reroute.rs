//! Review of routes after edits of the map. Without edits it costs nothing.

use alloc::vec::Vec;

use crate::base::{Agent, CellPos, CellRect, Tick, Vec2};
use crate::config::RepathFrequency;
use crate::cost::{ChangeLog, ChangeMark, CornerRule, SectorId, StepRule};
use crate::search::line_of_sight_between;
use crate::service::{FlowChange, Guidance, PathId, PathService, PathStatus};
use crate::world::events::{EventKind, RouteChange};
use crate::world::orders::parts::{OrderParts, OrderView};
use crate::world::units::order_progress::Phase;
use crate::world::units::progress_monitor::Rung;

/// With more than 32 changed sectors, all routes are reviewed.
const MAX_LISTED_SECTORS: usize = 32;

/// A route that an edit opened is taken if it is shorter by more than 4 cells, here in 1024ths of a cell. On weighted ground a route that is only a
/// little shorter may cost more.
const MIN_GAIN: u64 = 4 * 1024;

/// World: the sectors that have changed since the last review of routes.
#[derive(Clone, Debug)]
pub(crate) struct UnreviewedEdits {
    /// The changes before `mark`, in their order: they come from a loaded snapshot. `None`: any sector may have changed.
    before: Option<Vec<SectorId>>,
    /// Changes after this mark are in the change log of the layer.
    mark: ChangeMark,
}

impl UnreviewedEdits {
    /// No sector is left to be reviewed.
    pub(crate) fn nothing(changes: &ChangeLog) -> Self {
        Self { before: Some(Vec::new()), mark: changes.mark_now() }
    }

    /// Any sector may have changed.
    pub(crate) fn everything(changes: &ChangeLog) -> Self {
        Self::saved(None, changes)
    }

    /// The sectors of a loaded snapshot are left to be reviewed.
    pub(crate) fn saved(before: Option<Vec<SectorId>>, changes: &ChangeLog) -> Self {
        Self { before, mark: changes.mark_now() }
    }

    /// The sectors to be reviewed, perhaps with repetitions; `None` if there are more than [`MAX_LISTED_SECTORS`] or they are not known.
    pub(crate) fn list<'a>(&'a self, changes: &'a ChangeLog) -> Option<impl Iterator<Item = SectorId> + 'a> {
        let (before, since) = (self.before.as_ref()?, changes.since(self.mark)?);
        let few = before.len() + since.len() <= MAX_LISTED_SECTORS;
        few.then(|| before.iter().chain(since).copied())
    }
}

/// The parts of the map that have changed.
pub(crate) enum Changed<'a> {
    /// Any cell may have changed.
    Anything,
    /// Only cells of these areas have changed.
    Areas(&'a [CellRect]),
}

impl Changed<'_> {
    /// The areas; `None` if any cell may have changed.
    pub(crate) fn areas(&self) -> Option<&[CellRect]> {
        match self {
            Changed::Anything => None,
            Changed::Areas(areas) => Some(areas),
        }
    }

    /// Whether a change may affect the straight line between two points.
    pub(crate) fn touches(&self, a: Vec2, b: Vec2) -> bool {
        let Changed::Areas(areas) = self else { return true };
        let (a, b) = (a.cell(), b.cell());
        let low = CellPos::new(a.x.min(b.x), a.y.min(b.y));
        // A line of sight also reads the neighbours of its cells.
        let bounds = CellRect::at(low, a.x.abs_diff(b.x) + 1, a.y.abs_diff(b.y) + 1).grow(1, 1);
        areas.iter().any(|area| !area.intersect(bounds).is_empty())
    }
}

/// How a change affects a unit.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Finding {
    /// Not at all.
    Unaffected,
    /// The unit stands on closed ground.
    OnClosedGround,
    /// Its route is cut.
    Cut,
    /// Its route is cut, and a replacement is requested already. The unit must take it, even if it is not better.
    CutAndReplaced,
    /// A route to its goal may exist now.
    MayBeOpen,
    /// Its route is much longer than the straight line, and a cell near that line has changed.
    MayBeShorter,
    /// Its route was found with the costs for another team, and a new one is wanted for this reason.
    OtherTeam(RouteChange),
}

/// Reviews the routes of all units that move or wait, if a review is due and the map has changed since the last one. Returns what has changed.
///
/// *Invariant:* the result depends only on the state and on the edits since the last review. Saving and loading do not change it.
pub(crate) fn review_edits<'a>(
    parts: &mut OrderParts<'_>,
    unreviewed: &mut UnreviewedEdits,
    areas: &'a mut Vec<CellRect>,
) -> Option<Changed<'a>> {
    let nav = parts.service.nav();
    let (config, now, layer) = (nav.config().get(), nav.now(), nav.layer());
    if !is_review_due(config.repath_frequency, now) {
        return None;
    }
    areas.clear();
    let few = match unreviewed.list(layer.changes()) {
        Some(sectors) => {
            let grid = layer.changes().sectors();
            areas.extend(sectors.map(|sector| grid.area(sector)));
            if areas.is_empty() {
                return None;
            }
            true
        }
        None => false,
    };
    *unreviewed = UnreviewedEdits::nothing(layer.changes());
    let changed = if few { Changed::Areas(areas) } else { Changed::Anything };
    for index in 0..parts.units.column_len() {
        parts.adopt_settled_route(index);
        match parts.view().finding(index, &changed) {
            Finding::Unaffected => {}
            Finding::OnClosedGround => parts.units.progress[index].phase = Phase::Asking,
            Finding::Cut => parts.repair_route(index),
            Finding::CutAndReplaced => parts.units.progress[index].why = RouteChange::Ground,
            Finding::MayBeShorter => parts.request_again(index, RouteChange::Opened),
            Finding::OtherTeam(why) => parts.request_again(index, why),
            Finding::MayBeOpen if parts.units.progress[index].phase == Phase::Waiting => {
                parts.units.monitor[index].retry = now;
            }
            Finding::MayBeOpen => {
                parts.units.monitor[index].rung = Rung::Ground;
                parts.request_again(index, RouteChange::Opened);
            }
        }
    }
    Some(changed)
}

/// Tells the units that follow a flow when edits have changed the route that it leads them on.
pub(crate) fn tell_followers(parts: &mut OrderParts<'_>) {
    if !parts.service.has_flow_changes() {
        return;
    }
    for index in 0..parts.units.column_len() {
        let progress = &parts.units.progress[index];
        if progress.phase != Phase::Going || progress.escape.is_some() {
            continue;
        }
        let (Some(id), Some(change)) = (parts.units.id_at(index), parts.service.flow_change(progress.path))
        else {
            continue;
        };
        let why = match change {
            FlowChange::Cut => RouteChange::Ground,
            FlowChange::Opened => RouteChange::Opened,
        };
        parts.events.add(id, EventKind::RouteChanged(why));
    }
}

impl OrderParts<'_> {
    /// Adopts a replacement that was found in the last tick, so that it is the route under review.
    fn adopt_settled_route(&mut self, index: usize) {
        let progress = &self.units.progress[index];
        let is_there = self.service.status(progress.fresh).is_some_and(|status| status.is_settled());
        if progress.phase != Phase::Going || progress.escape.is_some() || !is_there {
            return;
        }
        if let Some(id) = self.units.id_at(index) {
            // `execute_orders`, later in this tick, does what is left to do.
            self.adopt_fresh_route(index, id);
        }
    }

    /// Repairs a cut route, or requests another one. A refusal is handled at once.
    fn repair_route(&mut self, index: usize) {
        let (progress, at) = (&self.units.progress[index], self.units.at(index));
        let (path, next) = (progress.path, progress.trace.next);
        match self.units.id_at(index) {
            Some(id) if self.view().would_get_route(index) && self.service.repair(path, at, next) => {
                self.units.rejoin(index);
                self.events.add(id, EventKind::RouteChanged(RouteChange::Ground));
            }
            _ => self.request_again(index, RouteChange::Ground),
        }
    }
}

impl OrderView<'_> {
    fn finding(&self, index: usize, changed: &Changed<'_>) -> Finding {
        let progress = &self.units.progress[index];
        if !matches!(progress.phase, Phase::Going | Phase::Waiting) || progress.escape.is_some() {
            return Finding::Unaffected;
        }
        let Some(agent) = self.agent_of(index) else { return Finding::Unaffected };
        let nav = self.service.nav();
        let Some(field) = nav.layer().field(agent) else { return Finding::Unaffected };
        if progress.phase == Phase::Going && !field.is_passable(self.units.cell(index)) {
            return Finding::OnClosedGround;
        }
        if progress.short.is_some() && !self.waits_for_fresh(index) && self.would_get_route(index) {
            return Finding::MayBeOpen;
        }
        let settled =
            self.service.status(progress.path).is_some_and(|status| status != PathStatus::Temporary);
        let on_block = nav.config().get().repath_on_block;
        // A replacement that is still searched is searched on the map as it is now.
        let waits = self.waits_for_fresh(index);
        let replaced = waits && !matches!(progress.why, RouteChange::Target | RouteChange::Opened);
        if progress.phase != Phase::Going || !on_block || !settled || replaced {
            return Finding::Unaffected;
        }
        let asked = self.service.ask(progress.path).map_or(agent, |ask| ask.agent);
        if asked != agent && nav.layer().as_anyone(asked) == nav.layer().as_anyone(agent) {
            return Finding::OtherTeam(self.why_other_team(index, agent));
        }
        let points = match self.service.guidance(progress.path) {
            Some(Guidance::Waypoints(points)) => points,
            // A flow leads around the change by itself, if its end is still reachable.
            Some(Guidance::Flow(_, end)) if !nav.reachable(self.units.cell(index), end.cell(), agent) => {
                return if waits { Finding::CutAndReplaced } else { Finding::Cut };
            }
            _ => return Finding::Unaffected,
        };
        let rest = points.get((progress.trace.next as usize).saturating_sub(1)..).unwrap_or(points);
        let rule = nav.config().step_rule();
        // A route may start near a wall, where the line of sight of the whole body is blocked. The line of the centre is checked there.
        let thin = StepRule { corners: CornerRule::AllowOne, ..rule };
        let closed = |a: Vec2, b: Vec2| {
            let rule = if a == a.cell().centre() { rule } else { thin };
            changed.touches(a, b) && !line_of_sight_between(field, rule, a, b)
        };
        let blocked = rest.windows(2).any(|pair| closed(pair[0], pair[1]));
        if blocked {
            if waits { Finding::CutAndReplaced } else { Finding::Cut }
        } else if !waits && self.may_be_shorter(index, points, changed) {
            Finding::MayBeShorter
        } else {
            Finding::Unaffected
        }
    }

    /// Whether the costs for a unit's team, which are those of `agent`, have cut its route, or may have opened a better one.
    fn why_other_team(&self, index: usize, agent: Agent) -> RouteChange {
        let (progress, nav) = (&self.units.progress[index], self.service.nav());
        let is_open = |leg: &[Vec2]| {
            let thin = StepRule { corners: CornerRule::AllowOne, ..nav.config().step_rule() };
            let field = nav.layer().field(agent);
            field.is_some_and(|field| line_of_sight_between(field, thin, leg[0], leg[1]))
        };
        let is_good = match self.service.guidance(progress.path) {
            Some(Guidance::Waypoints(points)) => {
                let next = (progress.trace.next as usize).saturating_sub(1);
                points.get(next..).unwrap_or(points).windows(2).all(is_open)
            }
            Some(Guidance::Flow(_, end)) => nav.reachable(self.units.cell(index), end.cell(), agent),
            _ => false,
        };
        if is_good { RouteChange::Opened } else { RouteChange::Ground }
    }

    /// Whether the rest of a unit's route is more than 1.5 times the straight line, and a change touches that line. A bridge may be back, for example.
    fn may_be_shorter(&self, index: usize, points: &[Vec2], changed: &Changed<'_>) -> bool {
        let (progress, at) = (&self.units.progress[index], self.units.at(index));
        let Some(&end) = points.last() else { return false };
        let straight = u64::from(at.distance(end).raw().unsigned_abs());
        let by_itself = self.units.monitor[index].rung == Rung::Ground && progress.short.is_none();
        by_itself
            && changed.touches(at, end)
            && route_left(self.service, at, progress.path, progress.trace.next)
                .is_some_and(|left| left * 2 > straight * 3)
    }

    /// Whether a replacement that was requested because a shorter route may have opened is not shorter by more than [`MIN_GAIN`].
    pub(crate) fn is_no_better(&self, index: usize) -> bool {
        let progress = &self.units.progress[index];
        if progress.why != RouteChange::Opened || self.shortfall(index).is_some() {
            return false;
        }
        // The old route was found on the costs of other teams.
        let asked = |path| self.service.ask(path).map(|ask| ask.agent);
        if asked(progress.path) != asked(progress.fresh) {
            return false;
        }
        let at = self.units.at(index);
        let (old, new) = (
            route_left(self.service, at, progress.path, progress.trace.next),
            route_left(self.service, at, progress.fresh, 1),
        );
        old.zip(new).is_some_and(|(old, new)| new + MIN_GAIN >= old)
    }
}

/// The length of a route from a point over waypoint `next` to its end, in 1024ths of a cell. `None` if it has no waypoints.
fn route_left(service: &PathService, mut at: Vec2, path: PathId, next: u32) -> Option<u64> {
    let Guidance::Waypoints(points) = service.guidance(path)? else { return None };
    let mut left = 0;
    for point in points.get(next as usize..)?.iter().copied() {
        left += u64::from(at.distance(point).raw().unsigned_abs());
        at = point;
    }
    Some(left)
}

/// Whether routes are reviewed in this tick: every 8, 4, 2 or 1 ticks.
fn is_review_due(frequency: RepathFrequency, now: Tick) -> bool {
    now.is_multiple_of(match frequency {
        RepathFrequency::Low => 8,
        RepathFrequency::Medium => 4,
        RepathFrequency::High => 2,
        RepathFrequency::Adaptive => 1,
    })
}
