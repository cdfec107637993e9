//! Compares views line by line with the output of `go tool pprof` for the same profiles. If Go is
//! not installed, the tests are skipped with a message.

use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::LazyLock;

use super::synthetic::{Synthetic, small, small_before};
use pprof_views::{Profile, View};

/// Returns a profile with random names, stacks and values. pprof shows functions of the same name
/// and values in random order, rejects lines without a function, and wraps around above 64 bits.
pub(super) fn random_profile(state: &mut u64) -> Synthetic {
    let mut random = |limit: u64| {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*state >> 33) % limit
    };
    let (functions, locations, types) = (1 + random(5), 1 + random(8), 1 + random(3));
    let units = ["count", "nanoseconds", "bytes", "seconds", "furlongs"];
    let names = ["a", "b::c", "<a as b>::c<d>", "b;c (d) 1", "\u{e4}"];
    let files = ["", "/a/b.rs", "/a/../c.rs"];
    let types: Vec<_> =
        (0..types).map(|at| (format!("type{at}"), units[random(5) as usize].to_owned())).collect();
    Synthetic {
        default_type: types[0].0.clone(),
        mappings: vec!["/opt/app".into(), "/usr/lib/libc.so.6".into()],
        functions: (0..functions)
            .map(|at| {
                let name =
                    if random(4) == 0 { String::new() } else { format!("{at}{}", names[random(5) as usize]) };
                (name, format!("system{at}"), files[random(3) as usize].into(), random(9) as i64)
            })
            .collect(),
        locations: (0..locations)
            .map(|_| {
                (random(3), (0..random(4)).map(|_| (1 + random(functions), random(40) as i64)).collect())
            })
            .collect(),
        samples: (0..random(12))
            .map(|_| {
                let stack = (0..random(6)).map(|_| 1 + random(locations)).collect();
                let shift = 20 * random(2);
                let value = |_| ((random(1 << 30) << shift) as i64) - (1 << 28 << shift);
                (stack, types.iter().map(value).collect(), String::new())
            })
            .collect(),
        types,
        time: (random(1 << 31) << 30) as i64,
        duration: (random(1 << 31) << 30) as i64,
        ..Synthetic::default()
    }
}

/// The words that start pprof, of which there are none if Go is not installed. With the path that `go`
/// prints, pprof takes a tenth of the CPU time, because `go tool` checks each time that it is up to date.
static PPROF: LazyLock<Vec<String>> = LazyLock::new(|| {
    let go = |arguments: &[&str]| {
        let output = Command::new("go").args(arguments).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    if go(&["tool", "pprof", "-h"]).is_none() {
        return Vec::new();
    }
    match go(&["tool", "-n", "pprof"]).filter(|path| Path::new(path).is_file()) {
        Some(path) => vec![path],
        None => ["go", "tool", "pprof"].map(str::to_owned).into(),
    }
});

/// Returns the result of pprof, or `None` if Go is not installed.
pub(super) fn pprof_output(arguments: &[&str], file: &Path) -> Option<Output> {
    let (program, words) = PPROF.split_first()?;
    Command::new(program).args(words).args(arguments).arg(file).env("TZ", "UTC").output().ok()
}

/// Returns a profile of the same stacks with other sample types, of which some are in two such profiles.
fn with_random_types(mut profile: Synthetic, state: &mut u64) -> Synthetic {
    let mut random = |limit: u64| {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*state >> 33) % limit
    };
    let times = ["nanoseconds", "us", "ms", "seconds", "nanosecond"];
    let sizes = ["bytes", "kilobytes", "kb", "MB", "B"];
    let types = [("cpu", times), ("space", sizes), ("samples", ["count"; 5]), ("wall", times), ("x", sizes)];
    let mut types: Vec<_> = types.into_iter().filter(|_| random(4) > 0).collect();
    types.push(("x", if random(6) == 0 { times } else { sizes }));
    types.dedup_by_key(|(kind, _)| *kind);
    let count = types.len();
    types.rotate_left(random(count as u64) as usize);
    profile.default_type = [types[0].0, "", "cpu", "unknown"][random(4) as usize].to_owned();
    profile.types =
        types.iter().map(|(kind, units)| ((*kind).into(), units[random(5) as usize].into())).collect();
    for (_, values, _) in &mut profile.samples {
        *values = (0..count).map(|_| 1 + (random(1 << 20)) as i64).collect();
    }
    profile
}

