//! No module of the workspace imports from one that imports it, directly or through others.
//!
//! A module is a file. An import is a path in the code, including tests and macros. Paths are
//! followed through re-exports to the module that defines the name. `mod` lines are not imports.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use regex_lite::Regex;
use syn::visit::{self, Visit};
use syn::{ItemMod, ItemUse, Macro, UseTree, VisRestricted};
use zigzag_varint_docs::root as repository;

/// The path of a module from the root of its crate: empty for the root.
type Module = Vec<String>;

/// The modules of a crate: the names that each has in scope, and the paths that it mentions.
#[derive(Default)]
struct Crate {
    scopes: BTreeMap<Module, BTreeMap<String, Module>>,
    mentions: BTreeMap<Module, Vec<Module>>,
}

impl Crate {
    /// Reads the crate with this root file and its modules in `folder`.
    fn read(root: &Path, folder: &Path) -> Self {
        let mut files = vec![(Module::new(), root.to_owned())];
        collect(folder, &Module::new(), &mut files);
        let mut read = Self::default();
        // The modules of a folder may be listed in a file above it.
        for (module, _) in &files {
            for len in 0..=module.len() {
                read.scopes.entry(module[..len].to_vec()).or_default();
            }
        }
        for (module, file) in files {
            let text = fs::read_to_string(&file).unwrap();
            let code = syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
            let mut paths = Paths { file: module.clone(), inline: Vec::new(), read: &mut read };
            paths.visit_file(&code);
        }
        read
    }

    /// Returns the module that defines the item of an absolute path, if it is in this crate.
    fn defining_module(&self, path: &[String], depth: usize) -> Option<Module> {
        let mut module = Module::new();
        for (at, name) in path.iter().enumerate() {
            let child = [&module[..], std::slice::from_ref(name)].concat();
            if self.scopes.contains_key(&child) {
                module = child;
                continue;
            }
            return match self.scopes[&module].get(name) {
                Some(target) if depth < 8 && target[..] != path[..=at] => {
                    self.defining_module(&[&target[..], &path[at + 1..]].concat(), depth + 1)
                }
                Some(_) => None,
                None => Some(module),
            };
        }
        Some(module)
    }

    /// Returns the modules that each module imports from.
    fn imports(&self) -> BTreeMap<&Module, BTreeSet<Module>> {
        let imports = self.mentions.iter().map(|(module, paths)| {
            let others = paths.iter().filter_map(|path| self.defining_module(path, 0));
            (module, others.filter(|other| other != module).collect())
        });
        imports.collect()
    }

    /// Returns the modules that are in cycles of imports, or that are imported by and import such ones.
    fn cycles(&self) -> Vec<String> {
        let imports = self.imports();
        let mut left: BTreeSet<&Module> = imports.keys().copied().chain(imports.values().flatten()).collect();
        loop {
            let imported: BTreeSet<&Module> =
                left.iter().filter_map(|one| imports.get(*one)).flatten().collect();
            let imports_left = |one: &Module| {
                imports.get(one).is_some_and(|all| all.iter().any(|other| left.contains(other)))
            };
            let kept: BTreeSet<_> =
                left.iter().copied().filter(|one| imported.contains(one) && imports_left(one)).collect();
            if kept.len() == left.len() {
                return kept.iter().map(|module| format!("crate::{}", module.join("::"))).collect();
            }
            left = kept;
        }
    }
}

/// Adds the modules in a folder and their files to `files`.
fn collect(folder: &Path, module: &Module, files: &mut Vec<(Module, PathBuf)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let child = [&module[..], std::slice::from_ref(&name)].concat();
        if path.is_dir() && name != "bin" {
            collect(&path, &child, files);
        } else if name != "lib" && path.extension().is_some_and(|extension| extension == "rs") {
            files.push((if name == "mod" { module.clone() } else { child }, path));
        }
    }
}

/// Collects the paths of a file.
struct Paths<'c> {
    file: Module,
    /// The inline modules around the code that is being read.
    inline: Vec<String>,
    read: &'c mut Crate,
}

