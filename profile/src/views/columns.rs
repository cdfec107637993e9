//! The columns that `top` and `peek` share: flat, flat%, sum%, cum and cum%.

use super::graph::{Graph, Node};
use super::units::{common_unit, label, percentage};
use super::view::View;

/// The names of the columns.
pub(super) const COLUMNS: &str = "      flat  flat%   sum%        cum   cum%";

/// Formats the values of a table row by row.
pub(super) struct Columns<'v> {
    view: &'v View<'v>,
    /// The unit of all values in the table.
    unit: &'v str,
    total: i64,
    /// The sum of the flat values of all nodes to show.
    shown: i64,
    /// The sum of the flat values of the rows so far.
    sum: i64,
}

impl<'v> Columns<'v> {
    pub(super) fn new(view: &'v View<'v>, graph: &Graph) -> Self {
        let total = view.total();
        let smallest = graph.shown().filter_map(|node| match node.flat.saturating_abs() {
            0 => Some(node.cum.saturating_abs()).filter(|&cum| cum > 0),
            flat => Some(flat),
        });
        let unit = common_unit(smallest.min().unwrap_or(total), total, view.unit());
        Self { view, unit, total, shown: graph.flat(), sum: 0 }
    }

    /// Returns the lines above the column names.
    pub(super) fn heading(&self) -> Vec<String> {
        let mut lines = self.view.heading(self.unit);
        let (shown, total) = (self.label(self.shown), self.label(self.total));
        let share = percentage(self.shown, self.total);
        lines.push(format!("Showing nodes accounting for {shown}, {} of {total} total", share.trim()));
        lines
    }

    /// Formats a value in the unit of the table.
    pub(super) fn label(&self, value: i64) -> String {
        label(value, self.view.unit(), self.unit)
    }

    /// Formats the columns of the next row.
    pub(super) fn row(&mut self, node: &Node) -> String {
        self.sum = self.sum.saturating_add(node.flat);
        format!(
            "{:>10} {} {} {:>10} {}",
            self.label(node.flat),
            percentage(node.flat, self.total),
            percentage(self.sum, self.total),
            self.label(node.cum),
            percentage(node.cum, self.total),
        )
    }
}
