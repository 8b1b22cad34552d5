//! The first order on a large map: how long does its tick take, beside a normal tick?
//!
//! The World is loaded from a save, so that nothing is prepared. The first order goes to one group, at once or after the players have looked around for
//! some seconds. The worst tick counts, from the order until 3 seconds later.

use waymarch::config::Config;
use waymarch::cost::ValidMap;
use waymarch::world::World;

use super::case::Case;
use super::squad_game::{SquadGame, SquadSize};
use super::storms::{failures, give};
use super::tick_log::TickLog;
use crate::diagnostics::Failure;
use crate::stats::percentile_of;

/// 1,000 units in 10 groups.
const SQUADS: SquadSize = SquadSize { squads: 10, members: 100 };
/// The first order comes in the first tick, or after 200 ticks (10 seconds).
const WAITS: [usize; 2] = [0, 200];
/// Ticks after the first order, 3 seconds: in one of them its route is found.
const AFTER: usize = 60;
/// Then all groups get orders. A normal tick is the median of 200 ticks, the first 100 left out.
const SETTLE: usize = 100;
const NORMAL: usize = 200;
/// The first order may cost 2 normal ticks.
const FACTOR: f64 = 2.0;
/// Each game runs 2 times, and the shortest time of each tick counts.
const ROUNDS: usize = 2;

/// Times of the first order, at once and after a wait.
pub(super) fn first_order(word: &str, map: &ValidMap, seed: u32) -> Result<Vec<Case>, Failure> {
    let mut game = SquadGame::new(map, Config::default(), SQUADS, seed)?;
    let orders = game.orders_for_all()?;
    let cold = game.world.save();
    let mut cases = Vec::new();
    for wait in WAITS {
        let (mut first, mut failed): (Option<TickLog>, usize) = (None, 0);
        let (mut worst, mut normal) = (f64::MAX, f64::MAX);
        for _ in 0..ROUNDS {
            let mut world = World::load(&cold).map_err(Failure::invalid)?;
            let mut log = TickLog::default();
            (0..wait).for_each(|_| log.tick(&mut world, |_| {}));
            log.tick(&mut world, |world| give(world, &orders[..1]));
            for _ in 0..AFTER {
                log.tick(&mut world, |_| {});
            }
            failed += failures(&world);
            let mut all = TickLog::default();
            all.tick(&mut world, |world| give(world, &orders));
            (0..SETTLE + NORMAL).for_each(|_| all.tick(&mut world, |_| {}));
            worst = worst.min(log.whole[wait..].iter().copied().fold(0.0, f64::max));
            normal = normal.min(percentile_of(&all.whole[SETTLE..], 50));
            if let Some(before) = &first {
                log.best_of(before);
            }
            first = Some(log);
        }
        let log = first.unwrap_or_default();
        let longest = log.whole[..wait].iter().copied().zip(1..).max_by(|a, b| a.0.total_cmp(&b.0));
        let ((idle, idle_tick), order) = (longest.unwrap_or((0.0, 0)), log.whole[wait]);
        cases.push(Case {
            case: "first order",
            map: word.to_owned(),
            units: game.world.unit_count(),
            failed,
            lost: 0,
            limit: format!(
                "after {wait} ticks: its tick {order:.2} ms, worst of 3 seconds {worst:.2}, idle tick before at most {idle:.2} (tick {idle_tick}); \
                 limit {FACTOR:.0} × {normal:.2} ms"
            ),
            holds: worst.max(idle) <= FACTOR * normal,
            log,
        });
    }
    Ok(cases)
}
