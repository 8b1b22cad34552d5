//! Old names of the engine, which work until 0.3.0. A name that is removed earlier breaks this file.

#![allow(deprecated, reason = "these tests use deprecated names")]

use waymarch::avoid::{Crowd, Fine};
use waymarch::base::{
    Angle, CellRect, Fixed, GridSize, LocomotorId, OpenEntry, OpenList, SizeClass, Vec2, WorldPos, cell,
};
use waymarch::cost::{CostLayer, CostSettings, Map, Rules, StampId, StepRule};
use waymarch::flow::tiles::{FlowTarget, NoHeading, TileAim, TileFlows, TileSettings};
use waymarch::flow::whole::{FieldKey, WholeField, WholeScratch};
use waymarch::groups::{
    ClearLine, Formation, Formations, GoalArea, Member, Muster, OpenFooting, RouteGate, Station,
    StationRequest, WayGate,
};
use waymarch::planners::{FarScratch, FarSearch, LegSearch, hpa, hpa_with};
use waymarch::query::{Goal, PathQuery, PlanError, Smoothing, Threat};
use waymarch::search::{NoProbe, Route, SearchRun, SearchScratch, WeightedPlanes};
use waymarch::sectors::Doors;
use waymarch::service::{PathReason, PathStatus};
use waymarch::world::{GiveUp, GroupId, TickPhase, UnitId, World};

fn flat_layer() -> CostLayer {
    let map = Map::flat("field", GridSize::new(200, 100).unwrap(), Rules::spec_000()).validate().unwrap();
    CostLayer::new(&map, CostSettings::default())
}

#[test]
fn deprecated_methods_have_their_old_signatures() {
    let _: fn(&mut Crowd, usize, Fine) = Crowd::set_spot;
    let _: fn(&Crowd, usize) -> Fine = Crowd::spot;
    let _: fn(&Crowd) -> &[Fine] = Crowd::wanted;
    let _: fn(&CostLayer, StampId, SizeClass) -> Option<CellRect> = CostLayer::felt_by;
    let _: fn(&mut WholeField, &CostLayer, &FieldKey, &mut WholeScratch) -> Result<(), PlanError> =
        WholeField::aim;
    let _: fn(&WeightedPlanes, &CostLayer) -> bool = WeightedPlanes::is_up_to_date;
    let _: fn(&World, UnitId) -> bool = World::is_sent_round;
    let _: fn(&World, UnitId) -> bool = World::lets_others_pass;
    let _ = |world: &World, group: GroupId| world.gates_round(group).count();
    let _: fn(RouteGate) -> WayGate = |gate| gate;
}

#[test]
fn deprecated_names_of_values_are_the_new_values() {
    assert_eq!(Rules::spec_000(), Rules::standard());
    assert_eq!(PathReason::NoWay, PathReason::NoRoute);
    assert_eq!(TickPhase::Lead, TickPhase::Guidance);
    assert_eq!(NoHeading::NoWay, NoHeading::NoRoute);
    assert_eq!(GiveUp::NoWay(PathReason::GoalClosed), GiveUp::NoRoute(PathReason::GoalClosed));
    assert!(PathStatus::Complete.has_way());
    assert_eq!(Smoothing::StringPull, Smoothing::Funnel);
    let point: WorldPos = Vec2::from_cells(3, 4);
    assert_eq!(point.at_height(Fixed::ONE), point);
}

#[test]
fn deprecated_names_of_flows_and_open_lists_do_the_same() {
    let layer = flat_layer();
    let mut flows = TileFlows::new(&layer, StepRule::default(), TileSettings::default());
    let target: TileAim = FlowTarget::new(LocomotorId(0), cell(190, 90));
    let flow = flows.open(&layer, target).unwrap();
    assert_eq!(flows.aim(flow), flows.target(flow));
    flows.stock_up();
    let mut list = OpenList::new();
    list.make_room(8);
    list.push(OpenEntry::new(3, 1, 2));
    assert_eq!(list.len(), 1);
}

#[test]
fn deprecated_arrangements_give_the_same_slots() {
    let member =
        |id| Member { id, at: Fine::centre(cell(2, 10)), radius: Fixed::from_raw(400), ..Member::default() };
    let members: Vec<Member> = (0..9).map(member).collect();
    let (mut old, mut new) = (Vec::new(), Vec::new());

    let goal = Goal::rect(CellRect::at(cell(30, 5), 20, 20));
    let map = CellRect::at(cell(0, 0), 64, 64);
    let centre = Fine::centre(cell(2, 14));
    let request = Muster { formation: &Formation::Box, centre, facing: Angle::ZERO, gap: Fixed::ZERO };
    let mut formations = Formations::default();
    let before = formations.arrange_within(&goal, map, &request, &members, &OpenFooting, &mut old);
    let area = GoalArea { goal: &goal, map };
    let after = formations.arrange_in_goal(&area, &request, &members, &OpenFooting, &mut new);
    assert_eq!((before.unwrap(), &old), (after.unwrap(), &new));

    let station = Station::Surround { target: Fine::centre(cell(20, 20)), radius: Fixed::from_cells(2) };
    formations.station(&station, Fixed::ZERO, &members, &OpenFooting, &ClearLine, &mut old).unwrap();
    let request = StationRequest { station, gap: Fixed::ZERO, fire: &ClearLine };
    formations.arrange_station(&request, &members, &OpenFooting, &mut new).unwrap();
    assert_eq!(old, new);
}

#[test]
fn deprecated_far_search_finds_the_same_route() {
    let layer = flat_layer();
    let (foot, rule) = (LocomotorId(0).into(), StepRule::default());
    let doors = Doors::new(&layer, foot, rule, Threat::Ignore).unwrap();
    let how = FarSearch { doors: &doors, legs: LegSearch::Astar(rule), short: 16 };
    let query = PathQuery::new(cell(3, 3), cell(190, 90), foot);
    let (mut scratch, mut far) = (SearchScratch::new(), FarScratch::new());
    let (mut old, mut new) = (Route::new(), Route::new());
    hpa_with(&layer, &query, &how, &mut scratch, &mut far, &mut old, &mut NoProbe).unwrap();
    let run = SearchRun { scratch: &mut scratch, out: &mut new, probe: &mut NoProbe };
    hpa(&layer, &query, &how, &mut far, run).unwrap();
    assert_eq!((old.cost, &old.waypoints), (new.cost, &new.waypoints));
}
