//! Converts mangled names, such as `_ZN3foo3barEi`, to those of the source code.

use std::fmt;
use std::time::{Duration, Instant};

use cpp_demangle::{DemangleOptions, ParseOptions, Symbol};

/// The maximum size of a name in bytes, mangled and converted. The longest of 350,000 names in LLVM, Node
/// and the virtual machine of Java have 1,222 and 49,274.
const MAX_NAME: usize = 64 << 10;
/// The maximum depth of a name of C++. One in a thousand of the names above is deeper. At 96, the default
/// of `cpp_demangle`, an invalid name takes minutes, and here a tenth of a second.
const MAX_DEPTH: u32 = 64;
/// By how much each ambiguity of a name lowers the maximum depth. The names above have up to 16.
const DEPTH_OF_AMBIGUITY: u32 = 3;

/// Converts the names of one profile.
///
/// A name that grows without measure, or takes too long, remains as it is. Parts of a name can refer to
/// others, so that it doubles with every few bytes, and if nothing fits, the parser of C++ tries twice as
/// many readings with every few bytes. The limits above are those of a name, and the fields those of all.
pub(crate) struct Demangler {
    /// The time that is left. 30 MB of names from real programs take two seconds.
    time: Duration,
    /// The number of bytes that are left for converted names. Those of real programs have twice the
    /// bytes of the mangled ones.
    space: usize,
}

impl Demangler {
    /// Creates a converter, given the size of all names in bytes.
    pub(crate) fn new(bytes: usize) -> Self {
        Self { time: Duration::from_secs(5), space: bytes.saturating_mul(4).saturating_add(1 << 20) }
    }

    /// Returns the name in the source code, in full, or `None` if the name is not mangled.
    ///
    /// The hash of a function in Rust is left out, and so is a suffix for one of the pieces or versions
    /// that compilers make of a function, such as `.cold`.
    pub(crate) fn demangle(&mut self, name: &str) -> Option<String> {
        // macOS puts an underscore before every name.
        let mangled = name.strip_prefix('_').filter(|rest| rest.starts_with('_')).unwrap_or(name);
        if !(mangled.starts_with("_Z") || mangled.starts_with("_R"))
            || mangled.len() > MAX_NAME
            || self.time.is_zero()
        {
            return None;
        }
        let mangled = without_suffix(mangled);
        let mut text = Limited { text: String::new(), left: self.space.min(MAX_NAME) };
        let start = Instant::now();
        // A name of C++ without parameters would also be one of Rust, but they differ in what follows a dollar.
        let may_be_rust = mangled.starts_with("_R") || mangled.contains('$') || has_hash(mangled);
        let result = match rustc_demangle::try_demangle(mangled) {
            Ok(rust) if may_be_rust => fmt::write(&mut text, format_args!("{rust:#}")),
            _ => cpp(mangled, &mut text),
        };
        self.time = self.time.saturating_sub(start.elapsed());
        let Limited { text, .. } = text;
        // `rustc_demangle` writes these where a name is invalid.
        let is_partial = ["{invalid syntax}", "{recursion limit reached}"].iter().any(|it| text.contains(it));
        if result.is_err() || text.is_empty() || is_partial {
            return None;
        }
        self.space -= text.len();
        Some(text)
    }
}

fn cpp(mangled: &str, text: &mut Limited) -> fmt::Result {
    let depth = MAX_DEPTH.checked_sub(DEPTH_OF_AMBIGUITY * ambiguities(mangled)).filter(|&depth| depth > 0);
    let options = ParseOptions::default().recursion_limit(depth.ok_or(fmt::Error)?);
    let symbol = Symbol::new_with_options(mangled, &options).map_err(|_| fmt::Error)?;
    symbol.structured_demangle(text, &DemangleOptions::default())
}

/// Counts what can be one of the ambiguities at which `cpp_demangle` reads all that follows a second time
/// if it does not fit, without much depth: `new` and `delete` in an expression, and template arguments in
/// a conversion.
fn ambiguities(mangled: &str) -> u32 {
    let has_conversion = mangled.contains("cv");
    let is_ambiguity = |pair: &[u8]| match pair {
        b"nw" | b"na" | b"dl" | b"da" => true,
        b"_I" => has_conversion,
        _ => false,
    };
    mangled.as_bytes().windows(2).map(|pair| u32::from(is_ambiguity(pair))).sum()
}

/// Returns a mangled name without suffixes such as `.cold`, `.constprop.0` and `.llvm.123`.
fn without_suffix(mangled: &str) -> &str {
    // Names of Rust can contain dots before their hash.
    match mangled.rfind("E.").map(|at| &mangled[..=at]) {
        Some(name) if has_hash(name) => name,
        _ if has_hash(mangled) => mangled,
        _ => mangled.split_once('.').map_or(mangled, |(name, _)| name),
    }
}

/// Returns whether a mangled name ends with the hash of the older names of Rust.
fn has_hash(mangled: &str) -> bool {
    let hash = mangled.strip_suffix('E').and_then(|rest| rest.get(rest.len().checked_sub(19)?..));
    hash.and_then(|hash| hash.strip_prefix("17h"))
        .is_some_and(|hash| hash.bytes().all(|it| it.is_ascii_hexdigit()))
}

/// A text of limited size.
struct Limited {
    text: String,
    /// The number of bytes that may follow.
    left: usize,
}

