//! The extra cost of walks over tiles, from every cell that a flow serves, on every kind of generated map.
//!
//! The same on real maps: `crates/waymarch-maps/tests/maps/tile_routes.rs`.

use std::collections::BTreeSet;

use waymarch::base::{Agent, CellPos, LocomotorId, SizeClass};
use waymarch::cost::{CostLayer, CostSettings, SectorId, StepRule};
use waymarch::flow::tiles::{Breadth, FlowTarget, TileFlows, TileSettings};
use waymarch::query::Threat;
use waymarch::sectors::{DoorRoute, DoorScratch, Doors, Sectors};
use waymarch_testkit::grids::every_kind;
use waymarch_testkit::splitmix::SplitMix;
use waymarch_testkit::tile_walks::{Ratios, walks};
use waymarch_testkit::whole_field::field_cells;

/// Walks from all cells of the room where a flow's only route starts, and from all cells of its corridor after each room of the corridor
/// has added a route.
fn measure(layer: &CostLayer, agent: Agent, flows_wanted: u32, rng: &mut SplitMix) -> [Ratios; 3] {
    let (rule, size) = (StepRule::default(), layer.grid());
    let doors = Doors::new(layer, agent, rule, Threat::Ignore).expect("known");
    let (rooms, sectors) = (Sectors::new(layer, rule), layer.changes().sectors());
    let field = layer.field(agent).expect("known");
    let costs: Vec<u8> = size.rect().cells().map(|at| field.cost(at)).collect();
    let place = |at: CellPos| at.y as usize * size.width() as usize + at.x as usize;
    let (mut scratch, mut route) = (DoorScratch::default(), DoorRoute::default());
    let ([mut camp, mut corridor, mut served], mut done) = ([Ratios::default(); 3], 0);
    for _ in 0..1000 {
        if done == flows_wanted {
            break;
        }
        let mut spot = || CellPos::new(rng.below(size.width()) as i32, rng.below(size.height()) as i32);
        let (from, to) = (spot(), spot());
        if !field.is_passable(to) || !doors.route(layer, from, to, &mut scratch, &mut route) {
            continue;
        }
        done += 1;
        let best = field_cells(&costs, (size.width(), size.height()), rule, &[to]);
        let mut flows = TileFlows::new(layer, rule, TileSettings::default());
        let id = flows.open(layer, FlowTarget::new(agent, to)).expect("open");
        flows.widen(layer, id, &route, Breadth::Around);
        flows.finish(layer, id);
        let first: Vec<SectorId> = flows.corridor(id).collect();
        let cells = || first.iter().flat_map(|&sector| sectors.area(sector).intersect(size.rect()).cells());
        let walked = walks(layer, &mut flows, id, &costs, rule);
        for at in cells() {
            let (Some(paid), Some((best, _))) = (walked[place(at)], best[place(at)]) else { continue };
            corridor.add(paid, best);
            if rooms.room(at, agent) == rooms.room(from, agent) {
                camp.add(paid, best);
            }
        }
        let mut asked = BTreeSet::new();
        for at in cells() {
            let Some(room) = rooms.room(at, agent) else { continue };
            if asked.insert(room) && doors.route(layer, at, to, &mut scratch, &mut route) {
                flows.widen(layer, id, &route, Breadth::Around);
            }
        }
        flows.finish(layer, id);
        let walked = walks(layer, &mut flows, id, &costs, rule);
        for at in cells() {
            let Some((best, _)) = best[place(at)] else { continue };
            served.add(walked[place(at)].expect("every cell with a route has a heading"), best);
        }
    }
    [camp, corridor, served]
}

#[test]
fn from_every_cell_served_tiles_cost_nearly_the_optimum_on_every_kind_of_map() {
    let (mut rng, mut all) = (SplitMix::new(10), [Ratios::default(); 2]);
    for (name, grid) in every_kind(11, 256, 256) {
        let settings =
            CostSettings { sizes: vec![SizeClass::ONE, SizeClass::TWO], ..CostSettings::default() };
        let layer = CostLayer::new(&grid.to_map(name).validate().expect("legal"), settings);
        for size in [SizeClass::ONE, SizeClass::TWO] {
            let agent = Agent { locomotor: LocomotorId(0), size };
            let [camp, corridor, served] = measure(&layer, agent, 5, &mut rng);
            for (what, of) in [("camp", camp), ("corridor", corridor), ("served", served)] {
                let (mean, worst) = (of.mean(), of.worst);
                println!("{name} {size} {what}: {} walks, {mean} {worst} {}", of.count, of.over_ten);
                let bounded = what != "corridor";
                assert!(of.count == 0 || mean <= 1_020_000, "{name} {size} {what}: {of:?}");
                assert!(!bounded || worst <= 1_100_000, "{name} {size} {what}: {of:?}");
                all[usize::from(bounded)].join(of);
            }
        }
    }
    let [unserved, served] = all;
    assert!(served.count > 1_000_000, "{served:?} are too few for a test");
    assert!(
        unserved.over_ten > 0,
        "rooms without a route of their own must cost more somewhere, or the test shows nothing"
    );
}
