//! Checks the documentation: every public item of the codec has an example, and every link has a target.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
/// Files with the supertraits of sealed traits, which users cannot reach.
const SEALED: [&str; 4] = ["backend.rs", "dispatch.rs", "width.rs", "routines.rs"];

/// Returns the files below `folder` whose names end with `ending`, without the output of builds.
fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder of the sources") {
        let path = entry.expect("readable").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() && name != "target" && !name.starts_with('.') {
            found.extend(files(&path, ending));
        } else if name.ends_with(ending) {
            found.push(path);
        }
    }
    found
}

/// Returns the line of each public item of `source` whose documentation has no example. The lint
/// `unreachable_pub` makes sure that users can reach each item that is `pub`. If a macro forwards
/// attributes to an item, its documentation is at the line of the invocation with the name.
fn without_example(source: &str) -> Vec<&str> {
    let (mut found, mut is_documented, mut has_example) = (Vec::new(), false, false);
    let (mut in_trait, mut in_attribute, mut in_invocation) = (false, false, false);
    for line in source.lines() {
        let text = line.trim_start();
        let indent = line.len() - text.len();
        if in_attribute {
            in_attribute = text != ")]";
        } else if ["///", "#[", "$(#["].iter().any(|start| text.starts_with(start)) {
            is_documented |= text.starts_with("///");
            has_example |= text.contains("```") || text.starts_with("$(#[");
            in_attribute = text.starts_with("#[") && !text.contains(']');
        } else {
            in_trait = text.starts_with("pub trait ") || in_trait && (indent > 0 || text != "}");
            in_invocation =
                indent == 0 && text.ends_with("! {") || in_invocation && (indent > 0 || text != "}");
            let item = text.strip_prefix("pub ").map(|item| item.trim_start_matches("const "));
            let starts =
                |item: &str| ["fn ", "struct ", "enum ", "trait "].iter().any(|kind| item.starts_with(kind));
            let is_constant = text.starts_with("pub const ") && !item.is_some_and(starts);
            let is_method = in_trait && indent == 4 && text.starts_with("fn ");
            let is_argument = in_invocation && indent == 4 && is_documented;
            if (item.is_some_and(starts) || is_constant || is_method || is_argument) && !has_example {
                found.push(line);
            }
            (is_documented, has_example) = (false, false);
        }
    }
    found
}

#[test]
fn every_public_item_of_the_codec_has_an_example() {
    let mut examined = 0;
    for path in files(&Path::new(ROOT).join("src"), ".rs") {
        let is_program = path.starts_with(Path::new(ROOT).join("src/bin"));
        if is_program || SEALED.iter().any(|name| path.ends_with(name)) {
            continue;
        }
        let source = fs::read_to_string(&path).expect("text");
        assert_eq!(without_example(&source), [""; 0], "in {}", path.display());
        examined += 1;
    }
    assert!(examined > 20, "only {examined} files were found");
}

#[test]
fn an_item_without_an_example_is_found() {
    let source = "/// Good.\n///\n/// ```\n/// ```\n#[a(\n    b\n)]\npub const fn good() {}\n\n/// Bad.\n#[inline]\npub fn bad() {}\n\
                  /// ```\npub trait Both {\n    /// Bad.\n    fn method();\n}\n/// Bad.\npub const BAD: u8 = 1;\npub(crate) fn mine() {}\n";
    assert_eq!(without_example(source), ["pub fn bad() {}", "    fn method();", "pub const BAD: u8 = 1;"]);
    let source = "macro_rules! a {\n    $(#[$b])*\n    pub struct $A;\n}\n\na! {\n    /// ```\n    /// ```\n    Good\n}\n\na! {\n    /// Bad.\n    Bad\n}\n";
    assert_eq!(without_example(source), ["    Bad"]);
}

/// Returns the lines of a Markdown text that are not in code blocks.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut in_code = false;
    text.lines().filter(move |line| {
        let is_fence = line.trim_start().starts_with("```");
        in_code ^= is_fence;
        !in_code && !is_fence
    })
}

/// Returns the targets of the inline links of a Markdown text: `[text](target)`.
fn inline_links(text: &str) -> impl Iterator<Item = &str> {
    prose(text).flat_map(|line| line.split("](").skip(1).filter_map(|rest| rest.split(')').next()))
}

/// Returns the labels of the reference links of a Markdown text: `[text][label]`.
fn reference_links(text: &str) -> impl Iterator<Item = &str> {
    prose(text).flat_map(|line| line.split("][").skip(1).filter_map(|rest| rest.split(']').next()))
}

/// Returns the label and target of a link definition: `[label]: target`.
fn definition(line: &str) -> Option<(&str, &str)> {
    line.strip_prefix('[')?.split_once("]: ")
}

/// Returns the link definitions of a Markdown text by label.
fn definitions(text: &str) -> BTreeMap<&str, &str> {
    prose(text).filter_map(definition).collect()
}

/// Returns the anchor of a heading: lower case, dashes for spaces, no punctuation.
fn anchor(heading: &str) -> String {
    let text = heading.trim_start_matches('#').trim().to_lowercase();
    text.chars().filter(|c| c.is_alphanumeric() || "-_ ".contains(*c)).collect::<String>().replace(' ', "-")
}

