//! Finds a smaller game that fails in the same way.

use waymarch_maps::FileResult;
use waymarch_maps::scenario::Scenario;
use waymarch_maps::yaml::write_scenario;

use super::check::{Checker, Failure, Thoroughness};
use super::{crop, simpler};

/// At most 4000 smaller forms of a failing game are tried.
const MAX_ATTEMPTS: u32 = 4000;

/// The smallest game found that fails like `scenario`, and its failure. `go_on` is asked before each attempt.
#[must_use]
pub fn shrink(
    checker: &Checker,
    scenario: &Scenario,
    failure: &Failure,
    go_on: &mut dyn FnMut() -> bool,
) -> (Scenario, Failure) {
    let mut search = Search {
        checker,
        wanted: failure.clone(),
        best: scenario.clone(),
        found: failure.clone(),
        thoroughness: Thoroughness::Drawn,
        left: MAX_ATTEMPTS,
        go_on,
    };
    // One kind of branch is faster, and does not depend on random numbers.
    if let Some(kind) = failure.branch {
        search.thoroughness = Thoroughness::Only(kind);
        if !search.accepts(scenario.clone()) {
            search.thoroughness = Thoroughness::Every;
        }
        if search.thoroughness == Thoroughness::Every && !search.accepts(scenario.clone()) {
            search.thoroughness = Thoroughness::Drawn;
        }
    }
    search.run();
    (search.best, search.found)
}

/// A failing game as a scenario file, which `waymarch sim` plays. Its first line is a comment with the failure.
///
/// # Errors
/// What a scenario file cannot express.
pub fn written(game: &Scenario, failure: &Failure) -> FileResult<String> {
    let text = write_scenario("game", game)?;
    let comment = failure.to_string().replace('\n', " ");
    Ok(format!("# {comment}\n{text}"))
}

/// Scratch: the search for a smaller game.
struct Search<'a> {
    checker: &'a Checker,
    wanted: Failure,
    best: Scenario,
    found: Failure,
    thoroughness: Thoroughness,
    left: u32,
    go_on: &'a mut dyn FnMut() -> bool,
}

impl Search<'_> {
    fn run(&mut self) {
        loop {
            let before = self.best.clone();
            self.cut_the_end();
            self.drop_in_chunks(|game| game.actions.len(), simpler::without_actions);
            self.drop_in_chunks(|game| game.squads.len(), simpler::without_squads);
            self.try_all(simpler::simpler_settings);
            self.try_all(crop::smaller_maps);
            self.try_all(simpler::simpler_ground);
            self.try_all(simpler::simpler_units);
            self.try_all(simpler::simpler_actions);
            self.try_all(simpler::shorter_waits);
            if self.best == before || self.left == 0 {
                return;
            }
        }
    }

    /// Whether a game fails in the same way. If it does, it becomes the smallest game so far.
    fn accepts(&mut self, game: Scenario) -> bool {
        if self.left == 0 || !(self.go_on)() {
            self.left = 0;
            return false;
        }
        self.left -= 1;
        match self.checker.check(&game, self.thoroughness, &mut || _ = (self.go_on)()) {
            Err(failure) if failure.branch == self.wanted.branch && failure.is_like(&self.wanted) => {
                (self.best, self.found) = (game, failure);
                true
            }
            _ => false,
        }
    }

    /// Cuts off the ticks after the failure.
    fn cut_the_end(&mut self) {
        let mut game = self.best.clone();
        game.ticks = (self.found.tick + 1).min(game.ticks);
        let ticks = game.ticks;
        game.actions.retain(|scheduled| scheduled.tick.0 <= ticks);
        let game = simpler::normalised(game);
        if game != self.best {
            self.accepts(game);
        }
    }

    /// Tries to drop items in runs: all at once, then half of them, a quarter, down to single ones.
    fn drop_in_chunks(
        &mut self,
        count: impl Fn(&Scenario) -> usize,
        without: impl Fn(&Scenario, std::ops::Range<usize>) -> Scenario,
    ) {
        let mut run = count(&self.best);
        while run > 0 {
            let mut first = 0;
            while first < count(&self.best) {
                let end = (first + run).min(count(&self.best));
                let smaller = without(&self.best, first..end);
                if !self.accepts(smaller) {
                    first += run;
                }
            }
            run /= 2;
        }
    }

    /// Tries the simpler forms of the smallest game, until none of them fails in the same way.
    fn try_all(&mut self, forms: impl Fn(&Scenario) -> Vec<Scenario>) {
        let mut number = 0;
        loop {
            let Some(form) = forms(&self.best).into_iter().nth(number) else { return };
            if self.left == 0 {
                return;
            }
            let simpler = simpler::normalised(form);
            // After a success, continue with the forms of the new game, at the same number.
            if simpler == self.best || !self.accepts(simpler) {
                number += 1;
            }
        }
    }
}
