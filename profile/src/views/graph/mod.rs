//! Who calls whom, at what cost: the samples added up by function or by line.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use super::error::ViewError;
use super::limits;
use super::model::{Location, Profile};
use super::names::{Name, Names};
use super::view::View;

/// What a node stands for.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Detail {
    Functions,
    Lines,
}

/// A function, or a line of one; or a file where nothing more is known.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Place {
    pub(super) name: Name,
    pub(super) file: Name,
    pub(super) line: i64,
    object: Name,
    pub(super) start_line: i64,
    /// What it is called in tables.
    pub(super) label: Name,
}

pub(super) struct Node {
    pub(super) place: Place,
    /// What it takes itself.
    pub(super) flat: i64,
    /// What it takes with all that it calls.
    pub(super) cum: i64,
}

/// A call.
pub(super) struct Edge {
    pub(super) weight: i64,
    /// Always inlined.
    pub(super) inline: bool,
}

pub(super) struct Graph {
    pub(super) names: Names,
    pub(super) nodes: Vec<Node>,
    /// Caller and callee.
    pub(super) edges: HashMap<(u32, u32), Edge>,
    /// The nodes to show, in their order.
    pub(super) order: Vec<usize>,
}

/// The place of each line of a profile.
pub(super) fn places<'p>(
    profile: &'p Profile,
    detail: Detail,
    names: &mut Names,
) -> impl Iterator<Item = Place> + use<'p> {
    let shown = names.of(profile);
    let unknown = names.unknown();
    let lines = |location: &Location| location.first as usize..location.end as usize;
    let mut owner = vec![None; profile.lines.len()];
    for location in &profile.locations {
        owner[lines(location)].fill(location.mapping);
    }
    profile.lines.iter().zip(owner).map(move |(line, mapping)| {
        let (object, label) = mapping.map_or((0, unknown), |index| shown.objects[index as usize]);
        let mut place = Place { name: 0, file: 0, line: 0, object, start_line: 0, label };
        if let Some(index) = line.function {
            let (name, file) = shown.functions[index as usize];
            place.name = name;
            if detail == Detail::Lines {
                place.file = file;
                place.line = line.line;
            } else if name != 0 {
                place.object = 0;
            }
            if name != 0 {
                place.label = name;
            }
            if detail == Detail::Lines || name == 0 {
                place.start_line = profile.functions[index as usize].start_line;
            }
        }
        place
    })
}

impl Graph {
    /// Of all samples that `view` shows. With `kept`, nodes elsewhere are left out: their callers call their callees.
    ///
    /// # Errors
    ///
    /// Where there are too many nodes or calls.
    pub(super) fn new(
        view: &View<'_>,
        detail: Detail,
        kept: Option<&HashSet<Place>>,
    ) -> Result<Self, ViewError> {
        let mut graph = Self { names: Names::new(), nodes: vec![], edges: HashMap::new(), order: vec![] };
        let mut index = HashMap::new();
        for (profile, is_base) in view.parts() {
            let nodes: Vec<Option<u32>> = places(profile, detail, &mut graph.names)
                .map(|place| {
                    if kept.is_some_and(|kept| !kept.contains(&place)) {
                        return Ok(None);
                    }
                    let new = graph.nodes.len();
                    let node = *index.entry(place).or_insert(new as u32);
                    if node as usize == new {
                        if new == limits::NODES {
                            return Err(too_many(limits::NODES, "functions or lines"));
                        }
                        graph.nodes.push(Node { place, flat: 0, cum: 0 });
                    }
                    Ok(Some(node))
                })
                .collect::<Result<_, _>>()?;
            graph.add(view, profile, is_base, &nodes)?;
        }
        graph.order = (0..graph.nodes.len()).filter(|&at| graph.nodes[at].is_used()).collect();
        Ok(graph)
    }

    /// Adds a profile's samples; `nodes` are those of its lines.
    fn add(
        &mut self,
        view: &View<'_>,
        profile: &Profile,
        is_base: bool,
        nodes: &[Option<u32>],
    ) -> Result<(), ViewError> {
        let in_focus = view.in_focus(profile);
        let mut seen = vec![0; self.nodes.len()];
        let mut edges = HashSet::new();
        for (number, sample) in (1usize..).zip(profile.samples()) {
            let value = sample.values[view.value];
            let weight = if is_base { value.saturating_neg() } else { value };
            let is_seen = view.focus.is_none() || sample.stack.iter().any(|&at| in_focus[at as usize]);
            if weight == 0 || !is_seen {
                continue;
            }
            edges.clear();
            let mut caller = None;
            let mut is_leaf = true; // whether the innermost frame so far has a node
            for &location in sample.stack.iter().rev() {
                let location = &profile.locations[location as usize];
                let lines = location.first as usize..location.end as usize;
                for at in lines.clone().rev() {
                    is_leaf = nodes[at].is_some();
                    let Some(node) = nodes[at] else { continue };
                    if std::mem::replace(&mut seen[node as usize], number) != number {
                        add(&mut self.nodes[node as usize].cum, weight);
                    }
                    if let Some(caller) = caller.filter(|&caller| caller != node)
                        && edges.insert((caller, node))
                    {
                        let edge =
                            self.edges.entry((caller, node)).or_insert(Edge { weight: 0, inline: true });
                        add(&mut edge.weight, weight);
                        edge.inline &= at + 1 != lines.end;
                        if self.edges.len() > limits::EDGES {
                            return Err(too_many(limits::EDGES, "calls"));
                        }
                    }
                    caller = Some(node);
                }
            }
            if let Some(leaf) = caller.filter(|_| is_leaf) {
                add(&mut self.nodes[leaf as usize].flat, weight);
            }
        }
        Ok(())
    }

    /// The greatest first, by what the view asks for.
    pub(super) fn sort(&mut self, by_cum: bool) {
        let Self { names, nodes, order, .. } = self;
        let key = |&at: &usize| {
            let Node { place, flat, cum } = &nodes[at];
            let (flat, cum) = (Reverse(flat.unsigned_abs()), Reverse(cum.unsigned_abs()));
            let (first, second) = if by_cum { (cum, flat) } else { (flat, cum) };
            let [label, name, file, object] =
                [place.label, place.name, place.file, place.object].map(|name| names.get(name));
            (first, label, second, (name, file, place.line, object, place.start_line))
        };
        order.sort_by(|a, b| key(a).cmp(&key(b)));
    }

    /// What a node is called in tables.
    pub(super) fn label(&self, node: &Node) -> &str {
        self.names.get(node.place.label)
    }

    /// The nodes to show.
    pub(super) fn shown(&self) -> impl Iterator<Item = &Node> {
        self.order.iter().map(|&at| &self.nodes[at])
    }

    /// What all nodes to show take themselves.
    pub(super) fn flat(&self) -> i64 {
        self.shown().fold(0, |sum, node| sum.saturating_add(node.flat))
    }
}

impl Node {
    fn is_used(&self) -> bool {
        self.flat != 0 || self.cum != 0
    }
}

fn add(sum: &mut i64, value: i64) {
    *sum = sum.saturating_add(value);
}

fn too_many(limit: usize, what: &str) -> ViewError {
    ViewError::TooLarge(format!("more than {limit} {what}"))
}
