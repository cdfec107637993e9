//! Every link of the pages has a target, in the repository and in the documentation of the crate.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use zigzag_varint_docs::{files, prose, read, root};

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
    for path in files(".md") {
        let text = read(&path);
        examined += inline_links(&text).count() + reference_links(&text).count();
        errors.extend(link_errors(&root().join(path), &text));
    }
    assert_eq!(errors, [""; 0]);
    assert!(examined > 20, "only {examined} links were found");
}

#[test]
fn a_broken_link_is_found() {
    let readme = root().join("README.md");
    let errors = |text: &str| link_errors(&readme, text).len();
    let valid = "[a](docs/formats.md) [b](README.md#speed) [c][c]\n```\n[d](e)\n```\n[c]: docs/speed.md\n";
    assert_eq!(errors(valid), 0);
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
    let source = read("src/guide.rs".as_ref());
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
        let text = read(&Path::new("docs").join(file));
        for link in inline_links(&text) {
            let is_relative = !link.starts_with('#') && !link.contains("://");
            assert!(!is_relative, "{file}: '{link}' is relative: give it a label");
        }
        for (label, link) in definitions(&text).into_iter().filter(|(_, link)| !link.contains("://")) {
            let expected = crate_page_target(link, &modules);
            let target = of_crate_page.get(label).copied();
            assert_eq!(target, Some(&*expected), "[{label}] of {file} in src/guide.rs");
            used.insert(label.to_owned());
        }
    }
    let unused: Vec<_> = of_crate_page.keys().filter(|label| !used.contains(**label)).collect();
    assert_eq!(unused, [&""; 0], "defined in src/guide.rs, but not used in a guide");
}
