//! Names of functions and files as pprof shows them.

use std::collections::HashMap;
use std::rc::Rc;

use super::model::{Function, Mapping, Profile};

/// Number of a name.
pub(super) type Name = u32;

/// Names as they are shown, each in memory once, by number. 0: the empty one.
pub(super) struct Names {
    all: Vec<Rc<str>>,
    numbers: HashMap<Rc<str>, Name>,
}

/// What is called so of which nothing is known.
const UNKNOWN: &str = "<unknown>";

/// The names in the tables of a profile.
pub(super) struct Shown {
    /// Of its functions, and of their files.
    pub(super) functions: Vec<(Name, Name)>,
    /// Of its mappings: the file, and what it is called where nothing else is known.
    pub(super) objects: Vec<(Name, Name)>,
}

impl Names {
    pub(super) fn new() -> Self {
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

    /// The name of that.
    pub(super) fn unknown(&mut self) -> Name {
        self.number(UNKNOWN)
    }

    pub(super) fn get(&self, name: Name) -> &str {
        self.all.get(name as usize).map_or("", |text| text)
    }

    /// The names of a profile, taken in.
    pub(super) fn of(&mut self, profile: &Profile) -> Shown {
        // Strings that stand for several functions are looked at once: they can be long.
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

/// The name to show for a function. Where the linker's name is all there is and looks like C++, parameters and template
/// arguments are left out; Go's names, which look similar, are not touched.
pub(super) fn function(name: &str, system_name: &str) -> String {
    let shown =
        if name.is_empty() || name == system_name { simplified(system_name) } else { name.to_owned() };
    printable(&shown)
}

/// Control characters could do things to a terminal.
pub(super) fn printable(name: &str) -> String {
    name.replace(char::is_control, "\u{fffd}")
}

fn simplified(name: &str) -> String {
    let is_cpp = !name.contains(".<") // Java
        && !name.contains("]).") // Go
        && (name.contains(['<', '>', '[', ']']) || name.contains("::"));
    if is_cpp { without(&without(name, '(', ')'), '<', '>') } else { name.to_owned() }
}

/// Without what stands between the two, at any depth. Where they do not match, what follows stays.
fn without(name: &str, open: char, close: char) -> String {
    let (mut kept, mut depth, mut start) = (String::new(), 0usize, 0);
    for (at, c) in name.char_indices() {
        if c == open {
            if depth == 0 {
                kept += &name[start..at];
                start = at;
            }
            depth += 1;
        } else if c == close {
            if depth == 0 {
                break;
            }
            depth -= 1;
            if depth == 0 {
                start = at + c.len_utf8();
            }
        }
    }
    kept + &name[start..]
}

/// A path without `.`, `..` and doubled slashes, as far as that can be told from its text.
pub(super) fn clean(path: &str) -> String {
    if path.is_empty() {
        return String::new();
    }
    let is_absolute = path.starts_with('/');
    let mut parts: Vec<&str> = vec![];
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|&last| last != "..") => drop(parts.pop()),
            ".." if is_absolute => {}
            part => parts.push(part),
        }
    }
    let joined = parts.join("/");
    match (is_absolute, joined.is_empty()) {
        (true, _) => format!("/{joined}"),
        (false, true) => ".".into(),
        (false, false) => joined,
    }
}

/// The last part of a path, of any system.
pub(super) fn base(path: &str) -> &str {
    path.rsplit(['/', '\\']).find(|part| !part.is_empty()).unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lose_what_is_not_needed_to_know_them() {
        let cases = [
            ("std::vector<int, a<b>>::push(int)", "std::vector::push"),
            ("main.(*List[...]).Push", "main.(*List[...]).Push"),
            ("runtime.mallocgc", "runtime.mallocgc"),
            ("Foo.<init>", "Foo.<init>"),
            ("a::b) c(d)", "a::b) c(d)"),
            ("a::<b", "a::<b"),
        ];
        for (name, shown) in cases {
            assert_eq!(function(name, name), shown);
        }
        assert_eq!(function("<T as Trait>::call", "_ZN3fooE"), "<T as Trait>::call");
        assert_eq!(function("a\u{1b}[31mb", ""), "a\u{fffd}[31mb");
    }

    #[test]
    fn paths_are_cleaned_by_their_text() {
        let cases = [
            ("/a//b/./c/../d", "/a/b/d"),
            ("../a", "../a"),
            ("a/..", "."),
            ("/..", "/"),
            ("", ""),
            ("src/x", "src/x"),
        ];
        for (path, cleaned) in cases {
            assert_eq!(clean(path), cleaned);
        }
    }
}
