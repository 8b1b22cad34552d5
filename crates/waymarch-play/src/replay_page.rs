//! Replay pages: a recorded game in one file that any browser plays without a server.

use std::io::Write;

use flate2::Compression;
use flate2::write::DeflateEncoder;
use serde_json::json;
use waymarch::base::CellRect;
use waymarch::world::{Checks, Executor, Recording, Replay, ReplayError};

use crate::event_message::event_json;
use crate::frame::{self, Heading};
use crate::hello_message::hello_to_watch;
use crate::map_planes::MapPlanes;
use crate::page_files;

/// A key frame comes at least every 100 frames.
const KEY_EVERY: u64 = 100;
/// The hash is computed every 10 ticks: it costs about as much as a tick.
const HASH_EVERY: u64 = 10;
/// A replay page has at most 1 GiB of records before compression.
const MAX_BYTES: usize = 1 << 30;
/// At most 20 events of a tick are kept.
const MAX_EVENTS: usize = 20;

/// Why a recording has no replay page.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PageError {
    /// The recording does not replay.
    #[error(transparent)]
    Replay(#[from] ReplayError),
    /// The recording is too long for a page.
    #[error(
        "the recording is too long for a page: more than {MAX_BYTES} bytes at tick {tick}; record fewer ticks"
    )]
    TooLong {
        /// The tick at which the limit was reached.
        tick: u64,
    },
}

/// A page that plays `recording` in any browser and loads nothing from anywhere. It has the playground's viewer and all units at every tick,
/// with positions rounded down to 1/64 cell. Cost: one replay of the game.
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
/// [`PageError`] if the recording does not replay, or is too long.
pub fn replay_page(recording: &Recording, executor: &impl Executor) -> Result<String, PageError> {
    let bytes = replay_records(recording, executor)?;
    let mut packer = DeflateEncoder::new(Vec::new(), Compression::best());
    // Writing to memory cannot fail.
    let _ = packer.write_all(&bytes);
    Ok(page_files::in_one_piece(&packer.finish().unwrap_or_default()))
}

/// The records of the page before compression: `PROTOCOL.md` (d).
fn replay_records(recording: &Recording, executor: &impl Executor) -> Result<Vec<u8>, PageError> {
    let mut replay = Replay::with_checks(recording, Checks::Last)?;
    let mut map_planes = MapPlanes::new(replay.world().nav().layer(), 1);
    let map = map_planes.whole();
    let mut records = ReplayRecords::default();
    // Commands before the first tick belong to the first frame, so the records begin after that tick.
    loop {
        let more = replay.step(executor)?;
        let world = replay.world();
        // Repainted terrain with equal costs is not in the change log, so the whole map is checked at every key frame.
        let also = if records.frames.is_multiple_of(KEY_EVERY) {
            world.nav().layer().grid().rect()
        } else {
            CellRect::default()
        };
        map_planes.update(world.nav().layer(), also).iter().for_each(|area| records.add(2, area));
        records.add_frame(world);
        let events: Vec<_> = world.events().iter().take(MAX_EVENTS).map(event_json).collect();
        if !events.is_empty() {
            let more = world.events().len() - events.len();
            let message = json!({"is": "events", "tick": world.now().0, "list": events, "more": more});
            records.add(3, message.to_string().as_bytes());
        }
        if records.bytes.len() > MAX_BYTES {
            return Err(PageError::TooLong { tick: world.now().0 });
        }
        if !more {
            break;
        }
    }
    let hello = hello_to_watch(replay.world(), &recording.setup.map.name, "A recorded game.").to_string();
    let mut out = b"WMR1".to_vec();
    for part in [hello.as_bytes(), &map] {
        out.extend_from_slice(&(part.len() as u32).to_le_bytes());
        out.extend_from_slice(part);
    }
    out.extend_from_slice(&records.count.to_le_bytes());
    out.extend_from_slice(&records.bytes);
    Ok(out)
}

/// Scratch: the records so far.
#[derive(Default)]
struct ReplayRecords {
    bytes: Vec<u8>,
    count: u32,
    frames: u64,
    last: Vec<u8>,
    /// The last hash and its tick.
    hash: (u64, u64),
}

impl ReplayRecords {
    fn add(&mut self, kind: u8, body: &[u8]) {
        self.bytes.push(kind);
        self.bytes.extend_from_slice(&(body.len() as u32).to_le_bytes());
        self.bytes.extend_from_slice(body);
        self.count += 1;
    }

    fn add_frame(&mut self, world: &waymarch::world::World) {
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
