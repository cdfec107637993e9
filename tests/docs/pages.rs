//! Pages are short, their examples are complete where people read them, and every path that the pages
//! for contributors name exists.

use std::fs;
use std::path::Path;

use zigzag_varint_docs::{files, outdated, prose, read, root};

const README_LINES: usize = 125;
const PAGE_WORDS: usize = 1500;
const EXAMPLE_LINES: usize = 50;

/// Returns the number of words of a page that are not in a table or in code.
fn words(page: &str) -> usize {
    prose(page).filter(|line| !line.starts_with('|')).flat_map(str::split_whitespace).count()
}

#[test]
fn no_page_is_over_its_budget() {
    let lines = read("README.md".as_ref()).lines().count();
    assert!(lines <= README_LINES, "README.md:{lines}: at most {README_LINES} lines");
    let pages: Vec<_> = files(".md").into_iter().filter(|page| page.starts_with("docs")).collect();
    assert!(pages.len() > 5, "{pages:?}");
    for page in pages {
        let (words, page) = (words(&read(&page)), page.display());
        let remedy = "shorten or divide the page";
        assert!(words <= PAGE_WORDS, "{page}: {words} words of prose, at most {PAGE_WORDS}: {remedy}");
    }
}

#[test]
fn every_example_program_is_short_and_linked_from_a_page() {
    let programs: Vec<_> = files(".rs").into_iter().filter(|path| path.starts_with("examples")).collect();
    let pages: Vec<_> =
        files(".md").into_iter().filter(|page| page.starts_with("docs")).map(|page| read(&page)).collect();
    assert!(programs.len() >= 5, "{programs:?}");
    for program in programs {
        let (lines, name) = (read(&program).lines().count(), program.to_string_lossy().replace('\\', "/"));
        assert!(lines <= EXAMPLE_LINES, "{name}: {lines} lines, at most {EXAMPLE_LINES}");
        let is_linked = pages.iter().any(|page| page.contains(&format!("../{name}")));
        assert!(is_linked, "{name}: link it from the page in docs/ that it belongs to");
    }
}

#[test]
fn words_of_tables_and_code_do_not_count() {
    assert_eq!(words("# A page\n\n| a | b |\n|---|---|\nof five\n```sh\nls a b\n```\nwords\n"), 6);
}

/// Returns the number and the text of each line that rustdoc hides in the `rust` blocks of a page. GitHub
/// and crates.io show them.
fn hidden_lines(page: &str) -> Vec<(usize, &str)> {
    let mut in_rust = false;
    let mut found = Vec::new();
    for (number, line) in (1..).zip(page.lines()) {
        if let Some(language) = line.strip_prefix("```") {
            in_rust = language.starts_with("rust");
        } else if in_rust && (line == "#" || line.starts_with("# ")) {
            found.push((number, line));
        }
    }
    found
}

#[test]
fn no_page_has_a_line_that_rustdoc_hides() {
    let mut examples = 0;
    for page in files(".md") {
        let text = read(&page);
        assert_eq!(hidden_lines(&text), [], "in {}", page.display());
        examples += text.matches("\n```rust").count();
    }
    assert!(examples > 10, "only {examples} examples were found");
}

#[test]
fn a_hidden_line_is_found() {
    let page = "# Title\n```rust\n#[test]\n# let hidden = 1;\n#\n```\n```sh\n# a comment\n```\n";
    assert_eq!(hidden_lines(page), [(4, "# let hidden = 1;"), (5, "#")]);
}

const PAGES: [&str; 2] = ["docs/ARCHITECTURE.md", "CONTRIBUTING.md"];
const ENDINGS: [&str; 8] = [".md", ".rs", ".toml", ".json", ".sh", ".py", ".patch", ".yml"];

