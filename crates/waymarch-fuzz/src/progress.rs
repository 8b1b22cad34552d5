//! What a long run prints while it works, and the processor time it took.

use std::time::{Duration, Instant};

/// A line of progress is printed every 10 seconds.
const PRINT_EVERY: Duration = Duration::from_secs(10);

/// The clock is read once in 64 calls: it costs more than a short case.
const CALLS_PER_LOOK: u32 = 64;

/// Linux counts processor time in hundredths of a second.
const CLOCK_TICKS: u64 = 100;

/// When the next line is due.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    begun: Instant,
    printed: Instant,
    calls: u32,
}

impl Progress {
    /// The run begins now.
    #[must_use]
    pub fn new() -> Self {
        let now = Instant::now();
        Self { begun: now, printed: now, calls: 0 }
    }

    /// Prints the text of `line` with the time since the beginning, if 10 seconds have passed since the last line. Call it often.
    pub fn print(&mut self, line: impl FnOnce() -> String) {
        self.calls = self.calls.wrapping_add(1);
        if self.calls.is_multiple_of(CALLS_PER_LOOK) && self.printed.elapsed() >= PRINT_EVERY {
            self.printed = Instant::now();
            eprintln!("{:>6} s: {}", self.begun.elapsed().as_secs(), line());
        }
    }
}

impl Default for Progress {
    fn default() -> Self {
        Self::new()
    }
}

/// The processor time of this program so far, on all threads. `None` where the system does not tell.
#[must_use]
pub fn cpu_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    cpu_ticks(&text).map(|ticks| Duration::from_millis(ticks * 1000 / CLOCK_TICKS))
}

/// [`cpu_time`] in seconds.
#[must_use]
pub fn cpu_seconds() -> Option<u64> {
    cpu_time().map(|time| time.as_secs())
}

/// The fields 14 and 15 of `/proc/PID/stat`: time in the program, and in the system for it.
fn cpu_ticks(stat: &str) -> Option<u64> {
    // The second field is the program's name in brackets, which may contain spaces.
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(11);
    let mut number = || fields.next()?.parse::<u64>().ok();
    Some(number()? + number()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_processor_time_is_read_behind_a_name_with_spaces() {
        let stat = "7 (a (b) c) R 1 2 3 4 5 6 7 8 9 10 1250 350 0 0 20 0 1";
        assert_eq!(cpu_ticks(stat), Some(1600));
        assert_eq!((cpu_ticks("7 (a"), cpu_ticks("7 (a) R 1")), (None, None));
    }
}
