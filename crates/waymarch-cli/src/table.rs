//! Tables for people: one style for all commands.

use std::ops::Range;

use comfy_table::{CellAlignment, Table, presets};

/// A table with horizontal lines only. Columns in `numbers` are aligned to the right.
pub(crate) fn table<const N: usize>(
    header: [&str; N],
    rows: impl IntoIterator<Item = [String; N]>,
    numbers: Range<usize>,
) -> Table {
    let mut table = Table::new();
    table.load_style(presets::UTF8_HORIZONTAL_ONLY).set_header(header);
    for row in rows {
        table.add_row(row);
    }
    align_right(&mut table, numbers);
    table
}

/// Aligns the columns in `numbers` to the right.
pub(crate) fn align_right(table: &mut Table, numbers: Range<usize>) {
    for column in table.column_iter_mut().skip(numbers.start).take(numbers.len()) {
        column.set_cell_alignment(CellAlignment::Right);
    }
}
