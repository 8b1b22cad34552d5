//! The files of one map, from a folder or a `.oramap` (ZIP), never more than the limits allow.

use std::io::Cursor;
use std::path::Path;

use zip::ZipArchive;

use crate::bounded;
use crate::error::{FileError, FileResult, Place};

/// A ZIP with more members than this is refused; real maps have fewer than 50.
pub const MAX_MEMBERS: usize = 1024;

/// The longest member that is unpacked: a map.bin of the largest legal map fits.
pub const MAX_MEMBER_BYTES: u64 = 512 << 20;

/// Members longer than this may be at most [`MAX_RATIO`] times their packed size.
const RATIO_FREE_BYTES: u64 = 4 << 20;

/// How much larger than its packed form a long member may be; deflate cannot exceed about 1032.
pub const MAX_RATIO: u64 = 200;

/// The first bytes of a ZIP64 end-of-directory locator.
const ZIP64_LOCATOR: &[u8] = b"PK\x06\x07";

/// The first bytes of the end of a ZIP's directory.
const DIRECTORY_END: &[u8] = b"PK\x05\x06";

/// The files of a map that are read at all.
#[derive(Debug)]
pub enum Package<'a> {
    /// A folder.
    Folder {
        /// Its path.
        path: &'a Path,
        /// The longest file that is read.
        max_bytes: u64,
    },
    /// A ZIP in memory.
    Zip {
        /// What to call it in messages.
        name: &'a str,
        /// Its length in bytes.
        len: u64,
        /// Its directory.
        archive: Box<ZipArchive<Cursor<&'a [u8]>>>,
    },
}

impl<'a> Package<'a> {
    /// Reads the directory of a ZIP; members are unpacked when asked for.
    ///
    /// # Errors
    /// What is not a ZIP, or has more than [`MAX_MEMBERS`] members.
    pub fn from_zip(name: &'a str, bytes: &'a [u8]) -> FileResult<Self> {
        // A ZIP64 directory may claim any number of members, and the reader would make room for them.
        if let Some(at) = bytes.windows(4).position(|four| four == ZIP64_LOCATOR) {
            let error = FileError::new(name, "ZIP64 archives are not read: no map is that large");
            return Err(error.at(Place::Byte(at as u64)));
        }
        // The directory's end is where all reading begins; without one it should have been at the file's end.
        let end = bytes.windows(4).rposition(|four| four == DIRECTORY_END).unwrap_or(bytes.len());
        let wrong = |problem: String| FileError::new(name, problem).at(Place::Byte(end as u64));
        let archive = ZipArchive::new(Cursor::new(bytes))
            .map_err(|error| wrong(format!("not a readable ZIP: {error}")))?;
        if archive.len() > MAX_MEMBERS {
            return Err(wrong(format!("a ZIP of {} members: at most {MAX_MEMBERS} are read", archive.len())));
        }
        Ok(Self::Zip { name, len: bytes.len() as u64, archive: Box::new(archive) })
    }

    /// What `member` is called in messages.
    #[must_use]
    pub fn label(&self, member: &str) -> String {
        match self {
            Self::Folder { path, .. } => path.join(member).display().to_string(),
            Self::Zip { name, .. } => format!("{name}:{member}"),
        }
    }

    /// The bytes of `member`, or `None` when there is no such member.
    ///
    /// Sizes in ZIP headers are not believed: reading stops at [`MAX_MEMBER_BYTES`], and at [`MAX_RATIO`] times the
    /// packed size where that is more than a few megabytes.
    ///
    /// # Errors
    /// Unreadable or oversized members, named.
    pub fn read(&mut self, member: &str) -> FileResult<Option<Vec<u8>>> {
        let label = self.label(member);
        match self {
            Self::Folder { path, max_bytes } => {
                let path = path.join(member);
                if !path.exists() {
                    return Ok(None);
                }
                bounded::read_file(&path, *max_bytes).map(Some)
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
                match bounded::read_at_most(file, limit) {
                    Ok(Some(bytes)) => Ok(Some(bytes)),
                    Ok(None) => wrong(format!("unpacks to more than {limit} bytes from {packed}")),
                    Err(error) => wrong(format!("cannot be unpacked: {error}")),
                }
            }
        }
    }
}