impl Paths<'_> {
    /// Records a path, and returns the absolute path if it is one of this crate.
    fn mention(&mut self, path: &[String]) -> Option<Module> {
        let mut rest = path;
        let mut absolute = [&self.file[..], &self.inline[..]].concat();
        match rest.first()?.as_str() {
            "crate" => (absolute, rest) = (Module::new(), &rest[1..]),
            "self" => rest = &rest[1..],
            "super" => {
                while rest.first().is_some_and(|name| name == "super") {
                    absolute.pop();
                    rest = &rest[1..];
                }
            }
            name => {
                let child = [&self.file[..], &[name.to_owned()]].concat();
                if !self.inline.is_empty() || !self.read.scopes.contains_key(&child) {
                    return None;
                }
            }
        }
        absolute.extend_from_slice(rest);
        // A path into an inline module of the same file is not an import.
        let inside = absolute.starts_with(&self.file) && absolute.get(self.file.len()) == self.inline.first();
        if self.inline.is_empty() || !inside {
            self.read.mentions.entry(self.file.clone()).or_default().push(absolute.clone());
        }
        Some(absolute)
    }

    fn tree(&mut self, before: &[String], tree: &UseTree) {
        let with = |name: String| [before, &[name]].concat();
        let (path, name) = match tree {
            UseTree::Path(path) => return self.tree(&with(path.ident.to_string()), &path.tree),
            UseTree::Group(group) => return group.items.iter().for_each(|tree| self.tree(before, tree)),
            UseTree::Glob(_) => (before.to_owned(), None),
            UseTree::Name(name) if name.ident == "self" => (before.to_owned(), before.last().cloned()),
            UseTree::Name(name) => (with(name.ident.to_string()), Some(name.ident.to_string())),
            UseTree::Rename(rename) => (with(rename.ident.to_string()), Some(rename.rename.to_string())),
        };
        if let (Some(absolute), Some(name), true) = (self.mention(&path), name, self.inline.is_empty()) {
            self.read.scopes.entry(self.file.clone()).or_default().insert(name, absolute);
        }
    }
}

impl<'ast> Visit<'ast> for Paths<'_> {
    fn visit_item_mod(&mut self, module: &'ast ItemMod) {
        if module.content.is_some() {
            self.inline.push(module.ident.to_string());
            visit::visit_item_mod(self, module);
            self.inline.pop();
        }
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        self.tree(&[], &item.tree);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let names: Vec<_> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        if names.len() > 1 {
            self.mention(&names);
        }
        visit::visit_path(self, path);
    }

    /// `pub(in path)` imports nothing.
    fn visit_vis_restricted(&mut self, _: &'ast VisRestricted) {}

    /// Records the paths in the arguments of a macro, and in its rules.
    fn visit_macro(&mut self, call: &'ast Macro) {
        // Links in documentation, which are strings here, are not imports.
        let strings = Regex::new(r#""(?:[^"\\]|\\.)*""#).unwrap();
        let text = call.tokens.to_string();
        let text = strings.replace_all(&text, "").replace(" :: ", "::").replace("$ ", "").replace('$', "");
        for word in text.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':')) {
            let names: Vec<String> = word.trim_matches(':').split("::").map(str::to_owned).collect();
            if names.len() > 1 && matches!(names[0].as_str(), "crate" | "super" | "self") {
                self.mention(&names);
            }
        }
    }
}

#[test]
fn modules_have_no_cycle() {
    for (root, folder) in [
        ("src/lib.rs", "src"),
        ("src/bin/sweep.rs", "src/bin/sweep"),
        ("every-input/src/lib.rs", "every-input/src"),
        ("pprof-views/src/lib.rs", "pprof-views/src"),
        ("benches/src/bench.rs", "benches/src"),
        ("benches/history/src/main.rs", "benches/history/src"),
    ] {
        let read = Crate::read(&repository().join(root), &repository().join(folder));
        assert!(read.imports().values().map(BTreeSet::len).sum::<usize>() > 10, "{root}: too few imports");
        assert_eq!(read.cycles(), [""; 0], "{root}");
    }
}

#[test]
fn a_cycle_through_a_re_export_is_detected() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("lib.rs", "mod a; mod b; pub use b::B;");
    write("a.rs", "use crate::B; pub struct A;");
    write("b.rs", "pub struct B; #[cfg(test)] mod tests { use super::*; use crate::a::A; }");
    let read = Crate::read(&folder.path().join("lib.rs"), folder.path());
    assert_eq!(read.cycles(), ["crate::a", "crate::b"]);
}
