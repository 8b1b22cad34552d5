//! Frames: bytes that say what they are, in which version, and whether they are whole.

use xxhash_rust::xxh3::xxh3_64;

use super::bytes::{ByteReader, ByteWriter, LoadError, Persist};

/// What kind of bytes a frame holds.
///
/// A frame is a mark of four bytes, a version, the length of what follows, that, and the xxh3 hash of all before. Whoever opens one knows
/// that it holds what was written, or that it does not; nothing in it is looked at before.
///
/// ```
/// use waymarch::base::{ByteReader, ByteWriter, FrameKind, Persist, Tick};
/// const CLOCK: FrameKind = FrameKind { mark: *b"CLCK", version: 1 };
/// let mut writer = ByteWriter::new();
/// CLOCK.write(&mut writer, |writer| Tick(7).save(writer));
/// let mut bytes = writer.into_bytes();
/// assert_eq!(Tick::load(&mut CLOCK.open(&mut ByteReader::new(&bytes))?)?, Tick(7));
/// bytes[13] ^= 1;
/// assert!(CLOCK.open(&mut ByteReader::new(&bytes)).is_err());
/// # Ok::<(), waymarch::base::LoadError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FrameKind {
    /// The first four bytes.
    pub mark: [u8; 4],
    /// Another one whenever what is inside is written differently.
    pub version: u32,
}

impl FrameKind {
    /// Writes a frame with what `fill` writes in it.
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

    /// A reader of what is inside the frame at `reader`, which goes on behind it.
    ///
    /// # Errors
    /// [`LoadError`] if it is of another kind or version, cut short, or was changed.
    pub fn open<'a>(self, reader: &mut ByteReader<'a>) -> Result<ByteReader<'a>, LoadError> {
        let start = reader.at;
        if reader.raw(4)? != self.mark {
            return Err(LoadError {
                at: start as u64,
                what: "not what was to be read: another kind of data",
            });
        }
        if u32::load(reader)? != self.version {
            return Err(LoadError { at: start as u64 + 4, what: "written by another version" });
        }
        let length = u32::load(reader)? as usize;
        let inside = reader.at;
        reader.raw(length)?;
        let hash = xxh3_64(&reader.bytes[start..reader.at]);
        if u64::load(reader)? != hash {
            return Err(LoadError {
                at: start as u64,
                what: "the bytes were changed: their hash is another",
            });
        }
        Ok(ByteReader { bytes: &reader.bytes[..inside + length], at: inside })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIND: FrameKind = FrameKind { mark: *b"TEST", version: 3 };

    #[test]
    fn every_flipped_bit_and_every_missing_byte_is_seen() {
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
            let mut spoilt = bytes.clone();
            spoilt[bit / 8] ^= 1 << (bit % 8);
            assert!(read(&spoilt).is_err(), "bit {bit}");
        }
        for len in 0..bytes.len() {
            assert!(read(&bytes[..len]).is_err(), "{len} bytes");
        }
        let other = FrameKind { version: 4, ..KIND };
        assert_eq!(other.open(&mut ByteReader::new(&bytes)).map_err(|error| error.at).err(), Some(4));
    }
}
