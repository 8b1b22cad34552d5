//! Flow tiles on MovingAI's game maps, when `WAYMARCH_DATA` names them: walks over tiles beside the cheapest routes.

use std::path::{Path, PathBuf};

use waymarch::base::CellPos;
use waymarch::cost::{CostLayer, CostSettings, StepRule, step_length};
use waymarch::flow::tiles::{Breadth, FlowId, TileAim, TileFlows, TileReader, TileSettings};
use waymarch::flow::whole::{Flow, FlowByte};
use waymarch::query::{PathQuery, Threat};
use waymarch::search::{Route, SearchScratch, astar};
use waymarch::sectors::{DoorRoute, DoorScratch, Doors};
use waymarch_maps::movingai::{read_map, read_scen};
use waymarch_testkit::data::data_dir;

/// Those made for games, and cities; mazes, rooms and rubble are not.
const GAMES: [&str; 6] = ["bg512", "cities", "da2", "dao", "sc1", "wc3maps512"];

fn scenarios(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            scenarios(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "scen") {
            found.push(path);
        }
    }
}

/// What following the tiles costs; every cell at most once.
fn walk(layer: &CostLayer, flows: &mut TileFlows, id: FlowId, from: CellPos) -> Option<u64> {
    let (mut at, mut paid) = (from, 0);
    let mut reader = TileReader::new();
    let field = layer.field(flows.aim(id)?.agent)?;
    for _ in 0..=layer.grid().cells() {
        match flows.byte(layer, id, at, &mut reader).map(FlowByte::flow)? {
            Flow::Goal => return Some(paid),
            Flow::Step(dir) => {
                at = at.step(dir);
                paid += u64::from(step_length(dir)) * u64::from(field.cost(at));
            }
            Flow::Nowhere | Flow::Closed => return None,
        }
    }
    panic!("a loop from {from}")
}

#[test]
fn walks_over_tiles_are_hardly_dearer_than_the_best() {
    let Some(data) = data_dir() else { return };
    let mut found = Vec::new();
    for folder in
        GAMES.iter().map(|folder| data.join("movingai").join(folder)).filter(|folder| folder.is_dir())
    {
        scenarios(&folder, &mut found);
    }
    assert!(found.len() >= 10, "{} scenarios", found.len());
    let rule = StepRule::default();
    let (mut search, mut best) = (SearchScratch::new(), Route::new());
    let (mut scratch, mut route) = (DoorScratch::default(), DoorRoute::default());
    let (mut sum, mut count, mut worst) = (0, 0, (0, String::new()));
    for scen in &found {
        let map_path = scen.with_extension("");
        let name = map_path.file_stem().and_then(|stem| stem.to_str()).expect("a name").to_string();
        let map = read_map(&name, &std::fs::read(&map_path).expect("the map")).expect("a legal map");
        let map = map.validate().expect("a legal map");
        let scenario = read_scen(&name, &std::fs::read(scen).expect("the scenario")).expect("legal");
        let layer = CostLayer::new(&map, CostSettings::default());
        let foot = map.rules().locomotor("foot").expect("MovingAI's rules have it");
        let doors = Doors::new(&layer, foot.into(), rule, Threat::Ignore).expect("known");
        let mut flows = TileFlows::new(&layer, rule, TileSettings::default());
        for asked in scenario.queries.iter().step_by(1 + scenario.queries.len() / 25) {
            let (from, to) = (asked.start, asked.goal);
            if astar(&layer, &PathQuery::new(from, to, foot), rule, &mut search, &mut best).is_err()
                || best.cost.0 == 0
            {
                continue;
            }
            assert!(doors.route(&layer, from, to, &mut scratch, &mut route), "{name} {from} {to}");
            let id = flows.open(&layer, TileAim::new(foot, to)).expect("open");
            flows.widen(&layer, id, &route, Breadth::Around);
            flows.finish(&layer, id);
            let paid = walk(&layer, &mut flows, id, from).expect("there is a way");
            assert!(paid >= best.cost.0 && paid <= route.cost, "{name} {from} {to}");
            // In millionths.
            let ratio = paid * 1_000_000 / best.cost.0;
            (sum, count) = (sum + ratio, count + 1);
            worst = worst.max((ratio, format!("{name} {from} to {to}")));
            flows.close(id);
        }
    }
    println!("{count} walks, in millionths of the best: mean {}, worst {worst:?}", sum / count);
    assert!(sum <= 1_020_000 * count && worst.0 <= 1_100_000, "{sum} {count} {worst:?}");
}
