//! Flow tiles on the real maps in the folder `WAYMARCH_DATA`: the cost of walks over tiles compared with the cheapest routes, from every cell that a flow serves.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use waymarch::base::{Agent, CellPos};
use waymarch::cost::{CostLayer, CostSettings, SectorId, StepRule, ValidMap};
use waymarch::flow::tiles::{Breadth, FlowTarget, TileFlows, TileSettings};
use waymarch::flow::whole::{FieldKey, Keep, WholeField, WholeScratch};
use waymarch::query::Threat;
use waymarch::sectors::{DoorRoute, DoorScratch, Doors, Sectors};
use waymarch_maps::movingai::weighted_rules;
use waymarch_maps::{LoadOptions, load_map, with_rules};
use waymarch_testkit::data::data_dir;
use waymarch_testkit::splitmix::SplitMix;
use waymarch_testkit::tile_walks::{Ratios, walks};

/// Map sets from games and cities; mazes, rooms and rubble are left out.
const GAMES: [&str; 6] = ["bg512", "cities", "da2", "dao", "sc1", "wc3maps512"];

/// Goals per map, each with its own flow.
const FLOWS: u32 = 24;

/// Map files in a folder and its subfolders.
fn maps(folder: &Path, extension: &str, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            maps(&path, extension, found);
        } else if path.extension().is_some_and(|found| found == extension) {
            found.push(path);
        }
    }
}

/// The cost of walks compared with the cheapest routes. A flow *serves* the rooms in which its routes begin. The other rooms of its
/// corridor only give routes room to spread: a unit that starts there without a route of its own may miss a cheaper route outside.
#[derive(Clone, Copy, Default)]
struct Quality {
    /// One flow along one route, from all cells of the room in which the route begins.
    first_room: Ratios,
    /// From all cells of the sectors along the route, served or not.
    passed: Ratios,
    /// From all cells of its corridor, served or not.
    corridor: Ratios,
    /// From the same cells, after the flow got a route from each of their rooms.
    served: Ratios,
}

impl Quality {
    fn join(&mut self, other: Self) {
        self.first_room.join(other.first_room);
        self.passed.join(other.passed);
        self.corridor.join(other.corridor);
        self.served.join(other.served);
    }

    /// Prints the number of walks, mean and worst excess in millionths, and how many exceed ten per cent.
    fn show(&self, name: &str) {
        let each = [
            ("first_room", self.first_room),
            ("passed", self.passed),
            ("corridor", self.corridor),
            ("served", self.served),
        ];
        let text = each.map(|(what, of)| {
            format!("{what} {:7} {:7} {:7} {:5}", of.count, of.mean(), of.worst, of.over_ten)
        });
        println!("{name:28} {}", text.join(" | "));
    }

    fn check(&self, name: &str) {
        for (what, of) in [("first_room", self.first_room), ("served", self.served)] {
            assert!(of.count > 1000, "{name} {what}: {of:?}");
            assert!(of.mean() <= 1_020_000 && of.worst <= 1_100_000, "{name} {what}: {of:?}");
        }
        assert!(self.served.count >= self.corridor.count, "{name}: widening loses no cell");
    }
}

