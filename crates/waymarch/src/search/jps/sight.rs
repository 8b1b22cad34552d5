//! From which cells a straight jump finds a jump point, 64 cells at a time.

/// Calls `seen` with the index of each word of a line, and with bits for its open cells that see a jump point. A cell sees a jump point if
/// a jump from it towards higher places finds one. `stops` says where jumps stop, `walls` which of these cells are closed.
pub(super) fn towards_higher([stops, walls]: [&[[u64; 1]]; 2], mut seen: impl FnMut(usize, u64)) {
    // Whether the lowest cell of the word above is a jump point or leads to one.
    let mut above = 0;
    for (at, (&[stop], &[closed])) in stops.iter().zip(walls).enumerate().rev() {
        let mut leads = stop & !closed | above << 63 & !stop;
        let mut clear = !stop;
        for reach in [1, 2, 4, 8, 16, 32] {
            leads |= clear & leads >> reach;
            clear &= clear >> reach;
        }
        seen(at, (leads >> 1 | above << 63) & !closed);
        above = leads & 1;
    }
}

/// [`towards_higher`] for jumps towards lower places.
pub(super) fn towards_lower([stops, walls]: [&[[u64; 1]]; 2], mut seen: impl FnMut(usize, u64)) {
    let mut below = 0;
    for (at, (&[stop], &[closed])) in stops.iter().zip(walls).enumerate() {
        let mut leads = stop & !closed | below & !stop;
        let mut clear = !stop;
        for reach in [1, 2, 4, 8, 16, 32] {
            leads |= clear & leads << reach;
            clear &= clear << reach;
        }
        seen(at, (leads << 1 | below) & !closed);
        below = leads >> 63;
    }
}
