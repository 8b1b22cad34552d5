//! Runs the queries on several threads, compares the routes with those of one thread, and measures the throughput.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use serde::Serialize;
use waymarch::base::CellPos;
use waymarch::planners::PlanScratch;
use waymarch::query::{Cost, PathQuery, PlanError};
use waymarch::search::Route;

use crate::planner::{Prepared, scratch};
use crate::report::rounded;

/// A thread takes 8 queries at a time: few enough to spread long ones, enough to keep threads from waiting for each other.
const SHARE: usize = 8;
/// A batch takes one thread about 100,000 µs, so that starting threads does not distort the result.
const BATCH_US: f64 = 100_000.0;
/// At most 1,000 passes over the queries in one batch.
const MAX_PASSES: f64 = 1000.0;

/// The throughput of one and of several threads; scripts rely on the keys.
#[derive(Clone, Copy, Debug, Serialize)]
pub(in crate::command) struct Throughput {
    pub(super) threads: usize,
    /// Queries in a batch.
    pub(super) batch: usize,
    /// Queries per second of wall time.
    pub(super) one_thread_per_s: f64,
    pub(super) threads_per_s: f64,
    pub(super) thread_gain: f64,
    /// Answers that differ from those of one thread.
    pub(super) different: usize,
}

/// The parts of an answer that are compared.
#[derive(PartialEq, Eq, Debug)]
struct Answer<'a> {
    outcome: &'a Result<Cost, PlanError>,
    /// `None` if it depends on earlier queries.
    expanded: Option<u32>,
    waypoints: &'a [CellPos],
}

/// The scratch of one thread, kept from batch to batch, and its answers of the last batch.
struct Worker {
    scratch: PlanScratch,
    route: Route,
    answers: Vec<Answered>,
    waypoints: Vec<CellPos>,
}

struct Answered {
    query: usize,
    outcome: Result<Cost, PlanError>,
    expanded: Option<u32>,
    waypoints: Range<usize>,
}

impl Worker {
    fn new() -> Self {
        Self { scratch: scratch(), route: Route::new(), answers: Vec::new(), waypoints: Vec::new() }
    }

    fn ask(&mut self, planner: &Prepared<'_>, number: usize, query: &PathQuery) {
        let answer = planner.plan(query, &mut self.scratch, &mut self.route);
        let first = self.waypoints.len();
        self.waypoints.extend_from_slice(&self.route.waypoints);
        self.answers.push(Answered {
            query: number,
            outcome: answer.map(|()| self.route.cost),
            expanded: planner.counts_by_query().then_some(self.route.expanded),
            waypoints: first..self.waypoints.len(),
        });
    }
}

/// Runs all queries `passes` times on one thread per worker. Gives the seconds it took.
#[expect(clippy::disallowed_methods, reason = "the throughput of threads is measured")]
fn run(planner: &Prepared<'_>, queries: &[PathQuery], passes: usize, workers: &mut [Worker]) -> f64 {
    for worker in &mut *workers {
        worker.answers.clear();
        worker.waypoints.clear();
    }
    let (next, all) = (AtomicUsize::new(0), queries.len() * passes);
    let start = Instant::now();
    std::thread::scope(|scope| {
        for worker in workers {
            scope.spawn(|| {
                let mut from = next.fetch_add(SHARE, Ordering::Relaxed);
                while from < all {
                    for number in from..(from + SHARE).min(all) {
                        worker.ask(planner, number, &queries[number % queries.len()]);
                    }
                    from = next.fetch_add(SHARE, Ordering::Relaxed);
                }
            });
        }
    });
    start.elapsed().as_secs_f64()
}

/// The answers of all workers, in the order of the queries.
fn in_order(workers: &[Worker]) -> Vec<Answer<'_>> {
    let mut answers: Vec<(usize, Answer<'_>)> = Vec::new();
    for worker in workers {
        answers.extend(worker.answers.iter().map(|found| {
            let waypoints = &worker.waypoints[found.waypoints.clone()];
            (found.query, Answer { outcome: &found.outcome, expanded: found.expanded, waypoints })
        }));
    }
    answers.sort_by_key(|(query, _)| *query);
    answers.into_iter().map(|(_, answer)| answer).collect()
}

