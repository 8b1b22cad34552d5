//! The nearest cell that will do: for goals that cannot be reached and starts that cannot be stood on.

use super::domains::Wanted;
use super::{DomainId, FieldSet, Sectors};
use crate::base::{Agent, CellPos, CellRect, MAX_SIZE_CLASS, OpenEntry, OpenList};
use crate::cost::{CostLayer, SectorId};
use crate::query::{Goal, PlanError};

/// Scratch for looking for the nearest cell; it also counts the work.
#[derive(Clone, Debug, Default)]
pub struct SnapScratch {
    open: OpenList,
    looked_at: u64,
}

impl SnapScratch {
    /// Room for as many blocks as mostly wait to be looked at.
    pub(super) fn make_room(&mut self) {
        self.open.make_room(512);
    }

    /// How much was looked at since it was made: parts of blocks and of sectors, and cells.
    #[must_use]
    pub fn looked_at(&self) -> u64 {
        self.looked_at
    }
}

/// Where a unit can start and end up when it asks to go from one place to another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Snapped {
    /// Where it starts: where it stands, or the nearest cell it can stand on.
    pub from: CellPos,
    /// The cell nearest to the goal that can be reached from there; in the goal if it can be reached, and where it starts if that is
    /// in the goal.
    pub to: CellPos,
    /// How far that is from the goal, in 1024ths of a cell: 0 if the goal can be reached.
    pub gap: u64,
}

impl Sectors {
    /// Where `agent` would have to start and could end up on the way from `from` to `goal`, without searching for the way.
    ///
    /// Exact: no cell that can be reached and stopped on is nearer to the goal; of several, where the unit starts, else the first by rows. Costs about one
    /// sector's cells near the goal, whatever the map's size, and as much again for a start that is closed.
    ///
    /// ```
    /// use waymarch::base::{cell, GridSize, LocomotorId, Tick};
    /// use waymarch::cost::{CostLayer, CostSettings, Map, Rules, Stamp, StepRule};
    /// use waymarch::query::Goal;
    /// use waymarch::sectors::{Sectors, SnapScratch};
    ///
    /// let map = Map::flat("field", GridSize::new(100, 50)?, Rules::spec_000()).validate()?;
    /// let mut layer = CostLayer::new(&map, CostSettings::default());
    /// layer.place(&Stamp::solid(3, 3), cell(80, 20), Tick::ZERO)?;
    /// let sectors = Sectors::new(&layer, StepRule::default());
    /// let into_the_house = Goal::point(cell(80, 21));
    /// let snapped = sectors.snap(&layer, cell(5, 5), &into_the_house, LocomotorId(0), &mut SnapScratch::default())?;
    /// assert_eq!((snapped.to, snapped.gap), (cell(79, 21), 1024)); // to its wall
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// Whoever asks the same again and again does better with [`Sectors::snap_again`].
    ///
    /// # Errors
    /// [`PlanError`] for a start off the map, an agent without a field, a goal that makes no sense on the map, a map
    /// where the unit can stand nowhere, and a start from where it can reach no cell that it may stop on.
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

    /// The two questions that a snap comes to, answered by `nearest`.
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

    /// Looks for a cell, going down the tree.
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

    /// The cells that the answer to a question depends on, the answer being `found`: while none of them changes, it stays.
    pub(super) fn scope(&self, agent: Agent, question: Nearest<'_>, found: Option<CellPos>) -> CellRect {
        let everywhere = self.size.rect();
        let Some((set, field)) = self.of(agent) else { return everywhere };
        match (question, found) {
            // Whatever opens nearer by lies in between.
            (Nearest::Open(from), Some(found)) => {
                let far = (from.x.abs_diff(found.x) + from.y.abs_diff(found.y)) as i32;
                CellRect::at(from, 1, 1).grow(far, far)
            }
            (Nearest::Open(_), None) => everywhere,
            // What is beside a domain may open a way out; and a unit covers cells beside its own.
            (Nearest::Stop(_, domain, _), _) => {
                let beside = self.grid.side().max(MAX_SIZE_CLASS.into()) as i32;
                set.domains.extent(domain.0, field).grow(beside, beside)
            }
        }
    }
}

/// What a snap asks for: the first by rows of the nearest cells that will do.
#[derive(Clone, Copy, Debug)]
pub(super) enum Nearest<'a> {
    /// Nearest to a closed cell, that the unit can stand on.
    Open(CellPos),
    /// Nearest to a goal, in a domain, that the unit may stop on; the unit stands in that domain.
    Stop(CellPos, DomainId, &'a Goal),
}

impl FieldSet {
    /// The cell nearest to `goal` in a domain that is `wanted`, where one may `stop`.
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
            // Of equally near cells the first counts, and all of these come later.
            if best.is_some_and(|best| (entry.f, CellPos::new(area.x0, area.y0)) > best) {
                continue;
            }
            if level == 0 {
                let sector = (SectorId(block), entry.f);
                *looked_at += self.nearest_in_sector(sector, field, goal, wanted, &may_stop, &mut best);
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

    /// Looks at the cells of a sector, none of which has less than some gap; at how many.
    fn nearest_in_sector(
        &self,
        (sector, least): (SectorId, u64),
        field: usize,
        goal: &Goal,
        wanted: Wanted,
        may_stop: &impl Fn(CellPos) -> bool,
        best: &mut Option<(u64, CellPos)>,
    ) -> u64 {
        let mut looked_at = 0;
        // Cells of one zone come in runs, so the last answer is mostly the next.
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

/// A bound on the gap of every cell in `area`: that of its middle, less the way from there to its corners.
fn least_gap(goal: &Goal, area: CellRect) -> u64 {
    let middle = CellPos::new((area.x0 + area.x1) / 2, (area.y0 + area.y1) / 2);
    let reach =
        |low: i32, middle: i32, high: i32| (middle - low).max(high - 1 - middle).unsigned_abs() as u64;
    let (across, down) = (reach(area.x0, middle.x, area.x1), reach(area.y0, middle.y, area.y1));
    // Gaps are rounded down, so one more is allowed for.
    let radius = ((across * across + down * down) << 20).isqrt() + 2;
    goal.gap(middle).saturating_sub(radius)
}
