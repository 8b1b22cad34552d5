//! Lazy fields equal a slow twin, for any queries in any order, with edits between them.

use proptest::prelude::*;
use waymarch::base::{CellPos, Dir8, HashState, StateHasher, Tick, cell};
use waymarch::flow::lazy::{CLOSED, LazyAnswer, LazyField, LazyFlow, LazySettings, LazySteps, SparseGround};
use waymarch_testkit::lazy_field::{Answer, Twin, TwinField};
use waymarch_testkit::rule::Rule;
use waymarch_testkit::splitmix::SplitMix;

use crate::ground::flow_with;

const BOTH: [LazySteps; 2] = [LazySteps::FourUniform, LazySteps::EightWeighted];

fn as_answer(answer: LazyAnswer) -> Answer {
    match answer {
        LazyAnswer::Go(dir) => Answer::Go(dir.index()),
        LazyAnswer::Arrived => Answer::Arrived,
        LazyAnswer::Unreachable => Answer::Unreachable,
        LazyAnswer::Unknown => Answer::Unknown,
    }
}

/// A flow and its twin, edited together.
struct Pair {
    flow: LazyFlow,
    twin: Twin,
    /// The twin's fields that were computed since the last edit.
    fields: Vec<(CellPos, TwinField)>,
}

impl Pair {
    fn new(rest: u8, settings: LazySettings) -> Self {
        let rule = match settings.steps {
            LazySteps::FourUniform => Rule::Four,
            LazySteps::EightWeighted => Rule::Forbid,
        };
        let (explore, pocket) = (settings.explore_limit as usize, settings.pocket_limit as usize);
        Self {
            flow: flow_with(SparseGround::new(rest), settings),
            twin: Twin::new(rest, rule, explore, pocket),
            fields: Vec::new(),
        }
    }

    fn set(&mut self, at: CellPos, cost: u8) {
        self.flow.set_cost(at, cost);
        self.twin.set(at, cost);
        self.fields.clear();
    }

    /// Asks the flow and the twin; `Err` when they differ.
    fn ask(&mut self, start: CellPos, goal: CellPos) -> Result<Answer, String> {
        if self.fields.iter().all(|(of, _)| *of != goal) {
            self.fields.push((goal, self.twin.field(goal)));
        }
        let field = self.fields.iter().find(|(of, _)| *of == goal).map(|(_, field)| field).expect("made");
        let expected = self.twin.answer(field, start);
        let found = as_answer(self.flow.get_direction(start, goal));
        if found == expected {
            return Ok(found);
        }
        Err(format!("{start} to {goal}: {found:?} instead of {expected:?}"))
    }
}

/// A window of the world near `corner`; all edits and queries are inside.
#[derive(Clone, Copy)]
struct Window {
    corner: CellPos,
    side: u32,
}

impl Window {
    /// A random cell of the window. At the ends of the number range several of them coincide.
    fn cell(self, rng: &mut SplitMix) -> CellPos {
        let (x, y) = (rng.below(self.side) as i32, rng.below(self.side) as i32);
        self.corner.offset(x, y)
    }
}

fn random_cost(rng: &mut SplitMix) -> u8 {
    rng.pick(&[CLOSED, CLOSED, CLOSED, 1, 1, 2, 5, 30, 254])
}

/// Random walls, queries and edits. Returns the number of times that each answer occurred.
fn random_history(seed: u64, steps: LazySteps, corner: CellPos) -> Result<[u32; 4], String> {
    let mut rng = SplitMix::new(seed);
    let settings = LazySettings {
        steps,
        expansion_buffer: 10,
        explore_limit: rng.pick(&[1, 40, 300, 1500]),
        pocket_limit: rng.pick(&[0, 1, 8, 60]),
        max_fields: rng.pick(&[1, 2, 8]),
    };
    let mut pair = Pair::new(rng.pick(&[1, 1, 3, CLOSED]), settings);
    let window = Window { corner, side: rng.pick(&[4, 12, 24, 40]) };
    for _ in 0..rng.below(window.side * window.side) {
        let at = window.cell(&mut rng);
        pair.set(at, random_cost(&mut rng));
    }
    let goals = [window.cell(&mut rng), window.cell(&mut rng), window.cell(&mut rng)];
    let mut seen = [0; 4];
    for tick in 0..40 {
        pair.flow.advance(Tick(tick));
        if rng.chance(300) {
            let at = window.cell(&mut rng);
            pair.set(at, random_cost(&mut rng));
        }
        let answer = pair.ask(window.cell(&mut rng), rng.pick(&goals))?;
        seen[match answer {
            Answer::Go(_) => 0,
            Answer::Arrived => 1,
            Answer::Unreachable => 2,
            Answer::Unknown => 3,
        }] += 1;
    }
    Ok(seen)
}

