//! Writes output files: under another name in the same folder first, then renamed. A failed write leaves the old file as it was.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::error::{FileError, FileResult};

/// At most 1000 more names are tried if the name of an unfinished file is taken.
const MAX_NAMES: u32 = 1000;

/// Files that are not finished yet, for [`remove_unfinished_files`].
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// A file that gets its name when it is complete: [`OutputFile::finish`].
///
/// Until then, its bytes are in a file `.waymarch-….part` in the same folder. If the value is dropped first, that file is removed. The file
/// that had the name before stays as it is. Devices and pipes, such as `/dev/stdout`, are written directly.
#[derive(Debug)]
pub struct OutputFile {
    /// The path as the caller wrote it, for errors.
    path: PathBuf,
    out: Option<BufWriter<File>>,
    /// The unfinished file and the name that it gets; `None` for a device.
    names: Option<Names>,
}

#[derive(Debug)]
struct Names {
    part: PathBuf,
    target: PathBuf,
}

impl OutputFile {
    /// Creates the unfinished file. Fails at once if the folder or the old file cannot be written.
    ///
    /// # Errors
    /// [`FileError`] with the reason of the file system.
    pub fn create(path: &Path) -> FileResult<Self> {
        let io = |error: io::Error| FileError::io(path, &error);
        let old = match fs::metadata(path) {
            // The old file is opened to check that it may be written. Its content stays.
            Ok(old) => Some((File::options().write(true).open(path).map_err(io)?, old)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(io(error)),
        };
        let (target, permissions) = match old {
            Some((device, old)) if !old.is_file() => {
                return Ok(Self { path: path.into(), out: Some(BufWriter::new(device)), names: None });
            }
            // If the path is a symbolic link, the file behind it is replaced, and the link stays.
            Some((_, old)) => (fs::canonicalize(path).map_err(io)?, Some(old.permissions())),
            None => (path.to_owned(), None),
        };
        let (part, file) = create_part(&target).map_err(io)?;
        let names = Some(Names { part, target });
        let created = Self { path: path.into(), out: Some(BufWriter::new(file)), names };
        if let (Some(permissions), Some(names)) = (permissions, &created.names) {
            fs::set_permissions(&names.part, permissions).map_err(io)?;
        }
        Ok(created)
    }

    /// Completes the file: it replaces the file that had its name.
    ///
    /// # Errors
    /// [`FileError`] if the last bytes cannot be written. The old file is still there then.
    pub fn finish(mut self) -> FileResult<()> {
        self.complete()?;
        self.rename()
    }

    /// Writes the last bytes and completes the file.
    ///
    /// # Errors
    /// As [`OutputFile::finish`].
    pub fn finish_with(mut self, bytes: &[u8]) -> FileResult<()> {
        self.write_all(bytes).map_err(|error| FileError::io(&self.path, &error))?;
        self.finish()
    }

    /// Writes the rest to the disk and closes the file.
    fn complete(&mut self) -> FileResult<()> {
        let is_device = self.names.is_none();
        let closed = match self.out.take() {
            None => Ok(()),
            Some(out) => match out.into_inner() {
                // Some file systems report a full disk only here.
                Ok(file) if !is_device => file.sync_all(),
                Ok(_) => Ok(()),
                Err(error) => Err(error.into_error()),
            },
        };
        closed.map_err(|error| FileError::io(&self.path, &error))
    }

    fn rename(mut self) -> FileResult<()> {
        let Some(names) = self.names.take() else { return Ok(()) };
        let renamed = fs::rename(&names.part, &names.target);
        if renamed.is_err() {
            // The caller gets the error of renaming; an error of removing is ignored.
            let _ = fs::remove_file(&names.part);
        }
        forget(&names.part);
        renamed.map_err(|error| FileError::io(&self.path, &error))
    }
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.as_mut().map_or(Ok(0), |out| out.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.as_mut().map_or(Ok(()), Write::flush)
    }
}

impl Drop for OutputFile {
    fn drop(&mut self) {
        let Some(names) = self.names.take() else { return };
        if let Some(out) = self.out.take() {
            // Closes the file without writing the rest.
            drop(out.into_parts());
        }
        let _ = fs::remove_file(&names.part);
        forget(&names.part);
    }
}

/// Writes a file as a whole. If that fails, the old file of this name is as it was.
///
/// # Errors
/// [`FileError`] with the reason of the file system.
pub fn write_file(path: &Path, bytes: &[u8]) -> FileResult<()> {
    write_files(&[(path, bytes)])
}

/// Writes files that belong together. They get their names when all of them are complete.
pub(crate) fn write_files(files: &[(&Path, &[u8])]) -> FileResult<()> {
    let mut complete = Vec::new();
    for &(path, bytes) in files {
        let mut file = OutputFile::create(path)?;
        file.write_all(bytes).map_err(|error| FileError::io(path, &error))?;
        file.complete()?;
        complete.push(file);
    }
    complete.into_iter().try_for_each(OutputFile::rename)
}

/// Removes all files that are not finished. A program calls this when it has to end early.
pub fn remove_unfinished_files() {
    let unfinished = std::mem::take(&mut *UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner));
    for part in unfinished {
        // Errors are ignored, because the program is about to end.
        let _ = fs::remove_file(part);
    }
}

