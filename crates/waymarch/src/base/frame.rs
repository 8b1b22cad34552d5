//! Frames: bytes with a mark, a version, a length and a hash.

use xxhash_rust::xxh3::xxh3_64;

use super::bytes::{ByteReader, ByteWriter, LoadError, Persist};

/// The kind of a frame: its mark and version.
///
/// A frame consists of a mark of 4 bytes, a version, the length of the contents, the contents, and a hash. The hash is the xxh3 hash
/// of all bytes before it. [`FrameKind::open`] checks all of them before any content is read.
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
    /// The version of the contents' format. It changes whenever the format changes.
    pub version: u32,
}

impl FrameKind {
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
    /// [`LoadError`] if the mark or version differs, bytes are missing, or the hash does not match.
    pub fn open<'a>(self, reader: &mut ByteReader<'a>) -> Result<ByteReader<'a>, LoadError> {
        let start = reader.at;
        if reader.raw(4)? != self.mark {
            return Err(LoadError {
                at: start as u64,
                what: "another kind of data: the mark does not match",
                versions: None,
            });
        }
        let version = u32::load(reader)?;
        if version != self.version {
            return Err(LoadError {
                at: start as u64 + 4,
                what: "written by another version",
                versions: Some([version, self.version]),
            });
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
        Ok(ByteReader { bytes: &reader.bytes[..inside + length], at: inside })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIND: FrameKind = FrameKind { mark: *b"TEST", version: 3 };

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
        let other = FrameKind { version: 4, ..KIND };
        let error = other.open(&mut ByteReader::new(&bytes)).map(|_| ()).expect_err("another version");
        assert_eq!((error.at, error.versions), (4, Some([3, 4])));
        let message = alloc::format!("{error}");
        assert!(message.contains("format version 3, this program reads version 4"), "{message}");
    }
}
