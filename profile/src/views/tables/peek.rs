//! Who calls a function, and what it calls.

use std::cmp::Reverse;

use regex::Regex;

use super::error::ViewError;
use super::graph::{Detail, Edge, Graph};
use super::table::Table;
use super::units::{label, percentage};
use super::view::View;

const RULE: &str = "----------------------------------------------------------+-------------";

impl View<'_> {
    /// For each function that matches the regular expression: those that call it above it, those that it calls below it.
    ///
    /// # Errors
    ///
    /// Where it is no regular expression, no function matches, or there is more than can be shown.
    pub fn peek(&self, pattern: &str) -> Result<String, ViewError> {
        let regex = Regex::new(pattern)?;
        let mut graph = Graph::new(self, Detail::Functions, None)?;
        graph.sort(self.by_cum);
        let (unit, total) = (self.common_unit(&graph), self.total());
        let mut table = Table::default();
        for line in self.header(unit) {
            table.line(line)?;
        }
        table.line(self.accounting(&graph, unit))?;
        table.line(RULE)?;
        table.line("      flat  flat%   sum%        cum   cum%   calls calls% + context \t \t ")?;
        let callers = graph.calls(|(caller, callee)| (callee, caller));
        let callees = graph.calls(|call| call);
        let (mut sum, mut is_found) = (0i64, false);
        for &at in &graph.order {
            let node = &graph.nodes[at];
            if !regex.is_match(graph.label(node)) {
                continue;
            }
            is_found = true;
            sum = sum.saturating_add(node.flat);
            table.line(RULE)?;
            let call = |table: &mut Table, call: &Call| {
                let inline = if call.edge.inline { " (inline)" } else { "" };
                let weight = label(call.edge.weight, self.unit(), unit);
                let share = percentage(call.edge.weight, node.cum);
                let name = graph.label(&graph.nodes[call.other as usize]);
                table.line(format_args!("{weight:>50} {share} |   {name}{inline}"))
            };
            of(&callers, at).iter().try_for_each(|caller| call(&mut table, caller))?;
            table.line(format_args!(
                "{:>10} {} {} {:>10} {}                | {}",
                label(node.flat, self.unit(), unit),
                percentage(node.flat, total),
                percentage(sum, total),
                label(node.cum, self.unit(), unit),
                percentage(node.cum, total),
                graph.label(node),
            ))?;
            of(&callees, at).iter().try_for_each(|callee| call(&mut table, callee))?;
        }
        if !is_found {
            return Err(ViewError::NoMatch(pattern.into()));
        }
        table.line(RULE)?;
        Ok(table.text())
    }
}

/// A call, seen from one of its ends.
struct Call<'g> {
    one: u32,
    other: u32,
    edge: &'g Edge,
}

impl Graph {
    /// All calls as `seen` has their two ends, by the first one: for each the heaviest first.
    fn calls(&self, seen: impl Fn((u32, u32)) -> (u32, u32)) -> Vec<Call<'_>> {
        let mut calls: Vec<_> = (self.edges.iter())
            .map(|(&call, edge)| {
                let (one, other) = seen(call);
                Call { one, other, edge }
            })
            .collect();
        let key = |call: &Call<'_>| {
            let weight = Reverse(call.edge.weight.unsigned_abs());
            (call.one, weight, call.other)
        };
        let name = |call: &Call<'_>| self.label(&self.nodes[call.other as usize]);
        calls.sort_unstable_by(|a, b| {
            let ((one, weight, other), (one_b, weight_b, other_b)) = (key(a), key(b));
            (one, weight).cmp(&(one_b, weight_b)).then_with(|| name(a).cmp(name(b))).then(other.cmp(&other_b))
        });
        calls
    }
}

/// The calls of a node.
fn of<'c, 'g>(calls: &'c [Call<'g>], node: usize) -> &'c [Call<'g>] {
    let node = node as u32;
    let first = calls.partition_point(|call| call.one < node);
    let count = calls[first..].partition_point(|call| call.one == node);
    &calls[first..first + count]
}
