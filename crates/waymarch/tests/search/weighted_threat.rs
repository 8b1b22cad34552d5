//! Weighted jump point search while threat moves and terrain changes: costs equal A*'s, or the query is refused because the data are outdated.

use waymarch::base::{Agent, CellPos, CellRect, LocomotorId, SizeClass, Tick, cell};
use waymarch::cost::{
    CornerRule, CostLayer, CostSettings, Falloff, Stamp, StepRule, TerrainId, ThreatId, ThreatSource,
};
use waymarch::query::{PathQuery, PlanError, Threat};
use waymarch::search::{
    Bound, Landmarks, Route, SearchScratch, WeightedPlanes, WeightedSearch, ZoneDistances, astar, jpsw,
};
use waymarch_testkit::grids::{Grid, every_kind};
use waymarch_testkit::splitmix::SplitMix;

const FOOT: LocomotorId = LocomotorId(0);
const RULES: [StepRule; 4] = [
    StepRule::eight(CornerRule::Forbid),
    StepRule::eight(CornerRule::AllowOne),
    StepRule::eight(CornerRule::Allow),
    StepRule::FOUR,
];
const BEHIND: &str = "costs or threat have changed since these planes were last brought up to date";

/// A map whose threat and terrain change.
struct Story {
    layer: CostLayer,
    rng: SplitMix,
    sources: Vec<ThreatId>,
    now: Tick,
}

impl Story {
    fn new(grid: &Grid, seed: u64) -> Self {
        let map = grid.to_map("story").validate().expect("the testkit makes legal maps");
        let layer = CostLayer::new(&map, CostSettings::default());
        Self { layer, rng: SplitMix::new(seed), sources: Vec::new(), now: Tick::ZERO }
    }

    fn below(&mut self, below: u32) -> u32 {
        self.rng.below(below)
    }

    fn somewhere(&mut self) -> CellPos {
        let grid = self.layer.grid();
        cell(self.below(grid.width()) as i32, self.below(grid.height()) as i32)
    }

    fn source(&mut self) -> ThreatSource {
        let falloff = [Falloff::Flat, Falloff::Linear, Falloff::Quadratic][self.below(3) as usize];
        let (radius, strength) = (self.below(12) as u16, self.below(256) as u8);
        ThreatSource { at: self.somewhere(), radius, strength, falloff }
    }

    /// Adds, moves or removes a threat source.
    fn move_threat(&mut self) {
        let source = self.source();
        match self.below(5) {
            0 if !self.sources.is_empty() => {
                let at = self.below(self.sources.len() as u32) as usize;
                self.layer.remove_threat(self.sources.swap_remove(at)).expect("it is there");
            }
            1..=3 if !self.sources.is_empty() => {
                let at = self.below(self.sources.len() as u32) as usize;
                self.layer.set_threat(self.sources[at], source).expect("it is there");
            }
            _ => self.sources.push(self.layer.add_threat(source).expect("on the map")),
        }
    }

    /// Changes terrain or places a stamp.
    fn edit(&mut self) {
        let at = self.somewhere();
        let terrains = self.layer.rules().rules().terrains.len() as u32;
        let terrain = TerrainId(self.below(terrains) as u8);
        if self.below(2) == 0 {
            self.layer.set_terrain(CellRect::at(at, 4, 3), terrain).expect("on the map");
        } else {
            // A stamp at the edge may not fit; then nothing changes.
            let _placed_or_not = self.layer.place(&Stamp::solid(2, 3), at, self.now);
        }
    }

    fn pass(&mut self, ticks: u32) {
        for _ in 0..ticks {
            self.now = self.now.next();
            self.layer.advance(self.now);
        }
    }

    /// Asks random queries between open cells: the answers of `jpsw`, each with A*'s answer.
    fn ask(
        &mut self,
        how: &WeightedSearch<'_>,
        agent: Agent,
        scratch: &mut SearchScratch,
    ) -> Vec<[Result<u64, PlanError>; 2]> {
        let (mut route, mut answers) = (Route::new(), Vec::new());
        for _ in 0..6 {
            let query =
                PathQuery::new(self.somewhere(), self.somewhere(), agent).with_threat(how.planes.threat());
            let fast = jpsw(&self.layer, &query, how, scratch, &mut route).map(|()| route.cost.0);
            let plain = astar(&self.layer, &query, how.planes.rule(), scratch, &mut route);
            answers.push([fast, plain.map(|()| route.cost.0)]);
        }
        answers
    }
}

