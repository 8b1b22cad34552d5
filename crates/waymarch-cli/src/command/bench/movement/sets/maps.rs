//! Game maps of the data folder: 20 groups of 50 units march between random places that are far apart.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};

use waymarch::base::{Agent, CellPos, Dir8};
use waymarch::config::Config;
use waymarch::cost::ValidMap;
use waymarch::world::{Navigator, Order, PlayerId, UnitType, World};
use waymarch_maps::LoadOptions;

use super::super::super::cells::chebyshev;
use super::super::super::service::{Places, prepared_navigator};
use super::super::game::OrderedWorld;
use super::super::scene::Scene;
use super::games::EXTRA_TICKS;
use super::{Amount, Set};
use crate::diagnostics::{Failure, Kind};
use crate::load::find_map;

/// 20 groups of 50 units.
const GROUPS: usize = 20;
const MEMBERS: usize = 50;
/// 3 seeds per map; a few means 1.
const SEEDS: [u32; 2] = [3, 1];
/// The folders of game maps in the data folder. Mazes, random maps, rooms and cities are left out.
const FOLDERS: [&str; 6] =
    ["movingai/dao", "movingai/da2", "movingai/sc1", "movingai/wc3maps512", "movingai/bg512", "openra/maps"];

/// One scene per map and seed; none if WAYMARCH_DATA is not set.
///
/// # Errors
/// If the folder that WAYMARCH_DATA names cannot be read.
pub(super) fn scenes(amount: Amount) -> Result<Vec<Scene>, Failure> {
    let Some(data) = data_folder() else { return Ok(Vec::new()) };
    let options = LoadOptions { mod_dir: Some(data.join("openra/mod")), ..LoadOptions::default() };
    let mut scenes = Vec::new();
    for folder in FOLDERS {
        for file in map_files(&data.join(folder))? {
            let folder = folder.rsplit('/').next().filter(|&word| word != "maps").unwrap_or("openra");
            let name = format!("{folder}/{}", file.file_stem().unwrap_or_default().to_string_lossy());
            for seed in amount.seeds(SEEDS) {
                let (word, options) = (file.display().to_string(), options.clone());
                scenes.push(Scene::new(Set::Maps, name.clone(), seed, move || {
                    let world = march(&find_map(&word, &options)?, seed)?;
                    Ok(OrderedWorld { world, max_ticks: EXTRA_TICKS })
                }));
            }
        }
    }
    Ok(scenes)
}

/// The folder that WAYMARCH_DATA names; `None` if it is not set.
pub(super) fn data_folder() -> Option<PathBuf> {
    std::env::var_os("WAYMARCH_DATA").filter(|data| !data.is_empty()).map(PathBuf::from)
}

/// The maps in a folder, by name.
fn map_files(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let wrong = |error: std::io::Error| {
        let message = format!("WAYMARCH_DATA: {}: {error}", folder.display());
        Failure::new(Kind::File, message).help("correct it, or unset it")
    };
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(wrong)? {
        let path = entry.map_err(wrong)?.path();
        let ending = path.extension().unwrap_or_default();
        if path.is_dir() || ending == "map" || ending == "oramap" {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// Groups in camps. Each unit starts on a cell of its own, and each group has a goal at least half of the map away.
fn march(map: &ValidMap, seed: u32) -> Result<World, Failure> {
    let (nav, agent) = prepared_navigator(map, Config::default())?;
    let mut places = Places::new(&nav, agent, seed)?;
    let mut world = World::with_seed(nav, u64::from(seed));
    let kind = world.add_type(UnitType::new("soldier", agent)).map_err(Failure::invalid)?;
    let grid = world.nav().layer().grid();
    let mut taken = vec![false; grid.cells()];
    let least = grid.width().min(grid.height()) / 2;
    for _ in 0..GROUPS {
        let is_free = |at: CellPos| grid.id(at).is_some_and(|id| !taken[id.index()]);
        let camp = places.draw(world.nav(), is_free)?;
        let cells = camp_cells(world.nav(), agent, camp, &mut taken);
        let units = world.spawn_many(kind, PlayerId(0), &cells).map_err(Failure::invalid)?;
        let nav = world.nav();
        let far = places.draw(nav, |at| chebyshev(at, camp) >= least);
        // The ground that can be reached may be smaller than that.
        let goal = far.or_else(|_| places.draw(nav, |_| true))?;
        world.order(&units, Order::move_to(goal)).map_err(Failure::invalid)?;
    }
    Ok(world)
}

/// The 50 free cells nearest to the middle of a camp, in steps. They are taken then.
fn camp_cells(nav: &Navigator, agent: Agent, camp: CellPos, taken: &mut [bool]) -> Vec<CellPos> {
    let grid = nav.layer().grid();
    let mut seen = vec![false; grid.cells()];
    let (mut open, mut cells) = (VecDeque::from([camp]), Vec::with_capacity(MEMBERS));
    while let Some(at) = open.pop_front().filter(|_| cells.len() < MEMBERS) {
        let Some(id) = grid.id(at).filter(|&id| !seen[id.index()] && nav.reachable(camp, at, agent)) else {
            continue;
        };
        seen[id.index()] = true;
        if !taken[id.index()] {
            taken[id.index()] = true;
            cells.push(at);
        }
        open.extend(Dir8::STRAIGHT.map(|dir| at.step(dir)));
    }
    cells
}
