//! The bytes that lazy fields hold, as counted by the allocator.

use waymarch::base::{CellPos, cell};
use waymarch::flow::lazy::{CLOSED, LazyAnswer, LazyFlow, LazySettings, LazySteps, SparseGround};
use waymarch_testkit::alloc::{allocations_in, held_by, peak_in};
use waymarch_testkit::grids::every_kind;
use waymarch_testkit::splitmix::SplitMix;

fn flow_on(ground: SparseGround, steps: LazySteps, explore_limit: u32) -> LazyFlow {
    let settings = LazySettings { steps, explore_limit, pocket_limit: 0, ..LazySettings::default() };
    LazyFlow::new(ground, settings.validate().expect("legal settings"))
}

const BOTH: [LazySteps; 2] = [LazySteps::FourUniform, LazySteps::EightWeighted];

/// Bytes per 1000 explored cells, without the frontier, after exploring from `goal` up to the limit.
fn bytes_per_thousand(name: &str, mut flow: LazyFlow, goal: CellPos) -> u64 {
    let (held, _) = held_by(|| flow.get_direction(cell(i32::MAX, 0), goal));
    let field = flow.field(goal).expect("asked for");
    let (directions, frontier) = (field.directions_bytes() as u64, field.frontier_bytes() as u64);
    // The list of fields and the scratch of the pocket do not belong to the field.
    assert!(
        held.abs_diff(directions + frontier) < 4096,
        "{name}: {held} held, {directions} + {frontier} stated"
    );
    let per_thousand = directions * 1000 / field.explored();
    println!("{name}: {} cells, {per_thousand} bytes per 1000, frontier {frontier} bytes", field.explored());
    per_thousand
}

#[test]
fn two_bytes_per_explored_cell_are_enough_on_every_kind_of_ground() {
    for steps in BOTH {
        for limit in [2000, 20_000, 200_000] {
            let flow = flow_on(SparseGround::open(), steps, limit);
            assert!(bytes_per_thousand("open", flow, cell(7, 9)) <= 2000);
        }
        for (name, grid) in every_kind(3, 160, 160) {
            let mut ground = SparseGround::closed();
            for (x, y) in grid.open_cells() {
                ground.set_cost(cell(x, y), grid.cost[grid.index((x, y))]);
            }
            ground.set_cost(cell(i32::MAX, 0), 1);
            let goal = grid.random_open(&mut SplitMix::new(2)).expect("an open cell");
            let flow = flow_on(ground, steps, 1 << 20);
            let per_thousand = bytes_per_thousand(name, flow, goal);
            assert!(per_thousand <= 2000, "{name}");
        }
    }
}

/// The same after many queries, each a little further out, and after edits that keep the field: resuming leaves no garbage.
#[test]
fn a_field_that_was_resumed_often_takes_the_memory_of_one_built_at_once() {
    for steps in BOTH {
        let (goal, mut rng) = (cell(-3, 8), SplitMix::new(5));
        let mut resumed = flow_on(SparseGround::open(), steps, 60_000);
        for _ in 0..3000 {
            let at = cell(rng.below(300) as i32 - 150, rng.below(300) as i32 - 150);
            resumed.set_cost(at, rng.pick(&[CLOSED, 1, 3]));
        }
        resumed.clear(goal);
        for far in 1..400 {
            resumed.get_direction(cell(far, far % 7), goal);
            // A cell beyond the explored area.
            resumed.block(cell(5000 + far, 0));
        }
        resumed.get_direction(cell(i32::MIN, 9), goal);
        let often = resumed.field(goal).expect("asked for");
        assert!(often.explored() >= 60_000, "{}", often.explored());
        let per_thousand = often.directions_bytes() as u64 * 1000 / often.explored();
        assert!(per_thousand <= 2000, "{steps:?}: {per_thousand} bytes per 1000 cells");
        let mut once = flow_on(resumed.ground().clone(), steps, 60_000);
        once.get_direction(cell(i32::MIN, 9), goal);
        let at_once = once.field(goal).expect("asked for");
        assert_eq!(often.explored(), at_once.explored());
        let (often, at_once) = (often.frontier_bytes(), at_once.frontier_bytes());
        assert!(often <= 2 * at_once + 4096, "{steps:?}: frontier {often} beside {at_once} bytes");
    }
}

/// The peak memory of a query depends on the number of explored cells, not on the distance or position of the goal.
#[test]
fn no_memory_is_proportional_to_distances() {
    let (low, high) = (i32::MIN, i32::MAX);
    for steps in BOTH {
        let mut peaks = Vec::new();
        for (start, goal) in [
            (cell(1000, 0), cell(0, 0)),
            (cell(low + 5, low + 5), cell(0, 0)),
            (cell(low, 0), cell(2_000_000_000, -2_000_000_000)),
            (cell(high, low), cell(-2_000_000_000, 2_000_000_000)),
        ] {
            let mut flow = flow_on(SparseGround::open(), steps, 10_000);
            let (peak, answer) = peak_in(|| flow.get_direction(start, goal));
            assert_eq!(answer, LazyAnswer::Unknown);
            peaks.push(peak);
        }
        // The frontier of 10,000 cells; its list grows by doubling.
        assert!(peaks.iter().all(|&peak| peak < 200_000), "{steps:?}: {peaks:?}");
        assert!(peaks.iter().all(|&peak| peak.abs_diff(peaks[0]) < 16_384), "{steps:?}: {peaks:?}");
    }
}

#[test]
fn the_ground_takes_memory_only_where_it_was_edited() {
    let mut ground = SparseGround::open();
    let (held, ()) = held_by(|| {
        for i in 0..1000 {
            ground.set_cost(cell(i * 2_000_000, i32::MIN + i * 2_000_000), CLOSED);
        }
    });
    assert!(held < 1000 * 400, "{held}");
    assert!(held.abs_diff(ground.memory_bytes() as u64) < 64);
}

#[test]
fn queries_from_explored_cells_allocate_nothing() {
    for steps in BOTH {
        let mut flow = flow_on(SparseGround::open(), steps, 1 << 20);
        let goal = cell(5, 5);
        let mut rng = SplitMix::new(1);
        for _ in 0..400 {
            flow.block(cell(rng.below(120) as i32 - 60, rng.below(120) as i32 - 60));
        }
        flow.clear(goal);
        flow.get_direction(cell(100, 100), goal);
        let (count, gone) = allocations_in(|| {
            let mut gone = 0;
            for _ in 0..5000 {
                let start = cell(rng.below(100) as i32 - 50, rng.below(100) as i32 - 50);
                gone += u32::from(matches!(flow.get_direction(start, goal), LazyAnswer::Go(_)));
            }
            gone
        });
        assert_eq!(count.calls, 0, "{steps:?}");
        assert!(gone > 4000, "{gone}");
    }
}
