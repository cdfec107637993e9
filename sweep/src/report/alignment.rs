//! Tables in text reports.

use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, Table};

/// Returns an empty table with these column headings.
pub(crate) fn table(header: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_style(NOTHING).set_header(header);
    table
}

/// Formats the table with every column aligned to the right.
pub(crate) fn right(mut table: Table) -> String {
    for column in table.column_iter_mut() {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table.trim_fmt()
}
