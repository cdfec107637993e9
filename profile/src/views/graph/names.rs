//! The names of a graph, each stored once.

use std::collections::HashMap;
use std::rc::Rc;

use crate::format::Profile;
use crate::format::wire::{Function, Mapping};
use crate::names::{base_name, clean_path, function, printable};

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

/// The names of the entries of one profile.
pub(crate) struct ProfileNames {
    /// The name and the file of each function.
    pub(crate) functions: Vec<(Name, Name)>,
    /// The file of each mapping, and the name that is shown for frames without a function.
    pub(crate) objects: Vec<(Name, Name)>,
}

impl Names {
    pub(crate) fn new() -> Self {
        let mut names = Self { all: vec![], indices: HashMap::new() };
        names.add("");
        names
    }

    fn add(&mut self, text: &str) -> Name {
        if let Some(&index) = self.indices.get(text) {
            return index;
        }
        let (index, text) = (self.all.len() as Name, Rc::<str>::from(text));
        self.all.push(Rc::clone(&text));
        self.indices.insert(text, index);
        index
    }

    /// Returns the name of an unknown function.
    pub(crate) fn unknown(&mut self) -> Name {
        self.add(UNKNOWN)
    }

    pub(crate) fn get(&self, name: Name) -> &str {
        self.all.get(name as usize).map_or("", |text| text)
    }

    /// Adds the names of a profile.
    pub(crate) fn add_profile(&mut self, profile: &Profile) -> ProfileNames {
        // A string that names several functions is processed only once, because it can be long.
        let (mut functions, mut files) = (HashMap::new(), HashMap::new());
        let mut add_function = |it: &Function| {
            let (name, system_name) = (profile.text(it.name), profile.text(it.system_name));
            let is_system = name.is_empty() || name == system_name;
            let key = if is_system { (it.system_name, true) } else { (it.name, false) };
            let name = *functions.entry(key).or_insert_with(|| self.add(&function(name, system_name)));
            (
                name,
                *files.entry(it.filename).or_insert_with(|| self.add(&clean_path(profile.text(it.filename)))),
            )
        };
        let functions = profile.tables.function.iter().map(&mut add_function).collect();
        let mut objects = HashMap::new();
        let mut add_mapping = |it: &Mapping| {
            *objects.entry(it.filename).or_insert_with(|| {
                let file = profile.text(it.filename);
                let label = if file.is_empty() {
                    UNKNOWN.into()
                } else {
                    format!("[{}]", printable(base_name(file)))
                };
                (self.add(file), self.add(&label))
            })
        };
        let objects = profile.tables.mapping.iter().map(&mut add_mapping).collect();
        ProfileNames { functions, objects }
    }
}
