//! Edits of a published crate: replaced functions, and the dependency on this crate.

use std::fs;
use std::path::Path;

use serde::Deserialize;
use toml_edit::{Array, DocumentMut, Item, Table, value};

use crate::places::{self, Kind};

/// A file of edits.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Edits {
    /// The name of the crate and its version, to name in errors.
    name: String,
    version: String,
    /// The features of this crate that the patched crate enables.
    features: Vec<String>,
    /// The feature of the patched crate that enables our `std`. Without it, `std` is always enabled.
    std: Option<String>,
    edit: Vec<Edit>,
}

/// A change of a file. `at` is a kind and the path of a place, such as `body encode`, or `end` of the file.
/// The text is inserted there, and replaces a body or a call.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Edit {
    file: String,
    at: String,
    text: String,
}

/// Applies a file of edits to the crate in `folder`. `codec` is the folder of this crate.
pub(crate) fn apply(edits: &Path, folder: &Path, codec: &str) -> Result<(), String> {
    let text = read(edits)?;
    let edits: Edits =
        toml_edit::de::from_str(&text).map_err(|error| format!("{}: {error}", edits.display()))?;
    for edit in &edits.edit {
        let path = folder.join(&edit.file);
        let source = read(&path)?;
        let edited = edit
            .apply(&source)
            .map_err(|error| format!("{} {}: {}: {error}", edits.name, edits.version, edit.file))?;
        write(&path, &edited)?;
    }
    let path = folder.join("Cargo.toml");
    let manifest = edits
        .add_dependency(&read(&path)?, codec)
        .map_err(|error| format!("{} {}: Cargo.toml: {error}", edits.name, edits.version))?;
    write(&path, &manifest)
}

impl Edit {
    fn apply(&self, source: &str) -> Result<String, String> {
        let bytes = match self.at.split_once(' ') {
            Some(("body", path)) => places::find(source, Kind::Body, path)?,
            Some(("call", path)) => places::find(source, Kind::Call, path)?,
            Some(("bounds", path)) => places::find(source, Kind::Bounds, path)?,
            None if self.at == "end" => source.len()..source.len(),
            _ => return Err(format!("unknown place '{}'", self.at)),
        };
        Ok([&source[..bytes.start], &self.text, &source[bytes.end..]].concat())
    }
}

impl Edits {
    fn add_dependency(&self, manifest: &str, codec: &str) -> Result<String, String> {
        let mut manifest: DocumentMut = manifest.parse().map_err(|error| format!("{error}"))?;
        let mut dependency = Table::new();
        dependency["path"] = value(codec);
        dependency["default-features"] = value(false);
        let std = if self.std.is_none() { Some("std") } else { None };
        dependency["features"] =
            value(self.features.iter().map(String::as_str).chain(std).collect::<Array>());
        manifest["dependencies"]["zigzag-varint"] = Item::Table(dependency);
        if let Some(std) = &self.std {
            let feature = manifest["features"][std].as_array_mut();
            feature.ok_or(format!("no feature '{std}'"))?.push("zigzag-varint/std");
        }
        // The copy is in a target folder, inside of another workspace.
        manifest.insert("workspace", Item::Table(Table::new()));
        Ok(manifest.to_string())
    }
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const EDITS: &str = "
        name = 'parser'
        version = '1.2.3'
        features = ['alloc']
        std = 'std'
        [[edit]]
        file = 'lib.rs'
        at = 'body decode'
        text = ' ours() '
    ";

    /// Applies `EDITS` to a crate with this source, and returns the crate.
    fn patched(source: &str) -> Result<(String, String), String> {
        let folder = tempfile::tempdir().unwrap();
        let path = |name| folder.path().join(name);
        fs::write(path("edits.toml"), EDITS).unwrap();
        fs::write(path("lib.rs"), source).unwrap();
        fs::write(path("Cargo.toml"), "[features]\nstd = ['x/std']\n[dependencies]\n").unwrap();
        apply(&path("edits.toml"), folder.path(), "/codec")?;
        Ok((read(&path("lib.rs"))?, read(&path("Cargo.toml"))?))
    }

    #[test]
    fn a_body_and_a_dependency_are_written() {
        let (source, manifest) = patched("fn decode() { theirs() } // end").unwrap();
        assert_eq!(source, "fn decode() { ours() } // end");
        let manifest: DocumentMut = manifest.parse().unwrap();
        assert_eq!(manifest["dependencies"]["zigzag-varint"]["path"].as_str(), Some("/codec"));
        assert_eq!(manifest["features"]["std"].as_array().unwrap().len(), 2);
    }

    #[test]
    fn a_missing_function_is_named_with_its_crate() {
        assert_eq!(patched("fn encode() {}").unwrap_err(), "parser 1.2.3: lib.rs: no 'decode'");
    }
}
