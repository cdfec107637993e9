//! Tables of the text report, and that of the greatest deviations by class.

use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, Table};

use crate::report::sweep_report::Report;

/// The maximum number of rows of the deviations by class. The JSON has a deviation for each class, and
/// floats have up to 512 of them.
const MAX_ROWS: usize = 16;

pub(crate) fn table(header: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_style(NOTHING).set_header(header);
    for column in table.column_iter_mut() {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

/// Returns the table of the greatest deviations by class, or `None` if there are none in several. Of many
/// classes, neighbours share a row.
pub(crate) fn worst_by_class(report: &Report) -> Option<Table> {
    let mut classes = Vec::from_iter(&report.worst_by_class);
    classes.sort_by_key(|(_, worst)| worst.number);
    let each = classes.len().div_ceil(MAX_ROWS).next_power_of_two();
    let mut rows = table(&["class", "worst deviation", "at"]);
    for neighbours in classes.chunks(each) {
        let (first, last) = (neighbours.first()?.0, neighbours.last()?.0);
        let name = if first == last { first.clone() } else { format!("{first} to {last}") };
        // Of equal ones the first.
        let (_, worst) =
            neighbours.iter().rev().max_by(|(_, a), (_, b)| a.deviation.total_cmp(&b.deviation))?;
        rows.add_row([name, format!("{:.3}", worst.deviation), worst.value.clone()]);
    }
    (classes.len() > 1).then_some(rows)
}
