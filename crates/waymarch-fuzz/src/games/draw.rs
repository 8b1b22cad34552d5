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
        formations: Vec::new(),
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
    use std::collections::BTreeSet;

    use waymarch::cost::GateState;
    use waymarch_maps::scenario::{Action, GroupOrder};
    use waymarch_maps::yaml::{read_scenario, write_scenario};

    use super::super::branch::BranchKind;
    use super::super::draw_map::LONGEST;
    use super::*;

    /// The compiler refuses this function if a kind of action is added: add it to the list below as well.
    fn kind_of(action: &Action) -> &'static str {
        match action {
            Action::Order { order, .. } => match order {
                GroupOrder::Move(_) => "move",
                GroupOrder::Form { .. } => "form",
                GroupOrder::Attack(..) => "attack",
                GroupOrder::FollowGroup(..) => "follow group",
                GroupOrder::Guard(..) => "guard",
                GroupOrder::Around(..) => "around",
                GroupOrder::Spread(_) => "spread",
                GroupOrder::Join(_) => "join",
                GroupOrder::Reform(..) => "reform",
                GroupOrder::Engage => "engage",
                GroupOrder::Resume => "resume",
                GroupOrder::Scatter(_) => "scatter",
                GroupOrder::Opposite(_) => "opposite",
                GroupOrder::Patrol(_) => "patrol",
                GroupOrder::Follow(..) => "follow",
                GroupOrder::Stop => "stop",
                GroupOrder::Hold => "hold",
                GroupOrder::Kill => "kill",
                GroupOrder::Put { .. } => "put",
                GroupOrder::Capture(_) => "capture",
                GroupOrder::Become(_) => "become",
                GroupOrder::Speed(_) => "speed",
                GroupOrder::Conceal(_) => "conceal",
                GroupOrder::Board(_) => "board",
                GroupOrder::Unboard => "unboard",
            },
            Action::Place { .. } => "place",
            Action::Remove(_) => "remove",
            Action::Gate(_, GateState::OpenTo(_)) => "gate of a team",
            Action::Gate(..) => "gate",
            Action::Team(..) => "team",
            Action::Terrain(..) => "terrain",
            Action::Height(..) => "height",
            Action::Threat(..) | Action::ThreatOf(..) => "threat",
            Action::Spawn(_) => "spawn",
            Action::Configure(_) => "configure",
            Action::Reload => "reload",
            Action::Planner(_) => "planner",
            Action::Random(_) => "random",
        }
    }

    /// Kinds of actions, and the smallest and the longest maps.
    const DRAWN: [&str; 41] = [
        "1x1",
        "1x4096",
        "4096x1",
        "around",
        "attack",
        "become",
        "board",
        "capture",
        "conceal",
        "configure",
        "engage",
        "follow",
        "follow group",
        "form",
        "gate",
        "gate of a team",
        "guard",
        "height",
        "hold",
        "join",
        "kill",
        "move",
        "opposite",
        "patrol",
        "place",
        "planner",
        "put",
        "random",
        "reform",
        "reload",
        "remove",
        "resume",
        "scatter",
        "spawn",
        "speed",
        "spread",
        "stop",
        "team",
        "terrain",
        "threat",
        "unboard",
    ];

    #[test]
    fn games_have_every_kind_of_action_and_maps_of_one_cell_and_of_4096_in_a_row() {
        let mut seen = BTreeSet::new();
        for game in (0..600).map(draw_game) {
            let size = game.setup.map.size;
            let sides = [(1, 1, "1x1"), (LONGEST, 1, "4096x1"), (1, LONGEST, "1x4096")];
            let drawn = sides.iter().filter(|(x, y, _)| (size.width(), size.height()) == (*x, *y));
            seen.extend(drawn.map(|(.., name)| *name));
            seen.extend(game.actions.iter().map(|scheduled| kind_of(&scheduled.action)));
        }
        assert!(seen.iter().eq(DRAWN.iter()), "{seen:?}");
    }

    #[test]
    fn every_kind_of_branch_is_drawn() {
        let mut rng = SplitMix::new(3);
        let drawn: Vec<BranchKind> = (0..400).map(|_| BranchKind::draw(&mut rng)).collect();
        for kind in BranchKind::ALL {
            assert!(drawn.contains(&kind), "{kind:?}");
        }
    }

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
