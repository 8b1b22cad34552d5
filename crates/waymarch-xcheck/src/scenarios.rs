//! The golden scenarios: recordings made on another machine are read and replayed.
//!
//! The recordings are input, because the scenario files need parsers that the cross compilers cannot build. They hold a hash of every
//! subsystem at every 50th tick, so that a line names the first tick and subsystem that differ.

use waymarch::base::{ByteReader, Executor, Persist, StateHasher};
use waymarch::world::{Recording, Replay};

use crate::{Amount, Digest, Lines, Options, report};

/// `--quick` replays the first 3 recordings.
const QUICK: usize = 3;

pub(crate) fn run<E: Executor>(executor: &E, out: &mut Lines<'_>, options: &Options, recordings: &[u8]) {
    if recordings.is_empty() {
        return;
    }
    let mut reader = ByteReader::new(recordings);
    let mut all = match Vec::<(String, Vec<u8>)>::load(&mut reader) {
        Ok(all) => all,
        Err(error) => return report!(out, "scenarios: the input is not a list of recordings: {error}"),
    };
    if options.amount == Amount::Quick {
        all.truncate(QUICK);
    }
    for (name, bytes) in all.iter().filter(|(name, _)| options.wants("scenarios", name)) {
        match replay(executor, bytes) {
            Ok(Ended { ticks, marks, state, events, saved }) => {
                report!(out, "scenario {name} ticks {ticks} marks {marks} saved {saved:016x}");
                report!(out, "golden {name} = {state}");
                report!(out, "golden {name}-events = {events:016x}");
            }
            Err(error) => report!(out, "scenario {name}: {error}"),
        }
    }
}

/// How a replay ended.
struct Ended {
    ticks: u64,
    marks: u64,
    state: String,
    events: u64,
    saved: u64,
}

fn replay<E: Executor>(executor: &E, bytes: &[u8]) -> Result<Ended, String> {
    let recording = Recording::from_bytes(bytes).map_err(|error| error.to_string())?;
    let mut replay = Replay::new(&recording).map_err(|error| error.to_string())?;
    // Events are hashed as in the golden test of `waymarch-maps`: with the names from before 0.2.0.
    let mut events = StateHasher::new();
    loop {
        let before = replay.world().now();
        let more = replay.step(executor).map_err(|error| error.to_string())?;
        if replay.world().now() > before {
            for event in replay.world().events() {
                events.write_u64(event.unit.to_bits());
                events.write_bytes(format!("{:?}", event.what).replace("NoRoute", "NoWay").as_bytes());
            }
        }
        if !more {
            break;
        }
    }
    let mut saved = Digest::new();
    saved.bytes(&replay.world().save());
    Ok(Ended {
        ticks: replay.world().now().0,
        marks: replay.compared(),
        state: replay.world().state_hash().to_string(),
        events: events.finish(),
        saved: saved.value(),
    })
}