#[test]
fn planes_that_follow_moving_threat_are_exact_and_outdated_ones_are_refused() {
    let mut scratch = SearchScratch::new();
    let (mut exact, mut refused, mut still_right) = (0, 0, 0);
    for (number, (name, grid)) in every_kind(11, 48, 40).into_iter().enumerate() {
        let mut story = Story::new(&grid, number as u64);
        let rule = RULES[number % 4];
        let agent = Agent { locomotor: FOOT, size: [SizeClass::ONE, SizeClass::TWO][number % 2] };
        let made =
            |story: &Story| WeightedPlanes::new(&story.layer, agent, rule, Threat::Heed).expect("foot");
        let mut planes = made(&story);
        for round in 0..40 {
            story.move_threat();
            if story.below(3) == 0 {
                story.edit();
            }
            let ticks = story.below(6);
            story.pass(ticks);
            let follows = story.below(2) == 0;
            if follows {
                planes.follow(&story.layer);
                assert!(planes == made(&story), "{name}, round {round}");
            }
            let behind = planes != made(&story);
            assert_eq!(planes.is_current(&story.layer), !behind, "{name}, round {round}");
            assert!(!(follows && behind));
            for [fast, plain] in story.ask(&WeightedSearch::new(&planes), agent, &mut scratch) {
                // An illegal query is refused for its own fault, not for outdated data.
                if behind && matches!(plain, Ok(_) | Err(PlanError::Unreachable { .. })) {
                    assert_eq!(fast, Err(PlanError::Unsuited(BEHIND)), "{name}, round {round}");
                    refused += 1;
                } else {
                    assert_eq!(fast, plain, "{name}, round {round}");
                    exact += 1;
                    still_right += u32::from(!follows);
                }
            }
        }
    }
    assert!(exact > 1000 && refused > 300 && still_right > 100, "{exact} {refused} {still_right}");
}

#[test]
fn planes_that_ignore_threat_need_not_follow_it() {
    let mut scratch = SearchScratch::new();
    for (number, (name, grid)) in every_kind(12, 40, 48).into_iter().enumerate() {
        let mut story = Story::new(&grid, 50 + number as u64);
        let agent = Agent::from(FOOT);
        let planes =
            WeightedPlanes::new(&story.layer, agent, RULES[number % 4], Threat::Ignore).expect("foot");
        for _ in 0..10 {
            story.move_threat();
            story.pass(4);
            for [fast, plain] in story.ask(&WeightedSearch::new(&planes), agent, &mut scratch) {
                assert_eq!(fast, plain, "{name}");
            }
        }
    }
}

#[test]
fn outdated_bounds_change_no_answer() {
    let mut scratch = SearchScratch::new();
    for (number, (name, grid)) in every_kind(13, 48, 48).into_iter().enumerate() {
        let mut story = Story::new(&grid, 90 + number as u64);
        let (agent, rule) = (Agent::from(FOOT), RULES[number % 4]);
        let mut planes = WeightedPlanes::new(&story.layer, agent, rule, Threat::Heed).expect("foot");
        let zones = ZoneDistances::new(&story.layer, agent, rule).expect("foot");
        let landmarks = Landmarks::new(&story.layer, agent, rule).expect("foot");
        for round in 0..12 {
            story.edit();
            story.move_threat();
            story.pass(4);
            planes.follow(&story.layer);
            for bound in [Bound::Zones(&zones), Bound::Landmarks(&landmarks)] {
                let how = WeightedSearch::new(&planes).with_bound(bound);
                for [fast, plain] in story.ask(&how, agent, &mut scratch) {
                    assert_eq!(fast, plain, "{name}, round {round}");
                }
            }
        }
    }
}

#[test]
fn threat_that_shows_after_planes_were_made_is_noticed_at_once() {
    let mut story = Story::new(&Grid::filled(30, 9, 2), 1);
    let rule = StepRule::default();
    let mut planes = WeightedPlanes::new(&story.layer, FOOT.into(), rule, Threat::Heed).expect("foot");
    let (mut scratch, mut route) = (SearchScratch::new(), Route::new());
    let query = PathQuery::new(cell(0, 4), cell(29, 4), FOOT).with_threat(Threat::Heed);
    let straight = 29 * 1024 * 2;
    let mut ask = |layer: &CostLayer, planes: &WeightedPlanes| {
        jpsw(layer, &query, &WeightedSearch::new(planes), &mut scratch, &mut route).map(|()| route.cost.0)
    };
    assert_eq!(ask(&story.layer, &planes), Ok(straight));
    let source = ThreatSource { at: cell(15, 4), radius: 3, strength: 50, falloff: Falloff::Flat };
    let id = story.layer.add_threat(source).expect("on the map");
    assert_eq!(ask(&story.layer, &planes), Ok(straight), "it does not show yet");
    story.pass(4);
    assert_eq!(ask(&story.layer, &planes), Err(PlanError::Unsuited(BEHIND)));
    planes.follow(&story.layer);
    assert!(ask(&story.layer, &planes).is_ok_and(|cost| cost > straight));
    // The source is back where it was when the planes were built: they are valid again without an update.
    let before = planes.clone();
    story.layer.set_threat(id, ThreatSource { at: cell(3, 0), ..source }).expect("it is there");
    story.pass(4);
    assert_eq!(ask(&story.layer, &before), Err(PlanError::Unsuited(BEHIND)));
    story.layer.set_threat(id, source).expect("it is there");
    story.pass(4);
    assert!(ask(&story.layer, &before).is_ok_and(|cost| cost > straight));
}
