//! Who calls whom, at what cost: the samples added up by function or by line.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use super::model::{Location, Profile};
use super::names::{Names, base, printable};
use super::view::View;

/// What a node stands for.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Detail {
    Functions,
    Lines,
}

/// A function, or a line of one; or a file where nothing more is known.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Place {
    pub(super) name: Rc<str>,
    pub(super) file: Rc<str>,
    pub(super) line: i64,
    object: Rc<str>,
    pub(super) start_line: i64,
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
    pub(super) nodes: Vec<Node>,
    /// Caller and callee.
    pub(super) edges: HashMap<(usize, usize), Edge>,
    /// The nodes to show, in their order.
    pub(super) order: Vec<usize>,
}

impl Place {
    /// What a function is called in tables.
    pub(super) fn label(&self) -> Rc<str> {
        match (&*self.name, &*self.object) {
            ("", "") => "<unknown>".into(),
            ("", object) => format!("[{}]", printable(base(object))).into(),
            _ => Rc::clone(&self.name),
        }
    }
}

/// The place of each line of a profile.
pub(super) fn places(profile: &Profile, detail: Detail) -> impl Iterator<Item = Place> {
    let names = Names::of(profile);
    let nothing: Rc<str> = "".into();
    let lines = |location: &Location| location.first as usize..location.end as usize;
    let mut owner = vec![None; profile.lines.len()];
    for location in &profile.locations {
        owner[lines(location)].fill(location.mapping);
    }
    profile.lines.iter().zip(owner).map(move |(line, mapping)| {
        let object = mapping.map_or(&nothing, |index| &names.objects[index as usize]);
        let mut place = Place {
            name: Rc::clone(&nothing),
            file: Rc::clone(&nothing),
            line: 0,
            object: Rc::clone(object),
            start_line: 0,
        };
        if let Some(index) = line.function {
            let index = index as usize;
            place.name = Rc::clone(&names.functions[index]);
            if detail == Detail::Lines {
                place.file = Rc::clone(&names.files[index]);
                place.line = line.line;
            } else if !place.name.is_empty() {
                place.object = Rc::clone(&nothing);
            }
            if detail == Detail::Lines || place.name.is_empty() {
                place.start_line = profile.functions[index].start_line;
            }
        }
        place
    })
}

impl Graph {
    /// Of all samples that `view` shows. With `kept`, nodes elsewhere are left out: their callers call their callees.
    pub(super) fn new(view: &View<'_>, detail: Detail, kept: Option<&HashSet<Place>>) -> Self {
        let mut graph = Self { nodes: vec![], edges: HashMap::new(), order: vec![] };
        let mut index = HashMap::new();
        for (profile, is_base) in view.parts() {
            let nodes: Vec<Option<usize>> = places(profile, detail)
                .map(|place| {
                    kept.is_none_or(|kept| kept.contains(&place)).then(|| {
                        *index.entry(place).or_insert_with_key(|place| {
                            graph.nodes.push(Node { place: place.clone(), flat: 0, cum: 0 });
                            graph.nodes.len() - 1
                        })
                    })
                })
                .collect();
            graph.add(view, profile, is_base, &nodes);
        }
        graph.order = (0..graph.nodes.len()).filter(|&at| graph.nodes[at].is_used()).collect();
        graph
    }

    /// Adds a profile's samples; `nodes` are those of its lines.
    fn add(&mut self, view: &View<'_>, profile: &Profile, is_base: bool, nodes: &[Option<usize>]) {
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
                    if std::mem::replace(&mut seen[node], number) != number {
                        add(&mut self.nodes[node].cum, weight);
                    }
                    if let Some(caller) = caller.filter(|&caller| caller != node)
                        && edges.insert((caller, node))
                    {
                        let edge =
                            self.edges.entry((caller, node)).or_insert(Edge { weight: 0, inline: true });
                        add(&mut edge.weight, weight);
                        edge.inline &= at + 1 != lines.end;
                    }
                    caller = Some(node);
                }
            }
            if let Some(leaf) = caller.filter(|_| is_leaf) {
                add(&mut self.nodes[leaf].flat, weight);
            }
        }
    }

    /// The greatest first, by what the view asks for.
    pub(super) fn sort(&mut self, by_cum: bool) {
        let nodes = &self.nodes;
        self.order.sort_by_cached_key(|&at| {
            let node = &nodes[at];
            let (flat, cum) = (Reverse(node.flat.unsigned_abs()), Reverse(node.cum.unsigned_abs()));
            let (first, second) = if by_cum { (cum, flat) } else { (flat, cum) };
            (first, node.place.label(), second, &node.place)
        });
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
