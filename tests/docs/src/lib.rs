//! The files of the repository and their generated parts, for the tests of the documentation and for
//! the program `docs`, which writes these parts.

mod article;
mod chart;
mod results;
mod sections;
mod unchecked;

use std::fs;
use std::path::{Path, PathBuf};

/// Returns the root of the repository.
#[must_use]
pub fn root() -> &'static Path {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.ancestors().nth(2).expect("the package is in tests/docs/")
}

/// Returns the files below the root whose names end with `ending`, relative to it and sorted. Output
/// of builds and hidden folders are left out, except `.ci/` and `.github/`.
#[must_use]
pub fn files(ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root().to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder of the repository") {
            let path = entry.expect("readable").path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if !path.is_dir() {
                if name.ends_with(ending) {
                    found.push(path.strip_prefix(root()).expect("below the root").to_owned());
                }
            } else if name != "target" && (!name.starts_with('.') || [".ci", ".github"].contains(&&*name)) {
                folders.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Returns the text of a file of the repository.
#[must_use]
pub fn read(path: &Path) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Returns the lines of a Markdown text that are not in code blocks.
pub fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut in_code = false;
    text.lines().filter(move |line| {
        let is_fence = line.trim_start().starts_with("```");
        in_code ^= is_fence;
        !in_code && !is_fence
    })
}

/// Returns the text that the command of a generated part writes.
fn made(command: &str) -> Result<String, String> {
    let file = read(results::FILE.as_ref());
    match command.strip_prefix("docs results ") {
        Some(name) => results::results(&file, name),
        None if command == "docs article" => article::article(&file),
        None if command == "docs checks" => results::checks(&read("checks/run".as_ref()), &file),
        None if command == "docs unchecked" => unchecked::unchecked(&unchecked::Sources {
            proofs: &read("proofs/README.md".as_ref()),
            proved: &read("checks/proved.py".as_ref()),
            kernels: &kernels(),
            script: &read("checks/run".as_ref()),
            results: &file,
        }),
        None => Err(format!(
            "unknown command '{command}'; there are docs article, docs checks, docs results NAME and docs unchecked"
        )),
    }
}

/// Returns the sources of the kernels.
fn kernels() -> Vec<String> {
    files(".rs").into_iter().filter(|path| path.starts_with("src/simd")).map(|path| read(&path)).collect()
}

/// A page or picture whose generated parts differ from what their commands write.
#[derive(Debug)]
pub struct Outdated {
    /// The file, relative to the root.
    pub page: PathBuf,
    /// Its whole text with the generated parts as they should be.
    pub text: String,
    /// The number of the first line that differs.
    pub line: usize,
}

/// Returns the pages and pictures with a generated part that differs from what its command writes.
///
/// # Errors
///
/// If a marker is broken, its file and line; if a command fails, its message.
pub fn outdated() -> Result<Vec<Outdated>, String> {
    let mut made_pages = Vec::new();
    for chart in chart::CHARTS {
        made_pages.push((chart.file.into(), chart::chart(&chart, &read(results::FILE.as_ref()))?));
    }
    for page in files(".md") {
        let text = sections::rewritten(&page, &read(&page), made)?;
        made_pages.push((page, text));
    }
    let mut found = Vec::new();
    for (page, text) in made_pages {
        let before = fs::read_to_string(root().join(&page)).unwrap_or_default(); // a new picture has no file
        if text != before {
            let same = text.lines().zip(before.lines()).take_while(|(new, old)| new == old).count();
            found.push(Outdated { page, text, line: same + 1 });
        }
    }
    Ok(found)
}
