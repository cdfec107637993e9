//! The call graph: the sums of the samples by function or by line.

mod node_keys;

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

pub(super) use node_keys::{Granularity, Name, Names, NodeKey, node_keys};
use regex_lite::Regex;

use super::view::View;
use crate::format::Profile;

pub(super) struct Node {
    pub(super) key: NodeKey,
    /// The sum of the samples in the node itself.
    pub(super) flat: i64,
    /// The sum of the samples in the node and in its callees.
    pub(super) cum: i64,
}

/// The calls of one node by another.
pub(super) struct Edge {
    pub(super) weight: i64,
    /// Whether all calls are inlined.
    pub(super) inline: bool,
}

pub(super) struct Graph {
    pub(super) names: Names,
    pub(super) nodes: Vec<Node>,
    /// The edges by caller and callee.
    pub(super) edges: HashMap<(u32, u32), Edge>,
    /// The indices of the nodes to show, in the order of the rows.
    pub(super) order: Vec<usize>,
    /// For each node whether its edges are added.
    has_edges: Vec<bool>,
}

/// Which edges a graph has. They can take much more memory than the nodes.
#[derive(Clone, Copy)]
pub(super) enum Edges<'r> {
    None,
    All,
    /// The calls of and by functions whose names match.
    Of(&'r Regex),
}

impl Graph {
    /// Adds up all samples that `view` shows. If `kept` is given, other nodes are removed, and
    /// their callers appear to call their callees.
    pub(super) fn new(
        view: &View<'_>,
        granularity: Granularity,
        kept: Option<&HashSet<NodeKey>>,
        edges: Edges<'_>,
    ) -> Self {
        let mut graph = Self {
            names: Names::new(),
            nodes: vec![],
            edges: HashMap::new(),
            order: vec![],
            has_edges: vec![],
        };
        let mut index = HashMap::new();
        for (profile, is_base) in view.parts() {
            let nodes: Vec<Option<u32>> = node_keys(profile, granularity, &mut graph.names)
                .map(|key| {
                    if kept.is_some_and(|kept| !kept.contains(&key)) {
                        return None;
                    }
                    let new = graph.nodes.len();
                    let node = *index.entry(key).or_insert(new as u32);
                    if node as usize == new {
                        graph.nodes.push(Node { key, flat: 0, cum: 0 });
                    }
                    Some(node)
                })
                .collect();
            let added = &graph.nodes[graph.has_edges.len()..];
            graph.has_edges.extend(added.iter().map(|node| match edges {
                Edges::None => false,
                Edges::All => true,
                Edges::Of(regex) => regex.is_match(graph.names.get(node.key.label)),
            }));
            graph.add(view, profile, is_base, &nodes);
        }
        graph.order = (0..graph.nodes.len()).filter(|&at| graph.nodes[at].is_used()).collect();
        graph
    }

    /// Adds the samples of a profile. `nodes` has the node of each line.
    fn add(&mut self, view: &View<'_>, profile: &Profile, is_base: bool, nodes: &[Option<u32>]) {
        let selection = view.filters.select(profile, view.dropped_lines(is_base));
        let column = view.column(is_base);
        let mut seen = vec![0; self.nodes.len()];
        let mut edges = HashSet::new();
        for (number, sample) in (1usize..).zip(profile.samples.iter()) {
            let value = column.value(sample);
            let weight = if is_base { value.saturating_neg() } else { value };
            let locations = selection.locations(sample.location_id);
            if weight == 0 || !selection.has(number - 1) {
                continue;
            }
            edges.clear();
            let mut caller = None;
            let mut is_residual = false; // whether frames after the caller have no node
            for &location in locations.iter().rev() {
                let mut is_inline = false;
                for at in selection.lines(location).rev() {
                    if selection.hides(at) {
                        continue;
                    }
                    let inline = std::mem::replace(&mut is_inline, true);
                    let Some(node) = nodes[at] else {
                        is_residual = true;
                        continue;
                    };
                    if std::mem::replace(&mut seen[node as usize], number) != number {
                        add(&mut self.nodes[node as usize].cum, weight);
                    }
                    if let Some(caller) = caller.filter(|&caller| {
                        caller != node && (self.has_edges[caller as usize] || self.has_edges[node as usize])
                    }) && edges.insert((caller, node))
                    {
                        let new = Edge { weight: 0, inline: true };
                        let edge = self.edges.entry((caller, node)).or_insert(new);
                        add(&mut edge.weight, weight);
                        edge.inline &= inline;
                    }
                    caller = Some(node);
                    is_residual = false;
                }
            }
            if let Some(leaf) = caller.filter(|_| !is_residual) {
                add(&mut self.nodes[leaf as usize].flat, weight);
            }
        }
    }

    /// Sorts the nodes to show in descending order of their flat values, or of their cum values.
    pub(super) fn sort(&mut self, by_cum: bool) {
        let Self { names, nodes, order: shown, .. } = self;
        let sort_key = |&at: &usize| {
            let Node { key, flat, cum } = &nodes[at];
            let (flat, cum) = (Reverse(flat.unsigned_abs()), Reverse(cum.unsigned_abs()));
            let (first, second) = if by_cum { (cum, flat) } else { (flat, cum) };
            let [label, name, file, object] =
                [key.label, key.name, key.file, key.object].map(|name| names.get(name));
            (first, label, second, (name, file, key.line, object, key.start_line))
        };
        shown.sort_by(|a, b| sort_key(a).cmp(&sort_key(b)));
    }

    /// Returns the name of a node that tables show.
    pub(super) fn label(&self, node: &Node) -> &str {
        self.names.get(node.key.label)
    }

    /// Returns the nodes to show, in the order of the rows.
    pub(super) fn shown(&self) -> impl Iterator<Item = &Node> {
        self.order.iter().map(|&at| &self.nodes[at])
    }

    /// Returns the sum of the flat values of the nodes to show.
    pub(super) fn flat(&self) -> i64 {
        self.shown().fold(0, |sum, node| sum.saturating_add(node.flat))
    }
}

impl Node {
    pub(super) fn is_used(&self) -> bool {
        self.flat != 0 || self.cum != 0
    }
}

fn add(sum: &mut i64, value: i64) {
    *sum = sum.saturating_add(value);
}
