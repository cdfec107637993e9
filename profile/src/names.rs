//! Converts the names of functions and files in a profile to the form that pprof shows.

/// Returns the name to show for a function.
///
/// If the function has only a linker name and it looks like C++, its parameters and template
/// arguments are removed. Similar names of Go and Java are kept.
pub(crate) fn function(name: &str, system_name: &str) -> String {
    let shown =
        if name.is_empty() || name == system_name { simplified(system_name) } else { name.to_owned() };
    printable(&shown)
}

/// Replaces control characters, because they could change the state of a terminal.
pub(crate) fn printable(name: &str) -> String {
    name.replace(char::is_control, "\u{fffd}")
}

fn simplified(name: &str) -> String {
    let is_cpp = !name.contains(".<") // Java
        && !name.contains("]).") // Go
        && (name.contains(['<', '>', '[', ']']) || name.contains("::"));
    if is_cpp { without_brackets(&without_brackets(name, '(', ')'), '<', '>') } else { name.to_owned() }
}

/// Removes all text in these brackets, at any depth. The text from the first unmatched bracket on
/// is kept.
fn without_brackets(name: &str, open: char, close: char) -> String {
    let (mut kept, mut depth, mut start) = (String::new(), 0usize, 0);
    for (at, c) in name.char_indices() {
        if c == open {
            if depth == 0 {
                kept += &name[start..at];
                start = at;
            }
            depth += 1;
        } else if c == close {
            if depth == 0 {
                break;
            }
            depth -= 1;
            if depth == 0 {
                start = at + c.len_utf8();
            }
        }
    }
    kept + &name[start..]
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
    fn parameters_and_template_arguments_are_removed() {
        let cases = [
            ("std::vector<int, a<b>>::push(int)", "std::vector::push"),
            ("main.(*List[...]).Push", "main.(*List[...]).Push"),
            ("runtime.mallocgc", "runtime.mallocgc"),
            ("Foo.<init>", "Foo.<init>"),
            ("a::b) c(d)", "a::b) c(d)"),
            ("a::<b", "a::<b"),
        ];
        for (name, shown) in cases {
            assert_eq!(function(name, name), shown);
        }
        assert_eq!(function("<T as Trait>::call", "_ZN3fooE"), "<T as Trait>::call");
        assert_eq!(function("a\u{1b}[31mb", ""), "a\u{fffd}[31mb");
    }

    #[test]
    fn paths_lose_dots_and_double_slashes() {
        let cases = [
            ("/a//b/./c/../d", "/a/b/d"),
            ("../a", "../a"),
            ("a/..", "."),
            ("/..", "/"),
            ("", ""),
            ("src/x", "src/x"),
        ];
        for (path, cleaned) in cases {
            assert_eq!(clean_path(path), cleaned);
        }
    }
}