#[test]
fn answers_are_the_twins_after_any_questions_and_edits() {
    for steps in BOTH {
        let mut seen = [0; 4];
        for seed in 0..250 {
            let counts = random_history(seed, steps, cell(-17, -9)).unwrap_or_else(|e| panic!("{seed}: {e}"));
            (0..4).for_each(|i| seen[i] += counts[i]);
        }
        assert!(seen.iter().all(|&count| count > 100), "every answer occurs often: {seen:?}");
    }
}

#[test]
fn the_ends_of_the_number_range_are_walls() {
    let ends = [i32::MIN, i32::MIN + 1, i32::MAX - 14, i32::MAX - 3];
    for (seed, corner) in (0..).zip(ends.iter().flat_map(|&x| ends.map(|y| cell(x, y)))) {
        for steps in BOTH {
            for round in 0..2 {
                random_history(seed * 10 + round, steps, corner).unwrap_or_else(|e| panic!("{corner}: {e}"));
            }
        }
    }
    // The distance from one end of the range to the other exceeds every limit, and nothing overflows.
    for steps in BOTH {
        let mut flow = flow_with(
            SparseGround::open(),
            LazySettings { steps, explore_limit: 5000, ..LazySettings::default() },
        );
        let (low, high) = (cell(i32::MIN, i32::MIN), cell(i32::MAX, i32::MAX));
        assert_eq!(flow.get_direction(low, high), LazyAnswer::Unknown);
        assert_eq!(flow.get_direction(high, low), LazyAnswer::Unknown);
        assert!(matches!(flow.get_direction(low.offset(7, 9), low), LazyAnswer::Go(_)));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    #[test]
    fn histories_anywhere_match_the_twin(seed: u64, x: i32, y: i32, eight: bool) {
        let steps = BOTH[usize::from(eight)];
        random_history(seed, steps, cell(x, y)).map_err(TestCaseError::fail)?;
    }
}

/// All that a field has explored: level, cells with directions, frontier.
fn knowledge(field: &LazyField, flow: &LazyFlow) -> (u64, Vec<(CellPos, Dir8)>, Vec<CellPos>) {
    let frontier = field.frontier(flow.ground()).into_iter().map(|(at, _)| at).collect();
    (field.explored(), field.directions().collect(), frontier)
}

/// A field that was resumed through queries and edits equals one explored at once to the same level, bit for bit: cells,
/// directions and frontier.
#[test]
fn a_resumed_field_equals_one_computed_from_scratch() {
    let mut compared = 0;
    for steps in BOTH {
        for seed in 0..150 {
            let mut rng = SplitMix::new(seed);
            let settings =
                LazySettings { steps, expansion_buffer: 10, pocket_limit: 0, ..LazySettings::default() };
            let mut flow = flow_with(SparseGround::open(), LazySettings { explore_limit: 4000, ..settings });
            let window = Window { corner: cell(-30, -30), side: 60 };
            for _ in 0..900 {
                flow.set_cost(window.cell(&mut rng), random_cost(&mut rng));
            }
            let goal = cell(0, 0);
            flow.set_cost(goal, 1);
            for _ in 0..12 {
                flow.get_direction(window.cell(&mut rng), goal);
                flow.set_cost(window.cell(&mut rng), random_cost(&mut rng));
                let Some(field) = flow.field(goal) else { continue };
                assert!(field.directions().all(|(at, _)| field.inside_boundary(at)));
                // The same number of cells, explored at once: the same levels.
                let limit = u32::try_from(field.explored()).expect("small").max(1);
                let mut fresh =
                    flow_with(flow.ground().clone(), LazySettings { explore_limit: limit, ..settings });
                fresh.get_direction(cell(100_000, 0), goal);
                let again = fresh.field(goal).expect("asked for");
                assert_eq!(knowledge(field, &flow), knowledge(again, &fresh), "{steps:?} {seed}");
                compared += u32::from(field.explored() > 50);
            }
        }
    }
    assert!(compared > 500, "{compared}");
}

/// The same queries in other orders, with other caches and buffers, at other ticks.
#[test]
fn answers_depend_on_no_order_no_cache_and_no_buffer() {
    for steps in BOTH {
        for seed in 0..30 {
            let mut rng = SplitMix::new(seed);
            let mut ground = SparseGround::open();
            let window = Window { corner: cell(-20, -20), side: 40 };
            for _ in 0..600 {
                ground.set_cost(window.cell(&mut rng), random_cost(&mut rng));
            }
            let goals = [window.cell(&mut rng), window.cell(&mut rng), window.cell(&mut rng)];
            let mut questions: Vec<(CellPos, CellPos)> =
                (0..150).map(|_| (window.cell(&mut rng), rng.pick(&goals))).collect();
            let mut answers: Vec<Vec<(CellPos, CellPos, LazyAnswer)>> = Vec::new();
            for (max_fields, expansion_buffer) in [(64, 20), (1, 10), (2, 100)] {
                let settings =
                    LazySettings { steps, max_fields, expansion_buffer, explore_limit: 700, pocket_limit: 9 };
                let mut flow = flow_with(ground.clone(), settings);
                let mut given = Vec::new();
                for &(start, goal) in &questions {
                    flow.advance(Tick(u64::from(rng.below(5))));
                    given.push((start, goal, flow.get_direction(start, goal)));
                    assert!(flow.fields().count() as u32 <= max_fields);
                }
                given.sort_unstable();
                answers.push(given);
                for at in (1..questions.len()).rev() {
                    questions.swap(at, rng.below(at as u32 + 1) as usize);
                }
            }
            assert!(answers.windows(2).all(|pair| pair[0] == pair[1]), "{steps:?} {seed}");
        }
    }
}

/// Each step along the answers lowers the remaining cost by the cost of the step.
#[test]
fn following_the_answers_costs_the_optimum() {
    for (steps, rule) in [(LazySteps::FourUniform, Rule::Four), (LazySteps::EightWeighted, Rule::Forbid)] {
        let mut pair = Pair::new(1, LazySettings { steps, ..LazySettings::default() });
        let mut rng = SplitMix::new(4);
        let window = Window { corner: cell(0, 0), side: 50 };
        for _ in 0..1200 {
            pair.set(window.cell(&mut rng), random_cost(&mut rng));
        }
        // A closed wall around the area, so that the twin's field is finite.
        for i in -1..=50 {
            for (x, y) in [(i, -1), (i, 50), (-1, i), (50, i)] {
                pair.set(cell(x, y), CLOSED);
            }
        }
        let goal = cell(25, 25);
        pair.set(goal, 1);
        let field = pair.twin.field(goal);
        let mut walked = 0;
        for (&(x, y), &cost) in &field.cost {
            let (mut at, mut left) = (cell(x as i32, y as i32), cost);
            while at != goal {
                let LazyAnswer::Go(dir) = pair.flow.get_direction(at, goal) else { panic!("{at}") };
                at = at.step(dir);
                let weight = if rule == Rule::Four { 1 } else { u64::from(pair.flow.ground().cost(at)) };
                left -= weight * if dir.is_diagonal() { 1448 } else { 1024 };
                walked += 1;
            }
            assert_eq!(left, 0);
        }
        assert!(walked > 5000, "{walked}");
    }
}

#[test]
fn equal_worlds_have_equal_hashes_however_they_came_to_be() {
    let mut rng = SplitMix::new(1);
    let window = Window { corner: cell(-40, -40), side: 80 };
    let mut flow = flow_with(SparseGround::open(), LazySettings::default());
    let empty = StateHasher::hash_of(&flow);
    let mut edited: Vec<CellPos> = (0..2000).map(|_| window.cell(&mut rng)).collect();
    for &at in &edited {
        flow.set_cost(at, random_cost(&mut rng));
    }
    let cells: Vec<(CellPos, u8)> = flow.ground().changed_cells().collect();
    let mut again = SparseGround::open();
    cells.iter().rev().for_each(|&(at, cost)| {
        again.set_cost(at, cost);
    });
    assert_eq!(&again, flow.ground());
    assert_eq!(hash(&again), hash(flow.ground()));
    flow.get_direction(cell(9, 9), cell(90, 9));
    assert_eq!(hash(&flow), hash(&flow_with(again, LazySettings::default())), "questions change no state");
    assert_ne!(hash(&flow), empty);
    edited.reverse();
    edited.iter().for_each(|&at| flow.clear(at));
    assert_eq!((hash(&flow), flow.ground().chunks()), (empty, 0));
    let other = LazySettings { explore_limit: 7, ..LazySettings::default() };
    assert_ne!(hash(&flow_with(SparseGround::open(), other)), empty, "what decides answers is hashed");
}

fn hash(value: &impl HashState) -> u64 {
    StateHasher::hash_of(value)
}
