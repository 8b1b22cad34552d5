//! Whole-map fields whose ways cost about as much as four bytes can say.

use waymarch::base::{CellPos, LocomotorId, Tick, cell};
use waymarch::cost::{CostLayer, CostSettings, Falloff, StepRule, ThreatSource};
use waymarch::flow::whole::{FieldKey, Followed, Keep, WholeField, WholeScratch};
use waymarch::query::Threat;
use waymarch_testkit::grids::Grid;

/// A way to and fro, of rows with walls in between, on a map four times as large; its cells from the goal on.
fn snake(cells: usize, cheap: usize) -> (Grid, Vec<CellPos>) {
    let side = 400;
    let mut grid = Grid::filled(side, side, 255);
    let (mut way, mut at, mut east) = (Vec::new(), (0, 0), true);
    while way.len() < cells {
        way.push(cell(at.0, at.1));
        let cost = if way.len() <= cheap { 1 } else { 254 };
        grid.set(at, cost);
        let turn = at.0 == if east { side as i32 - 1 } else { 0 };
        if at.1 % 2 == 1 || turn {
            // Down by two at the end of a row, then back.
            east = if at.1 % 2 == 1 { !east } else { east };
            at.1 += 1;
        } else {
            at.0 += if east { 1 } else { -1 };
        }
    }
    (grid, way)
}

#[test]
fn threat_near_the_goal_made_a_long_way_dearer_than_four_bytes_can_say() {
    // 2^32 is 16,512 straight steps onto cells of cost 254. Threat makes a hundred of the two hundred cheap cells as dear as those.
    for (cells, fits) in [(16_000, true), (16_600, true), (16_620, false), (16_650, false), (16_690, false)] {
        let (grid, way) = snake(cells, 200);
        let map = grid.to_map("snake").validate().expect("legal");
        let mut layer = CostLayer::new(&map, CostSettings::default());
        let key = FieldKey::new(LocomotorId(0), way[0]).with_threat(Threat::Heed);
        let (rule, mut scratch) = (StepRule::default(), WholeScratch::new());
        let mut field = WholeField::new(&layer, &key, rule, Keep::Costs, &mut scratch).expect("legal");
        let narrow = field.memory_bytes();
        let mut follow = |layer: &CostLayer| {
            let followed = field.follow(layer, &mut scratch).expect("legal");
            let anew = WholeField::new(layer, &key, rule, Keep::Costs, &mut scratch).expect("legal");
            assert!(field == anew, "{cells} {followed:?}");
            (followed, field.cost_to_goal(way[cells - 1]).expect("a way").0, field.memory_bytes())
        };
        let source = ThreatSource { at: cell(100, 0), radius: 99, strength: 255, falloff: Falloff::Flat };
        let threat = layer.add_threat(source).expect("on the map");
        layer.advance(Tick(64));
        let (followed, cost, bytes) = follow(&layer);
        assert_eq!(matches!(followed, Followed::Mended(_)), fits, "{cells} {followed:?} {cost}");
        assert_eq!((bytes == narrow, cost < 1 << 32), (fits, fits), "{cells} {cost}");
        // And back: what was widened stays wide, and is mended.
        layer.remove_threat(threat).expect("it is there");
        layer.advance(Tick(128));
        let (followed, back, still) = follow(&layer);
        assert!(
            matches!(followed, Followed::Mended(_)) && back < cost && still == bytes,
            "{cells} {followed:?}"
        );
    }
}
