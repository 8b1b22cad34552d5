//! Ctrl-C and requests of the system to end: unfinished files are removed; a command may end by itself instead.

use std::sync::atomic::{AtomicBool, Ordering};

use waymarch_maps::remove_unfinished_files;

/// The exit code of an interrupted program: 130, as shells report it.
pub(crate) const EXIT_CODE: u8 = 130;

/// A command ends by itself: an [`EndsItself`] exists.
static ENDS_ITSELF: AtomicBool = AtomicBool::new(false);
/// The program was asked to end.
static ASKED: AtomicBool = AtomicBool::new(false);

/// Installs the handler. If the system refuses it, an interrupt ends the program as it does without one.
pub(crate) fn install() {
    let _ = ctrlc::set_handler(|| {
        let is_first = !ASKED.swap(true, Ordering::Relaxed);
        if is_first && ENDS_ITSELF.load(Ordering::Relaxed) {
            return;
        }
        remove_unfinished_files();
        std::process::exit(i32::from(EXIT_CODE));
    });
}

/// While this exists, the first interrupt does not end the program: the command asks [`EndsItself::is_asked`] and ends by itself.
#[derive(Debug)]
pub(crate) struct EndsItself(());

impl EndsItself {
    pub(crate) fn begin() -> Self {
        ENDS_ITSELF.store(true, Ordering::Relaxed);
        Self(())
    }

    /// Whether the program was asked to end.
    pub(crate) fn is_asked(&self) -> bool {
        ASKED.load(Ordering::Relaxed)
    }
}

impl Drop for EndsItself {
    fn drop(&mut self) {
        ENDS_ITSELF.store(false, Ordering::Relaxed);
    }
}
