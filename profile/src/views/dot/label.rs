//! Names in the syntax of DOT.

use std::sync::LazyLock;

use regex_lite::Regex;

/// Returns a text for a quoted string of DOT. Line feeds become line breaks after left-justified
/// text.
pub(super) fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\l")
}

/// Returns the shortened name of a function with a line for each of its parts, escaped.
pub(super) fn in_lines(name: &str) -> String {
    // "[...]" are the type parameters of a Go function. pprof keeps them on one line.
    let name = escaped(&shortened(name)).replace("::", "\\n").replace("[...]", "[…]");
    name.replace('.', "\\n") + "\\n"
}

/// Removes the package of a Java or Go function and the namespaces of a C++ method, as pprof does.
fn shortened(name: &str) -> String {
    static ANONYMOUS_NAMESPACE: LazyLock<Regex> = LazyLock::new(|| regex(r"^\(anonymous namespace\)::"));
    static GO_VERSION: LazyLock<Regex> = LazyLock::new(|| regex(r"^(.*?)/v(?:[2-9]|[1-9][0-9]+)([./].*)$"));
    static LANGUAGES: LazyLock<[Regex; 3]> = LazyLock::new(|| {
        [
            r"^(?:[\w\-\.]+/)+([^.]+\..+)", // Go
            r"^(?:[a-z]\w*\.)*([A-Z][\w\$]*\.(?:<init>|[a-z][\w\$]*(?:\$\d+)?))(?:\(|$)", // Java
            r"^(?:[_a-zA-Z]\w*::)+(_*[A-Z]\w*::~?[_a-zA-Z]\w*(?:<.*>)?)", // C++
        ]
        .map(regex)
    });
    let name = ANONYMOUS_NAMESPACE.replace(name, "");
    let name = GO_VERSION.replace(&name, "${1}${2}");
    let short = LANGUAGES.iter().find_map(|pattern| Some(pattern.captures(&name)?[1].to_owned()));
    short.unwrap_or_else(|| name.into_owned())
}

fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).expect("a constant pattern that a test compiles")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_shortened_as_in_pprof() {
        let cases = [
            ("github.com/user/package/v2.Type.Method", "package.Type.Method"),
            ("java.util.ArrayList.add(int)", "ArrayList.add"),
            ("ns::inner::Type::method", "Type::method"),
            ("(anonymous namespace)::run", "run"),
            ("codec::shift", "codec::shift"),
        ];
        for (name, short) in cases {
            assert_eq!(shortened(name), short);
        }
        assert_eq!(in_lines("main.(*List[...]).Push"), r"main\n(*List[…])\nPush\n");
        assert_eq!(escaped("a\"b\\c\nd"), r#"a\"b\\c\ld"#);
    }
}