/// Returns the output of `go tool pprof`, or `None` if Go is not installed.
fn pprof(arguments: &[&str], file: &Path) -> Option<String> {
    let output = pprof_output(arguments, file)?;
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "go tool pprof {arguments:?}: {error}");
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

pub(super) fn has_go() -> bool {
    if PPROF.is_empty() {
        println!("skipped: go tool pprof is not installed");
    }
    !PPROF.is_empty()
}

/// Returns an output without the label that pprof adds to the samples of the base, which is one paragraph of
/// `-tags`.
fn without_base(output: &str) -> String {
    let rest = |start: usize| output[start..].split_once("\n\n").map_or("", |(_, rest)| rest);
    match output.find(" pprof::base: ") {
        Some(start) => output[..start].to_owned() + rest(start),
        None => output.to_owned(),
    }
}

#[track_caller]
pub(super) fn assert_same(ours: &str, arguments: &[&str], file: &Path) {
    let theirs = pprof(arguments, file).expect("Go was found before");
    let theirs = without_base(&theirs);
    for (number, (ours, theirs)) in (1..).zip(ours.lines().zip(theirs.lines())) {
        assert_eq!(ours, theirs, "line {number} of {arguments:?}");
    }
    assert_eq!(ours.lines().count(), theirs.lines().count(), "lines of {arguments:?}");
}

#[test]
fn top_of_random_profiles_is_the_output_of_pprof() -> Result<(), Box<dyn Error>> {
    if !has_go() {
        return Ok(());
    }
    let folder = tempfile::tempdir()?;
    let mut state = 1;
    for number in 0..12 {
        let synthetic = random_profile(&mut state);
        let file = folder.path().join(format!("{number}.pb"));
        fs::write(&file, synthetic.bytes())?;
        let profile = Profile::read(&file)?;
        assert_same(&View::new(&profile).top(), &["-top"], &file);
        let view = View::new(&profile).sort_by_cum().node_count(3);
        assert_same(&view.top(), &["-top", "-cum", "-nodecount=3"], &file);
    }
    Ok(())
}

#[test]
fn filters_lists_and_comparisons_are_the_output_of_pprof() -> Result<(), Box<dyn Error>> {
    if !has_go() {
        return Ok(());
    }
    let folder = tempfile::tempdir()?;
    let source = folder.path().join("x.rs");
    fs::write(&source, "a line\n".repeat(40))?;
    let source = source.to_string_lossy();
    let small = [("before.pb", small_before(&source)), ("after.pb.gz", small(&source))];
    let [before, (profile, file)] = small.map(|(name, synthetic)| {
        let file = folder.path().join(name);
        let profile = Profile::from_bytes(&synthetic.bytes()).expect("a profile");
        // pprof reads profiles that this crate has written.
        fs::write(&file, profile.to_gzip().expect("gzip")).expect("a file");
        (profile, file)
    });
    let (view, file) = (|| View::new(&profile), &file);
    assert_same(&view().sample_index("0")?.top(), &["-top", "-sample_index=0"], file);
    assert_same(&view().ignore("shift")?.top(), &["-top", "-ignore=shift"], file);
    let filters = ["-peek=.", "-focus=codec", "-hide=Decode"];
    assert_same(&view().focus("codec")?.hide("Decode")?.peek(".")?, &filters, file);
    let listed = view().source(folder.path())?.list("codec::shift")?;
    let sources = format!("-source_path={}", folder.path().display());
    assert_same(&listed, &["-list=codec::shift", &sources], file);
    let base = format!("-diff_base={}", before.1.display());
    assert_same(&view().diff(&before.0)?.top(), &["-top", &base], file);
    assert_same(&view().diff(&before.0)?.peek(".")?, &["-peek=.", &base], file);
    let sum = Profile::sum(&[before.0.clone(), profile.clone()])?;
    let other = before.1.to_string_lossy();
    assert_same(&View::new(&sum).top(), &["-top", &other], file);
    assert_same(&View::new(&sum).peek(".")?, &["-peek=.", &other], file);
    Ok(())
}

