//! Simpler forms of a game: fewer actions, fewer units, a smaller map, settings at their defaults.

use std::ops::Range;

use waymarch::base::{SizeClass, Tick};
use waymarch::config::Config;
use waymarch::cost::{FootCell, Rules, Stamp, TerrainId};
use waymarch::query::{Goal, Shape};
use waymarch::world::{UnitType, When};
use waymarch_maps::scenario::{Action, Group, GroupOrder, OrderTarget, Placement, Scenario, ScheduledAction};
use waymarch_maps::yaml::{config_keys, with_setting};

/// The game without these actions.
pub(super) fn without_actions(game: &Scenario, dropped: Range<usize>) -> Scenario {
    let mut simpler = game.clone();
    simpler.actions.drain(dropped);
    normalised(simpler)
}

/// The game without these squads.
pub(super) fn without_squads(game: &Scenario, dropped: Range<usize>) -> Scenario {
    let kept = |squad: &usize| !dropped.contains(squad);
    let moved = |squad: usize| if squad < dropped.start { squad } else { squad - dropped.len() };
    let mut simpler = game.clone();
    simpler.squads.drain(dropped.clone());
    for group in &mut simpler.groups {
        group.squads = group.squads.iter().copied().filter(kept).map(moved).collect();
    }
    simpler.actions.retain(|scheduled| !matches!(scheduled.action, Action::Spawn(squad) if !kept(&squad)));
    for scheduled in &mut simpler.actions {
        if let Action::Spawn(squad) = &mut scheduled.action {
            *squad = moved(*squad);
        }
    }
    normalised(simpler)
}

/// The game in a form that a scenario file can express: no squads without units, no empty groups, and no names before an action gives them.
pub(super) fn normalised(mut game: Scenario) -> Scenario {
    let empty = game.squads.iter().position(|squad| squad.place.count() == 0);
    if let Some(empty) = empty {
        return without_squads(&game, empty..empty + 1);
    }
    // A group stays if a squad's own entry names it, or an action does.
    let first_of = |squad: usize| game.groups.iter().position(|group| group.squads.contains(&squad));
    let own: Vec<Option<usize>> = (0..game.squads.len()).map(first_of).collect();
    let is_kept = |number: usize, group: &Group| {
        let is_named =
            own.contains(&Some(number)) || game.actions.iter().any(|all| names_group(&all.action, number));
        is_named && !group.squads.is_empty()
    };
    let kept: Vec<bool> =
        game.groups.iter().enumerate().map(|(number, group)| is_kept(number, group)).collect();
    let new_group: Vec<Option<usize>> =
        (0..kept.len()).map(|at| kept[at].then(|| kept[..at].iter().filter(|&&kept| kept).count())).collect();
    let mut at = 0;
    game.groups.retain(|_| {
        at += 1;
        kept[at - 1]
    });
    let mut new_name: Vec<Option<usize>> = vec![None; game.names.len()];
    let mut names = Vec::new();
    let mut actions = Vec::new();
    for mut scheduled in game.actions {
        if let Action::Place { name: Some(name), .. }
        | Action::Threat(_, Some(name))
        | Action::ThreatOf(_, Some(name), _) = &mut scheduled.action
        {
            let new = new_name[*name].get_or_insert_with(|| {
                names.push(format!("n{}", names.len()));
                names.len() - 1
            });
            *name = *new;
            actions.push(scheduled);
            continue;
        }
        if let Some(action) = renamed(scheduled.action, &new_group, &new_name) {
            actions.push(ScheduledAction { action, ..scheduled });
        }
    }
    (game.names, game.actions) = (names, actions);
    game
}

/// Whether an action names a group.
fn names_group(action: &Action, number: usize) -> bool {
    let Action::Order { group, order, .. } = action else { return false };
    let other = match order {
        GroupOrder::FollowGroup(other, _) | GroupOrder::Follow(other, _) | GroupOrder::Join(other) => {
            Some(*other)
        }
        GroupOrder::Guard(OrderTarget::Group(other), _)
        | GroupOrder::Around(OrderTarget::Group(other), _) => Some(*other),
        _ => None,
    };
    *group == number || other == Some(number)
}

