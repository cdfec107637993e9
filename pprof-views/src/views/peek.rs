//! The callers and callees of matching functions.

use std::cmp::Reverse;

use regex_lite::Regex;

use super::error::ViewError;
use super::graph::{Edge, Edges, Granularity, Graph, Node};
use super::heading::{COLUMNS, Columns};
use super::units::percentage;
use super::view::View;

const RULE: &str = "----------------------------------------------------------+-------------";

impl View<'_> {
    /// Returns a table of the functions that match the regular expression `pattern`, like
    /// `go tool pprof -peek`. Each has its callers above and its callees below.
    ///
    /// # Errors
    ///
    /// - [`ViewError::Pattern`] if `pattern` is not a regular expression.
    /// - [`ViewError::NoMatch`] if no function matches.
    pub fn peek(&self, pattern: &str) -> Result<String, ViewError> {
        let regex = Regex::new(pattern)?;
        let mut graph = Graph::new(self, Granularity::Functions, None, Edges::Of(&regex));
        graph.sort(self.by_cum);
        let mut columns = Columns::new(self, &graph);
        let mut lines = columns.heading();
        lines.push(RULE.into());
        lines.push(format!("{COLUMNS}   calls calls% + context \t \t "));
        let callers = Calls::new(&graph, |(caller, callee)| (callee, caller));
        let callees = Calls::new(&graph, |call| call);
        let mut is_found = false;
        for &at in graph.order.iter().filter(|&&at| regex.is_match(graph.label(&graph.nodes[at]))) {
            is_found = true;
            let node = &graph.nodes[at];
            lines.push(RULE.into());
            lines.extend(callers.rows(at, &columns));
            lines.push(format!("{}                | {}", columns.row(node), graph.label(node)));
            lines.extend(callees.rows(at, &columns));
        }
        lines.push(format!("{RULE}\n"));
        let labels = || graph.shown().map(|node| graph.label(node));
        if is_found { Ok(lines.join("\n")) } else { Err(ViewError::no_match(pattern, labels())) }
    }
}

/// All calls, each with a node and its caller or callee. They are sorted by node, and those of a node
/// by descending weight.
struct Calls<'g> {
    graph: &'g Graph,
    sorted: Vec<(u32, u32, &'g Edge)>,
}

impl<'g> Calls<'g> {
    /// `order` puts the node before its caller or callee.
    fn new(graph: &'g Graph, order: impl Fn((u32, u32)) -> (u32, u32)) -> Self {
        let calls = graph.edges.iter().map(|(&call, edge)| {
            let (node, other) = order(call);
            (node, other, edge)
        });
        let mut sorted: Vec<_> = calls.collect();
        sorted.sort_unstable_by_key(|&(node, other, edge)| {
            let name = graph.label(&graph.nodes[other as usize]);
            (node, Reverse(edge.weight.unsigned_abs()), name, other)
        });
        Self { graph, sorted }
    }

    /// Returns a row for each call of a node.
    fn rows(&self, node: usize, columns: &Columns<'_>) -> Vec<String> {
        let first = self.sorted.partition_point(|&(at, ..)| (at as usize) < node);
        let Node { cum, .. } = self.graph.nodes[node];
        let calls = self.sorted[first..].iter().take_while(|&&(at, ..)| at as usize == node);
        let row = |&(_, other, edge): &(u32, u32, &Edge)| {
            let (weight, share) = (columns.label(edge.weight), percentage(edge.weight, cum));
            let name = self.graph.label(&self.graph.nodes[other as usize]);
            let inline = if edge.inline { " (inline)" } else { "" };
            format!("{weight:>50} {share} |   {name}{inline}")
        };
        calls.map(row).collect()
    }
}
