//! The `hello` message: what the page needs to know about the game before the first frame.

use std::sync::LazyLock;

use serde_json::{Value, json};
use waymarch::config::FormationType;
use waymarch::cost::{Surface, TerrainDef};
use waymarch::world::World;
use waymarch_maps::generate::BUILTIN;
use waymarch_maps::scenario::{BUILTIN_SCENARIOS, builtin_scenario};
use waymarch_maps::yaml::config_keys;

use crate::edit_commands::{MAX_BRUSH, STAMPS};
use crate::game::{Game, MAX_GAME_UNITS, MAX_SPAWN};
use crate::overlay::OVERLAYS;
use crate::tick_times::TIMINGS;
use crate::upload::MAX_UPLOAD;

/// The built-in scenarios. Parsing them takes most of a tick's time, so [`prepare`] does it once before the game starts.
static SCENARIOS: LazyLock<Value> = LazyLock::new(|| {
    let scenario = |name: &str| {
        let about = builtin_scenario(name).map(|scenario| scenario.about);
        json!({"name": name, "about": about.unwrap_or_default()})
    };
    BUILTIN_SCENARIOS.iter().map(|(name, _)| scenario(name)).collect()
});

/// Computes the part that all `hello` messages share.
pub(crate) fn prepare() {
    LazyLock::force(&SCENARIOS);
}

/// The message for pages that take part in a game.
pub(crate) fn hello(game: &Game) -> Value {
    let (name, about) = game.about();
    let mut hello = hello_to_watch(game.world(), name, about);
    let stamp = |(name, rows): (&str, &[&str])| json!({"name": name, "width": rows[0].len(), "height": rows.len(), "cells": rows.concat()});
    let overlays = OVERLAYS.iter().map(|overlay| {
        json!({"name": overlay.name, "title": overlay.title, "about": overlay.about,
               "form": overlay.form as u32, "needs": overlay.needs})
    });
    hello["stamps"] = STAMPS.into_iter().map(stamp).collect();
    hello["scenarios"] = SCENARIOS.clone();
    hello["maps"] = BUILTIN.iter().map(|(name, _)| *name).collect();
    hello["scenario"] = json!(game.scenario);
    hello["script"] = json!(game.script_goes_on());
    hello["config"] = settings(game);
    hello["overlays"] = overlays.collect();
    hello["shows"] = json!(game.shows());
    hello["formations"] = FormationType::ALL.iter().map(|formation| formation.name()).collect();
    hello
}

/// Every setting with its value and its value at the start.
fn settings(game: &Game) -> Value {
    let defaults = config_keys(game.first_config());
    let keys = config_keys(game.config()).into_iter().zip(defaults).map(|(key, first)| {
        json!({"key": key.key, "section": key.section, "about": key.about, "range": key.range,
               "value": key.value, "default": first.value})
    });
    keys.collect()
}

/// The `config` message: settings have changed.
pub(crate) fn settings_message(game: &Game) -> Value {
    json!({"is": "config", "config": settings(game)})
}

/// The `hello` message of a game that can only be watched.
pub(crate) fn hello_to_watch(world: &World, name: &str, about: &str) -> Value {
    let layer = world.nav().layer();
    let rules = layer.rules().rules();
    let terrains = rules.terrains.iter().map(|def| json!({"name": def.name, "colour": colour(def)}));
    let types = world.types().iter().map(|kind| {
        let locomotor = rules.locomotors.get(kind.agent.locomotor.index()).map(|def| def.name.as_str());
        json!({"name": kind.name, "locomotor": locomotor.unwrap_or_default(), "size": kind.agent.size.side(),
               "radius": kind.radius.raw(), "speed": kind.speed.raw()})
    });
    let timings = TIMINGS.iter().map(|(name, about, of)| json!({"name": name, "about": about, "of": of}));
    json!({
        "is": "hello", "version": 1, "name": name, "about": about,
        "width": layer.grid().width(), "height": layer.grid().height(),
        "ticks_per_second": world.nav().config().get().ticks_per_second,
        "terrains": terrains.collect::<Value>(), "types": types.collect::<Value>(),
        "timings": timings.collect::<Value>(),
        "stamps": [], "scenarios": [], "maps": [], "scenario": null, "config": [], "overlays": [],
        "limits": {"units": MAX_GAME_UNITS, "spawn": MAX_SPAWN, "brush": MAX_BRUSH, "upload": MAX_UPLOAD},
    })
}

/// The colour of a terrain: its own, or one that matches its name or its surface.
fn colour(def: &TerrainDef) -> String {
    let named = || match def.name.to_lowercase().as_str() {
        "road" => Some([0xb9, 0xa4, 0x7c]),
        "rough" | "hills" => Some([0x9a, 0x95, 0x62]),
        "forest" | "trees" => Some([0x4c, 0x7a, 0x4a]),
        "sand" | "beach" => Some([0xdc, 0xc8, 0x92]),
        "swamp" | "marsh" => Some([0x6b, 0x7f, 0x5a]),
        "snow" | "ice" => Some([0xe4, 0xea, 0xee]),
        "rock" | "wall" => Some([0x6a, 0x66, 0x62]),
        _ => None,
    };
    let usual = match def.surface {
        Surface::Ground => [0x8f, 0xb0, 0x72],
        Surface::Water => [0x4f, 0x83, 0xb5],
        Surface::Cliff => [0x6f, 0x63, 0x58],
        Surface::Air => [0x2a, 0x2c, 0x35],
        Surface::Rubble => [0x9b, 0x8c, 0x7d],
    };
    let [red, green, blue] = def.colour.or_else(named).unwrap_or(usual);
    format!("#{red:02x}{green:02x}{blue:02x}")
}

#[cfg(test)]
mod tests {
    use waymarch::base::GridSize;
    use waymarch::config::Config;
    use waymarch::cost::{Map, Rules};
    use waymarch::world::{Navigator, World};

    use super::hello_to_watch;

    #[test]
    fn pages_are_told_the_tick_rate_of_the_game() {
        for rate in [20, 45] {
            let map = Map::flat("field", GridSize::new(9, 9).unwrap(), Rules::standard());
            let world = World::new(Navigator::new(map, Config::at(rate)).unwrap());
            assert_eq!(hello_to_watch(&world, "a game", "")["ticks_per_second"], rate);
        }
    }
}
