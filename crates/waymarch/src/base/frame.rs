//! Frames: bytes with a mark, a version, a length and a hash. The version of all saved data.

use xxhash_rust::xxh3::xxh3_64;

use super::bytes::{ByteReader, ByteWriter, LoadError, Persist};

/// The version of saved Worlds, navigators and recordings that this engine writes: 11.
///
/// One number counts for all three. It rises by 1 when the bytes of any of them change. CONTRIBUTING.md, "Change the bytes of a World", says how. Before
/// version 11 navigators and recordings had numbers of their own: what they wrote as 3 and 4 is version 10.
pub const FORMAT: u32 = 11;

/// The oldest version of saved data that this engine loads: 10, of November 2026. Older data had no readers left.
pub const OLDEST_FORMAT: u32 = 10;

/// The kind of a frame: its mark and version.
///
/// A frame consists of a mark of 4 bytes, a version, the length of the contents, the contents, and a hash. The hash is the xxh3 hash
/// of all bytes before it. [`FrameKind::open`] checks all of them before any content is read.
///
/// ```
/// use waymarch::base::{ByteReader, ByteWriter, FrameKind, Persist, Tick};
/// const CLOCK: FrameKind = FrameKind::new(*b"CLCK", 1);
/// let mut writer = ByteWriter::new();
/// CLOCK.write(&mut writer, |writer| Tick(7).save(writer));
/// let mut bytes = writer.into_bytes();
/// assert_eq!(Tick::load(&mut CLOCK.open(&mut ByteReader::new(&bytes))?)?, Tick(7));
///
/// // The next version has a field more. Older data get a default.
/// const NEXT: FrameKind = FrameKind::new(*b"CLCK", 2).reading_from(1);
/// let mut inside = NEXT.open(&mut ByteReader::new(&bytes))?;
/// assert_eq!(Tick::load(&mut inside)?, Tick(7));
/// assert_eq!(inside.added(2, || 60_u32)?, 60); // ticks per second, since version 2
///
/// bytes[13] ^= 1;
/// assert!(CLOCK.open(&mut ByteReader::new(&bytes)).is_err());
/// # Ok::<(), waymarch::base::LoadError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct FrameKind {
    /// The first four bytes.
    pub mark: [u8; 4],
    /// The version that is written. It changes whenever the format changes.
    pub version: u32,
    /// The oldest version that is read.
    pub oldest: u32,
    /// A number that data of this kind had before, and the version that it stands for now.
    renumbered: Option<(u32, u32)>,
}

impl FrameKind {
    /// A kind of frames that reads only the version that it writes.
    #[must_use]
    pub const fn new(mark: [u8; 4], version: u32) -> Self {
        Self { mark, version, oldest: version, renumbered: None }
    }

    /// Also reads older versions, from `oldest` on. Code that loads the contents asks [`ByteReader::added`] for what the old data do not have.
    #[must_use]
    pub const fn reading_from(self, oldest: u32) -> Self {
        Self { oldest, ..self }
    }

    /// A kind of the engine: it has the version [`FORMAT`]. Data with the old number `written` are of version `format`.
    pub(crate) const fn engine(mark: [u8; 4], renumbered: Option<(u32, u32)>) -> Self {
        Self { renumbered, ..Self::new(mark, FORMAT).reading_from(OLDEST_FORMAT) }
    }

    /// The version of data whose version number is `written`.
    fn version_of(self, written: u32) -> u32 {
        match self.renumbered {
            Some((old, version)) if old == written => version,
            _ => written,
        }
    }

    /// Writes a frame with the contents that `fill` writes.
    pub fn write(self, writer: &mut ByteWriter, fill: impl FnOnce(&mut ByteWriter)) {
        let start = writer.bytes.len();
        writer.raw(&self.mark);
        self.version.save(writer);
        let length_at = writer.bytes.len();
        0_u32.save(writer);
        let inside = writer.bytes.len();
        fill(writer);
        let length = u32::try_from(writer.bytes.len() - inside).unwrap_or(u32::MAX);
        writer.bytes[length_at..inside].copy_from_slice(&length.to_le_bytes());
        let hash = xxh3_64(&writer.bytes[start..]);
        hash.save(writer);
    }

