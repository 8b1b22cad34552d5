//! Replay pages: a recorded game in one file that any browser plays, without a server.

use std::io::Write;

use flate2::Compression;
use flate2::write::DeflateEncoder;
use serde_json::json;
use waymarch::base::CellRect;
use waymarch::world::{Checks, Executor, Recording, Replay, ReplayError};

use crate::chart::Chart;
use crate::frame::{self, Heading};
use crate::hello::bare;
use crate::page;
use crate::session::event_json;

/// A key frame comes at least every so many frames.
const KEY_EVERY: u64 = 100;
/// The hash is taken every so many ticks: it costs about as much as a tick.
const HASH_EVERY: u64 = 10;
/// So many bytes before they are packed are too many for a page.
const MAX_BYTES: usize = 1 << 30;
/// At most so many events of a tick are kept.
const MAX_EVENTS: usize = 20;

/// Why there is no page of a recording.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PageError {
    /// The game cannot be played again as it was.
    #[error(transparent)]
    Replay(#[from] ReplayError),
    /// It is too long for a page.
    #[error("more than {MAX_BYTES} bytes at tick {tick}: too long for a page")]
    TooLong {
        /// How far it came.
        tick: u64,
    },
}

/// A page that plays `recording` in any browser and asks for nothing from anywhere: the program's own viewer, and where all units are at every
/// tick, to 1/64 of a cell.
///
/// ```
/// use waymarch::world::Serial;
/// use waymarch_maps::scenario::{Simulation, builtin_scenario};
/// let mut simulation = Simulation::new(builtin_scenario("door").unwrap(), 0)?;
/// (0..20).for_each(|_| simulation.step(&Serial));
/// let html = waymarch_play::replay_page(&simulation.finish(), &Serial)?;
/// assert!(html.starts_with("<!doctype html>"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`PageError`] if the recording cannot be played again as it was, or is too long.
pub fn replay_page(recording: &Recording, executor: &impl Executor) -> Result<String, PageError> {
    let bytes = film(recording, executor)?;
    let mut packer = DeflateEncoder::new(Vec::new(), Compression::best());
    // Writing to memory cannot fail.
    let _ = packer.write_all(&bytes);
    Ok(page::in_one_piece(&packer.finish().unwrap_or_default()))
}

/// What the page plays, unpacked: `PROTOCOL.md` (d).
fn film(recording: &Recording, executor: &impl Executor) -> Result<Vec<u8>, PageError> {
    let mut replay = Replay::with_checks(recording, Checks::Last)?;
    let mut chart = Chart::new(replay.world().nav().layer(), 1);
    let map = chart.whole();
    let mut reel = Reel::default();
    // The commands before the first tick belong to its picture, so the film begins after it.
    loop {
        let more = replay.step(executor)?;
        let world = replay.world();
        // Repainting that leaves costs alone is not in the log of changes: all of the map is looked at now and then.
        let also = if reel.frames.is_multiple_of(KEY_EVERY) {
            world.nav().layer().grid().rect()
        } else {
            CellRect::default()
        };
        chart.follow(world.nav().layer(), also).iter().for_each(|area| reel.add(2, area));
        reel.shoot(world);
        let events: Vec<_> = world.events().iter().take(MAX_EVENTS).map(event_json).collect();
        if !events.is_empty() {
            let more = world.events().len() - events.len();
            let message = json!({"is": "events", "tick": world.now().0, "list": events, "more": more});
            reel.add(3, message.to_string().as_bytes());
        }
        if reel.records.len() > MAX_BYTES {
            return Err(PageError::TooLong { tick: world.now().0 });
        }
        if !more {
            break;
        }
    }
    let hello = bare(replay.world(), &recording.setup.map.name, "A recorded game.").to_string();
    let mut out = b"WMR1".to_vec();
    for part in [hello.as_bytes(), &map] {
        out.extend_from_slice(&(part.len() as u32).to_le_bytes());
        out.extend_from_slice(part);
    }
    out.extend_from_slice(&reel.count.to_le_bytes());
    out.extend_from_slice(&reel.records);
    Ok(out)
}

/// The records so far.
#[derive(Default)]
struct Reel {
    records: Vec<u8>,
    count: u32,
    frames: u64,
    last: Vec<u8>,
    /// The last hash and its tick.
    hash: (u64, u64),
}

impl Reel {
    fn add(&mut self, kind: u8, body: &[u8]) {
        self.records.push(kind);
        self.records.extend_from_slice(&(body.len() as u32).to_le_bytes());
        self.records.extend_from_slice(body);
        self.count += 1;
    }

    fn shoot(&mut self, world: &waymarch::world::World) {
        let tick = world.now().0;
        if self.frames.is_multiple_of(HASH_EVERY) {
            self.hash = (world.state_hash().total(), tick);
        }
        let age = u16::try_from(tick.saturating_sub(self.hash.1)).unwrap_or(u16::MAX);
        let heading = Heading { hash: self.hash.0, age, speed: 100, ..Heading::default() };
        let mut next = Vec::new();
        frame::write(world, &heading, &mut next);
        frame::coarsen(&mut next);
        let key = self.frames.is_multiple_of(KEY_EVERY);
        match frame::difference(&self.last, &next).filter(|_| !key) {
            Some(delta) => self.add(1, &delta),
            None => self.add(0, &next),
        }
        self.last = next;
        self.frames += 1;
    }
}
