//! Lines of sight equal those of a twin that intersects them with every cell: all pairs of cells, every rule and size.

use waymarch::base::{Agent, CellPos, Dir8, Fixed, LocomotorId, SizeClass, Vec2, cell};
use waymarch::cost::{CornerRule, CostLayer, CostSettings, StepRule};
use waymarch::search::{line_of_sight, line_of_sight_between};
use waymarch_testkit::grids::{Grid, every_kind};
use waymarch_testkit::line_of_sight::{Point, body_sees, middle, thin_sees};
use waymarch_testkit::picture::draw_costs;
use waymarch_testkit::rule::{Rule, step_cost};
use waymarch_testkit::splitmix::SplitMix;
use waymarch_testkit::wide_units::field_for_size;

fn layer(grid: &Grid) -> CostLayer {
    layer_up_to(grid, 4)
}

fn layer_up_to(grid: &Grid, side: u8) -> CostLayer {
    let map = grid.to_map("twin").validate().expect("the testkit makes legal maps");
    let sizes = (1..=side).filter_map(SizeClass::new).collect();
    CostLayer::new(&map, CostSettings { sizes, ..CostSettings::default() })
}

/// The twins' answer. For bigger units it is computed from the cells under the body, not from the cost field of the size.
fn twin_sees(grid: &Grid, rule: Rule, size: SizeClass, a: Point, b: Point) -> bool {
    let sides = (grid.width, grid.height);
    match rule {
        Rule::Four | Rule::Forbid => body_sees(&grid.cost, sides, size.side(), a, b),
        Rule::AllowOne | Rule::Allow => {
            let field = field_for_size(&grid.cost, grid.width, grid.height, size.side());
            thin_sees(&field, sides, rule, a, b)
        }
    }
}

fn agent(size: SizeClass) -> Agent {
    Agent { locomotor: LocomotorId(0), size }
}

#[test]
fn all_pairs_see_each_other_exactly_when_the_twin_says_so() {
    for (width, height) in [(11, 8), (7, 13), (2, 9)] {
        for (name, grid) in every_kind(21, width, height) {
            let layer = layer(&grid);
            for &size in layer.sizes() {
                let field = layer.field(agent(size)).expect("a size in use");
                for rule in Rule::ALL {
                    for a in grid.cells() {
                        for b in grid.cells() {
                            let expected = field.is_passable(cell(a.0, a.1))
                                && field.is_passable(cell(b.0, b.1))
                                && twin_sees(&grid, rule, size, middle(a), middle(b));
                            let found =
                                line_of_sight(field, rule.step_rule(), cell(a.0, a.1), cell(b.0, b.1));
                            let drawn = || draw_costs(&grid.cost, width, &[cell(a.0, a.1), cell(b.0, b.1)]);
                            assert_eq!(found, expected, "{name} {rule:?} {size}\n{}", drawn());
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn points_within_cells_see_each_other_exactly_when_the_twin_says_so() {
    let mut rng = SplitMix::new(2);
    let mut seen = [0; 2];
    for seed in 0..12 {
        let (width, height) = (3 + rng.below(12), 3 + rng.below(12));
        for (name, grid) in every_kind(seed, width, height) {
            let layer = layer(&grid);
            for _ in 0..400 {
                // Every other point lies on a quarter of a cell, so that borders, corners and centres occur.
                let step = rng.pick(&[1, 256, 512]);
                let mut coordinate = |side: u32| i64::from(rng.below(side * 1024 / step)) * i64::from(step);
                let (a, mut b) =
                    ((coordinate(width), coordinate(height)), (coordinate(width), coordinate(height)));
                match coordinate(7) % 5 {
                    0 => b.0 = a.0,
                    1 => b.1 = a.1,
                    _ => {}
                }
                let point = |(x, y): Point| Vec2 { x: Fixed::saturate(x), y: Fixed::saturate(y) };
                let size = rng.pick(layer.sizes());
                let rule = rng.pick(&Rule::ALL);
                let field = layer.field(agent(size)).expect("a size in use");
                let expected = twin_sees(&grid, rule, size, a, b);
                let found = line_of_sight_between(field, rule.step_rule(), point(a), point(b));
                let back = line_of_sight_between(field, rule.step_rule(), point(b), point(a));
                let drawn = || draw_costs::<CellPos>(&grid.cost, width, &[]);
                assert_eq!(found, expected, "{name} {rule:?} {size} {a:?} {b:?}\n{}", drawn());
                assert_eq!(back, found, "{name} {rule:?} {size} {a:?} {b:?}\n{}", drawn());
                seen[usize::from(found)] += 1;
            }
        }
    }
    assert!(seen.iter().all(|&count| count > 5000), "both answers occur often: {seen:?}");
}

#[test]
fn neighbours_see_each_other_exactly_when_a_step_between_them_is_legal() {
    for (name, grid) in every_kind(4, 24, 19) {
        let layer = layer(&grid);
        let field = layer.field(agent(SizeClass::ONE)).expect("it exists");
        for rule in [Rule::Forbid, Rule::AllowOne, Rule::Allow] {
            for (x, y) in grid.open_cells() {
                for dir in Dir8::ALL {
                    let to = (x + dir.dx(), y + dir.dy());
                    let legal = step_cost(&grid.cost, (24, 19), rule, (x, y), to).is_ok();
                    let sees = line_of_sight(field, rule.step_rule(), cell(x, y), cell(to.0, to.1));
                    assert_eq!(sees, legal, "{name} {rule:?} ({x}, {y}) {dir:?}");
                }
            }
        }
    }
}

#[test]
fn far_lines_on_the_largest_map_do_not_overflow() {
    let mut grid = Grid::filled(8192, 8192, 1);
    grid.set((4096, 4096), 255);
    let layer = layer_up_to(&grid, 1);
    let field = layer.field(agent(SizeClass::ONE)).expect("it exists");
    for rule in [StepRule::default(), StepRule::eight(CornerRule::Allow)] {
        let sees = |a: CellPos, b: CellPos| line_of_sight(field, rule, a, b);
        assert!(!sees(cell(0, 0), cell(8191, 8191)));
        assert!(!sees(cell(8191, 1), cell(1, 8191)));
        assert!(sees(cell(0, 0), cell(8191, 8180)));
        assert!(sees(cell(8191, 8180), cell(0, 0)));
        assert!(!sees(cell(0, 0), cell(8192, 3)));
        assert!(!sees(cell(i32::MIN, i32::MAX), cell(i32::MAX, i32::MIN)));
    }
}
