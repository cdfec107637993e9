//! The files of the repository, for the tests of the documentation.

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
