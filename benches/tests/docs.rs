//! The documentation: every public item has an example, and every link between the files leads somewhere.

use std::fs;
use std::path::{Path, PathBuf};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
/// The traits behind the sealed ones: out of users' reach.
const SEALED: [&str; 3] = ["backend.rs", "width.rs", "routines.rs"];

/// The files below `folder` whose names end so. What builds leave behind is no part of the sources.
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

/// The line of each public item of `source` whose documentation has no example. `pub` is what users see: a lint says where it
/// is not.
fn without_example(source: &str) -> Vec<&str> {
    let (mut found, mut has_example, mut in_trait, mut in_parentheses) = (Vec::new(), false, false, false);
    for line in source.lines() {
        let text = line.trim_start();
        let indent = line.len() - text.len();
        if in_parentheses {
            in_parentheses = indent > 0 || text != ")]";
        } else if text.starts_with("///") || text.starts_with("#[") {
            has_example |= text.contains("```");
        } else {
            in_trait = text.starts_with("pub trait ") || in_trait && (indent > 0 || text != "}");
            let item = text.strip_prefix("pub ").map(|item| item.trim_start_matches("const "));
            let starts =
                |item: &str| ["fn ", "struct ", "enum ", "trait "].iter().any(|kind| item.starts_with(kind));
            let is_constant = text.starts_with("pub const ") && !item.is_some_and(starts);
            let is_method = in_trait && indent == 4 && text.starts_with("fn ");
            if (item.is_some_and(starts) || is_constant || is_method) && !has_example {
                found.push(line);
            }
            has_example = false;
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
    let source = "/// Good.\n///\n/// ```\n/// ```\npub const fn good() {}\n\n/// Bad.\n#[inline]\npub fn bad() {}\n\
                  /// ```\npub trait Both {\n    /// Bad.\n    fn method();\n}\n/// Bad.\npub const BAD: u8 = 1;\npub(crate) fn mine() {}\n";
    assert_eq!(without_example(source), ["pub fn bad() {}", "    fn method();", "pub const BAD: u8 = 1;"]);
}

/// The targets of the links of a Markdown text, but for those in blocks of code.
fn links(text: &str) -> Vec<&str> {
    let mut in_code = false;
    let mut found = Vec::new();
    for line in text.lines() {
        in_code ^= line.trim_start().starts_with("```");
        if !in_code {
            found.extend(line.split("](").skip(1).filter_map(|rest| rest.split(')').next()));
        }
    }
    found
}

/// The anchor that a heading gets: lower case, dashes for spaces, no punctuation.
fn anchor(heading: &str) -> String {
    let text = heading.trim_start_matches('#').trim().to_lowercase();
    text.chars().filter(|c| c.is_alphanumeric() || "-_ ".contains(*c)).collect::<String>().replace(' ', "-")
}

/// What is wrong with a link in the file `from`.
fn fault(from: &Path, link: &str) -> Option<String> {
    if link.contains("://") || link.starts_with("mailto:") {
        return None;
    }
    let (path, fragment) = link.split_once('#').unwrap_or((link, ""));
    let target = if path.is_empty() { from.to_owned() } else { from.parent()?.join(path) };
    if !target.exists() {
        return Some(format!("{}: '{link}' leads nowhere", from.display()));
    }
    let text =
        if fragment.is_empty() { return None } else { fs::read_to_string(&target).unwrap_or_default() };
    let has = text.lines().any(|line| line.starts_with('#') && anchor(line) == fragment);
    (!has).then(|| format!("{}: '{link}' names no heading", from.display()))
}

#[test]
fn every_relative_link_leads_to_a_file_and_a_heading() {
    let mut examined = 0;
    let mut faults = Vec::new();
    for path in files(Path::new(ROOT), ".md") {
        let text = fs::read_to_string(&path).expect("text");
        for link in links(&text) {
            examined += 1;
            faults.extend(fault(&path, link));
        }
    }
    assert_eq!(faults, [""; 0]);
    assert!(examined > 20, "only {examined} links were found");
}

#[test]
fn a_broken_link_is_found() {
    let readme = Path::new(ROOT).join("README.md");
    assert_eq!(links("[a](b.md) and [c](d.md#e)\n```\n[f](g)\n```\n"), ["b.md", "d.md#e"]);
    assert_eq!(fault(&readme, "README.md#speed"), None);
    assert!(fault(&readme, "README.md#no-such-heading").is_some_and(|fault| fault.contains("heading")));
    assert!(fault(&readme, "docs/nothing.md").is_some_and(|fault| fault.contains("nowhere")));
}

#[test]
fn tables_of_the_crate_page_say_what_their_sources_say() {
    let read = |path: &str| fs::read_to_string(Path::new(ROOT).join(path)).expect("text");
    let (page, readme, verdicts) = (read("src/lib.rs"), read("README.md"), read("src/varint.rs"));
    let rows = |text: &'static str| {
        page.lines().filter_map(|line| line.strip_prefix("//! ")).filter(move |row| row.contains(text))
    };
    assert!(rows("×").count() > 4 && rows("`Overflow` |").count() > 1);
    for row in rows("×").chain(rows("| best peer")) {
        assert!(readme.lines().any(|line| line == row), "README has no '{row}'");
    }
    for row in rows("| `Overflow` |").chain(rows("`NonCanonical` |")) {
        assert!(verdicts.contains(&format!("/// {row}\n")), "Varint has no '{row}'");
    }
}
