//! Reading files of unknown origin: never more than the caller allows, whatever a header says.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use crate::error::{FileError, FileResult};

/// The whole of `path`, refused when longer than `limit`; the size is checked before anything is read, and again while reading.
///
/// # Errors
/// A file that cannot be read, or is too long.
pub fn read_file(path: &Path, limit: u64) -> FileResult<Vec<u8>> {
    let io = |error: std::io::Error| FileError::io(path, &error);
    let file = File::open(path).map_err(io)?;
    let length = file.metadata().map_err(io)?.len();
    let read = if length > limit { None } else { read_at_most(file, limit).map_err(io)? };
    read.ok_or_else(|| {
        let problem = format!("the file is longer than allowed: the limit is {limit} bytes");
        FileError::new(path.display().to_string(), problem)
    })
}

/// All of `source`, or `None` when there is more than `max_bytes` of it. Memory grows with what is really there.
pub(crate) fn read_at_most(source: impl Read, max_bytes: u64) -> std::io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    source.take(max_bytes.saturating_add(1)).read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 <= max_bytes).then_some(bytes))
}

/// `bytes` as text, or an error that names the first byte that is not UTF-8.
pub(crate) fn utf8<'a>(name: &str, bytes: &'a [u8]) -> FileResult<&'a str> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    std::str::from_utf8(bytes).map_err(|error| {
        FileError::new(name, "the text is not UTF-8")
            .at(crate::error::Place::Byte(error.valid_up_to() as u64))
    })
}
