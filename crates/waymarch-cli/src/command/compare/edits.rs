//! The time of a planner to follow an edit, and whether it answers rightly afterwards.

use std::time::{Duration, Instant};

use serde::Serialize;
use waymarch::base::{CellPos, Purpose, Rng, Tick, cell};
use waymarch::cost::{CostLayer, Stamp, StampId};
use waymarch::planners::{PlanView, Planner, Promise};
use waymarch::query::{PathQuery, PlanError};
use waymarch::search::{Route, SearchScratch, astar};
use waymarch::sectors::Sectors;

use crate::command::bench::planners::case::Case;
use crate::diagnostics::Failure;
use crate::planner::{scratch, typical};
use crate::report::rounded;
use crate::stats::{mean_or_zero, median, percentile};

/// A planner that rebuilds its tables after every edit follows edits for 2 seconds at most, and at least 3 edits.
const LONGEST: Duration = Duration::from_secs(2);
const FEWEST: usize = 3;

/// After the edits, at most 50 queries are compared with plain A\*.
const CHECKED: usize = 50;

/// The times of one planner, in microseconds.
#[derive(Clone, Debug, Serialize)]
pub(super) struct EditTimes {
    pub(super) edits: usize,
    pub(super) mean_us: f64,
    pub(super) median_us: f64,
    pub(super) p99_us: f64,
    /// Queries on the edited map, compared with plain A\*, and how many of them were answered wrongly.
    pub(super) checked: usize,
    pub(super) wrong: usize,
    /// The time to change costs and sectors, which is the same for all planners.
    #[serde(skip)]
    pub(super) shared_us: f64,
}

/// One edit of the map.
#[derive(Clone, Copy, Debug)]
enum Edit {
    /// A building of 3×3 cells.
    Place(CellPos),
    /// The oldest building goes.
    Remove,
}

/// The edits that every planner follows. Of three edits two place a building and one removes the oldest one.
#[derive(Clone, Debug)]
pub(super) struct Edits {
    stamp: Stamp,
    edits: Vec<Edit>,
}

impl Edits {
    /// `count` edits at random places.
    pub(super) fn draw(case: &Case, seed: u32, count: u32) -> Self {
        let grid = case.layer.grid();
        let stamp = Stamp::solid(3.min(grid.width()), 3.min(grid.height()));
        let mut rng = Rng::keyed(u64::from(seed), Tick::ZERO, u64::from(count), Purpose(3));
        let mut place = || {
            let (wide, high) = (grid.width() - stamp.width + 1, grid.height() - stamp.height + 1);
            cell(rng.below(wide) as i32, rng.below(high) as i32)
        };
        let edits = (0..count).map(|at| if at % 3 == 2 { Edit::Remove } else { Edit::Place(place()) });
        Self { edits: edits.collect(), stamp: stamp.clone() }
    }

    /// A new copy of `planner` follows the edits on a copy of the map.
    pub(super) fn follow(&self, planner: &dyn Planner, case: &Case) -> Result<EditTimes, Failure> {
        let mut ground = Ground::of(case);
        let mut planner = planner.boxed();
        let batch = typical(&ground.view(case), case.agent);
        planner.prepare(&ground.view(case), &batch);
        let begun = Instant::now();
        let (mut own, mut shared) = (Vec::new(), Vec::new());
        for &edit in &self.edits {
            if begun.elapsed() > LONGEST && own.len() >= FEWEST {
                break;
            }
            let start = Instant::now();
            ground.change(&self.stamp, edit)?;
            shared.push(start.elapsed().as_secs_f64() * 1e6);
            let start = Instant::now();
            let view = ground.view(case);
            planner.map_changed(&view);
            planner.prepare(&view, &batch);
            own.push(start.elapsed().as_secs_f64() * 1e6);
        }
        let (checked, wrong) = ground.check(&mut *planner, case);
        own.sort_by(f64::total_cmp);
        Ok(EditTimes {
            edits: own.len(),
            mean_us: rounded(mean_or_zero(&own), 2),
            median_us: rounded(median(&own), 2),
            p99_us: rounded(percentile(&own, 99), 2),
            checked,
            wrong,
            shared_us: rounded(mean_or_zero(&shared), 2),
        })
    }
}

/// A copy of the map that is edited.
struct Ground {
    layer: CostLayer,
    sectors: Sectors,
    standing: Vec<StampId>,
}

impl Ground {
    fn of(case: &Case) -> Self {
        Self {
            layer: case.layer.clone(),
            sectors: Sectors::new(&case.layer, case.rule),
            standing: Vec::new(),
        }
    }

    fn view<'a>(&'a self, case: &'a Case) -> PlanView<'a> {
        PlanView { layer: &self.layer, sectors: &self.sectors, ..case.view() }
    }

    fn change(&mut self, stamp: &Stamp, edit: Edit) -> Result<(), Failure> {
        match edit {
            Edit::Place(at) => {
                self.standing.push(self.layer.place(stamp, at, Tick::ZERO).map_err(Failure::invalid)?);
            }
            Edit::Remove if self.standing.is_empty() => {}
            Edit::Remove => {
                let oldest = self.standing.remove(0);
                self.layer.remove(oldest).map_err(Failure::invalid)?;
            }
        }
        self.sectors.follow(&self.layer);
        Ok(())
    }

    /// The number of queries that were compared with plain A\* on the edited map, and of those with a wrong answer.
    fn check(&self, planner: &mut dyn Planner, case: &Case) -> (usize, usize) {
        let view = self.view(case);
        let (mut memory, mut route) = (scratch(), Route::new());
        let (mut plain_memory, mut plain) = (SearchScratch::new(), Route::new());
        let (mut checked, mut wrong) = (0, 0);
        for query in case.queries.iter().take(CHECKED) {
            let asked = PathQuery::new(query.from, query.to, case.agent);
            planner.prepare(&view, &[asked]);
            let found = planner.plan(&view, &asked, &mut memory, &mut route);
            let least = astar(&self.layer, &asked, case.rule, &mut plain_memory, &mut plain);
            checked += 1;
            wrong += usize::from(!agrees(planner.promise(), (&found, route.cost.0), (&least, plain.cost.0)));
        }
        (checked, wrong)
    }
}

/// An answer and the cost of its route.
type Answer<'a> = (&'a Result<(), PlanError>, u64);

/// Whether a planner finds a route when one exists, as cheap as it promises.
fn agrees(promise: Promise, (found, cost): Answer<'_>, (least, least_cost): Answer<'_>) -> bool {
    if found.is_err() || least.is_err() {
        return found.is_err() == least.is_err();
    }
    let most = match promise {
        Promise::Optimal => u128::from(least_cost),
        Promise::Bounded(per_mille) => u128::from(least_cost) * u128::from(per_mille.get()) / 1000,
        Promise::Legal => u128::MAX,
    };
    cost >= least_cost && u128::from(cost) <= most
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_agrees_if_it_keeps_its_promise() {
        let (yes, no) = (Ok(()), Err(PlanError::StartBlocked { at: cell(0, 0) }));
        let optimal = |found, least| agrees(Promise::Optimal, found, least);
        assert!(optimal((&yes, 7), (&yes, 7)) && optimal((&no, 0), (&no, 0)));
        assert!(!optimal((&yes, 8), (&yes, 7)) && !optimal((&yes, 6), (&yes, 7)));
        assert!(!optimal((&no, 0), (&yes, 7)) && !optimal((&yes, 7), (&no, 0)));
        assert!(agrees(Promise::Legal, (&yes, 9), (&yes, 7)));
        assert!(!agrees(Promise::Legal, (&yes, 6), (&yes, 7)));
    }
}
