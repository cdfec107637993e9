//! Converts the names of functions, files and sample types in a profile to the form that pprof shows.

use crate::format::Profile;
use crate::format::wire::Function;

/// Returns the index of the name to show for a function. It is that of the linker if there is no
/// other.
pub(crate) fn function(profile: &Profile, function: &Function) -> i64 {
    if profile.text(function.name).is_empty() { function.system_name } else { function.name }
}

/// Returns the names and units of the sample types.
pub(crate) fn sample_types(profile: &Profile) -> String {
    let types: Vec<_> = profile.sample_types().map(|(kind, unit)| format!("{kind}/{unit}")).collect();
    printable(&types.join(" "))
}

/// Replaces control characters, because they could change the state of a terminal.
pub(crate) fn printable(name: &str) -> String {
    name.replace(char::is_control, "\u{fffd}")
}

/// Returns a path without `.`, `..` and double slashes. It does not access the file system.
pub(crate) fn clean_path(path: &str) -> String {
    if path.is_empty() {
        return String::new();
    }
    let is_absolute = path.starts_with('/');
    let mut parts: Vec<&str> = vec![];
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|&last| last != "..") => drop(parts.pop()),
            ".." if is_absolute => {}
            part => parts.push(part),
        }
    }
    let joined = parts.join("/");
    match (is_absolute, joined.is_empty()) {
        (true, _) => format!("/{joined}"),
        (false, true) => ".".into(),
        (false, false) => joined,
    }
}

/// Returns the last component of a path of any operating system.
pub(crate) fn base_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).find(|part| !part.is_empty()).unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_lose_dots_and_double_slashes() {
        let cases = [
            ("/a//b/./c/../d", "/a/b/d"),
            ("../a", "../a"),
            ("a/..", "."),
            ("/..", "/"),
            ("", ""),
            ("a/b", "a/b"),
        ];
        for (path, cleaned) in cases {
            assert_eq!(clean_path(path), cleaned);
        }
    }
}
