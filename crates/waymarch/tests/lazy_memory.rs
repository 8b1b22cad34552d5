//! What lazy fields hold in memory, by the allocator's word.

use waymarch::base::{CellPos, cell};
use waymarch::flow::lazy::{CLOSED, LazyAnswer, LazyFlow, LazySettings, LazySteps, SparseGround};
use waymarch_testkit::alloc::{CountingAllocator, allocations_in, held_by};
use waymarch_testkit::grids::every_kind;
use waymarch_testkit::splitmix::SplitMix;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

fn flow_on(ground: SparseGround, steps: LazySteps, explore_limit: u32) -> LazyFlow {
    let settings = LazySettings { steps, explore_limit, pocket_limit: 0, ..LazySettings::default() };
    LazyFlow::new(ground, settings.validate().expect("legal settings"))
}

const BOTH: [LazySteps; 2] = [LazySteps::FourUniform, LazySteps::EightWeighted];

/// Thousandths of a byte per explored cell, without the frontier, after exploring towards `goal` as far as the limit allows.
fn bytes_per_thousand(name: &str, mut flow: LazyFlow, goal: CellPos) -> u64 {
    let (held, _) = held_by(|| flow.get_direction(cell(i32::MAX, 0), goal));
    let field = flow.field(goal).expect("asked for");
    let (directions, frontier) = (field.directions_bytes() as u64, field.frontier_bytes() as u64);
    // The list of fields and the pocket's scratch are not the field's.
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

#[test]
fn the_world_takes_memory_where_it_was_edited_and_nowhere_else() {
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
fn questions_about_explored_cells_allocate_nothing() {
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
