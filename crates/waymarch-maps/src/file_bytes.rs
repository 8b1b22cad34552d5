//! Reads files of unknown origin with a limit on their size.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use crate::error::{FileError, FileResult};

/// All bytes of a file. A file longer than `limit` is refused; the size is checked before and while reading.
///
/// # Errors
/// [`FileError`] if the file cannot be read or is too long.
pub fn read_file(path: &Path, limit: u64) -> FileResult<Vec<u8>> {
    let io = |error: std::io::Error| FileError::io(path, &error);
    let file = File::open(path).map_err(io)?;
    let length = file.metadata().map_err(io)?.len();
    let read = if length > limit { None } else { read_at_most(file, limit).map_err(io)? };
    read.ok_or_else(|| {
        let problem = format!("the file is too long: the limit is {limit} bytes");
        FileError::new(path.display().to_string(), problem)
    })
}

/// All bytes of `source`, or `None` if there are more than `max_bytes`. Memory grows with the bytes that are read.
pub(crate) fn read_at_most(source: impl Read, max_bytes: u64) -> std::io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    source.take(max_bytes.saturating_add(1)).read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 <= max_bytes).then_some(bytes))
}

/// `bytes` as text without a byte order mark, or an error at the first byte that is not UTF-8.
pub(crate) fn utf8<'a>(name: &str, bytes: &'a [u8]) -> FileResult<&'a str> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    std::str::from_utf8(bytes).map_err(|error| {
        FileError::new(name, "the text is not UTF-8")
            .at(crate::error::Place::Byte(error.valid_up_to() as u64))
    })
}
