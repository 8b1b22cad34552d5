//! What all phases of a tick read.

use crate::avoid::settings::AvoidSettings;
use crate::avoid::timing::Timing;

/// What all phases of a tick read.
pub(super) struct TickContext<'a, G, E> {
    pub(super) settings: &'a AvoidSettings,
    pub(super) timing: &'a Timing,
    pub(super) grounds: &'a G,
    pub(super) executor: &'a E,
}
