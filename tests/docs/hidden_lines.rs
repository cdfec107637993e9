//! Examples are complete where people read them. Lines that start with `# ` are hidden by rustdoc,
//! but GitHub and crates.io show them.

use zigzag_varint_docs::{files, read};

/// Returns the number and the text of each line that rustdoc hides in the `rust` blocks of a page.
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
