//! The names of a graph, each stored once, and the identities of its nodes, which consist of them.

use std::borrow::Cow;
use std::collections::HashMap;
use std::rc::Rc;

use crate::format::Profile;
use crate::names::{base_name, clean_path, function, printable, shown};

/// The index of a name in [`Names`].
pub(crate) type Name = u32;

/// The names that are shown, each stored once and identified by its index. Index 0 is the empty
/// name.
pub(crate) struct Names {
    all: Vec<Rc<str>>,
    indices: HashMap<Rc<str>, Name>,
}

/// The name of a function of which nothing is known.
const UNKNOWN: &str = "<unknown>";

/// Whether the nodes of a graph are functions or lines, as in the options `-functions` and `-lines`
/// of pprof.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Granularity {
    Functions,
    Lines,
}

/// A function or a line of a function. If neither is known, it is a mapped file.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct NodeKey {
    pub(crate) name: Name,
    pub(crate) file: Name,
    pub(crate) line: i64,
    pub(super) object: Name,
    pub(crate) start_line: i64,
    /// The name that tables show.
    pub(crate) label: Name,
}

impl Names {
    pub(crate) fn new() -> Self {
        let mut names = Self { all: vec![], indices: HashMap::new() };
        names.add("");
        names
    }

    pub(crate) fn get(&self, name: Name) -> &str {
        self.all.get(name as usize).map_or("", |text| text)
    }

    pub(crate) fn add(&mut self, text: &str) -> Name {
        if let Some(&index) = self.indices.get(text) {
            return index;
        }
        let (index, text) = (self.all.len() as Name, Rc::<str>::from(text));
        self.all.push(Rc::clone(&text));
        self.indices.insert(text, index);
        index
    }

    /// Returns the position of each name in alphabetical order.
    pub(crate) fn ranks(&self) -> Vec<u32> {
        let mut order: Vec<_> = (0..self.all.len() as Name).collect();
        order.sort_by_key(|&name| self.get(name));
        let mut ranks = vec![0; order.len()];
        (0..).zip(order).for_each(|(rank, name)| ranks[name as usize] = rank);
        ranks
    }

    /// Adds strings of a profile in the form in which they are shown.
    pub(crate) fn add_all<'t>(
        &mut self,
        texts: impl Iterator<Item = i64>,
        shown: impl Fn(i64) -> Cow<'t, str>,
    ) -> Vec<Name> {
        // A string that several entries have is converted only once, because it can be long.
        let mut known = HashMap::new();
        let mut name = |text| *known.entry(text).or_insert_with(|| self.add(&shown(text)));
        texts.map(&mut name).collect()
    }
}

/// Returns the key of the node of each line of a profile.
pub(crate) fn node_keys<'p>(
    profile: &'p Profile,
    granularity: Granularity,
    names: &mut Names,
) -> impl Iterator<Item = NodeKey> + use<'p> {
    let tables = &profile.tables;
    let functions = tables.function.iter().map(|it| function(profile, it));
    let functions = names.add_all(functions, |name| shown(profile, name));
    let files = tables.function.iter().map(|it| it.filename);
    let files = names.add_all(files, |file| clean_path(profile.text(file)).into());
    let mappings = || tables.mapping.iter().map(|it| it.filename);
    let objects = names.add_all(mappings(), |file| profile.text(file).into());
    let labels = names.add_all(mappings(), |file| match profile.text(file) {
        "" => UNKNOWN.into(),
        file => format!("[{}]", printable(base_name(file))).into(),
    });
    let unknown = names.add(UNKNOWN);
    let lines = tables.location.iter().flat_map(|it| it.lines().iter().map(move |line| (it, line)));
    lines.map(move |(location, line)| {
        let mapping = (location.mapping_id as usize).checked_sub(1);
        let (object, label) = mapping.map_or((0, unknown), |at| (objects[at], labels[at]));
        let mut key = NodeKey { name: 0, file: 0, line: 0, object, start_line: 0, label };
        let Some(at) = (line.function_id as usize).checked_sub(1) else { return key };
        if functions[at] != 0 {
            (key.name, key.label) = (functions[at], functions[at]);
        }
        if granularity == Granularity::Lines {
            (key.file, key.line) = (files[at], line.line);
        } else if key.name != 0 {
            key.object = 0;
        }
        if granularity == Granularity::Lines || key.name == 0 {
            key.start_line = tables.function[at].start_line;
        }
        key
    })
}