/// Creates a new file beside `target`.
fn create_part(target: &Path) -> io::Result<(PathBuf, File)> {
    let process = std::process::id();
    let mut unfinished = UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner);
    let mut number = 0;
    loop {
        let part = target.with_file_name(format!(".waymarch-{process}-{number}.part"));
        match File::create_new(&part) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && number < MAX_NAMES => number += 1,
            Err(error) => return Err(error),
            Ok(file) => {
                unfinished.push(part.clone());
                return Ok((part, file));
            }
        }
    }
}

fn forget(part: &Path) {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner).retain(|other| other != part);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder for one test, removed afterwards.
    struct Folder(PathBuf);

    impl Folder {
        fn new(test: &str) -> Self {
            let path = std::env::temp_dir().join(format!("waymarch-output-{}-{test}", std::process::id()));
            fs::create_dir_all(&path).unwrap();
            Self(path)
        }

        fn names(&self) -> Vec<String> {
            let entries = fs::read_dir(&self.0).unwrap();
            let mut names: Vec<String> =
                entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
            names.sort();
            names
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn a_file_that_is_not_finished_leaves_the_old_one_and_nothing_else() {
        let folder = Folder::new("dropped");
        let path = folder.0.join("game.rec");
        fs::write(&path, "old").unwrap();
        let mut file = OutputFile::create(&path).unwrap();
        file.write_all(b"half of the new").unwrap();
        file.flush().unwrap();
        assert_eq!(folder.names().len(), 2, "{:?}", folder.names());
        drop(file);
        assert_eq!(
            (folder.names(), fs::read(&path).unwrap()),
            (vec!["game.rec".to_owned()], b"old".to_vec())
        );
        write_file(&path, b"new").unwrap();
        assert_eq!(
            (folder.names(), fs::read(&path).unwrap()),
            (vec!["game.rec".to_owned()], b"new".to_vec())
        );
    }

    #[test]
    fn files_that_belong_together_change_together() {
        let folder = Folder::new("pair");
        let (picture, missing) = (folder.0.join("a.png"), folder.0.join("none").join("a.legend.yaml"));
        fs::write(&picture, "old").unwrap();
        let error = write_files(&[(&picture, b"new"), (&missing, b"new")]).unwrap_err();
        assert!(error.file.contains("a.legend.yaml"), "{error}");
        assert_eq!(
            (folder.names(), fs::read(&picture).unwrap()),
            (vec!["a.png".to_owned()], b"old".to_vec())
        );
    }

    #[cfg(unix)]
    #[test]
    fn links_and_permissions_stay_and_write_protection_holds() {
        use std::os::unix::fs::PermissionsExt;
        let folder = Folder::new("links");
        let (file, link) = (folder.0.join("file"), folder.0.join("link"));
        fs::write(&file, "old").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        std::os::unix::fs::symlink("file", &link).unwrap();
        write_file(&link, b"new").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&file).unwrap(), b"new");
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
        write_file(Path::new("/dev/null"), b"anything").unwrap();
        assert!(write_file(&folder.0, b"a folder").is_err());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_device_without_room_is_an_error() {
        assert!(write_file(Path::new("/dev/full"), &[7; 100_000]).is_err());
        assert!(write_file(Path::new("/dev/full"), b"less than the buffer").is_err());
    }
}
