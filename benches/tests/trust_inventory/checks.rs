//! Whether the checks that commands run exist.

use std::fs;
use std::path::Path;

use syn::{Item, Meta};

use crate::sources::sources;

/// What there is in a checkout.
pub(crate) struct Checks<'r> {
    root: &'r Path,
    /// The tests of all programs in `tests/`, such as `codec::kernels::name`.
    tests: Vec<String>,
}

impl<'r> Checks<'r> {
    pub(crate) fn of(root: &'r Path) -> Self {
        Self { root, tests: tests(&root.join("tests")) }
    }

    /// Returns what is wrong with a command, if anything.
    pub(crate) fn find(&self, command: &str) -> Result<(), String> {
        let root = self.root;
        let words: Vec<&str> = command.split_whitespace().collect();
        let read =
            |path: &str| fs::read_to_string(root.join(path)).map_err(|error| format!("{path}: {error}"));
        match words[..] {
            ["cargo", "test", "--test", program, filter] => {
                let mut names =
                    self.tests.iter().filter_map(|test| test.strip_prefix(program)?.strip_prefix("::"));
                exists(names.any(|name| name.contains(filter)), "test", filter)
            }
            ["cargo", "run", ..] => {
                let run_by_ci = read(".github/workflows/trust.yml")?.contains(command)
                    || read(".ci/run")?.contains(command);
                exists(run_by_ci, "command in continuous integration", command)
            }
            ["proofs/run.sh", ..] => {
                let (prover, rest) = match command.strip_prefix("proofs/run.sh avx512 ") {
                    Some(rest) => ("avx512", rest),
                    None => ("prover", command.strip_prefix("proofs/run.sh ").unwrap_or_default()),
                };
                let only = rest
                    .strip_prefix("--only '")
                    .and_then(|rest| rest.strip_suffix('\''))
                    .ok_or("no --only")?;
                let properties = read(&format!("proofs/{prover}/properties.txt"))?;
                exists(properties.lines().any(|property| property.contains(only)), "property", only)
            }
            ["fuzz/run.sh", target] => {
                exists(root.join(format!("fuzz/fuzz_targets/{target}.rs")).is_file(), "fuzz target", target)
            }
            ["checks/injected-faults/run.sh", ref faults @ ..] => faults.iter().try_for_each(|fault| {
                exists(root.join(format!("checks/injected-faults/{fault}.patch")).is_file(), "fault", fault)
            }),
            [script, ..] => {
                exists(script.starts_with("checks/") && root.join(script).is_file(), "script", script)
            }
            [] => Err("no command".to_owned()),
        }
    }
}

fn exists(found: bool, what: &str, name: &str) -> Result<(), String> {
    if found { Ok(()) } else { Err(format!("no such {what}: '{name}'")) }
}

/// Returns the names of the tests of a program. A macro may make tests: their modules and names are
/// among its arguments.
fn tests(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for source in sources(folder) {
        let module = source.module.join("::");
        for item in source.code.items {
            match item {
                Item::Fn(item) => {
                    let is_test = |meta: &Meta| meta.path().is_ident("test");
                    if item.attrs.iter().any(|attribute| is_test(&attribute.meta)) {
                        found.push(format!("{module}::{}", item.sig.ident));
                    }
                }
                Item::Macro(item) if item.ident.is_none() => {
                    let tokens = item.mac.tokens.to_string();
                    let names = tokens
                        .split(|c: char| !c.is_alphanumeric() && c != '_')
                        .filter(|name| !name.is_empty());
                    found.extend(names.map(|name| format!("{module}::{name}")));
                }
                _ => {}
            }
        }
    }
    found
}
