//! Why a travelling unit makes no progress.

/// Why a travelling unit makes no progress, apart from closed ground. The detection of stuck units reads it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Delay {
    /// No other unit delays it.
    #[default]
    None,
    /// Allied units are close in front of it, or it turns on the spot. This usually ends by itself.
    Traffic,
    /// It is behind a unit of its stream that goes first. The first unit of a stream never has this delay.
    Queue,
    /// Units of its group that have arrived are close in front of it.
    Settled,
}
