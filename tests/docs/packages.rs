//! `cargo test` compiles no crate that only the benchmarks need.

use std::collections::BTreeSet;
use std::process::Command;

use serde_json::Value;
use zigzag_varint_docs::{read, root};

/// The peers that tests use too. They are small.
const OF_TESTS: [&str; 4] = ["integer-encoding", "leb128", "unsigned-varint", "varint-simd"];

/// Returns the peers, which have a section of the root's manifest.
fn peers() -> BTreeSet<String> {
    let manifest = read("Cargo.toml".as_ref());
    let (_, section) = manifest.split_once("\n# --- benches: the peers").expect("the section of the peers");
    let lines = section.lines().skip(1).take_while(|line| !line.is_empty());
    lines.filter_map(|line| Some(line.split_once(" = ")?.0.to_owned())).collect()
}

/// Returns whether `cargo test` compiles a target of a package, and thereby all its dependencies.
fn is_compiled(package: &Value) -> bool {
    let targets = package["targets"].as_array().expect("a list of targets");
    targets
        .iter()
        .any(|target| target["test"] == true || target["doctest"] == true || target["kind"][0] == "example")
}

#[test]
fn cargo_test_compiles_the_peers_that_tests_use_and_no_others() {
    let mut command = Command::new(env!("CARGO"));
    command.args(["metadata", "--no-deps", "--format-version", "1"]).current_dir(root());
    let output = command.output().expect("cargo is installed");
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let members = metadata["workspace_default_members"].as_array().expect("a list of members");
    let packages = metadata["packages"].as_array().expect("a list of packages");
    let compiled = packages.iter().filter(|package| members.contains(&package["id"]) && is_compiled(package));
    let dependencies = compiled.flat_map(|package| package["dependencies"].as_array().expect("a list"));
    let names = dependencies.map(|dependency| dependency["name"].as_str().expect("a name").to_owned());
    let compiled: BTreeSet<String> = names.filter(|name| peers().contains(name)).collect();
    assert_eq!(compiled, OF_TESTS.map(str::to_owned).into());
}
