//! The trust inventory (`docs/trust-inventory.md`) lists every public function and every operation of
//! a kernel, and all checks that it names exist.

mod checks;
mod functions;
mod inventory;
mod kernels;
mod sources;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use checks::Checks;
use functions::public_functions;
use inventory::Inventory;
use kernels::operations;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// Returns the difference between the names that a table lists and those that there are.
fn differences(listed: &[String], present: &BTreeSet<String>) -> Vec<String> {
    let mut errors = Vec::new();
    let mut seen = BTreeSet::new();
    for name in listed {
        if !present.contains(name) {
            errors.push(format!("'{name}' has a row, but does not exist"));
        }
        if !seen.insert(name.clone()) {
            errors.push(format!("'{name}' has two rows"));
        }
    }
    errors.extend(present.difference(&seen).map(|name| format!("'{name}' has no row")));
    errors
}

/// What an inventory has to list, and what it may name.
struct Present {
    functions: BTreeSet<String>,
    operations: BTreeSet<String>,
    checks: Checks<'static>,
}

impl Present {
    fn read() -> Self {
        let (root, src) = (Path::new(ROOT), Path::new(ROOT).join("src"));
        Self { functions: public_functions(&src), operations: operations(&src), checks: Checks::of(root) }
    }

    /// Returns what is wrong with an inventory.
    fn errors(&self, text: &str) -> Vec<String> {
        let inventory = Inventory::read(text);
        let mut errors = inventory.errors();
        errors.extend(differences(&inventory.functions(), &self.functions));
        errors.extend(differences(&inventory.operations(), &self.operations));
        for (check, command) in inventory.commands() {
            if let Err(problem) = self.checks.find(command) {
                errors.push(format!("{check}: '{command}': {problem}"));
            }
        }
        errors
    }
}

fn text() -> String {
    fs::read_to_string(Path::new(ROOT).join("docs/trust-inventory.md")).expect("the inventory")
}

#[test]
fn the_inventory_lists_all_functions_and_operations_and_its_checks_exist() {
    let present = Present::read();
    for name in
        ["encode_slice", "Kernel::skip", "varint::$encode", "protobuf::packed::$decode", "Varint::decode"]
    {
        assert!(present.functions.contains(name), "{name} was not found");
    }
    assert_eq!(present.errors(&text()), [""; 0]);
}

#[test]
fn a_missing_row_and_an_unknown_name_are_found() {
    let (present, text) = (Present::read(), text());
    let errors_with = |from: &str, to: &str| {
        let changed = text.replacen(from, to, 1);
        assert_ne!(changed, text, "the inventory has no '{from}'");
        present.errors(&changed)
    };
    assert_eq!(errors_with("`Kernel::skip`", ""), ["'Kernel::skip' has no row"]);
    assert_eq!(
        errors_with("`Kernel::skip`", "`Kernel::leap`"),
        ["'Kernel::leap' has a row, but does not exist", "'Kernel::skip' has no row"]
    );
    assert_eq!(
        errors_with("`Kernel::skip`", "`Kernel::skip` `Kernel::skip`"),
        ["'Kernel::skip' has two rows"]
    );
    for (from, to) in [
        ("fuzz/run.sh kernels`", "fuzz/run.sh no_such_target`"),
        ("--test codec delta::`", "--test codec no_such_test`"),
        ("checks/exhaustive.sh`", "checks/no-such-script.sh`"),
        ("--only 'mixed'`", "--only 'no such property'`"),
        ("avx512-overread`", "no-such-fault`"),
    ] {
        let errors = errors_with(from, to);
        assert!(
            errors.len() == 1 && errors[0].contains("no such") || errors[0].contains("no-such"),
            "{errors:?}"
        );
    }
}

#[test]
fn a_new_function_without_a_row_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("lib.rs", "mod a; pub mod b; pub use a::{A, free}; pub use b::c as d; fn private() {}");
    write(
        "a.rs",
        "pub fn free() {} pub struct A; impl A { pub const fn new() {} fn own(&self) {} } pub trait Sealed { fn no(); }",
    );
    write(
        "b.rs",
        "use crate::a::A; mod c; impl A { pub fn of_b(&self) {} } macro_rules! m { () => { pub const fn $made() {} } }",
    );
    fs::create_dir(folder.path().join("b")).unwrap();
    write(
        "b/c.rs",
        "pub struct Codec; impl Decoder for Codec { fn decode(&mut self) {} } impl Default for Codec { fn default() -> Self {} }",
    );
    let found: Vec<String> = public_functions(folder.path()).into_iter().collect();
    assert_eq!(found, ["A::new", "A::of_b", "b::$made", "d::Codec::decode", "free"]);
}
