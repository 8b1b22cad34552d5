//! `waymarch replay --bisect`: the first tick and subsystem at which two recorded games differ.
//!
//! Both games are played side by side, and the hashes of all subsystems are compared after every tick. Two peers of one game record the
//! same commands; then the replays are equal, and the recorded hashes tell which machine computed another state, and when.

use std::path::{Path, PathBuf};

use indicatif::ProgressBar;
use serde::Serialize;
use waymarch::base::Tick;
use waymarch::world::{Command, HashMark, Order, Recorded, Recording, Serial, UnitId, When, World};
use waymarch_maps::recording::load_recording;
use waymarch_maps::scenario::{Simulation, builtin_scenario};

use crate::diagnostics::{Failure, Kind};
use crate::report::{Lines, Report, Verdict, grouped};
use crate::workers::Workers;

/// Without recordings, a built-in scenario is recorded twice for 200 ticks. In the second one a unit is stopped after 100.
const BUILTIN_TICKS: u64 = 200;
const BUILTIN_STOP: u64 = 100;

/// A tick and the first subsystem, by name, that differs there.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
struct Difference {
    tick: u64,
    /// A subsystem; `setup` for another map, settings or seed; `command` for a command that is refused; `end` for another length.
    part: String,
    /// The last tick that was compared before this one, and at which everything was equal.
    same_until: Option<u64>,
}

/// The first command that differs between the recordings.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
struct CommandDifference {
    /// Its number; the first command has number 0.
    number: usize,
    /// The number of ticks that had passed when it was given; the earlier one if the recordings differ.
    tick: u64,
    /// The command of each recording with this number; `null` if the recording has fewer commands.
    a: Option<String>,
    b: Option<String>,
}

#[derive(Serialize)]
struct Document {
    a: Option<PathBuf>,
    b: Option<PathBuf>,
    ticks: [u64; 2],
    same: bool,
    /// The first of all differences below.
    first: Option<Difference>,
    command: Option<CommandDifference>,
    /// Between the two games, played on this machine.
    replays: Option<Difference>,
    /// Between the recorded hashes.
    recorded: Option<Difference>,
    /// Between each recording's hashes and its own replay on this machine.
    own: [Option<Difference>; 2],
}

/// Compares two recordings; without paths, two that are made here.
pub(super) fn run(paths: [Option<&Path>; 2], workers: &Workers) -> Result<Report, Failure> {
    let (a, b) = match paths {
        [Some(a), Some(b)] => (load_recording(a)?, load_recording(b)?),
        [None, None] => (record_builtin(None)?, record_builtin(Some(BUILTIN_STOP))?),
        _ => {
            let help = "waymarch replay --bisect a.rec b.rec; without recordings it makes two itself";
            return Err(Failure::new(Kind::Usage, "--bisect: name two recordings").help(help));
        }
    };
    let document = compare(&a, &b, paths, workers);
    let text = describe(&document, &a);
    // The two games that are made here differ on purpose.
    let is_found = document.first.as_ref().is_some_and(|first| first.tick == BUILTIN_STOP + 1);
    let good = if paths == [None, None] { is_found } else { document.same };
    Ok(Report::new(text, &document).verdict(if good { Verdict::Good } else { Verdict::Bad }))
}

fn compare(a: &Recording, b: &Recording, paths: [Option<&Path>; 2], workers: &Workers) -> Document {
    let setup =
        (a.setup != b.setup).then(|| Difference { tick: 0, part: String::from("setup"), same_until: None });
    let recorded = first_marks_apart(a, b);
    let (replays, own) = play_side_by_side([a, b], workers);
    let replays = setup.or(replays);
    let length = (a.end != b.end).then(|| Difference {
        tick: a.end.min(b.end).0 + 1,
        part: String::from("end"),
        same_until: Some(a.end.min(b.end).0),
    });
    // Of differences at the same tick, that between the replays is reported, because replays are compared at every tick.
    let first = [&replays, &recorded, &length].into_iter().flatten().min_by_key(|found| found.tick).cloned();
    Document {
        a: paths[0].map(Path::to_owned),
        b: paths[1].map(Path::to_owned),
        ticks: [a.end.0, b.end.0],
        same: first.is_none() && own == [None, None],
        first,
        command: first_commands_apart(&a.commands, &b.commands),
        replays,
        recorded,
        own,
    }
}

