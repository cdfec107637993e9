//! `cargo run -p zigzag-varint-docs` writes the generated parts of all pages. It builds the program
//! `sweep`, from which most of them are made.

use std::fs;
use std::process::ExitCode;

use zigzag_varint_docs::{Sweep, outdated, root};

fn main() -> ExitCode {
    let cargo = std::env::var_os("CARGO").unwrap_or("cargo".into());
    let words =
        ["run", "--quiet", "--locked", "--features", "http,profile", "--bin", "sweep", "--"].map(Into::into);
    let sweep = Sweep([cargo].into_iter().chain(words).collect());
    let pages = match outdated(&sweep) {
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