    /// A reader of the contents of the frame at `reader`. Moves `reader` past the frame.
    ///
    /// # Errors
    /// [`LoadError`] if the mark differs, the version is not read here, bytes are missing, or the hash does not match.
    pub fn open<'a>(self, reader: &mut ByteReader<'a>) -> Result<ByteReader<'a>, LoadError> {
        let start = reader.at;
        if reader.raw(4)? != self.mark {
            return Err(LoadError {
                at: start as u64,
                what: "another kind of data: the mark does not match",
                versions: None,
            });
        }
        let written = u32::load(reader)?;
        let version = self.version_of(written);
        let refuse =
            |what| Err(LoadError { at: start as u64 + 4, what, versions: Some([written, self.version]) });
        if version > self.version {
            return refuse("written by a newer version of the engine");
        }
        if version < self.oldest {
            return refuse("written by a version of the engine that is too old");
        }
        let length = u32::load(reader)? as usize;
        let inside = reader.at;
        reader.raw(length)?;
        let hash = xxh3_64(&reader.bytes[start..reader.at]);
        if u64::load(reader)? != hash {
            return Err(LoadError {
                at: start as u64,
                what: "the data was changed: the hash does not match",
                versions: None,
            });
        }
        Ok(ByteReader { bytes: &reader.bytes[..inside + length], at: inside, version })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIND: FrameKind = FrameKind::new(*b"TEST", 3);

    #[test]
    fn every_flipped_bit_and_every_missing_byte_is_an_error() {
        let mut writer = ByteWriter::new();
        KIND.write(&mut writer, |writer| {
            KIND.write(writer, |writer| 5_u32.save(writer));
            7_u8.save(writer);
        });
        let bytes = writer.into_bytes();
        let read = |bytes: &[u8]| {
            let mut outer = ByteReader::new(bytes);
            let mut inner = KIND.open(&mut outer)?;
            let number = u32::load(&mut KIND.open(&mut inner)?)?;
            let last = u8::load(&mut inner)?;
            inner.finish()?;
            outer.finish()?;
            Ok::<_, LoadError>((number, last))
        };
        assert_eq!(read(&bytes), Ok((5, 7)));
        for bit in 0..bytes.len() * 8 {
            let mut changed = bytes.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            assert!(read(&changed).is_err(), "bit {bit}");
        }
        for len in 0..bytes.len() {
            assert!(read(&bytes[..len]).is_err(), "{len} bytes");
        }
    }

    #[test]
    fn data_of_versions_that_are_not_read_are_refused_by_naming_both() {
        let mut writer = ByteWriter::new();
        KIND.write(&mut writer, |writer| 5_u32.save(writer));
        let bytes = writer.into_bytes();
        let open = |kind: FrameKind| kind.open(&mut ByteReader::new(&bytes)).map(|inside| inside.version());
        for (other, why) in [(FrameKind::new(*b"TEST", 4), "too old"), (FrameKind::new(*b"TEST", 2), "newer")]
        {
            let error = open(other).expect_err("another version");
            assert_eq!((error.at, error.versions), (4, Some([3, other.version])));
            let message = alloc::format!("{error}");
            let both = alloc::format!("format version 3, this program reads version {}", other.version);
            assert!(message.contains(&both) && message.contains(why), "{message}");
        }
        assert_eq!(open(FrameKind::new(*b"TEST", 5).reading_from(3)), Ok(3));
        let renumbered =
            FrameKind { renumbered: Some((3, 10)), ..FrameKind::new(*b"TEST", 11).reading_from(10) };
        assert_eq!(open(renumbered), Ok(10), "what was written as 3 is version 10");
    }

    #[test]
    fn a_field_that_is_newer_than_the_data_has_its_default() {
        let old = KIND;
        let new = FrameKind::new(*b"TEST", 4).reading_from(3);
        let saved = |kind: FrameKind| {
            let mut writer = ByteWriter::new();
            kind.write(&mut writer, |writer| {
                // Two items of a list, which have the new field too.
                for item in [7_u16, 8] {
                    item.save(writer);
                    if kind.version >= 4 {
                        true.save(writer);
                    }
                }
            });
            writer.into_bytes()
        };
        let load = |kind: FrameKind, bytes: &[u8]| {
            let mut inside = kind.open(&mut ByteReader::new(bytes))?;
            let mut item = || Ok::<_, LoadError>((u16::load(&mut inside)?, inside.added(4, || false)?));
            let items = [item()?, item()?];
            inside.finish()?;
            Ok::<_, LoadError>(items)
        };
        assert_eq!(load(new, &saved(old)), Ok([(7, false), (8, false)]));
        assert_eq!(load(new, &saved(new)), Ok([(7, true), (8, true)]));
        assert!(load(old, &saved(new)).is_err(), "an older program does not read newer data");
    }
}
