//! Snapping: the nearest usable cell, for goals that cannot be reached and starts that units cannot stand on.

use super::connectivity::{FieldSet, Sectors};
use super::domains::Wanted;
use super::ids::DomainId;
use crate::base::{Agent, CellPos, CellRect, MAX_SIZE_CLASS, OpenEntry, OpenList, Scratch};
use crate::cost::{CostLayer, SectorId};
use crate::query::{Goal, PlanError};

/// Scratch for finding the nearest cell. It also counts the work.
#[derive(Clone, Debug, Default)]
pub struct SnapScratch {
    open: OpenList,
    looked_at: u64,
}

impl Scratch for SnapScratch {
    type Demand = ();

    fn poison(&mut self) {
        self.open.push(OpenEntry::new(7, 7, 7));
    }

    fn reserve(&mut self, (): ()) {
        // A search rarely has more than 512 waiting blocks.
        self.open.reserve(512);
    }
}

impl SnapScratch {
    /// The work so far: parts of blocks and sectors, and cells, that were looked at.
    #[must_use]
    pub fn looked_at(&self) -> u64 {
        self.looked_at
    }
}

/// Where a unit can start, and the nearest cell to its goal that it can reach.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Snapped {
    /// The start: the unit's cell, or the nearest cell that it can stand on.
    pub from: CellPos,
    /// The nearest cell to the goal that can be reached from `from`. It is in the goal if the goal can be reached, and it is `from` if that is in
    /// the goal.
    pub to: CellPos,
    /// The distance from `to` to the goal, in 1024ths of a cell. 0 if the goal can be reached.
    pub gap: u64,
}

impl Sectors {
    /// Finds where a route of `agent` from `from` to `goal` would start, and where it could end. It does not search for
    /// the route.
    ///
    /// Exact: no other cell that can be reached and stopped on is nearer to the goal. Of equally near cells it takes the start, or else the first by
    /// rows. Costs about one sector's cells near the goal, whatever the map's size, and as much again if the start is closed.
    ///
    /// ```
    /// use waymarch::base::{cell, GridSize, LocomotorId, Tick};
    /// use waymarch::cost::{CostLayer, CostSettings, Map, Rules, Stamp, StepRule};
    /// use waymarch::query::Goal;
    /// use waymarch::sectors::{Sectors, SnapScratch};
    ///
    /// let map = Map::flat("field", GridSize::new(100, 50)?, Rules::standard()).validate()?;
    /// let mut layer = CostLayer::new(&map, CostSettings::default());
    /// layer.place(&Stamp::solid(3, 3), cell(80, 20), Tick::ZERO)?;
    /// let sectors = Sectors::new(&layer, StepRule::default());
    /// let into_the_house = Goal::point(cell(80, 21));
    /// let snapped = sectors.snap(&layer, cell(5, 5), &into_the_house, LocomotorId(0), &mut SnapScratch::default())?;
    /// assert_eq!((snapped.to, snapped.gap), (cell(79, 21), 1024)); // to its wall
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// For repeated queries use [`Sectors::snap_again`].
    ///
    /// # Errors
    /// [`PlanError`] if
    /// - the start is off the map, or the agent has no field;
    /// - the goal is not legal on this map;
    /// - the unit can stand nowhere, or can reach no cell on which it may stop.
    pub fn snap(
        &self,
        layer: &CostLayer,
        from: CellPos,
        goal: &Goal,
        agent: impl Into<Agent>,
        scratch: &mut SnapScratch,
    ) -> Result<Snapped, PlanError> {
        let agent = agent.into();
        self.snap_by(layer, from, goal, agent, |question| self.nearest(layer, agent, question, scratch))
    }

