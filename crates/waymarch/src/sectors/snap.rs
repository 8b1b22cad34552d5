//! The nearest cell that will do: for goals that cannot be reached and starts that cannot be stood on.

use super::domains::Wanted;
use super::{FieldSet, Sectors};
use crate::base::{Agent, CellPos, CellRect, OpenEntry, OpenList};
use crate::cost::{CostLayer, SectorId};
use crate::query::{Goal, PlanError};

/// Scratch for looking for the nearest cell.
#[derive(Clone, Debug, Default)]
pub struct SnapScratch {
    open: OpenList,
}

/// Where a unit can start and end up when it asks to go from one place to another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Snapped {
    /// Where it starts: where it stands, or the nearest cell it can stand on.
    pub from: CellPos,
    /// The cell nearest to the goal that can be reached from there; in the goal if it can be reached.
    pub to: CellPos,
    /// How far that is from the goal, in 1024ths of a cell: 0 if the goal can be reached.
    pub gap: u64,
}

impl Sectors {
    /// Where `agent` would have to start and could end up on the way from `from` to `goal`, without searching for the way.
    ///
    /// Exact: no cell that can be reached and stopped on is nearer to the goal; of several, the first by rows is taken. Costs about one
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
    /// # Errors
    /// [`PlanError`] for a start off the map, an agent without a field, a goal that makes no sense on the map, and a map
    /// where the unit can stand nowhere or may stop nowhere.
    pub fn snap(
        &self,
        layer: &CostLayer,
        from: CellPos,
        goal: &Goal,
        agent: impl Into<Agent>,
        scratch: &mut SnapScratch,
    ) -> Result<Snapped, PlanError> {
        let agent = agent.into();
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
                let here = Goal::point(from);
                let found = set.nearest(field, &here, scratch, Wanted::Any, |_| true).ok_or(closed_in)?;
                (found, set.domain(found, field).ok_or(closed_in)?)
            }
        };
        let may_stop = |at| layer.can_stop(at, agent);
        let to = set.nearest(field, goal, scratch, Wanted::Only(domain.0), may_stop).ok_or(closed_in)?;
        Ok(Snapped { from, to, gap: goal.gap(to) })
    }
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
        let open = &mut scratch.open;
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
            if level == 0 {
                self.nearest_in_sector(SectorId(block), field, goal, wanted, &may_stop, &mut best);
                continue;
            }
            for child in domains.below(level, block) {
                if domains.any_in_block(level - 1, child, field, wanted) {
                    let area = domains.area(level - 1, child).intersect(self.zones.grid().rect());
                    open.push(OpenEntry::new(least_gap(goal, area), level - 1, child));
                }
            }
        }
        best.map(|(_, at)| at)
    }

    fn nearest_in_sector(
        &self,
        sector: SectorId,
        field: usize,
        goal: &Goal,
        wanted: Wanted,
        may_stop: &impl Fn(CellPos) -> bool,
        best: &mut Option<(u64, CellPos)>,
    ) {
        // Cells of one zone come in runs, so the last answer is mostly the next.
        let mut last = (u16::MAX, false);
        for at in self.zones.area(sector).cells() {
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
