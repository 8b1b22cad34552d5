//! Plays random games for some time.

use std::time::{Duration, Instant};

use waymarch_maps::scenario::Scenario;
use waymarch_testkit::splitmix::SplitMix;

use super::check::{Checker, Failure, GameStats, Thoroughness};
use super::draw::draw_game;
use super::shrink::shrink;

/// A campaign ends after 5 different findings.
const MAX_FINDINGS: usize = 5;

/// A failing game is made smaller for at most 60 seconds.
const SHRINK_TIME: Duration = Duration::from_secs(60);

/// Which games to play.
#[derive(Clone, Copy, Debug)]
pub struct GameCampaign {
    /// The seed of all games.
    pub seed: u64,
    /// No new game begins after this time.
    pub time: Duration,
    /// At most this many games are played.
    pub games: u64,
}

/// A game that failed.
#[derive(Clone, Debug)]
pub struct GameFinding {
    /// Its number in the campaign, from 0.
    pub number: u64,
    /// What happened in the game as drawn.
    pub failure: Failure,
    /// A smaller game that fails in the same way.
    pub smallest: Scenario,
    /// What happens in it.
    pub smallest_failure: Failure,
}

/// The result of a campaign.
#[derive(Clone, Debug, Default)]
pub struct GameReport {
    /// How many games were played.
    pub games: u64,
    /// How many of them failed, including games that fail in the same way.
    pub failed: u64,
    /// How much was played.
    pub stats: GameStats,
    /// One game for each kind of failure.
    pub findings: Vec<GameFinding>,
}

/// The seed of a game of a campaign.
#[must_use]
pub fn game_seed(campaign: u64, number: u64) -> u64 {
    SplitMix::new(campaign ^ number.wrapping_mul(0x9E37_79B9)).next_u64() >> 16
}

impl GameCampaign {
    /// Plays games. `alive` is called in every tick with the game's number.
    pub fn run(&self, alive: &mut dyn FnMut(u64)) -> GameReport {
        let (begun, checker) = (Instant::now(), Checker::new());
        let mut report = GameReport::default();
        while report.games < self.games && begun.elapsed() < self.time && report.findings.len() < MAX_FINDINGS
        {
            let number = report.games;
            let game = draw_game(game_seed(self.seed, number));
            let checked = checker.check(&game, Thoroughness::Drawn, &mut || alive(number));
            report.games += 1;
            match checked {
                Ok(stats) => report.stats.add(&stats),
                Err(failure) => {
                    report.failed += 1;
                    let known = |finding: &GameFinding| finding.failure.is_like(&failure);
                    if report.findings.iter().any(known) {
                        continue;
                    }
                    let since = Instant::now();
                    let mut go_on = || {
                        alive(number);
                        since.elapsed() < SHRINK_TIME
                    };
                    let (smallest, smallest_failure) = shrink(&checker, &game, &failure, &mut go_on);
                    report.findings.push(GameFinding { number, failure, smallest, smallest_failure });
                }
            }
        }
        report
    }
}
