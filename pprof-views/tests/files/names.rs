//! Mangled names of functions in profiles.

use std::error::Error;
use std::fs;

use pprof_views::{Profile, View};

use super::same_as_go_pprof::{assert_same, has_go};
use super::synthetic::{Synthetic, small};

/// Mangled names, with what is shown.
const NAMES: [(&str, &str); 8] = [
    ("main", "main"),
    ("_ZN3foo3barEi", "foo::bar(int)"),
    ("_ZNSt6vectorIiSaIiEE9push_backERKi", "std::vector<int, std::allocator<int> >::push_back(int const&)"),
    ("_RNvCs1234_7mycrate3foo", "mycrate::foo"),
    (
        "_ZN61_$LT$alloc..vec..Vec$LT$T$GT$$u20$as$u20$core..fmt..Debug$GT$3fmt17h0123456789abcdefE",
        "<alloc::vec::Vec<T> as core::fmt::Debug>::fmt",
    ),
    ("_ZN4core3fmt9Formatter3pad17h0123456789abcdefE", "core::fmt::Formatter::pad"),
    ("_ZN4core3fmt9Formatter3pad17hfedcba9876543210E.llvm.123", "core::fmt::Formatter::pad"),
    ("_ZN3foo3ba", "_ZN3foo3ba"),
];

/// Returns a profile with one call of each function by the first.
fn profile_of(names: impl Iterator<Item = [String; 2]>) -> Synthetic {
    let mut profile = small("");
    let text = str::to_owned;
    profile.functions = names.map(|[name, system_name]| (name, system_name, text("/x.rs"), 0)).collect();
    let count = profile.functions.len() as u64;
    profile.locations = (1..=count).map(|id| (1, vec![(id, 0)])).collect();
    profile.samples =
        (2..=count).map(|id| (vec![id, 1], vec![1, 1_000_000 * id as i64], String::new())).collect();
    profile
}

#[test]
fn mangled_names_are_shown_in_full() -> Result<(), Box<dyn Error>> {
    let synthetic = profile_of(NAMES.into_iter().map(|(name, _)| [name.to_owned(), String::new()]));
    let profile = Profile::from_bytes(&synthetic.bytes())?;
    assert_eq!(Profile::from_bytes(&profile.to_bytes())?, profile);
    let view = || View::new(&profile);
    let top = view().top_table();
    let shown: Vec<_> = top.lines().skip(1).filter_map(|row| row.get(44..)).collect();
    // The two versions of a function are one row.
    assert_eq!(shown, [6, 7, 4, 3, 2, 1, 0].map(|at: usize| NAMES[at].1), "{top}");
    assert!(top.contains("      13ms 37.14% 37.14%"), "{top}");
    // Patterns match what is shown.
    for pattern in [r"^foo::bar\(int\)$", "<alloc::vec::Vec<T> as"] {
        assert_eq!(view().focus(pattern)?.top_table().lines().count(), 3, "{pattern}");
        assert!(view().hide(pattern)?.top() != view().top());
        assert!(view().peek(pattern)?.contains(" | "), "{pattern}");
        assert!(view().list(pattern)?.contains("ROUTINE"), "{pattern}");
    }
    assert!(view().peek("_ZN3foo3barEi").is_err());
    let svg = String::from_utf8(view().flamegraph()?)?;
    assert!(svg.contains("mycrate::foo (") && svg.contains("core::fmt::Formatter::pad ("), "{svg}");
    // A function of a comparison is the same, whatever its hash is.
    let other = profile_of(
        NAMES
            .into_iter()
            .map(|(name, _)| [name.replace("0123456789abcdef", "0000000000000000"), String::new()]),
    );
    let other = Profile::from_bytes(&other.bytes())?;
    let compared = view().diff(&other)?.top();
    assert!(compared.contains("Showing nodes accounting for 0, 0% of"), "{compared}");
    Ok(())
}

#[test]
fn names_are_those_of_pprof_with_full_demangling() -> Result<(), Box<dyn Error>> {
    if !has_go() {
        return Ok(());
    }
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("x.pb");
    // pprof converts the name of the linker.
    let synthetic = profile_of(NAMES.into_iter().map(|(name, _)| [name.to_owned(), name.to_owned()]));
    fs::write(&file, synthetic.bytes())?;
    let profile = Profile::read(&file)?;
    assert_same(&View::new(&profile).top(), &["-top", "-symbolize=demangle=full"], &file);
    let peek = View::new(&profile).peek("foo|main")?;
    assert_same(&peek, &["-peek=foo|main", "-symbolize=demangle=full"], &file);
    Ok(())
}
