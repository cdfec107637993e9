//! The source files below a folder, as modules.

use std::fs;
use std::path::{Path, PathBuf};

/// The path of a module from the root of its crate: empty for the root.
pub(crate) type Module = Vec<String>;

/// A parsed source file.
pub(crate) struct Source {
    pub(crate) module: Module,
    pub(crate) code: syn::File,
}

/// Returns the files of the crate in a folder, without programs.
pub(crate) fn sources(folder: &Path) -> Vec<Source> {
    let mut files = Vec::new();
    collect(folder, &Module::new(), &mut files);
    let parsed = files.into_iter().map(|(module, path)| {
        let text = fs::read_to_string(&path).expect("text");
        let code = syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        Source { module, code }
    });
    parsed.collect()
}

fn collect(folder: &Path, module: &Module, files: &mut Vec<(Module, PathBuf)>) {
    for entry in fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("readable").path();
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let child = [&module[..], std::slice::from_ref(&name)].concat();
        if path.is_dir() && name != "bin" {
            collect(&path, &child, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let is_root = ["lib", "main", "mod"].contains(&name.as_str());
            files.push((if is_root { module.clone() } else { child }, path));
        }
    }
}