impl fmt::Write for Limited {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.left = self.left.checked_sub(text.len()).ok_or(fmt::Error)?;
        self.text.push_str(text);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn demangle(name: &str) -> Option<String> {
        Demangler::new(name.len()).demangle(name)
    }

    #[test]
    fn names_of_rust_and_cpp_are_shown_in_full() {
        let hash = "17h0123456789abcdefE";
        for (name, shown) in [
            ("_ZN3foo3barEi", "foo::bar(int)"),
            ("_ZN3foo3barE", "foo::bar"),
            ("_ZN12_GLOBAL__N_13barEv", "(anonymous namespace)::bar()"),
            ("_ZZN3fooEvENK3$_0clEv", "foo()::$_0::operator()() const"),
            ("_RNvCs1234_7mycrate3foo", "mycrate::foo"),
            ("_RINvCs1234_7mycrate3foomE", "mycrate::foo::<u32>"),
            (&format!("_ZN4core3fmt9Formatter3pad{hash}"), "core::fmt::Formatter::pad"),
            (
                &format!("_ZN61_$LT$alloc..vec..Vec$LT$T$GT$$u20$as$u20$core..fmt..Debug$GT$3fmt{hash}"),
                "<alloc::vec::Vec<T> as core::fmt::Debug>::fmt",
            ),
        ] {
            assert_eq!(demangle(name).as_deref(), Some(shown), "{name}");
            // macOS has one underscore more. Compilers add suffixes to parts and versions of functions.
            assert_eq!(demangle(&format!("_{name}")).as_deref(), Some(shown), "_{name}");
            if !shown.contains("as core") || name.ends_with(hash) {
                for suffix in [".cold", ".constprop.0", ".isra.0.cold", ".llvm.1234567890123456789"] {
                    assert_eq!(
                        demangle(&format!("{name}{suffix}")).as_deref(),
                        Some(shown),
                        "{name}{suffix}"
                    );
                }
            }
        }
    }

    #[test]
    fn other_names_stay_as_they_are() {
        for name in [
            "",
            "_",
            "__",
            "_Z",
            "_R",
            "_RN",
            "__libc_start_main",
            "ZN4testE",
            "RNvC1a1b",
            "_Zebra",
            "_RealName",
            "foo.cold",
            "main",
            "foo::bar",
            "_ZN3foo3ba",     // cut off
            "_RNvCs1234_7my", // cut off
            "_ZN3fooE tail",
            "_ZN3f\u{e4}E",
            "_RNvC1a1\u{e4}",
            "?foo@@YAXH@Z",
        ] {
            assert_eq!(demangle(name), None, "{name}");
        }
    }

    /// Returns a number in the base, as a reference to an earlier part has it.
    fn number(value: usize, base: usize) -> String {
        let digits = b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
        let digit = char::from(digits[value % base]);
        if value < base { digit.into() } else { format!("{}{digit}", number(value / base, base)) }
    }

    /// Returns a name of C++ with pairs of the pair before.
    fn pairs(count: usize) -> String {
        let reference = |at| number(at, 36).to_uppercase();
        let pairs = (0..count).map(|at| format!("S_IS{0}_S{0}_E", reference(at)));
        format!("_Z1fSt4pairIiiE{}", pairs.collect::<String>())
    }

    /// Returns a name of Rust with tuples of the tuple before.
    fn tuples(count: usize) -> String {
        let mut name = "INvC1a1f".to_owned();
        let mut last = name.len();
        name += "TmmE";
        for _ in 0..count {
            let reference = number(last - 1, 62);
            last = name.len();
            name += &format!("TB{reference}_B{reference}_E");
        }
        format!("_R{name}E")
    }

    #[test]
    fn names_that_explode_stay_as_they_are() {
        assert_eq!(
            demangle(&pairs(1)).as_deref(),
            Some("f(std::pair<int, int>, std::pair<std::pair<int, int>, std::pair<int, int> >)")
        );
        assert_eq!(demangle(&tuples(1)).as_deref(), Some("a::f::<(u32, u32), ((u32, u32), (u32, u32))>"));
        for name in [
            pairs(40),
            tuples(40),
            format!("_Z1fIX{}", "nw".repeat(40)), // takes 2^40 steps without a limit
            format!("_Z1fIX{}", "dldana".repeat(1000)),
            format!("_ZN1fcv{}", "T_I".repeat(30)),
            format!("_Z1f{}", "SaI".repeat(8)), // each doubles the steps up to the limit of the depth
            format!("_Z1f{}", "SaI".repeat(10_000)),
            format!("_Z1f{}i", "P".repeat(10_000)),
            format!("_RIC1a{}m", "R".repeat(10_000)),
            "_RMC0RB2_".into(), // refers to itself
            format!("_Z1f{}", "i".repeat(MAX_NAME)),
            format!("_RNvC1a{MAX_NAME}{}", "a".repeat(MAX_NAME)),
        ] {
            assert_eq!(demangle(&name), None, "{}", &name[..name.len().min(40)]);
        }
    }

    #[test]
    fn names_beyond_the_limits_of_a_profile_stay_as_they_are() {
        let name = "_ZN3foo3barEi";
        let mut demangler = Demangler { time: Duration::ZERO, space: 100 };
        assert_eq!(demangler.demangle(name), None);
        let mut demangler = Demangler { time: Duration::from_secs(5), space: 20 };
        assert_eq!(demangler.demangle(name).as_deref(), Some("foo::bar(int)"));
        assert_eq!(demangler.demangle(name), None);
    }
}
