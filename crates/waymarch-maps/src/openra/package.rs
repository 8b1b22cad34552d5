//! The files of one map, from a folder or a `.oramap` (ZIP), within limits.

use std::io::Cursor;
use std::path::Path;

use zip::ZipArchive;

use crate::error::{FileError, FileResult, Place};
use crate::file_bytes;

/// A ZIP has at most 1024 members; real maps have fewer than 50.
pub const MAX_MEMBERS: usize = 1024;

/// The longest member that is unpacked: 512 MiB, enough for the map.bin of the largest legal map.
pub const MAX_MEMBER_BYTES: u64 = 512 << 20;

/// A member over 4 MiB may be at most [`MAX_RATIO`] times as large as its packed form.
const RATIO_FREE_BYTES: u64 = 4 << 20;

/// A long member may be at most 200 times as large as its packed form; deflate reaches at most about 1032.
pub const MAX_RATIO: u64 = 200;

/// The signature of a ZIP64 end-of-directory locator.
const ZIP64_LOCATOR: &[u8] = b"PK\x06\x07";

/// The signature of the end of a ZIP's directory.
const DIRECTORY_END: &[u8] = b"PK\x05\x06";

/// The files of a map.
#[derive(Debug)]
pub enum Package<'a> {
    /// A folder.
    Folder {
        /// Its path.
        path: &'a Path,
        /// The longest file that is read, in bytes.
        max_bytes: u64,
    },
    /// A ZIP in memory.
    Zip {
        /// Its name in messages.
        name: &'a str,
        /// Its length in bytes.
        len: u64,
        /// Its directory.
        archive: Box<ZipArchive<Cursor<&'a [u8]>>>,
    },
}

impl<'a> Package<'a> {
    /// Reads the directory of a ZIP. Members are unpacked on request.
    ///
    /// # Errors
    /// [`FileError`] if this is not a ZIP, or has more than [`MAX_MEMBERS`] members.
    pub fn from_zip(name: &'a str, bytes: &'a [u8]) -> FileResult<Self> {
        // A ZIP64 directory may claim any number of members, and the reader would allocate memory for them.
        if let Some(at) = bytes.windows(4).position(|four| four == ZIP64_LOCATOR) {
            let error = FileError::new(name, "ZIP64 archives are not supported: no map is that large");
            return Err(error.at(Place::Byte(at as u64)));
        }
        // Reading begins at the end of the directory; if that is missing, the error points to the end of the file.
        let end = bytes.windows(4).rposition(|four| four == DIRECTORY_END).unwrap_or(bytes.len());
        let wrong = |problem: String| FileError::new(name, problem).at(Place::Byte(end as u64));
        let archive = ZipArchive::new(Cursor::new(bytes))
            .map_err(|error| wrong(format!("not a readable ZIP: {error}")))?;
        if archive.len() > MAX_MEMBERS {
            return Err(wrong(format!("the ZIP has {} members: the limit is {MAX_MEMBERS}", archive.len())));
        }
        Ok(Self::Zip { name, len: bytes.len() as u64, archive: Box::new(archive) })
    }

    /// The name of `member` in messages.
    #[must_use]
    pub fn label(&self, member: &str) -> String {
        match self {
            Self::Folder { path, .. } => path.join(member).display().to_string(),
            Self::Zip { name, .. } => format!("{name}:{member}"),
        }
    }

    /// The bytes of `member`, or `None` if there is no such member.
    ///
    /// Sizes in ZIP headers are not trusted: reading stops at [`MAX_RATIO`] times the packed size, but not below 4 MiB and not
    /// above [`MAX_MEMBER_BYTES`].
    ///
    /// # Errors
    /// [`FileError`] with the member's name if it cannot be unpacked or is too large.
    pub fn read(&mut self, member: &str) -> FileResult<Option<Vec<u8>>> {
        let label = self.label(member);
        match self {
            Self::Folder { path, max_bytes } => {
                let path = path.join(member);
                if !path.exists() {
                    return Ok(None);
                }
                file_bytes::read_file(&path, *max_bytes).map(Some)
            }
            Self::Zip { archive, len, .. } => {
                let wrong = |problem: String| {
                    Err(FileError::new(&label, problem).at(Place::Key(format!("ZIP member {member}"))))
                };
                let file = match archive.by_name(member) {
                    Ok(file) => file,
                    Err(zip::result::ZipError::FileNotFound) => return Ok(None),
                    Err(error) => return wrong(format!("cannot be unpacked: {error}")),
                };
                let packed = file.compressed_size().min(*len);
                let limit = packed.saturating_mul(MAX_RATIO).clamp(RATIO_FREE_BYTES, MAX_MEMBER_BYTES);
                match file_bytes::read_at_most(file, limit) {
                    Ok(Some(bytes)) => Ok(Some(bytes)),
                    Ok(None) => wrong(format!("unpacks to more than {limit} bytes from {packed}")),
                    Err(error) => wrong(format!("cannot be unpacked: {error}")),
                }
            }
        }
    }
}