/// Returns what is wrong with a link in the file `from`, if anything.
fn link_error(from: &Path, link: &str) -> Option<String> {
    if link.contains("://") || link.starts_with("mailto:") {
        return None;
    }
    let (path, fragment) = link.split_once('#').unwrap_or((link, ""));
    let target = if path.is_empty() { from.to_owned() } else { from.parent()?.join(path) };
    if !target.exists() {
        return Some(format!("{}: '{link}' does not exist", from.display()));
    }
    let text =
        if fragment.is_empty() { return None } else { fs::read_to_string(&target).unwrap_or_default() };
    let has = prose(&text).any(|line| line.starts_with('#') && anchor(line) == fragment);
    (!has).then(|| format!("{}: '{link}' has no such heading", from.display()))
}

/// Returns what is wrong with the links of the file `from`, whose content is `text`.
fn link_errors(from: &Path, text: &str) -> Vec<String> {
    let definitions = definitions(text);
    let targets = inline_links(text).chain(definitions.values().copied());
    let mut errors: Vec<String> = targets.filter_map(|link| link_error(from, link)).collect();
    let used: Vec<&str> = reference_links(text).collect();
    for label in used.iter().filter(|label| !definitions.contains_key(*label)) {
        errors.push(format!("{}: '[{label}]' has no definition", from.display()));
    }
    for label in definitions.keys().filter(|label| !used.contains(label)) {
        errors.push(format!("{}: '[{label}]' is not used", from.display()));
    }
    errors
}

#[test]
fn every_relative_link_has_a_target() {
    let mut examined = 0;
    let mut errors = Vec::new();
    for path in files(Path::new(ROOT), ".md") {
        let text = fs::read_to_string(&path).expect("text");
        examined += inline_links(&text).count() + reference_links(&text).count();
        errors.extend(link_errors(&path, &text));
    }
    assert_eq!(errors, [""; 0]);
    assert!(examined > 20, "only {examined} links were found");
}

#[test]
fn a_broken_link_is_found() {
    let readme = Path::new(ROOT).join("README.md");
    let errors = |text: &str| link_errors(&readme, text).len();
    assert_eq!(
        errors("[a](docs/policy.md) [b](README.md#speed) [c][c]\n```\n[d](e)\n```\n[c]: docs/speed.md\n"),
        0
    );
    assert_eq!(errors("[a](docs/nothing.md) [b](README.md#no-such-heading)"), 2);
    assert_eq!(errors("[a][a]\n[a]: docs/nothing.md\n"), 1);
    assert_eq!(errors("[a][undefined]"), 1);
    assert_eq!(errors("[unused]: docs/speed.md\n"), 1);
}

/// Returns the target on the crate page of a link in a guide. `modules` has the module of each file
/// in `docs/` that is a guide.
fn crate_page_target(link: &str, modules: &BTreeMap<&str, &str>) -> String {
    let (path, fragment) =
        link.split_once('#').map_or((link, String::new()), |(path, fragment)| (path, format!("#{fragment}")));
    match modules.get(path) {
        Some(module) => format!("crate::guide::{module}{fragment}"),
        None => {
            let path = path.strip_prefix("../").map_or_else(|| format!("docs/{path}"), str::to_owned);
            format!("https://docs.rs/crate/zigzag-varint/latest/source/{path}{fragment}")
        }
    }
}

#[test]
fn links_of_guides_have_targets_on_the_crate_page() {
    let source = fs::read_to_string(Path::new(ROOT).join("src/guide.rs")).expect("text");
    let of_crate_page: BTreeMap<&str, &str> = source
        .lines()
        .filter_map(|line| line.trim().strip_prefix("#[doc = \"")?.strip_suffix("\"]"))
        .filter_map(definition)
        .collect();
    let modules: BTreeMap<&str, &str> = source
        .lines()
        .filter_map(|line| line.strip_prefix("guide!(")?.split_once(", \"../docs/"))
        .filter_map(|(module, rest)| Some((rest.split('"').next()?, module)))
        .collect();
    assert!(!modules.is_empty());
    let mut used = BTreeSet::new();
    for file in modules.keys() {
        let path = Path::new(ROOT).join("docs").join(file);
        let text = fs::read_to_string(&path).expect("text");
        for link in inline_links(&text) {
            assert!(
                link.starts_with('#') || link.contains("://"),
                "{file}: '{link}' is relative: give it a label"
            );
        }
        for (label, link) in definitions(&text).into_iter().filter(|(_, link)| !link.contains("://")) {
            let expected = crate_page_target(link, &modules);
            assert_eq!(
                of_crate_page.get(label),
                Some(&expected.as_str()),
                "[{label}] of {file} in src/guide.rs"
            );
            used.insert(label.to_owned());
        }
    }
    let unused: Vec<_> = of_crate_page.keys().filter(|label| !used.contains(**label)).collect();
    assert_eq!(unused, [&""; 0], "defined in src/guide.rs, but not used in a guide");
}