/// Flows between random cells of a map.
fn measure(map: &ValidMap, locomotor: &str, seed: u64) -> Quality {
    let (rule, settings) = (StepRule::default(), CostSettings::default());
    let layer = CostLayer::new(map, settings);
    let agent = Agent::from(map.rules().locomotor(locomotor).expect("there is one"));
    let doors = Doors::new(&layer, agent, rule, Threat::Ignore).expect("known");
    let rooms = Sectors::new(&layer, rule);
    let (field, size) = (layer.field(agent).expect("known"), layer.grid());
    let costs: Vec<u8> = size.rect().cells().map(|at| field.cost(at)).collect();
    let place = |at: CellPos| at.y as usize * size.width() as usize + at.x as usize;
    let mut flows = TileFlows::new(&layer, rule, TileSettings::default());
    let (mut whole, mut scratch, mut route) =
        (WholeScratch::new(), DoorScratch::default(), DoorRoute::default());
    let (mut rng, mut quality, mut done) = (SplitMix::new(seed), Quality::default(), 0);
    for _ in 0..10_000 {
        if done == FLOWS {
            break;
        }
        let mut spot = || CellPos::new(rng.below(size.width()) as i32, rng.below(size.height()) as i32);
        let (from, to) = (spot(), spot());
        let open = field.is_passable(from) && field.is_passable(to) && layer.can_stop(to, agent);
        if !open || from == to || !rooms.reachable(from, to, agent) {
            continue;
        }
        done += 1;
        let key = FieldKey::new(agent, to);
        let best = WholeField::new(&layer, &key, rule, Keep::Costs, &mut whole).expect("legal");
        assert!(doors.route(&layer, from, to, &mut scratch, &mut route), "{from} {to}");
        let id = flows.open(&layer, FlowTarget::new(agent, to)).expect("open");
        flows.widen(&layer, id, &route, Breadth::Around);
        flows.finish(&layer, id);
        let sectors = layer.changes().sectors();
        let cells = |sector| sectors.area(sector).intersect(size.rect()).cells();
        let first: Vec<SectorId> = flows.corridor(id).collect();
        let passed: BTreeSet<SectorId> = route.cells.iter().map(|&at| sectors.of(at)).collect();
        let first_room = rooms.room(from, agent);
        let walked = walks(&layer, &mut flows, id, &costs, rule);
        for at in first.iter().flat_map(|&sector| cells(sector)) {
            let (Some(paid), Some(best)) = (walked[place(at)], best.cost_to_goal(at)) else { continue };
            quality.corridor.add(paid, best.0);
            if passed.contains(&sectors.of(at)) {
                quality.passed.add(paid, best.0);
            }
            if rooms.room(at, agent) == first_room {
                quality.first_room.add(paid, best.0);
            }
        }
        let mut asked = BTreeSet::new();
        for at in first.iter().flat_map(|&sector| cells(sector)) {
            let Some(room) = rooms.room(at, agent) else { continue };
            if asked.insert(room) && doors.route(&layer, at, to, &mut scratch, &mut route) {
                flows.widen(&layer, id, &route, Breadth::Around);
            }
        }
        flows.finish(&layer, id);
        let walked = walks(&layer, &mut flows, id, &costs, rule);
        for at in first.iter().flat_map(|&sector| cells(sector)) {
            let Some(best) = best.cost_to_goal(at) else { continue };
            quality.served.add(walked[place(at)].expect("every cell with a route has a heading"), best.0);
        }
        flows.close(id);
    }
    quality
}

#[test]
fn walks_over_tiles_cost_little_more_than_the_cheapest_routes_on_game_maps() {
    let Some(data) = data_dir() else { return };
    let mut found = Vec::new();
    for folder in
        GAMES.map(|folder| data.join("movingai").join(folder)).iter().filter(|folder| folder.is_dir())
    {
        maps(folder, "map", &mut found);
    }
    assert!(found.len() >= 10, "{} maps", found.len());
    let mut all = Quality::default();
    for (path, seed) in found.iter().zip(1..) {
        let map = load_map(path, &LoadOptions::default()).expect("a legal map").validate().expect("legal");
        let quality = measure(&map, "foot", seed);
        let name = path.file_stem().expect("a name").to_string_lossy();
        quality.show(&name);
        quality.check(&name);
        all.join(quality);
    }
    all.show("all");
    assert!(all.corridor.mean() <= 1_020_000, "{:?}", all.corridor);
}

#[test]
fn walks_over_tiles_cost_little_more_than_the_cheapest_routes_on_weighted_maps() {
    let Some(data) = data_dir() else { return };
    let (mut wc3, mut openra) = (Vec::new(), Vec::new());
    maps(&data.join("movingai").join("wc3maps512"), "map", &mut wc3);
    maps(&data.join("openra").join("maps"), "oramap", &mut openra);
    let mut all = Quality::default();
    for (path, seed) in wc3.iter().chain(&openra).zip(1..) {
        let map = load_map(path, &LoadOptions::default()).expect("a legal map");
        let (map, locomotors) = if wc3.contains(path) {
            (with_rules(map, weighted_rules()).expect("the same terrains"), &["foot", "amphibious"][..])
        } else {
            (map, &["foot", "wheeled"][..])
        };
        let map = map.validate().expect("legal");
        for locomotor in locomotors {
            let quality = measure(&map, locomotor, seed);
            let name = format!("{} {locomotor}", path.file_stem().expect("a name").to_string_lossy());
            quality.show(&name);
            quality.check(&name);
            all.join(quality);
        }
    }
    all.show("all");
    assert!(all.corridor.mean() <= 1_020_000, "{:?}", all.corridor);
}