/// The action with new indices of groups and names; `None` if one of them is gone.
fn renamed(action: Action, groups: &[Option<usize>], names: &[Option<usize>]) -> Option<Action> {
    let target = |target: OrderTarget| {
        Some(match target {
            OrderTarget::Cell(at) => OrderTarget::Cell(at),
            OrderTarget::Group(group) => OrderTarget::Group(groups[group]?),
            OrderTarget::Stamp(name) => OrderTarget::Stamp(names[name]?),
        })
    };
    Some(match action {
        Action::Order { group, order, when } => {
            let order = match order {
                GroupOrder::FollowGroup(other, distance) => GroupOrder::FollowGroup(groups[other]?, distance),
                GroupOrder::Follow(other, distance) => GroupOrder::Follow(groups[other]?, distance),
                GroupOrder::Join(other) => GroupOrder::Join(groups[other]?),
                GroupOrder::Guard(at, leash) => GroupOrder::Guard(target(at)?, leash),
                GroupOrder::Around(at, how) => GroupOrder::Around(target(at)?, how),
                other => other,
            };
            Action::Order { group: groups[group]?, order, when }
        }
        Action::Remove(name) => Action::Remove(names[name]?),
        Action::Gate(name, gate) => Action::Gate(names[name]?, gate),
        other => other,
    })
}

/// The game with all settings at their defaults, then with one setting at a time at its default.
pub(super) fn simpler_settings(game: &Scenario) -> Vec<Scenario> {
    let with = |config: Config| {
        let mut simpler = game.clone();
        simpler.setup.config = config;
        simpler
    };
    let usual = config_keys(&Config::default());
    let changed = config_keys(&game.setup.config).into_iter().zip(usual).filter(|(own, usual)| own != usual);
    let one = |(_, usual): (_, waymarch_maps::yaml::ConfigKey)| {
        with_setting(&game.setup.config, usual.key, &usual.value).ok().map(with)
    };
    let singles: Vec<Scenario> = changed.filter_map(one).collect();
    let all = (!singles.is_empty()).then(|| with(Config::default()));
    all.into_iter().chain(singles).collect()
}

/// The game on simpler ground: without heights, stamps, speeds and rules of its own; with open cells in halves, quarters and so on.
pub(super) fn simpler_ground(game: &Scenario) -> Vec<Scenario> {
    let mut forms = Vec::new();
    let mut form = |change: &dyn Fn(&mut Scenario)| {
        let mut simpler = game.clone();
        change(&mut simpler);
        forms.push(simpler);
    };
    form(&|game| game.setup.map.elevation.clear());
    form(&|game| game.setup.map.stamps.clear());
    for number in 0..game.setup.map.stamps.len() {
        form(&|game| _ = game.setup.map.stamps.remove(number));
        form(&|game| game.setup.map.stamps[number].stamp.cells.fill(FootCell::Blocked));
    }
    form(&|game| game.setup.map.rules.speeds.clear());
    form(&|game| game.setup.seed = 0);
    let standard = Rules::standard();
    let types = &game.types;
    let fits = |rules: &Rules| {
        let edits = game.actions.iter().all(|scheduled| match &scheduled.action {
            Action::Terrain(_, terrain) => terrain.index() < rules.terrains.len(),
            Action::Place { stamp, .. } => stamp.check(rules.terrains.len()).is_ok(),
            _ => true,
        });
        edits
            && game.setup.map.terrain.iter().all(|terrain| terrain.index() < rules.terrains.len())
            && types.iter().all(|kind| kind.agent.locomotor.index() < rules.locomotors.len())
    };
    if game.setup.map.rules.terrains.len() != standard.terrains.len() && fits(&standard) {
        form(&|game| {
            game.setup.map.rules = Rules { speeds: Vec::new(), ..Rules::standard() };
        });
    }
    let cells = game.setup.map.terrain.len();
    let mut run = cells;
    while run > 0 && cells / run <= 64 {
        for first in (0..cells).step_by(run) {
            let part = first..(first + run).min(cells);
            if game.setup.map.terrain[part.clone()].iter().any(|terrain| terrain.0 != 0) {
                form(&|game| game.setup.map.terrain[part.clone()].fill(TerrainId(0)));
            }
        }
        run /= 2;
    }
    forms
}

