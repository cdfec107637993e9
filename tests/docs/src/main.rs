//! `cargo run -p zigzag-varint-docs` writes the generated parts of all pages.

use std::fs;
use std::process::ExitCode;

use zigzag_varint_docs::{outdated, root};

fn main() -> ExitCode {
    let pages = match outdated() {
        Ok(pages) => pages,
        Err(problem) => {
            eprintln!("error: {problem}");
            return ExitCode::FAILURE;
        }
    };
    for page in &pages {
        if let Err(error) = fs::write(root().join(&page.page), &page.text) {
            eprintln!("error: {}: {error}", page.page.display());
            return ExitCode::FAILURE;
        }
        println!("{}: written", page.page.display());
    }
    println!("{} pages have changed", pages.len());
    ExitCode::SUCCESS
}