#[test]
fn sources_are_found_where_pprof_finds_them() -> Result<(), Box<dyn Error>> {
    if !has_go() {
        return Ok(());
    }
    let folder = tempfile::tempdir()?;
    let [project, other] = ["project", "other"].map(|name| folder.path().join(name));
    for file in [project.join("src/x.rs"), other.join("src/y.rs")] {
        fs::create_dir_all(file.parent().ok_or("a folder")?)?;
        fs::write(&file, format!("in {}\n", file.display()).repeat(40))?;
    }
    let file = folder.path().join("x.pb");
    let search = [&project, &other].map(|path| path.to_string_lossy()).join(":");
    let paths = ["src/x.rs", "/b/project/src/x.rs", "/b/other/src/y.rs", "/proc/self/cwd/src/y.rs"];
    let more = ["/rustc/0123/src/x.rs", "/elsewhere/rustc/0123/src/x.rs", "/nowhere/x.rs"];
    for path in paths.into_iter().chain(more).chain([&*project.join("src/x.rs").to_string_lossy()]) {
        fs::write(&file, small(path).bytes())?;
        let profile = Profile::read(&file)?;
        for trim in ["", "/none:/rustc/0123", "/elsewhere/rustc/0123/"] {
            let view = View::new(&profile).source(&project)?.source(&other)?;
            let prefixes = trim.split(':').filter(|prefix| !prefix.is_empty());
            let ours = prefixes.fold(view, View::trim_path).list("codec::shift")?;
            let [search, trimmed] = [format!("-source_path={search}"), format!("-trim_path={trim}")];
            let arguments = ["-list=codec::shift", &search, &trimmed];
            match pprof(&arguments, &file).expect("Go was found before").contains(" Error: ") {
                true => assert!(ours.contains("<source not read: "), "{path} without {trim}: {ours}"),
                false => assert_same(&ours, &arguments, &file),
            }
        }
    }
    Ok(())
}

#[test]
fn comparisons_and_sums_of_unequal_sample_types_are_the_output_of_pprof() -> Result<(), Box<dyn Error>> {
    if !has_go() {
        return Ok(());
    }
    let folder = tempfile::tempdir()?;
    let path = |name: &str| folder.path().join(name);
    let mut state = 7;
    let (mut compared, mut refused) = (0, 0);
    for _ in 0..24 {
        let files = [path("after.pb"), path("before.pb")];
        for file in &files {
            fs::write(file, with_random_types(small("/x.rs"), &mut state).bytes())?;
        }
        let [file, other] = &files;
        let (profile, before) = (Profile::read(file)?, Profile::read(other)?);
        let (base, other) = (format!("-diff_base={}", other.display()), other.to_string_lossy());
        match (View::new(&profile).diff(&before), Profile::sum(&[before.clone(), profile.clone()])) {
            (Ok(view), Ok(sum)) => {
                compared += 1;
                assert_same(&view.top(), &["-top", &base], file);
                assert_same(&view.sample_index("0")?.top(), &["-top", &base, "-sample_index=0"], file);
                assert_same(&View::new(&sum).top(), &["-top", &other], file);
            }
            (diff, sum) => {
                refused += 1;
                assert!(diff.is_err() && sum.is_err());
                let output = pprof_output(&["-top", &base], file).expect("Go was found before");
                assert!(!output.status.success());
            }
        }
    }
    assert!(compared >= 10 && refused > 0, "{compared} compared, {refused} refused");
    Ok(())
}
