//! The public functions of the codec, by the paths that users write.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use regex::Regex;
use syn::{ImplItem, Item, ItemImpl, TraitItem, Type, UseTree, Visibility};

use crate::sources::{Module, Source, sources};

/// Traits of other crates whose methods encode or decode.
const FOREIGN: [&str; 2] = ["Decoder", "Encoder"];

/// Returns the public functions, the methods of public types and traits, and the methods by which
/// types implement the codecs of other crates. A function that a macro makes for each type has the
/// name of the macro's argument, such as `$encode`. The lint `unreachable_pub` makes sure that users
/// can reach each function that is `pub`; a trait may be sealed.
pub(crate) fn public_functions(folder: &Path) -> BTreeSet<String> {
    let sources = sources(folder);
    let exports = Exports::of(&sources);
    sources
        .iter()
        .filter(|source| !is_private(&source.module))
        .flat_map(|one| functions(one, &exports))
        .collect()
}

/// Whether a folder has nothing public, although parts of it are `pub`.
fn is_private(module: &Module) -> bool {
    module.first().is_some_and(|first| ["simd", "scalar", "tests"].contains(&first.as_str()))
}

/// What the crate exports.
struct Exports {
    /// Public modules, and the paths that users write for them.
    modules: BTreeMap<Module, Module>,
    /// The names that modules re-export.
    names: BTreeSet<String>,
}

impl Exports {
    fn of(sources: &[Source]) -> Self {
        let files: BTreeSet<&Module> = sources.iter().map(|source| &source.module).collect();
        let mut exports =
            Self { modules: BTreeMap::from([(Module::new(), Module::new())]), names: BTreeSet::new() };
        for source in sources {
            for item in &source.code.items {
                match item {
                    Item::Mod(item) if is_public(&item.vis) => {
                        let path = [&source.module[..], &[item.ident.to_string()]].concat();
                        exports.modules.insert(path.clone(), path);
                    }
                    Item::Use(item) if is_public(&item.vis) => {
                        for (path, name) in leaves(&source.module, &item.tree) {
                            let public = [&source.module[..], std::slice::from_ref(&name)].concat();
                            if files.contains(&path) {
                                exports.modules.insert(path, public);
                            }
                            exports.names.insert(name);
                        }
                    }
                    _ => {}
                }
            }
        }
        exports
    }

    /// Returns the public path of an item of a module, in the nearest module that is public.
    fn path(&self, module: &Module, names: &[&str]) -> String {
        let public =
            (0..=module.len()).rev().find_map(|len| self.modules.get(&module[..len])).expect("the root");
        let names = names.iter().map(|name| (*name).to_owned());
        public.iter().cloned().chain(names).collect::<Vec<_>>().join("::")
    }

    fn has(&self, module: &Module, name: &str) -> bool {
        self.modules.contains_key(module) || self.names.contains(name)
    }
}

fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

/// Returns what a `use` imports: the absolute path of each item, and its name here.
fn leaves(before: &[String], tree: &UseTree) -> Vec<(Module, String)> {
    match tree {
        UseTree::Path(path) => match path.ident.to_string().as_str() {
            "crate" => leaves(&[], &path.tree),
            "self" => leaves(before, &path.tree),
            "super" => leaves(&before[..before.len().saturating_sub(1)], &path.tree),
            name => leaves(&[before, &[name.to_owned()]].concat(), &path.tree),
        },
        UseTree::Name(name) => vec![([before, &[name.ident.to_string()]].concat(), name.ident.to_string())],
        UseTree::Rename(name) => {
            vec![([before, &[name.ident.to_string()]].concat(), name.rename.to_string())]
        }
        UseTree::Group(group) => group.items.iter().flat_map(|tree| leaves(before, tree)).collect(),
        UseTree::Glob(_) => Vec::new(),
    }
}

fn functions(source: &Source, exports: &Exports) -> Vec<String> {
    let mut found = Vec::new();
    let made = Regex::new(r"pub (?:const )?fn \$ ?(\w+)").expect("valid");
    for item in &source.code.items {
        match item {
            Item::Fn(item) if is_public(&item.vis) => {
                found.push(exports.path(&source.module, &[&item.sig.ident.to_string()]));
            }
            Item::Impl(item) => found.extend(methods(source, exports, item)),
            Item::Trait(item)
                if is_public(&item.vis) && exports.has(&source.module, &item.ident.to_string()) =>
            {
                let methods = item.items.iter().filter_map(|item| match item {
                    TraitItem::Fn(method) => Some(method.sig.ident.to_string()),
                    _ => None,
                });
                let name = item.ident.to_string();
                found.extend(methods.map(|method| exports.path(&source.module, &[&name, &method])));
            }
            Item::Macro(item) => {
                let tokens = item.mac.tokens.to_string();
                let names = made.captures_iter(&tokens).map(|found| format!("${}", &found[1]));
                found.extend(names.map(|name| exports.path(&source.module, &[&name])));
            }
            _ => {}
        }
    }
    found
}

fn methods(source: &Source, exports: &Exports, item: &ItemImpl) -> Vec<String> {
    let Type::Path(of) = &*item.self_ty else { return Vec::new() };
    let Some(name) = of.path.segments.last().map(|segment| segment.ident.to_string()) else {
        return Vec::new();
    };
    let foreign = item.trait_.as_ref().is_some_and(|(_, path, _)| {
        path.segments.last().is_some_and(|segment| FOREIGN.iter().any(|name| segment.ident == name))
    });
    let imports = source.code.items.iter().filter_map(|item| match item {
        Item::Use(item) => Some(leaves(&source.module, &item.tree)),
        _ => None,
    });
    let imported = imports.flatten().find(|(_, imported)| *imported == name);
    let module = imported.map_or_else(|| source.module.clone(), |(path, _)| path[..path.len() - 1].to_vec());
    let methods = item.items.iter().filter_map(|item| match item {
        ImplItem::Fn(method) if foreign || is_public(&method.vis) => Some(method.sig.ident.to_string()),
        _ => None,
    });
    methods.map(|method| exports.path(&module, &[&name, &method])).collect()
}
