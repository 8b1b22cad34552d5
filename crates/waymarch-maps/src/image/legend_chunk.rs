//! The legend inside a PNG: an uncompressed `iTXt` chunk before the pixels.

use super::Legend;
use crate::error::{FileError, FileResult, Place};
use crate::file_bytes;

/// The keyword of the chunk.
pub(super) const KEYWORD: &str = "Waymarch legend";

/// A PNG begins with a signature of 8 bytes.
const SIGNATURE: usize = 8;

/// The legend inside the bytes of a PNG that was decoded; `None` if it has none.
///
/// # Errors
/// [`FileError`] with the byte of the chunk if the legend is compressed, is not UTF-8, or is no legend.
pub(super) fn read(name: &str, bytes: &[u8]) -> FileResult<Option<Legend>> {
    let Some((at, data)) = chunk(bytes) else { return Ok(None) };
    // After the keyword: its end, no compression, method 0, no language, no translated keyword.
    let Some(text) = data.strip_prefix([0; 5].as_slice()) else {
        let problem = "the legend inside the picture is compressed or has a language";
        let error = FileError::new(name, problem).at(Place::Byte(at as u64));
        return Err(error.help("convert the map again with `waymarch maps convert`"));
    };
    let name = format!("{name} (its legend)");
    Legend::parse(&name, file_bytes::utf8(&name, text)?).map(Some)
}

/// The place of the legend's chunk, and its data after the keyword.
fn chunk(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let mut at = SIGNATURE;
    loop {
        // A chunk has 4 bytes of length, 4 bytes of type, the data, and 4 bytes of checksum.
        let head = bytes.get(at..)?.first_chunk::<8>()?;
        let length = u32::from_be_bytes([head[0], head[1], head[2], head[3]]) as usize;
        let data = bytes.get(at + 8..)?.get(..length)?;
        match &head[4..] {
            b"iTXt" => {
                if let Some(rest) = data.strip_prefix(KEYWORD.as_bytes())
                    && rest.first() == Some(&0)
                {
                    return Some((at, rest));
                }
            }
            b"IDAT" | b"IEND" => return None,
            _ => {}
        }
        at = at.checked_add(length)?.checked_add(12)?;
    }
}