/// The game with simpler units: without types that no squad uses, with default values of the other types, with fewer units in squads.
pub(super) fn simpler_units(game: &Scenario) -> Vec<Scenario> {
    let mut forms = Vec::new();
    for kind in 0..game.types.len() {
        let used = game.squads.iter().any(|squad| squad.kind.index() == kind);
        if !used {
            let mut simpler = game.clone();
            simpler.types.remove(kind);
            let later = simpler.squads.iter_mut().filter(|squad| squad.kind.index() > kind);
            later.for_each(|squad| squad.kind.0 -= 1);
            forms.push(simpler);
            continue;
        }
        let own = &game.types[kind];
        let small = waymarch::base::Agent { size: SizeClass::ONE, ..own.agent };
        for usual in [
            UnitType::new(own.name.clone(), own.agent),
            UnitType::vehicle(own.name.clone(), own.agent),
            UnitType { speed: own.speed, ..UnitType::new(own.name.clone(), own.agent) },
            UnitType { agent: small, radius: UnitType::new("", small).radius, ..own.clone() },
        ] {
            let mut simpler = game.clone();
            simpler.types[kind] = usual;
            forms.push(simpler);
        }
    }
    for squad in 0..game.squads.len() {
        if let Placement::Cells(cells) = &game.squads[squad].place {
            for place in (0..cells.len()).filter(|_| cells.len() > 1) {
                let mut simpler = game.clone();
                let mut fewer = cells.clone();
                fewer.remove(place);
                simpler.squads[squad].place = Placement::Cells(fewer);
                forms.push(simpler);
            }
        }
        let mut simpler = game.clone();
        simpler.squads[squad].facing = waymarch::base::Angle::ZERO;
        simpler.squads[squad].owner = waymarch::world::PlayerId(0);
        forms.push(simpler);
    }
    forms
}

/// The game with simpler actions: they happen once and are not queued, stamps are small and solid, and fewer settings change.
pub(super) fn simpler_actions(game: &Scenario) -> Vec<Scenario> {
    let mut forms = Vec::new();
    for (number, scheduled) in game.actions.iter().enumerate() {
        let mut form = |action: Action| {
            let mut simpler = game.clone();
            simpler.actions[number].action = action;
            simpler.actions[number].repeat = None;
            forms.push(simpler);
        };
        if scheduled.repeat.is_some() {
            form(scheduled.action.clone());
        }
        match &scheduled.action {
            Action::Order { group, order, when } => {
                if *when == When::Queued {
                    form(Action::Order { group: *group, order: order.clone(), when: When::Now });
                }
                if let GroupOrder::Move(goal) = order
                    && !matches!(goal, Goal::In(Shape::Point(_)))
                {
                    let at = game.setup.map.size.rect().cells().find(|&at| goal.contains(at));
                    let to = |at| GroupOrder::Move(Goal::point(at));
                    at.into_iter().for_each(|at| {
                        form(Action::Order { group: *group, order: to(at), when: *when });
                    });
                }
                // A group of one squad.
                for (single, _) in
                    game.groups.iter().enumerate().filter(|(_, group)| group.squads.len() == 1).take(8)
                {
                    if game.groups[*group].squads.len() > 1 {
                        form(Action::Order { group: single, order: order.clone(), when: *when });
                    }
                }
            }
            Action::Place { stamp, position, name } => {
                let (position, name) = (*position, *name);
                if stamp.width > 1 || stamp.height > 1 {
                    let stamp =
                        Stamp { width: 1, height: 1, cells: stamp.cells[..1].to_vec(), ..stamp.clone() };
                    form(Action::Place { stamp, position, name });
                }
                let solid = Stamp { cells: vec![FootCell::Blocked; stamp.cells.len()], ..stamp.clone() };
                if solid != *stamp {
                    form(Action::Place { stamp: solid, position, name });
                }
                if stamp.lifetime.is_some() {
                    form(Action::Place { stamp: Stamp { lifetime: None, ..stamp.clone() }, position, name });
                }
            }
            Action::Configure(changes) if changes.len() > 1 => {
                for place in 0..changes.len() {
                    let mut fewer = changes.clone();
                    fewer.remove(place);
                    form(Action::Configure(fewer));
                }
            }
            _ => {}
        }
    }
    forms
}

/// The game with shorter waits between actions: without one of the waits, with half of it, or with one tick less.
pub(super) fn shorter_waits(game: &Scenario) -> Vec<Scenario> {
    let mut ticks: Vec<u64> = game.actions.iter().map(|scheduled| scheduled.tick.0).collect();
    ticks.extend([0, game.ticks]);
    ticks.sort_unstable();
    ticks.dedup();
    let mut forms = Vec::new();
    for pair in ticks.windows(2) {
        let (from, wait) = (pair[1], pair[1] - pair[0]);
        for less in [wait, wait / 2, 1].into_iter().filter(|&less| less > 0) {
            let mut simpler = game.clone();
            let later = simpler.actions.iter_mut().filter(|scheduled| scheduled.tick.0 >= from);
            later.for_each(|scheduled| {
                scheduled.tick = Tick(scheduled.tick.0 - less);
                if let Some(repeat) = &mut scheduled.repeat {
                    repeat.until = Tick(repeat.until.0.saturating_sub(less).max(scheduled.tick.0));
                }
            });
            simpler.ticks = simpler.ticks.saturating_sub(less).max(1);
            simpler.actions.sort_by_key(|scheduled| scheduled.tick);
            forms.push(simpler);
        }
    }
    forms
}
