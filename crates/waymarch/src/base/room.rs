//! Memory that lists get before they need it.

use alloc::vec::Vec;

/// Gives a list room for `want` entries in all, those included that it has.
pub(crate) fn make_room<T>(list: &mut Vec<T>, want: usize) {
    list.reserve(want.saturating_sub(list.len()));
}
