//! Recordings as bytes.

use alloc::string::String;
use alloc::vec::Vec;

use super::{HashMark, Recorded, Recording, Setup};
use crate::base::{ByteReader, ByteWriter, FrameKind, LoadError, Persist, Tick, persist_fields};
use crate::config::Config;
use crate::cost::Map;
use crate::world::command::Command;

/// The frame of a saved recording.
const RECORDING: FrameKind = FrameKind::engine(*b"WMrc", Some((4, 10)));

persist_fields! {
    Setup { config: Config, map: Map, seed: u64 }
    Recorded { tick: Tick, command: Command }
}

impl Recording {
    /// The recording as bytes, with a version and a checksum.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut writer = ByteWriter::new();
        RECORDING.write(&mut writer, |writer| {
            self.setup.save(writer);
            self.end.save(writer);
            self.parts.save(writer);
            self.commands.save(writer);
            writer.count(self.marks.len());
            for mark in &self.marks {
                mark.tick.save(writer);
                mark.total.save(writer);
                mark.parts.iter().for_each(|part| part.save(writer));
            }
            self.engine.save(writer);
        });
        writer.into_bytes()
    }

    /// Reads a recording from bytes. Whether its commands are possible is checked by [`Replay`](super::Replay).
    ///
    /// # Errors
    /// [`LoadError`] names the byte, if the bytes are cut short, damaged, of another version, not a recording, or if ticks are not in order.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, LoadError> {
        let mut reader = ByteReader::new(bytes);
        let mut inside = RECORDING.open(&mut reader)?;
        reader.finish()?;
        let setup = Setup::load(&mut inside)?;
        let end = Tick::load(&mut inside)?;
        let parts = Vec::<String>::load(&mut inside)?;
        let commands = in_order(&mut inside, end, Recorded::load, |recorded| recorded.tick)?;
        let mark = |reader: &mut ByteReader<'_>| {
            let (tick, total) = (Tick::load(reader)?, u64::load(reader)?);
            let hashes = parts.iter().map(|_| u64::load(reader)).collect::<Result<_, _>>()?;
            Ok(HashMark { tick, total, parts: hashes })
        };
        let marks = in_order(&mut inside, end, mark, |mark| mark.tick)?;
        let engine = inside.added(11, String::new)?;
        inside.finish()?;
        Ok(Self { setup, parts, commands, marks, end, engine })
    }
}

/// Loads a list whose ticks never decrease and are at most `end`.
fn in_order<T>(
    reader: &mut ByteReader<'_>,
    end: Tick,
    load: impl Fn(&mut ByteReader<'_>) -> Result<T, LoadError>,
    tick: impl Fn(&T) -> Tick,
) -> Result<Vec<T>, LoadError> {
    let mut list = Vec::new();
    let mut last = Tick::ZERO;
    for _ in 0..reader.count(8)? {
        let item = load(reader)?;
        if tick(&item) < last || tick(&item) > end {
            return Err(reader.error("the ticks of the recording are not in order"));
        }
        last = tick(&item);
        list.push(item);
    }
    Ok(list)
}
