//! Converts the names of functions, files and sample types in a profile to the form that pprof shows.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::demangle::Demangler;
use crate::format::Profile;
use crate::format::wire::Function;

/// The outermost function of a stack whose outermost functions were not recorded.
pub(crate) const TRUNCATED: &str = "[truncated]";

/// Returns the index of the name of a function, for [`shown`]. It is that of the linker if there is no
/// other.
pub(crate) fn function(profile: &Profile, function: &Function) -> i64 {
    if profile.text(function.name).is_empty() { function.system_name } else { function.name }
}

/// Returns the name of a function as it is shown, and as regular expressions match it. Mangled names are
/// converted to those of the source code, each once.
pub(crate) fn shown(profile: &Profile, name: i64) -> Cow<'_, str> {
    match profile.demangled.get_or_init(|| demangled(profile)).get(&name) {
        Some(name) => Cow::Borrowed(name),
        None => printable(profile.text(name)).into(),
    }
}

/// Returns the indices of the names of all functions, each once.
pub(crate) fn functions(profile: &Profile) -> Vec<i64> {
    let mut names: Vec<_> = profile.tables.function.iter().map(|it| function(profile, it)).collect();
    names.sort_unstable();
    names.dedup();
    names
}

fn demangled(profile: &Profile) -> HashMap<i64, String> {
    let mut demangler = Demangler::new(profile.strings.size());
    let demangled = |name| Some((name, printable(&demangler.demangle(profile.text(name))?)));
    functions(profile).into_iter().filter_map(demangled).collect()
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
