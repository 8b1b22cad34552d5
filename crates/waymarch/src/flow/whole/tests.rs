//! Tests of damaged fields, which only this module can make.

use alloc::vec;
use alloc::vec::Vec;

use super::{FieldKey, Keep, WalkError, WholeField, WholeScratch};
use crate::base::{CellPos, Dir8, GridSize, LocomotorId, cell};
use crate::cost::{CostLayer, CostSettings, Map, Rules, StepRule};
use crate::flow::dijkstra::{FlowByte, Labels};

fn layer() -> CostLayer {
    let size = GridSize::new(20, 12).expect("legal");
    let map = Map::flat("open", size, Rules::standard()).validate().expect("legal");
    CostLayer::new(&map, CostSettings::default())
}

fn damaged(layer: &CostLayer, keep: Keep, bytes: &[(CellPos, FlowByte)]) -> WholeField {
    let key = FieldKey::new(LocomotorId(0), cell(15, 5));
    let mut field =
        WholeField::new(layer, &key, StepRule::default(), keep, &mut WholeScratch::new()).expect("legal");
    for &(at, byte) in bytes {
        let place = field.padding().pad(at).index();
        field.flow[place] = byte.0;
    }
    field
}

#[test]
fn a_damaged_field_is_noticed_and_never_followed_in_circles() {
    let layer = layer();
    let (west, east) = (FlowByte::step(Dir8::W), FlowByte::step(Dir8::E));
    let damages = [
        ("two cells that point at each other", vec![(cell(7, 5), west)]),
        (
            "a ring",
            vec![
                (cell(9, 5), FlowByte::step(Dir8::N)),
                (cell(9, 4), west),
                (cell(8, 4), FlowByte::step(Dir8::S)),
            ],
        ),
        (
            "off the map",
            (5..15)
                .map(|x| (cell(x, 5), FlowByte::step(Dir8::N)))
                .chain((0..20).map(|x| (cell(x, 4), FlowByte::step(Dir8::N))))
                .chain((0..4).flat_map(|y| (0..20).map(move |x| (cell(x, y), FlowByte::step(Dir8::N)))))
                .collect(),
        ),
        ("a cell on the path leads nowhere", vec![(cell(10, 5), FlowByte::NOWHERE)]),
        ("a cell on the path is closed", vec![(cell(10, 5), FlowByte::CLOSED)]),
        ("a byte that no field writes", vec![(cell(10, 5), FlowByte(0xff))]),
    ];
    for (what, bytes) in damages {
        for keep in [Keep::Costs, Keep::DirectionsOnly] {
            let field = damaged(&layer, keep, &bytes);
            let mut path = vec![cell(1, 1)];
            let walked = match keep {
                Keep::Costs => field.path_into(cell(3, 5), &mut path),
                Keep::DirectionsOnly => field.path_over(&layer, cell(3, 5), &mut path),
            };
            assert!(matches!(walked, Err(WalkError::Corrupt { .. })), "{what} {keep:?} {walked:?}");
            assert_eq!(path, Vec::new(), "{what} {keep:?}");
        }
    }
    let sound = damaged(&layer, Keep::Costs, &[(cell(7, 5), east)]);
    assert!(sound.path_into(cell(3, 5), &mut Vec::new()).is_ok());
}

#[test]
fn a_goal_in_the_wrong_place_and_a_wrong_cost_are_noticed_where_costs_are_kept() {
    let layer = layer();
    let mut path = Vec::new();
    let field = damaged(&layer, Keep::Costs, &[(cell(10, 5), FlowByte::GOAL)]);
    let walked = field.path_into(cell(3, 5), &mut path);
    assert_eq!(walked, Err(WalkError::Corrupt { at: cell(10, 5) }));
    let mut field = damaged(&layer, Keep::Costs, &[]);
    let place = field.padding().pad(cell(8, 5)).index();
    let Labels::Narrow(labels) = &mut field.kept.labels else { panic!("a small map") };
    labels[place] += 8;
    let walked = field.path_into(cell(3, 5), &mut path);
    assert_eq!(walked, Err(WalkError::Corrupt { at: cell(8, 5) }));
}