/// The first command that differs.
fn first_commands_apart(a: &[Recorded], b: &[Recorded]) -> Option<CommandDifference> {
    let number = (0..a.len().max(b.len())).find(|&number| a.get(number) != b.get(number))?;
    let ticks = [a.get(number), b.get(number)].map(|recorded| recorded.map(|recorded| recorded.tick.0));
    let shown = |recorded: Option<&Recorded>| recorded.map(|recorded| format!("{:?}", recorded.command));
    let tick = ticks.into_iter().flatten().min()?;
    Some(CommandDifference { number, tick, a: shown(a.get(number)), b: shown(b.get(number)) })
}

/// The first tick at which both recordings have hashes and these differ.
fn first_marks_apart(a: &Recording, b: &Recording) -> Option<Difference> {
    let mut same_until = None;
    for one in &a.marks {
        let Ok(place) = b.marks.binary_search_by_key(&one.tick, |mark| mark.tick) else { continue };
        if let Some(part) = part_apart(a, one, b, &b.marks[place]) {
            return Some(Difference { tick: one.tick.0, part, same_until });
        }
        same_until = Some(one.tick.0);
    }
    None
}

/// The first subsystem, by name, that differs between two marks.
fn part_apart(a: &Recording, one: &HashMark, b: &Recording, other: &HashMark) -> Option<String> {
    let of = |recording: &Recording, mark: &HashMark, name: &str| {
        let place = recording.parts.iter().position(|part| part == name)?;
        mark.parts.get(place).copied()
    };
    let mut names: Vec<&String> = a.parts.iter().chain(&b.parts).collect();
    names.sort();
    let apart = names.into_iter().find(|name| of(a, one, name) != of(b, other, name)).cloned();
    apart.or_else(|| (one.total != other.total).then(|| String::from("all")))
}

/// A recorded game that is played again.
struct Player<'a> {
    recording: &'a Recording,
    world: World,
    /// The number of commands given.
    given: usize,
    /// The number of recorded hashes compared.
    marks: usize,
    /// The last tick at which the game was as recorded.
    same_until: Option<u64>,
    own: Option<Difference>,
}

impl<'a> Player<'a> {
    fn new(recording: &'a Recording) -> Result<Self, Difference> {
        let refused = Difference { tick: 0, part: String::from("setup"), same_until: None };
        let world = recording.setup.world().map_err(|_| refused)?;
        Ok(Self { recording, world, given: 0, marks: 0, same_until: None, own: None })
    }

    /// Gives the commands of this tick.
    fn give(&mut self) -> Result<(), Difference> {
        let now = self.world.now();
        while let Some(next) = self.recording.commands.get(self.given).filter(|next| next.tick <= now) {
            self.given += 1;
            if self.world.apply(&next.command).is_err() {
                let same_until = self.same_until;
                return Err(Difference { tick: now.0, part: String::from("command"), same_until });
            }
        }
        Ok(())
    }

    /// Compares the game with the hash that was recorded for this tick, if there is one.
    fn compare_with_recorded(&mut self) {
        let now = self.world.now();
        let recording = self.recording;
        let Some(mark) = recording.marks.get(self.marks).filter(|mark| mark.tick <= now) else { return };
        // The last hash of a recording is taken after the commands of its last tick.
        let commands_follow = now == recording.end && self.given < recording.commands.len();
        if commands_follow {
            return;
        }
        self.marks += 1;
        match recording.first_difference(mark, &self.world.state_hash()) {
            None => self.same_until = Some(now.0),
            Some(part) if self.own.is_none() => {
                let (part, same_until) = (part.to_owned(), self.same_until);
                self.own = Some(Difference { tick: now.0, part, same_until });
            }
            Some(_) => {}
        }
    }
}