    /// A snap whose searches `nearest` answers: one if the start is closed, and one for the goal.
    pub(super) fn snap_by(
        &self,
        layer: &CostLayer,
        from: CellPos,
        goal: &Goal,
        agent: Agent,
        mut nearest: impl FnMut(Nearest<'_>) -> Option<CellPos>,
    ) -> Result<Snapped, PlanError> {
        let (set, field) = self.of(agent).ok_or(PlanError::UnknownAgent(agent))?;
        let size = layer.grid();
        if !size.contains(from) {
            return Err(PlanError::OffMap { at: from, size });
        }
        goal.validate(size).map_err(PlanError::Goal)?;
        let closed_in = PlanError::StartBlocked { at: from };
        let (from, domain) = match set.domain(from, field) {
            Some(domain) => (from, domain),
            None => {
                let found = nearest(Nearest::Open(from)).ok_or(closed_in)?;
                (found, set.domain(found, field).ok_or(closed_in)?)
            }
        };
        if goal.contains(from) && layer.can_stop(from, agent) {
            return Ok(Snapped { from, to: from, gap: 0 });
        }
        let to = nearest(Nearest::Stop(from, domain, goal)).ok_or(PlanError::NowhereToStop { from })?;
        Ok(Snapped { from, to, gap: goal.gap(to) })
    }

    /// Finds a cell by going down the tree of blocks.
    pub(super) fn nearest(
        &self,
        layer: &CostLayer,
        agent: Agent,
        question: Nearest<'_>,
        scratch: &mut SnapScratch,
    ) -> Option<CellPos> {
        let (set, field) = self.of(agent)?;
        match question {
            Nearest::Open(from) => set.nearest(field, &Goal::point(from), scratch, Wanted::Any, |_| true),
            Nearest::Stop(_, domain, goal) => {
                let may_stop = |at| layer.can_stop(at, agent);
                set.nearest(field, goal, scratch, Wanted::Only(domain.0), may_stop)
            }
        }
    }

    /// The cells on which an answer depends, if the answer is `found`. While none of them changes, the answer stays.
    pub(super) fn scope(&self, agent: Agent, question: Nearest<'_>, found: Option<CellPos>) -> CellRect {
        let everywhere = self.size.rect();
        let Some((set, field)) = self.of(agent) else { return everywhere };
        match (question, found) {
            // A cell that opens and is nearer than `found` lies within this square.
            (Nearest::Open(from), Some(found)) => {
                let far = (from.x.abs_diff(found.x) + from.y.abs_diff(found.y)) as i32;
                CellRect::at(from, 1, 1).grow(far, far)
            }
            (Nearest::Open(_), None) => everywhere,
            // A cell that opens beside the domain may extend it. A unit also covers cells beside its own cell.
            (Nearest::Stop(_, domain, _), _) => {
                let beside = self.grid.side().max(MAX_SIZE_CLASS.into()) as i32;
                set.domains.extent(domain.0, field).grow(beside, beside)
            }
        }
    }
}

/// What a snap searches for. Of equally near cells the first by rows counts.
#[derive(Clone, Copy, Debug)]
pub(super) enum Nearest<'a> {
    /// The cell nearest to a closed cell that the unit can stand on.
    Open(CellPos),
    /// The cell nearest to a goal, within a domain, that the unit may stop on. The unit is at this position, in this domain.
    Stop(CellPos, DomainId, &'a Goal),
}

/// What to search for in the cells of one sector.
#[derive(Clone, Copy)]
struct SectorSearch<'a> {
    sector: SectorId,
    /// No cell of the sector has a smaller gap to the goal.
    least: u64,
    field: usize,
    goal: &'a Goal,
    wanted: Wanted,
}

impl FieldSet {
    /// The cell nearest to `goal` in a wanted domain for which `may_stop` is true.
    fn nearest(
        &self,
        field: usize,
        goal: &Goal,
        scratch: &mut SnapScratch,
        wanted: Wanted,
        may_stop: impl Fn(CellPos) -> bool,
    ) -> Option<CellPos> {
        let SnapScratch { open, looked_at } = scratch;
        open.clear();
        let domains = &self.domains;
        let (level, block) = domains.home(wanted);
        open.push(OpenEntry::new(0, level, block));
        let mut best: Option<(u64, CellPos)> = None;
        while let Some(entry) = open.pop() {
            if best.is_some_and(|(gap, _)| entry.f > gap) {
                break;
            }
            let (level, block) = (entry.h, entry.id);
            let area = domains.area(level, block);
            // Of equally near cells the first counts, and all cells of this block come later.
            if best.is_some_and(|best| (entry.f, CellPos::new(area.x0, area.y0)) > best) {
                continue;
            }
            if level == 0 {
                let search = SectorSearch { sector: SectorId(block), least: entry.f, field, goal, wanted };
                *looked_at += self.nearest_in_sector(&search, &may_stop, &mut best);
                continue;
            }
            for child in domains.below(level, block) {
                if domains.any_in_block(level - 1, child, field, wanted, looked_at) {
                    let area = domains.area(level - 1, child).intersect(self.zones.grid().rect());
                    open.push(OpenEntry::new(least_gap(goal, area), level - 1, child));
                }
            }
        }
        best.map(|(_, at)| at)
    }

    /// Looks at cells of a sector. Returns how many it looked at.
    fn nearest_in_sector(
        &self,
        search: &SectorSearch<'_>,
        may_stop: &impl Fn(CellPos) -> bool,
        best: &mut Option<(u64, CellPos)>,
    ) -> u64 {
        let SectorSearch { sector, least, field, goal, wanted } = *search;
        let mut looked_at = 0;
        // Cells of one zone come in runs, so the last answer mostly holds for the next cell.
        let mut last = (u16::MAX, false);
        for at in self.zones.area(sector).cells() {
            if best.is_some_and(|best| (least, at) >= best) {
                break;
            }
            looked_at += 1;
            let zone = self.zones.zone(at).1;
            if zone != last.0 {
                let domain = self.domain(at, field);
                last = (
                    zone,
                    domain.is_some_and(|found| wanted == Wanted::Any || wanted == Wanted::Only(found.0)),
                );
            }
            if !last.1 {
                continue;
            }
            let found = (goal.gap(at), at);
            if best.is_none_or(|best| found < best) && may_stop(at) {
                *best = Some(found);
            }
        }
        looked_at
    }
}

/// A lower bound of the gap of every cell in `area`: the gap of its middle, less the distance from there to its corners.
fn least_gap(goal: &Goal, area: CellRect) -> u64 {
    let middle = CellPos::new((area.x0 + area.x1) / 2, (area.y0 + area.y1) / 2);
    let reach =
        |low: i32, middle: i32, high: i32| (middle - low).max(high - 1 - middle).unsigned_abs() as u64;
    let (across, down) = (reach(area.x0, middle.x, area.x1), reach(area.y0, middle.y, area.y1));
    // The gap and the root are rounded down, so the bound allows for 2 more.
    let radius = ((across * across + down * down) << 20).isqrt() + 2;
    goal.gap(middle).saturating_sub(radius)
}
