//! Draws a game.

use waymarch::world::Setup;
use waymarch_maps::scenario::{Group, Scenario};
use waymarch_testkit::splitmix::SplitMix;

use super::draw_actions::ActionDrawer;
use super::draw_map::draw_map;
use super::draw_settings::draw_config;
use super::draw_units::{Ground, draw_squads, draw_types};

/// The game of a seed. The same seed gives the same game.
#[must_use]
pub fn draw_game(seed: u64) -> Scenario {
    let mut rng = SplitMix::new(seed);
    let map = draw_map(&mut rng);
    let config = draw_config(&mut rng);
    let (types, ticks) = (draw_types(&mut rng, &map.rules, &config), draw_ticks(&mut rng));
    let setup = Setup { config, map, seed };
    let ground = Ground::new(&setup);
    let mut scenario = Scenario {
        name: format!("game-{seed}"),
        about: String::from("a random game"),
        setup,
        ticks,
        types,
        squads: Vec::new(),
        groups: Vec::new(),
        names: Vec::new(),
        actions: Vec::new(),
    };
    let later = draw_squads(&mut rng, &ground, &mut scenario);
    draw_groups(&mut rng, &mut scenario);
    ActionDrawer::new(&mut rng, &mut scenario).draw(&later);
    scenario
}

/// Mostly short games: many of them find more than a few long ones.
fn draw_ticks(rng: &mut SplitMix) -> u64 {
    let (least, more) = rng.pick(&[(5, 40), (30, 100), (30, 100), (100, 200), (200, 400)]);
    u64::from(least + rng.below(more))
}

/// One group for each squad, and up to five groups of several.
fn draw_groups(rng: &mut SplitMix, scenario: &mut Scenario) {
    let count = scenario.squads.len();
    for squad in 0..count {
        scenario.groups.push(Group { name: format!("s{squad}"), squads: vec![squad] });
    }
    for number in 0..rng.below(6) {
        let share = rng.pick(&[200, 500, 800, 1000]);
        let squads: Vec<usize> = (0..count).filter(|_| rng.chance(share)).collect();
        if squads.len() > 1 {
            scenario.groups.push(Group { name: format!("g{number}"), squads });
        }
    }
}

#[cfg(test)]
mod tests {
    use waymarch_maps::yaml::{read_scenario, write_scenario};

    use super::*;

    #[test]
    fn a_drawn_game_can_be_played_and_reads_back_as_it_was_written() {
        for seed in 0..60 {
            let game = draw_game(seed);
            assert!(game == draw_game(seed), "{seed}");
            let text = write_scenario("game", &game).unwrap_or_else(|error| panic!("{seed}: {error}"));
            let again = read_scenario("game", text.as_bytes(), &|_| Err("no maps".to_owned()));
            let again = again.unwrap_or_else(|error| panic!("{seed}: {error}"));
            assert!(again == game, "{seed}:\n{text}");
            waymarch_maps::scenario::Simulation::new(game, 0)
                .unwrap_or_else(|error| panic!("{seed}: {error}"));
        }
    }
}
