//! Whole-map fields whose costs are near the limit of four bytes.

use waymarch::base::{CellPos, LocomotorId, Tick, cell};
use waymarch::cost::{CostLayer, CostSettings, Falloff, StepRule, ThreatSource};
use waymarch::flow::whole::{FieldKey, Followed, Keep, WholeField, WholeScratch};
use waymarch::query::Threat;
use waymarch_testkit::grids::Grid;

/// One winding corridor of rows with walls between them, on a map four times as large. Returns the map and its cells from the goal on.
fn snake(cells: usize, cheap: usize) -> (Grid, Vec<CellPos>) {
    let side = 400;
    let mut grid = Grid::filled(side, side, 255);
    let (mut corridor, mut at, mut east) = (Vec::new(), (0, 0), true);
    while corridor.len() < cells {
        corridor.push(cell(at.0, at.1));
        let cost = if corridor.len() <= cheap { 1 } else { 254 };
        grid.set(at, cost);
        let turn = at.0 == if east { side as i32 - 1 } else { 0 };
        if at.1 % 2 == 1 || turn {
            // Two rows down at the end of a row, then in the other direction.
            east = if at.1 % 2 == 1 { !east } else { east };
            at.1 += 1;
        } else {
            at.0 += if east { 1 } else { -1 };
        }
    }
    (grid, corridor)
}

#[test]
fn threat_near_the_goal_made_a_long_route_cost_more_than_four_bytes_hold() {
    // 2^32 is the cost of 16,512 straight steps onto cells of cost 254. Threat raises 100 of the 200 cheap cells to that cost.
    for (cells, fits) in [(16_000, true), (16_600, true), (16_620, false), (16_650, false), (16_690, false)] {
        let (grid, corridor) = snake(cells, 200);
        let map = grid.to_map("snake").validate().expect("legal");
        let mut layer = CostLayer::new(&map, CostSettings::default());
        let key = FieldKey::new(LocomotorId(0), corridor[0]).with_threat(Threat::Heed);
        let (rule, mut scratch) = (StepRule::default(), WholeScratch::new());
        let mut field = WholeField::new(&layer, &key, rule, Keep::Costs, &mut scratch).expect("legal");
        let narrow = field.memory_bytes();
        let mut follow = |layer: &CostLayer| {
            let followed = field.follow(layer, &mut scratch).expect("legal");
            let rebuilt = WholeField::new(layer, &key, rule, Keep::Costs, &mut scratch).expect("legal");
            assert!(field == rebuilt, "{cells} {followed:?}");
            (followed, field.cost_to_goal(corridor[cells - 1]).expect("a route").0, field.memory_bytes())
        };
        let source = ThreatSource { at: cell(100, 0), radius: 99, strength: 255, falloff: Falloff::Flat };
        let threat = layer.add_threat(source).expect("on the map");
        layer.advance(Tick(64));
        let (followed, cost, bytes) = follow(&layer);
        assert_eq!(matches!(followed, Followed::Mended(_)), fits, "{cells} {followed:?} {cost}");
        assert_eq!((bytes == narrow, cost < 1 << 32), (fits, fits), "{cells} {cost}");
        // Back again: a field with wide costs keeps them and is updated.
        layer.remove_threat(threat).expect("it is there");
        layer.advance(Tick(128));
        let (followed, back, still) = follow(&layer);
        assert!(
            matches!(followed, Followed::Mended(_)) && back < cost && still == bytes,
            "{cells} {followed:?}"
        );
    }
}