/// Returns the line and the text of each path in backticks. In a command, this is its first word.
/// A word with a placeholder such as `NAME` is not a path.
fn paths(page: &str) -> Vec<(usize, &str)> {
    let is_path = |word: &&str| {
        word.chars().all(|c| c.is_ascii_alphanumeric() || "-_./".contains(c))
            && (word.contains('/') || ENDINGS.iter().any(|ending| word.ends_with(ending)))
            && !word.contains("NAME")
    };
    (1..)
        .zip(page.lines())
        .flat_map(|(number, line)| line.split('`').skip(1).step_by(2).map(move |code| (number, code)))
        .filter_map(|(number, code)| Some((number, code.split(' ').next().filter(is_path)?)))
        .collect()
}

/// Returns whether `path` is a file or a folder of `files`. A path whose first part is not in the
/// root may leave out the folders before it, as in a list of files of one folder.
fn exists(path: &str, files: &[String]) -> bool {
    let (path, is_folder) = path.strip_suffix('/').map_or((path, false), |folder| (folder, true));
    if path.split_once('/').is_some_and(|(first, _)| root().join(first).exists()) {
        return if is_folder { root().join(path).is_dir() } else { root().join(path).exists() };
    }
    files.iter().any(|file| {
        let folder = || format!("/{file}").contains(&format!("/{path}/"));
        !is_folder && Path::new(file).ends_with(path) || folder()
    })
}

#[test]
fn every_path_in_the_pages_for_contributors_exists() {
    let files: Vec<String> = files("").iter().map(|file| file.to_string_lossy().replace('\\', "/")).collect();
    let mut missing = Vec::new();
    let mut examined = 0;
    for page in PAGES {
        for (line, path) in paths(&read(page.as_ref())) {
            examined += 1;
            if !exists(path, &files) {
                missing.push(format!("{page}:{line}: no file or folder '{path}'"));
            }
        }
    }
    assert_eq!(missing, [""; 0]);
    assert!(examined > 50, "only {examined} paths were found");
}

#[test]
fn every_command_that_adds_a_package_names_its_folder() {
    let mut examined = 0;
    for page in files(".md") {
        for (number, line) in read(&page).lines().enumerate() {
            let Some((command, folder)) = line.split_once(" --path ../zigzag-varint") else { continue };
            let name = command.rsplit(' ').next().expect("the word before");
            let folder = folder.split([' ', '`', ')', ':']).next().expect("the word after");
            let manifest = root().join(folder.trim_start_matches('/')).join("Cargo.toml");
            let text = fs::read_to_string(manifest).unwrap_or_default();
            let place = format!("{}:{}", page.display(), number + 1);
            assert!(text.contains(&format!("\nname = \"{name}\"\n")), "{place}: {name} is not in '{folder}'");
            examined += 1;
        }
    }
    assert!(examined >= 8, "{examined}");
}

#[test]
fn a_path_that_does_not_exist_is_found() {
    let page =
        "the `Decoder` in `src/decoder.rs`, `NAME.rs` or `.ci/run --help`\nand `cargo test`: `lost.rs`";
    assert_eq!(paths(page), [(1, "src/decoder.rs"), (1, ".ci/run"), (2, "lost.rs")]);
    let files = ["src/decoder.rs".to_owned(), "every-input/src/plan/sample.rs".to_owned()];
    for path in ["src/decoder.rs", "plan/sample.rs", "sample.rs", "plan/", "src/", "src"] {
        assert!(exists(path, &files), "{path}");
    }
    for path in ["src/lost.rs", "plan/lost.rs", "ple.rs", "decoder/", "sample.rs/"] {
        assert!(!exists(path, &files), "{path}");
    }
}

#[test]
fn generated_parts_are_what_their_commands_write() {
    let outdated = outdated().unwrap();
    let lines: Vec<String> =
        outdated.iter().map(|page| format!("{}:{}", page.page.display(), page.line)).collect();
    assert!(
        lines.is_empty(),
        "these generated parts differ from what their commands write; `cargo run -p zigzag-varint-docs` \
         writes them: {lines:?}"
    );
}
