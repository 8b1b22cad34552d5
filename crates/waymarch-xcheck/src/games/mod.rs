//! Whole games: units of several types, every kind of order and command, saved, loaded, restored, recorded and replayed.

mod game;
mod list;
mod observe;
mod random_commands;
mod scripts;

use std::collections::BTreeMap;

use waymarch::base::{ByteReader, ByteWriter, Executor, StateHasher};
use waymarch::world::{Navigator, PathService, Recording, Replay, World};

pub(crate) use game::{Game, small_world};
pub(crate) use list::Spec;

use crate::{Digest, Lines, Options, report};

pub(crate) fn run<E: Executor>(executor: &E, out: &mut Lines<'_>, options: &Options) {
    for mut spec in list::specs() {
        if options.wants("games", spec.name) {
            spec.ticks = options.amount.choose(spec.ticks, spec.ticks / 5);
            play(executor, out, &spec);
        }
    }
}

fn play<E: Executor>(executor: &E, out: &mut Lines<'_>, spec: &Spec) {
    let name = spec.name;
    let mut game = Game::new(spec);
    let (mut events, mut hashes) = (Digest::new(), Digest::new());
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    report!(out, "game.{name} begins with {} units {}", game.world.unit_count(), game.world.state_hash());
    for tick in 1..=spec.ticks {
        give_commands(&mut game, spec, tick);
        game.world.tick_with(executor);
        if let Some(recorder) = &mut game.recorder {
            recorder.ticked(&game.world);
        }
        for event in game.world.events() {
            events.debug_old(event);
            let what = format!("{:?}", event.what);
            let kind = what.split(['(', ' ', '{']).next().unwrap_or_default().to_string();
            *counts.entry(kind).or_default() += 1;
        }
        if tick % 10 == 0 {
            hashes.text(game.world.state_hash());
        }
        if tick % 50 == 0 {
            game.observe();
            game.query();
        }
        if tick % 50 == 0 || tick == spec.ticks {
            let hash = game.world.state_hash();
            let (seen, count) = (game.seen.value(), game.world.unit_count());
            let (events, hashes) = (events.value(), hashes.value());
            report!(
                out,
                "game.{name} {tick} units {count} {hash} events {events:016x} seen {seen:016x} hashes {hashes:016x}"
            );
            for (part, hash) in hash.parts() {
                report!(out, "game.{name} {tick}   {part} {hash:016x}");
            }
        }
        if tick == spec.ticks / 3 {
            load_and_go_on(&mut game, out, spec);
        }
        if tick == spec.ticks / 2 {
            restore(executor, &game, out, spec);
            units_alone(executor, &game.world, out, name);
        }
    }
    let counts: Vec<String> = counts.iter().map(|(kind, count)| format!("{kind}={count}")).collect();
    report!(out, "game.{name} commands {} refused {} events {}", game.done, game.refused, counts.join(" "));
    let (length, digest) = saved(&game.world.save());
    report!(out, "game.{name} ends {} bytes {length} fnv {digest:016x}", game.world.state_hash());
    replay(executor, &mut game, out, name);
}

/// Gives the commands of a tick: those of the script, random ones, and those that move puppets.
pub(crate) fn give_commands(game: &mut Game, spec: &Spec, tick: u32) {
    if let Some(script) = spec.script {
        script(game, tick);
    }
    let mut chances = spec.busy;
    while chances > 0 {
        if game.random.chance(chances.min(1000)) {
            game.random_command(tick, &spec.config);
        }
        chances = chances.saturating_sub(1000);
    }
    if tick % 4 == 0 {
        game.move_puppets();
    }
}

fn saved(bytes: &[u8]) -> (usize, u64) {
    let mut digest = Digest::new();
    digest.bytes(bytes);
    (bytes.len(), digest.value())
}

/// Saves, loads, and goes on with the loaded World.
fn load_and_go_on(game: &mut Game, out: &mut Lines<'_>, spec: &Spec) {
    let name = spec.name;
    let bytes = game.world.save();
    let (length, digest) = saved(&bytes);
    let mut hasher = StateHasher::new();
    hasher.write_raw(&bytes);
    report!(out, "game.{name} saved {length} bytes fnv {digest:016x} xxh {:016x}", hasher.finish());
    match World::load(&bytes) {
        Ok(loaded) => {
            let same = loaded.state_hash().first_difference(&game.world.state_hash());
            report!(out, "game.{name} loaded, differs in {same:?}, bytes equal {}", loaded.save() == bytes);
            game.world = loaded;
            game.use_planner(spec.planner);
        }
        Err(error) => report!(out, "game.{name} refuses its own save: {error}"),
    }
}

/// Restores a copy that has run 15 ticks ahead, and lets it run these ticks again.
fn restore<E: Executor>(executor: &E, game: &Game, out: &mut Lines<'_>, spec: &Spec) {
    let name = spec.name;
    let bytes = game.world.save();
    let mut ahead = game.world.clone();
    (0..15).for_each(|_| ahead.tick_with(executor));
    let there = ahead.state_hash();
    if let Err(error) = ahead.restore(&bytes) {
        return report!(out, "game.{name} refuses to restore its own save: {error}");
    }
    if let Some(name) = spec.planner {
        ahead.set_planner(waymarch::planners::PlannerList::builtin().take(name));
    }
    let back = ahead.state_hash().first_difference(&game.world.state_hash());
    for _ in 0..15 {
        ahead.tick_with(executor);
        ahead.poison_scratch();
    }
    report!(out, "game.{name} ahead {there} restored, differs in {back:?}, again {}", ahead.state_hash());
}

/// Loads the units alone, with a path service of their own.
fn units_alone<E: Executor>(executor: &E, world: &World, out: &mut Lines<'_>, name: &str) {
    let (mut units, mut nav) = (ByteWriter::new(), ByteWriter::new());
    world.save_units(&mut units);
    world.nav().save(&mut nav);
    let mut digest = Digest::new();
    digest.bytes(units.bytes());
    digest.bytes(nav.bytes());
    let loaded = Navigator::load(&mut ByteReader::new(nav.bytes()))
        .and_then(|nav| World::load_units(PathService::new(nav), &mut ByteReader::new(units.bytes())));
    match loaded {
        Ok(mut world) => {
            (0..5).for_each(|_| world.tick_with(executor));
            digest.text(world.state_hash());
        }
        Err(error) => digest.debug(error),
    }
    out.hash(&format!("game.{name} units alone"), digest);
}

/// Ends the recording, reads it back and replays it.
fn replay<E: Executor>(executor: &E, game: &mut Game, out: &mut Lines<'_>, name: &str) {
    let Some(recorder) = game.recorder.take() else { return };
    let bytes = recorder.finish(&game.world).to_bytes();
    let (length, digest) = saved(&bytes);
    let recording = match Recording::from_bytes(&bytes) {
        Ok(recording) => recording,
        Err(error) => return report!(out, "game.{name} refuses its own recording: {error}"),
    };
    let mut replay = match Replay::new(&recording) {
        Ok(replay) => replay,
        Err(error) => return report!(out, "game.{name} cannot be replayed: {error}"),
    };
    let result = loop {
        match replay.step(executor) {
            Ok(true) => {}
            ended => break ended,
        }
    };
    let (compared, hash) = (replay.compared(), replay.world().state_hash());
    report!(
        out,
        "game.{name} recording {length} bytes fnv {digest:016x} replay {result:?} compared {compared} {hash}"
    );
}
