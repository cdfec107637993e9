//! Pages stay short: a newcomer reads README in a few minutes, and a guide in a sitting.

use zigzag_varint_docs::{files, read};

use crate::links::prose;

const README_LINES: usize = 125;
const PAGE_WORDS: usize = 1500;

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
        let words = words(&read(&page));
        assert!(
            words <= PAGE_WORDS,
            "{}: {words} words of prose, at most {PAGE_WORDS}: shorten or divide the page",
            page.display()
        );
    }
}

#[test]
fn words_of_tables_and_code_do_not_count() {
    assert_eq!(words("# A page\n\n| a | b |\n|---|---|\nof five\n```sh\nls a b\n```\nwords\n"), 6);
}