/// Runs the queries on one thread and then on `threads`, `repeat` times each; the shortest time counts. `mean_us` is the approximate
/// time of one query. Also gives the queries whose answers were not always the same.
pub(super) fn throughput(
    planner: &Prepared<'_>,
    queries: &[PathQuery],
    threads: usize,
    repeat: usize,
    mean_us: f64,
) -> (Throughput, Vec<usize>) {
    let work = mean_us * queries.len() as f64;
    let passes = if work > 0.0 { (BATCH_US / work).clamp(1.0, MAX_PASSES) as usize } else { 1 };
    let mut one = [Worker::new()];
    let mut many: Vec<Worker> = (0..threads).map(|_| Worker::new()).collect();
    let (mut alone, mut together) = (f64::INFINITY, f64::INFINITY);
    let mut differing = Vec::new();
    // Alternating, so that other load on the machine affects both alike. The first round warms the caches.
    for round in 0..=repeat {
        let times = [run(planner, queries, passes, &mut one), run(planner, queries, passes, &mut many)];
        if round > 0 {
            (alone, together) = (alone.min(times[0]), together.min(times[1]));
        }
        let pairs = in_order(&one).into_iter().zip(in_order(&many)).enumerate();
        let unlike = pairs.filter(|(_, (one, many))| one != many);
        differing.extend(unlike.map(|(number, _)| number % queries.len()));
    }
    differing.sort_unstable();
    differing.dedup();
    let batch = queries.len() * passes;
    let per_s = |seconds: f64| rounded(batch as f64 / seconds.max(1e-9), 1);
    let measured = Throughput {
        threads,
        batch,
        one_thread_per_s: per_s(alone),
        threads_per_s: per_s(together),
        thread_gain: rounded(alone / together.max(1e-9), 3),
        different: differing.len(),
    };
    (measured, differing)
}

#[cfg(test)]
mod tests {
    use super::super::case::{Case, CaseSource};
    use super::*;
    use crate::planner::{planners, suits};
    use waymarch::planners::{PlanView, Planner, Promise};
    use waymarch_maps::LoadOptions;

    #[test]
    fn any_number_of_threads_gives_the_answers_of_one_thread_in_order() {
        for map in ["open", "maze"] {
            let case = CaseSource::Random { map: map.to_owned(), seed: 1, count: 60 }
                .open(60, 0, &LoadOptions::default())
                .unwrap();
            let queries: Vec<PathQuery> =
                case.queries.iter().map(|query| PathQuery::new(query.from, query.to, case.agent)).collect();
            for planner in planners() {
                if suits(planner, &case.view(), case.agent).is_err() {
                    continue;
                }
                let prepared = Prepared::new(planner, case.view(), case.agent);
                let mut one = [Worker::new()];
                run(&prepared, &queries, 2, &mut one);
                let expected = in_order(&one);
                assert_eq!(expected.len(), 2 * queries.len());
                assert!(expected.iter().all(|answer| answer.outcome.is_ok() && !answer.waypoints.is_empty()));
                for threads in [2, 3, 7, 64] {
                    let mut many: Vec<Worker> = (0..threads).map(|_| Worker::new()).collect();
                    run(&prepared, &queries, 2, &mut many);
                    assert_eq!(in_order(&many), expected, "{} on {map}, {threads} threads", planner.name());
                }
            }
        }
    }

    /// A planner whose answers depend on the number of earlier queries, as a broken cache would.
    struct BrokenCache(AtomicUsize);

    impl Planner for BrokenCache {
        fn name(&self) -> &str {
            "forgetful"
        }

        fn promise(&self) -> Promise {
            Promise::Legal
        }

        fn plan(
            &self,
            _: &PlanView<'_>,
            _: &PathQuery,
            _: &mut PlanScratch,
            out: &mut Route,
        ) -> Result<(), PlanError> {
            out.clear();
            out.cost = Cost(self.0.fetch_add(1, Ordering::Relaxed) as u64);
            Ok(())
        }

        fn boxed(&self) -> Box<dyn Planner> {
            Box::new(Self(AtomicUsize::new(0)))
        }
    }

    fn forgetful(case: &Case) -> Prepared<'_> {
        Prepared::new(&BrokenCache(AtomicUsize::new(0)), case.view(), case.agent)
    }

    fn open_case() -> Case {
        let source = CaseSource::Random { map: "open".to_owned(), seed: 1, count: 5 };
        source.open(5, 0, &LoadOptions::default()).unwrap()
    }

    #[test]
    fn different_answers_are_reported() {
        let case = open_case();
        let query = |at: &super::super::case::CaseQuery| PathQuery::new(at.from, at.to, case.agent);
        let queries: Vec<PathQuery> = case.queries.iter().map(query).collect();
        let (measured, differing) = throughput(&forgetful(&case), &queries, 2, 1, 1e6);
        assert_eq!((measured.different, differing), (5, vec![0, 1, 2, 3, 4]));
    }

    #[test]
    fn an_empty_list_of_queries_is_measured_without_a_failure() {
        let (measured, differing) = throughput(&forgetful(&open_case()), &[], 3, 2, 0.0);
        assert_eq!((measured.batch, measured.different, differing.len()), (0, 0, 0));
    }
}
