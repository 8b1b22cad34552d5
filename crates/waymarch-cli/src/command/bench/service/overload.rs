//! 100,000 requests in one tick.

use waymarch::config::Config;
use waymarch::cost::ValidMap;
use waymarch::query::PathAsk;
use waymarch::world::{PathId, PathService, PathStatus};

use super::case::Case;
use super::places::{Places, prepared_navigator};
use super::tick_log::{TickLog, now_ms};
use crate::diagnostics::Failure;

/// 100,000 requests in one tick.
const MANY: usize = 100_000;
/// The requests have 4,096 different goals.
const GOALS: usize = 4096;
/// Requests that still wait after 20,000 ticks count as lost.
const TICKS: usize = 20_000;
/// The limit for a tick, for any number of waiting requests: 25 ms.
const TICK_MS: f64 = 25.0;

/// Makes all requests in one tick and runs ticks until all are answered.
pub(super) fn overload(word: &str, map: &ValidMap, seed: u32) -> Result<Case, Failure> {
    let (nav, agent) = prepared_navigator(map, Config::default())?;
    let mut places = Places::new(&nav, agent, seed)?;
    let draw = |places: &mut Places| places.draw(&nav, |_| true);
    let goals = (0..GOALS).map(|_| draw(&mut places)).collect::<Result<Vec<_>, _>>()?;
    let mut asks = Vec::with_capacity(MANY);
    for number in 0..MANY {
        asks.push(PathAsk::new(draw(&mut places)?.centre(), goals[number * 7 % GOALS], agent));
    }
    let mut service = PathService::new(nav);
    let start = now_ms();
    let ids: Vec<PathId> = asks.into_iter().map(|ask| service.request(ask)).collect();
    let asking = now_ms() - start;
    let mut log = TickLog::default();
    for _ in 0..TICKS {
        log.tick_service(&mut service);
        if service.waiting() == 0 {
            break;
        }
    }
    let settled = |id: &&PathId| service.status(**id).is_some_and(|status| status.is_settled());
    let is_bad = |id: &&PathId| !matches!(service.status(**id), Some(PathStatus::Complete));
    let lost = ids.len() - ids.iter().filter(settled).count();
    let failed = ids.iter().filter(settled).filter(is_bad).count();
    let worst = log.planning.iter().copied().fold(0.0, f64::max);
    Ok(Case {
        case: "overload",
        map: word.to_owned(),
        units: MANY,
        failed,
        lost,
        limit: format!(
            "worst tick {worst:.1} of {TICK_MS:.0} ms; asking {:.2} µs each, all answered after {} ticks",
            asking * 1e3 / MANY as f64,
            log.planning.len()
        ),
        holds: worst <= TICK_MS && lost == 0,
        log,
    })
}
