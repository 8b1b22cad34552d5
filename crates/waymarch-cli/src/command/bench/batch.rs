//! A batch of queries over several threads: the same answers, sooner.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use serde::Serialize;
use waymarch::base::CellPos;
use waymarch::query::{Cost, PathQuery, PlanError};
use waymarch::search::{Route, SearchScratch};

use crate::planner::{Prepared, Work};
use crate::report::rounded;

/// Queries that a thread takes at a time: few enough to share long ones out, enough to meet the others rarely.
const SHARE: usize = 8;
/// About how long a batch takes one thread: starting threads should not count.
const BATCH_US: f64 = 100_000.0;
/// Passes over the queries in one batch, at most.
const MAX_PASSES: f64 = 1000.0;

/// What threads gain; the keys are a promise to scripts.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Throughput {
    pub(super) threads: usize,
    /// Queries in a batch.
    pub(super) batch: usize,
    /// Queries per second of wall time.
    pub(super) one_thread_per_s: f64,
    pub(super) threads_per_s: f64,
    pub(super) thread_gain: f64,
    /// Answers that were not those of one thread.
    pub(super) different: usize,
}

/// An answer, as far as it can be compared.
#[derive(PartialEq, Eq, Debug)]
struct Answer<'a> {
    outcome: &'a Result<Cost, PlanError>,
    /// None where that depends on what was asked before.
    expanded: Option<u32>,
    waypoints: &'a [CellPos],
}

/// One thread's memory, kept from batch to batch, and the answers it found in the last one.
#[derive(Default)]
struct Worker {
    scratch: SearchScratch,
    route: Route,
    heard: Vec<Heard>,
    waypoints: Vec<CellPos>,
}

struct Heard {
    query: usize,
    outcome: Result<Cost, PlanError>,
    expanded: Option<u32>,
    waypoints: Range<usize>,
}

impl Worker {
    fn ask(&mut self, planner: &dyn Prepared, number: usize, query: &PathQuery) {
        let answer = planner.plan(query, &mut self.scratch, &mut self.route);
        let first = self.waypoints.len();
        self.waypoints.extend_from_slice(&self.route.waypoints);
        self.heard.push(Heard {
            query: number,
            outcome: answer.map(|()| self.route.cost),
            expanded: (planner.work() == Work::OfTheQuestion).then_some(self.route.expanded),
            waypoints: first..self.waypoints.len(),
        });
    }
}

/// Asks all of `queries`, `passes` times, of as many threads as there are workers. The seconds it took.
#[expect(clippy::disallowed_methods, reason = "how much threads gain is what is measured")]
fn run(planner: &dyn Prepared, queries: &[PathQuery], passes: usize, workers: &mut [Worker]) -> f64 {
    for worker in &mut *workers {
        worker.heard.clear();
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

/// All answers, in the order of their queries, whoever found them.
fn in_order(workers: &[Worker]) -> Vec<Answer<'_>> {
    let mut answers: Vec<(usize, Answer<'_>)> = Vec::new();
    for worker in workers {
        answers.extend(worker.heard.iter().map(|heard| {
            let waypoints = &worker.waypoints[heard.waypoints.clone()];
            (heard.query, Answer { outcome: &heard.outcome, expanded: heard.expanded, waypoints })
        }));
    }
    answers.sort_by_key(|(query, _)| *query);
    answers.into_iter().map(|(_, answer)| answer).collect()
}

/// Asks one thread and then `threads`, `repeat` times each, the best times counting; `mean_us` is about what a query takes.
/// Also the queries that were not answered the same every time.
pub(super) fn throughput(
    planner: &dyn Prepared,
    queries: &[PathQuery],
    threads: usize,
    repeat: usize,
    mean_us: f64,
) -> (Throughput, Vec<usize>) {
    let work = mean_us * queries.len() as f64;
    let passes = if work > 0.0 { (BATCH_US / work).clamp(1.0, MAX_PASSES) as usize } else { 1 };
    let mut one = [Worker::default()];
    let mut many: Vec<Worker> = (0..threads).map(|_| Worker::default()).collect();
    let (mut alone, mut together) = (f64::INFINITY, f64::INFINITY);
    let mut differing = Vec::new();
    // In turn, so that what else the machine does is shared by both; the first round warms their memory up.
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
    use super::*;
    use crate::command::bench::case::CaseSource;
    use crate::planner::PLANNERS;
    use waymarch_maps::LoadOptions;

    #[test]
    fn any_number_of_threads_gives_one_threads_answers_in_order() {
        for map in ["open", "maze"] {
            let case = CaseSource::Random { map: map.to_owned(), seed: 1, count: 60 }
                .open(60, 0, &LoadOptions::default())
                .unwrap();
            let queries: Vec<PathQuery> =
                case.queries.iter().map(|query| PathQuery::new(query.from, query.to, case.agent)).collect();
            for planner in PLANNERS {
                if (planner.suits)(&case.layer, case.agent, case.rule).is_err() {
                    continue;
                }
                let prepared = (planner.build)(&case.layer, case.agent, case.rule.into());
                let mut one = [Worker::default()];
                run(&*prepared, &queries, 2, &mut one);
                let expected = in_order(&one);
                assert_eq!(expected.len(), 2 * queries.len());
                assert!(expected.iter().all(|answer| answer.outcome.is_ok() && !answer.waypoints.is_empty()));
                for threads in [2, 3, 7, 64] {
                    let mut many: Vec<Worker> = (0..threads).map(|_| Worker::default()).collect();
                    run(&*prepared, &queries, 2, &mut many);
                    assert_eq!(in_order(&many), expected, "{} on {map}, {threads} threads", planner.name);
                }
            }
        }
    }

    /// A planner whose answers depend on how often it was asked, as a bad cache would make them.
    struct Forgetful(AtomicUsize);

    impl Prepared for Forgetful {
        fn plan(&self, _: &PathQuery, _: &mut SearchScratch, out: &mut Route) -> Result<(), PlanError> {
            out.clear();
            out.cost = Cost(self.0.fetch_add(1, Ordering::Relaxed) as u64);
            Ok(())
        }

        fn watch(
            &self,
            query: &PathQuery,
            scratch: &mut SearchScratch,
            out: &mut Route,
            _: &mut waymarch::search::Recorder,
        ) -> Result<(), PlanError> {
            self.plan(query, scratch, out)
        }

        fn memory_bytes(&self) -> usize {
            0
        }
    }

    #[test]
    fn answers_that_differ_are_found() {
        let case = CaseSource::Random { map: "open".to_owned(), seed: 1, count: 5 }
            .open(5, 0, &LoadOptions::default())
            .unwrap();
        let query = |at: &super::super::case::CaseQuery| PathQuery::new(at.from, at.to, case.agent);
        let queries: Vec<PathQuery> = case.queries.iter().map(query).collect();
        let (measured, differing) = throughput(&Forgetful(AtomicUsize::new(0)), &queries, 2, 1, 1e6);
        assert_eq!((measured.different, differing), (5, vec![0, 1, 2, 3, 4]));
    }

    #[test]
    fn no_queries_take_no_time_and_fail_nothing() {
        let (measured, differing) = throughput(&Forgetful(AtomicUsize::new(0)), &[], 3, 2, 0.0);
        assert_eq!((measured.batch, measured.different, differing.len()), (0, 0, 0));
    }
}
