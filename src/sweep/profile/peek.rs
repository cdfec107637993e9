//! Who calls a function, and what it calls.

use std::cmp::Reverse;

use regex::Regex;

use super::error::ViewError;
use super::graph::{Detail, Edge, Graph};
use super::units::{label, percentage};
use super::view::View;

const RULE: &str = "----------------------------------------------------------+-------------";

impl View<'_> {
    /// For each function that matches the regular expression: those that call it above it, those that it calls below it.
    ///
    /// # Errors
    ///
    /// Where it is no regular expression, or no function matches.
    pub fn peek(&self, pattern: &str) -> Result<String, ViewError> {
        let regex = Regex::new(pattern)?;
        let mut graph = Graph::new(self, Detail::Functions, None);
        graph.sort(self.by_cum);
        let (unit, total) = (self.common_unit(&graph), self.total());
        let mut lines = self.header(unit);
        lines.push(self.accounting(&graph, unit));
        lines.push(RULE.into());
        lines.push("      flat  flat%   sum%        cum   cum%   calls calls% + context \t \t ".into());
        let (mut callers, mut callees) = (vec![vec![]; graph.nodes.len()], vec![vec![]; graph.nodes.len()]);
        for (&(caller, callee), edge) in &graph.edges {
            callers[callee].push((caller, edge));
            callees[caller].push((callee, edge));
        }
        let (mut sum, mut is_found) = (0i64, false);
        for &at in &graph.order {
            let node = &graph.nodes[at];
            if !regex.is_match(&node.place.label()) {
                continue;
            }
            is_found = true;
            sum = sum.saturating_add(node.flat);
            lines.push(RULE.into());
            let call = |(other, edge): (usize, &Edge)| {
                let inline = if edge.inline { " (inline)" } else { "" };
                let weight = label(edge.weight, self.unit(), unit);
                let (share, name) = (percentage(edge.weight, node.cum), graph.nodes[other].place.label());
                format!("{weight:>50} {share} |   {name}{inline}")
            };
            lines.extend(graph.heaviest(&callers[at]).into_iter().map(call));
            lines.push(format!(
                "{:>10} {} {} {:>10} {}                | {}",
                label(node.flat, self.unit(), unit),
                percentage(node.flat, total),
                percentage(sum, total),
                label(node.cum, self.unit(), unit),
                percentage(node.cum, total),
                node.place.label(),
            ));
            lines.extend(graph.heaviest(&callees[at]).into_iter().map(call));
        }
        if !is_found {
            return Err(ViewError::NoMatch(pattern.into()));
        }
        lines.push(RULE.into());
        Ok(lines.join("\n") + "\n")
    }
}

impl Graph {
    /// Calls with the function at the other end, the heaviest first.
    fn heaviest<'e>(&self, calls: &[(usize, &'e Edge)]) -> Vec<(usize, &'e Edge)> {
        let mut calls = calls.to_vec();
        calls.sort_by_cached_key(|&(other, edge)| {
            (Reverse(edge.weight.unsigned_abs()), self.nodes[other].place.label())
        });
        calls
    }
}
