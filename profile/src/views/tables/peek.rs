//! The callers and callees of functions.

use std::cmp::Reverse;

use regex::Regex;

use super::columns::{COLUMNS, Columns};
use super::table::Table;
use crate::views::error::ViewError;
use crate::views::graph::{Edge, Granularity, Graph};
use crate::views::units::percentage;
use crate::views::view::View;

const RULE: &str = "----------------------------------------------------------+-------------";

impl View<'_> {
    /// Returns a table of the functions that match the regular expression `pattern`, like
    /// `go tool pprof -peek`. Each has its callers above and its callees below.
    ///
    /// # Errors
    ///
    /// - [`ViewError::Pattern`] if `pattern` is not a regular expression.
    /// - [`ViewError::NoMatch`] if no function matches.
    /// - [`ViewError::TooLarge`] if there are more than 262,144 functions, a million calls or 16
    ///   MiB of text.
    pub fn peek(&self, pattern: &str) -> Result<String, ViewError> {
        let regex = Regex::new(pattern)?;
        let mut graph = Graph::new(self, Granularity::Functions, None)?;
        graph.sort(self.sorts_by_cum);
        let mut columns = Columns::new(self, &graph);
        let mut table = Table::default();
        columns.heading(&mut table)?;
        table.line(RULE)?;
        table.line(format_args!("{COLUMNS}   calls calls% + context \t \t "))?;
        let callers = graph.calls(|(caller, callee)| (callee, caller));
        let callees = graph.calls(|call| call);
        let mut is_found = false;
        for &at in &graph.order {
            let node = &graph.nodes[at];
            if !regex.is_match(graph.label(node)) {
                continue;
            }
            is_found = true;
            table.line(RULE)?;
            let add_call = |table: &mut Table, columns: &Columns<'_>, call: &Call<'_>| {
                let inline = if call.edge.inline { " (inline)" } else { "" };
                let weight = columns.label(call.edge.weight);
                let share = percentage(call.edge.weight, node.cum);
                let name = graph.label(&graph.nodes[call.other as usize]);
                table.line(format_args!("{weight:>50} {share} |   {name}{inline}"))
            };
            for caller in calls_of(&callers, at) {
                add_call(&mut table, &columns, caller)?;
            }
            table.line(format_args!("{}                | {}", columns.row(node), graph.label(node)))?;
            for callee in calls_of(&callees, at) {
                add_call(&mut table, &columns, callee)?;
            }
        }
        if !is_found {
            return Err(ViewError::NoMatch(pattern.into()));
        }
        table.line(RULE)?;
        Ok(table.text())
    }
}

/// The calls between a node and one of its callers or callees.
struct Call<'g> {
    node: u32,
    other: u32,
    edge: &'g Edge,
}

impl Graph {
    /// Returns all calls. `order` puts the node before its caller or callee. The calls are sorted
    /// by node, and those of one node by descending weight.
    fn calls(&self, order: impl Fn((u32, u32)) -> (u32, u32)) -> Vec<Call<'_>> {
        let mut calls: Vec<_> = (self.edges.iter())
            .map(|(&call, edge)| {
                let (node, other) = order(call);
                Call { node, other, edge }
            })
            .collect();
        let key = |call: &Call<'_>| {
            let weight = Reverse(call.edge.weight.unsigned_abs());
            (call.node, weight, call.other)
        };
        let name = |call: &Call<'_>| self.label(&self.nodes[call.other as usize]);
        calls.sort_unstable_by(|a, b| {
            let ((node_a, weight_a, other_a), (node_b, weight_b, other_b)) = (key(a), key(b));
            (node_a, weight_a)
                .cmp(&(node_b, weight_b))
                .then_with(|| name(a).cmp(name(b)))
                .then(other_a.cmp(&other_b))
        });
        calls
    }
}

/// Returns the calls of a node.
fn calls_of<'c, 'g>(calls: &'c [Call<'g>], node: usize) -> &'c [Call<'g>] {
    let node = node as u32;
    let first = calls.partition_point(|call| call.node < node);
    let count = calls[first..].partition_point(|call| call.node == node);
    &calls[first..first + count]
}
