//! Names of a graph, each in memory once.

use std::collections::HashMap;
use std::rc::Rc;

use crate::format::Profile;
use crate::format::model::{Function, Mapping};
use crate::names::{base, clean, function, printable};

/// The number of a name.
pub(crate) type Name = u32;

/// Names as they are shown, each in memory once, by number. Number 0 is the empty name.
pub(crate) struct Names {
    all: Vec<Rc<str>>,
    numbers: HashMap<Rc<str>, Name>,
}

/// What something is called of which nothing is known.
const UNKNOWN: &str = "<unknown>";

/// The names in the tables of a profile.
pub(crate) struct Shown {
    /// Of its functions, and of their files.
    pub(crate) functions: Vec<(Name, Name)>,
    /// Of its mappings: the file, and what it is called where nothing else is known.
    pub(crate) objects: Vec<(Name, Name)>,
}

impl Names {
    pub(crate) fn new() -> Self {
        let mut names = Self { all: vec![], numbers: HashMap::new() };
        names.number("");
        names
    }

    fn number(&mut self, text: &str) -> Name {
        if let Some(&number) = self.numbers.get(text) {
            return number;
        }
        let (number, text) = (self.all.len() as Name, Rc::<str>::from(text));
        self.all.push(Rc::clone(&text));
        self.numbers.insert(text, number);
        number
    }

    /// Returns the name of what is not known.
    pub(crate) fn unknown(&mut self) -> Name {
        self.number(UNKNOWN)
    }

    pub(crate) fn get(&self, name: Name) -> &str {
        self.all.get(name as usize).map_or("", |text| text)
    }

    /// Adds the names of a profile.
    pub(crate) fn of(&mut self, profile: &Profile) -> Shown {
        // A string that names several functions is processed once: it can be long.
        let (mut functions, mut files) = (HashMap::new(), HashMap::new());
        let mut name = |it: &Function| {
            let (name, system_name) = (profile.text(it.name), profile.text(it.system_name));
            let is_system = name.is_empty() || name == system_name;
            let key = if is_system { (it.system_name, true) } else { (it.name, false) };
            let name = *functions.entry(key).or_insert_with(|| self.number(&function(name, system_name)));
            (name, *files.entry(it.file).or_insert_with(|| self.number(&clean(profile.text(it.file)))))
        };
        let functions = profile.functions.iter().map(&mut name).collect();
        let mut objects = HashMap::new();
        let mut object = |it: &Mapping| {
            *objects.entry(it.file).or_insert_with(|| {
                let file = profile.text(it.file);
                let label =
                    if file.is_empty() { UNKNOWN.into() } else { format!("[{}]", printable(base(file))) };
                (self.number(file), self.number(&label))
            })
        };
        let objects = profile.mappings.iter().map(&mut object).collect();
        Shown { functions, objects }
    }
}
