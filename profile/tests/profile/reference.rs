//! Compares views line by line with the output of `go tool pprof` for the same profiles. If Go is
//! not installed, the tests are skipped with a message.

use std::collections::HashSet;
use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::Command;

use pprof_views::{Profile, View};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;

use super::synthetic::{arbitrary, small, small_before};

/// Returns the output of `go tool pprof`, or `None` if Go is not installed.
fn pprof(arguments: &[&str], file: &Path) -> Option<String> {
    let mut command = Command::new("go");
    command.args(["tool", "pprof"]).args(arguments).arg(file).env("TZ", "UTC");
    let output = command.output().ok()?;
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "go tool pprof {arguments:?}: {error}");
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn has_go() -> bool {
    let found =
        Command::new("go").args(["tool", "pprof", "-h"]).output().is_ok_and(|output| output.status.success());
    if !found {
        println!("skipped: go tool pprof is not installed");
    }
    found
}

#[track_caller]
fn assert_same(ours: &str, arguments: &[&str], file: &Path) {
    let theirs = pprof(arguments, file).expect("Go was found before");
    for (number, (ours, theirs)) in (1..).zip(ours.lines().zip(theirs.lines())) {
        assert_eq!(ours, theirs, "line {number} of {arguments:?}");
    }
    assert_eq!(ours.lines().count(), theirs.lines().count(), "lines of {arguments:?}");
}

#[test]
fn top_of_arbitrary_profiles_is_the_output_of_pprof() -> Result<(), Box<dyn Error>> {
    if !has_go() {
        return Ok(());
    }
    let folder = tempfile::tempdir()?;
    let mut runner = TestRunner::deterministic();
    for number in 0..12 {
        let mut synthetic = arbitrary().new_tree(&mut runner).map_err(|reason| reason.to_string())?.current();
        for (_, values, _) in &mut synthetic.samples {
            values.iter_mut().for_each(|value| *value %= 1 << 50); // pprof wraps around where this crate saturates
        }
        for (_, lines) in &mut synthetic.locations {
            lines.iter_mut().for_each(|(function, _)| *function = (*function).max(1)); // pprof rejects lines without a function
        }
        let mut names = HashSet::new();
        for (number, (name, system_name, ..)) in synthetic.functions.iter_mut().enumerate() {
            *name = name.replace(char::is_control, "?"); // pprof prints control characters, this crate does not
            let shown = if name.is_empty() { &system_name } else { &name };
            // pprof prints functions with the same name and values in random order.
            if shown.is_empty() || !names.insert(shown.to_string()) {
                *name = format!("{shown} {number}");
            }
        }
        let file = folder.path().join(format!("{number}.pb"));
        fs::write(&file, synthetic.bytes())?;
        let profile = Profile::read(&file)?;
        assert_same(&View::new(&profile).top()?, &["-top"], &file);
        assert_same(
            &View::new(&profile).sort_by_cum().node_count(3).top()?,
            &["-top", "-cum", "-nodecount=3"],
            &file,
        );
    }
    Ok(())
}

#[test]
fn views_of_go_programs_and_comparisons_are_the_output_of_pprof() -> Result<(), Box<dyn Error>> {
    if !has_go() {
        return Ok(());
    }
    let folder = tempfile::tempdir()?;
    let program = folder.path().join("main.go");
    fs::write(&program, include_str!("program.go"))?;
    let (cpu, heap) = (folder.path().join("cpu.pb.gz"), folder.path().join("heap.pb.gz"));
    let run = Command::new("go").arg("run").arg(&program).arg(&cpu).arg(&heap).output()?;
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    for file in [&cpu, &heap] {
        let profile = Profile::read(file)?;
        let view = || View::new(&profile);
        assert_same(&view().top()?, &["-top"], file);
        assert_same(&view().sort_by_cum().top()?, &["-top", "-cum"], file);
        assert_same(&view().node_count(3).top()?, &["-top", "-nodecount=3"], file);
        assert_same(&view().sample_index("0")?.top()?, &["-top", "-sample_index=0"], file);
        assert_same(&view().ignore("main.main")?.top()?, &["-top", "-ignore=main.main"], file);
        assert_same(
            &view().focus("main")?.hide("^runtime")?.peek(".")?,
            &["-peek=.", "-focus=main", "-hide=^runtime"],
            file,
        );
        assert_same(&view().peek("main")?, &["-peek=main"], file);
        assert_same(&view().list("main.main")?, &["-list=main.main"], file);
    }
    let small = [("before.pb", small_before("/x.rs")), ("after.pb.gz", small("/x.rs"))];
    let [before, after] = small.map(|(name, synthetic)| {
        let file = folder.path().join(name);
        let profile = Profile::from_bytes(&synthetic.bytes()).expect("a profile");
        // pprof reads profiles that this crate has written.
        fs::write(&file, profile.to_gzip().expect("gzip")).expect("a file");
        (profile, file)
    });
    let base = format!("-diff_base={}", before.1.display());
    let difference = || View::new(&after.0).diff(&before.0);
    assert_same(&difference()?.top()?, &["-top", &base], &after.1);
    assert_same(&difference()?.peek("decode")?, &["-peek=decode", &base], &after.1);
    Ok(())
}
