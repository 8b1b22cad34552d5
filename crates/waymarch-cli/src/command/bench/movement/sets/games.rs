//! Scenes from other parts of the program: built-in scenarios, the army, and the own scenes of `bench crowd`.

use waymarch_maps::LoadOptions;
use waymarch_maps::scenario::{BUILTIN_SCENARIOS, Simulation};

use super::super::super::crowd::{own_scene_names, start_own_scene};
use super::super::super::service::{Army, LARGE};
use super::super::game::{ArmyGame, OrderedWorld, ScriptedGame};
use super::super::scene::Scene;
use super::{Amount, Set};
use crate::diagnostics::Failure;
use crate::load::{find_map, find_scenario};

/// A scenario, an army or a map ends after 24,000 ticks (20 minutes); a scenario runs its script before that.
pub(super) const EXTRA_TICKS: u64 = 24_000;
/// The army has 5,000 units and 10 seeds; a few means 1 seed.
const ARMY_UNITS: usize = 5000;
const ARMY_SEEDS: [u32; 2] = [10, 1];
/// The own scenes of `bench crowd` run with 5 seeds.
const CROWD_SEEDS: [u32; 2] = [5, 1];
/// Built-in scenarios, each once: a scenario has its own seed.
pub(super) fn builtin() -> Vec<Scene> {
    let scene = |name: &'static str, seed: u32| {
        Scene::new(Set::Builtin, name, seed, move || {
            let simulation = Simulation::new(find_scenario(name)?, 0).map_err(Failure::invalid)?;
            Ok(ScriptedGame { simulation, extra_ticks: EXTRA_TICKS })
        })
    };
    let seed = |name: &str| find_scenario(name).map_or(0, |scenario| scenario.setup.seed as u32);
    BUILTIN_SCENARIOS.iter().map(|&(name, _)| scene(name, seed(name))).collect()
}

pub(super) fn army(amount: Amount) -> Vec<Scene> {
    let scene = |seed: u32| {
        Scene::new(Set::Army, format!("army_{ARMY_UNITS}"), seed, move || {
            let map = find_map(LARGE, &LoadOptions::default())?;
            let army = Army::new(&map, seed, ARMY_UNITS)?;
            Ok(ArmyGame { army, max_ticks: EXTRA_TICKS })
        })
    };
    amount.seeds(ARMY_SEEDS).map(scene).collect()
}

pub(super) fn crowd(amount: Amount) -> Vec<Scene> {
    let scene = |name: &'static str, seed: u32| {
        Scene::new(Set::Crowd, name, seed, move || {
            let (world, max_ticks) = start_own_scene(name, seed)?;
            Ok(OrderedWorld { world, max_ticks })
        })
    };
    own_scene_names().flat_map(|name| amount.seeds(CROWD_SEEDS).map(move |seed| scene(name, seed))).collect()
}
