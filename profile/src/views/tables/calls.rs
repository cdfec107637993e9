//! The rows of functions with their callers and callees.

use crate::views::columns::{COLUMNS, Columns};
use crate::views::error::ViewError;
use crate::views::graph::calls::{Call, calls_of};
use crate::views::graph::{Graph, Node};
use crate::views::text::Text;
use crate::views::units::percentage;

const RULE: &str = "----------------------------------------------------------+-------------";

/// Adds the names of the columns, and the functions of `graph` whose names `is_shown` accepts, each
/// with its callers above and its callees below. Returns whether there is such a function.
pub(super) fn add_calls(
    table: &mut Text,
    graph: &Graph,
    mut columns: Columns<'_>,
    is_shown: impl Fn(&str) -> bool,
) -> Result<bool, ViewError> {
    table.line(RULE)?;
    table.line(format_args!("{COLUMNS}   calls calls% + context \t \t "))?;
    let callers = graph.calls(|(caller, callee)| (callee, caller));
    let callees = graph.calls(|call| call);
    let mut is_found = false;
    for &at in &graph.order {
        let node = &graph.nodes[at];
        if !is_shown(graph.label(node)) {
            continue;
        }
        is_found = true;
        table.line(RULE)?;
        for caller in calls_of(&callers, at) {
            table.line(row(graph, &columns, node, caller))?;
        }
        table.line(format_args!("{}                | {}", columns.row(node), graph.label(node)))?;
        for callee in calls_of(&callees, at) {
            table.line(row(graph, &columns, node, callee))?;
        }
    }
    if !graph.order.is_empty() {
        table.line(RULE)?;
    }
    Ok(is_found)
}

fn row(graph: &Graph, columns: &Columns<'_>, node: &Node, call: &Call<'_>) -> String {
    let inline = if call.edge.inline { " (inline)" } else { "" };
    let weight = columns.label(call.edge.weight);
    let share = percentage(call.edge.weight, node.cum);
    let name = graph.label(&graph.nodes[call.other as usize]);
    format!("{weight:>50} {share} |   {name}{inline}")
}