/// Plays both games until they differ or one ends, then each to its end; compares them with each other and with their own hashes.
fn play_side_by_side(
    recordings: [&Recording; 2],
    workers: &Workers,
) -> (Option<Difference>, [Option<Difference>; 2]) {
    let (mut a, mut b) = match recordings.map(Player::new) {
        [Ok(a), Ok(b)] => (a, b),
        [a, b] => {
            let own = [a.err(), b.err()];
            return (own.iter().flatten().next().cloned(), own);
        }
    };
    let bar = ProgressBar::new(a.recording.end.max(b.recording.end).0);
    let (mut found, mut same_until) = (None, None);
    let last = a.recording.end.min(b.recording.end);
    let mut refused = [false, false];
    for tick in 0..=a.recording.end.max(b.recording.end).0 {
        for (player, refused) in [&mut a, &mut b].into_iter().zip(&mut refused) {
            if *refused || player.world.now() > player.recording.end || player.world.now() != Tick(tick) {
                continue;
            }
            if let Err(difference) = player.give() {
                found.get_or_insert_with(|| difference.clone());
                player.own.get_or_insert(difference);
                *refused = true;
                continue;
            }
            player.compare_with_recorded();
            if player.world.now() < player.recording.end {
                player.world.tick_with(workers);
                player.compare_with_recorded();
            }
        }
        bar.inc(1);
        if found.is_some() || refused != [false, false] || tick > last.0 {
            continue;
        }
        let now = a.world.now();
        match first_part_apart(&a.world, &b.world) {
            Some(part) => found = Some(Difference { tick: now.0, part: part.to_owned(), same_until }),
            None => same_until = Some(now.0),
        }
    }
    bar.finish_and_clear();
    (found, [a.own, b.own])
}

/// The first subsystem, by name, whose hash differs; nothing is compared if one World is a tick ahead.
fn first_part_apart(a: &World, b: &World) -> Option<&'static str> {
    if a.now() != b.now() {
        return None;
    }
    let (a, b) = (a.state_hash(), b.state_hash());
    let mut pairs = a.parts().iter().zip(b.parts());
    pairs.find(|(a, b)| a != b).map(|((name, _), _)| *name)
}

fn describe(document: &Document, a: &Recording) -> String {
    let mut lines = Lines::default();
    lines.add("map", a.setup.map.name.clone());
    lines.add("ticks", format!("{} and {}", grouped(document.ticks[0]), grouped(document.ticks[1])));
    if let Some(CommandDifference { number, tick, a, b }) = &document.command {
        let shown = |command: &Option<String>| command.clone().unwrap_or_else(|| String::from("none"));
        lines.add("command", format!("number {number}, given after tick {tick}, differs"));
        lines.add("  in A", shown(a));
        lines.add("  in B", shown(b));
    } else {
        lines.add("commands", "all equal");
    }
    let told = |found: &Option<Difference>| found.as_ref().map_or_else(|| String::from("equal"), sentence);
    lines.add("replays", told(&document.replays));
    lines.add("recorded", told(&document.recorded));
    for (name, own) in ["A", "B"].into_iter().zip(&document.own) {
        if let Some(own) = own {
            let whose = if name == "A" { "A alone" } else { "B alone" };
            lines.add(whose, format!("its own replay on this machine differs: {}", sentence(own)));
        }
    }
    let head = match &document.first {
        None if document.same => {
            format!("The recordings are equal for {} ticks.\n", grouped(document.ticks[0]))
        }
        None => {
            String::from("The recordings are equal, but their replays on this machine differ from them.\n")
        }
        Some(first) => format!("The recordings differ: {}.\n", sentence(first)),
    };
    format!("{head}{}", lines.render())
}

fn sentence(found: &Difference) -> String {
    let Difference { tick, part, same_until } = found;
    let since = match same_until {
        Some(tick) => format!("; all was equal at tick {}", grouped(*tick)),
        None => String::new(),
    };
    format!("first at tick {} in `{part}`{since}", grouped(*tick))
}

/// Records a built-in scenario. One unit is stopped after `stop` ticks.
fn record_builtin(stop: Option<u64>) -> Result<Recording, Failure> {
    let missing = || Failure::new(Kind::Invalid, "the built-in scenario `crossing` cannot be run");
    let scenario = builtin_scenario("crossing").ok_or_else(missing)?;
    let mut simulation = Simulation::new(scenario, 10).map_err(|_| missing())?;
    for tick in 0..BUILTIN_TICKS {
        if stop == Some(tick) {
            let units: Vec<UnitId> = simulation.world().positions().map(|(unit, _)| unit).take(1).collect();
            let order = Command::Order { units, order: Order::Stop, when: When::Now };
            simulation.command(order).map_err(Failure::invalid)?;
        }
        simulation.step(&Serial);
    }
    Ok(simulation.finish())
}
