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

use super::synthetic::{Synthetic, arbitrary, small, small_before};
use super::views::source;

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
fn every_view_of_a_small_profile_is_the_output_of_pprof() -> Result<(), Box<dyn Error>> {
    if !has_go() {
        return Ok(());
    }
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("x.rs");
    fs::write(&path, source())?;
    let path = path.to_string_lossy();
    let synthetic = Synthetic { time: 1_700_000_000_000_000_000, ..small(&path) };
    let file = folder.path().join("small.pb.gz");
    let profile = Profile::from_bytes(&synthetic.bytes())?;
    fs::write(&file, profile.to_gzip()?)?; // so that pprof reads a profile that this crate has written
    let view = || View::new(&profile);
    assert_same(&view().top()?, &["-top"], &file);
    assert_same(&view().sort_by_cum().top()?, &["-top", "-cum"], &file);
    assert_same(&view().node_count(4).top()?, &["-top", "-nodecount=4"], &file);
    assert_same(&view().focus("shift|libc")?.top()?, &["-top", "-focus=shift|libc"], &file);
    assert_same(&view().sample_index("samples")?.top()?, &["-top", "-sample_index=samples"], &file);
    assert_same(&view().ignore("shift|libc")?.top()?, &["-top", "-ignore=shift|libc"], &file);
    assert_same(&view().hide("Decode|libc")?.top()?, &["-top", "-hide=Decode|libc"], &file);
    assert_same(
        &view().focus("run")?.ignore("memcpy")?.hide("main")?.peek(".")?,
        &["-peek=.", "-focus=run", "-ignore=memcpy", "-hide=main"],
        &file,
    );
    assert_same(&view().peek("decode|memcpy")?, &["-peek=decode|memcpy"], &file);
    assert_same(&view().peek(".")?, &["-peek=."], &file);
    assert_same(&view().list("run|shift")?, &["-list=run|shift"], &file);
    let before = folder.path().join("before.pb");
    fs::write(&before, small_before(&path).bytes())?;
    let base = Profile::read(&before)?;
    let against = format!("-diff_base={}", before.display());
    assert_same(&view().diff(&base)?.top()?, &["-top", &against], &file);
    assert_same(&view().diff(&base)?.peek("decode")?, &["-peek=decode", &against], &file);
    let dropping =
        Synthetic { drop_frames: "codec::.*|memcpy|main".into(), keep_frames: "main".into(), ..synthetic };
    fs::write(&file, dropping.bytes())?;
    assert_same(&View::new(&Profile::from_bytes(&dropping.bytes())?).top()?, &["-top"], &file);
    Ok(())
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
fn views_of_go_programs_are_the_output_of_pprof() -> Result<(), Box<dyn Error>> {
    if !has_go() {
        return Ok(());
    }
    let folder = tempfile::tempdir()?;
    let program = folder.path().join("main.go");
    fs::write(&program, include_str!("program.go"))?;
    let (cpu, heap) = (folder.path().join("cpu.pb.gz"), folder.path().join("heap.pb.gz"));
    let run = Command::new("go").arg("run").arg(&program).arg(&cpu).arg(&heap).output()?;
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    for file in [cpu, heap] {
        let profile = Profile::read(&file)?;
        assert_same(&View::new(&profile).top()?, &["-top"], &file);
        assert_same(&View::new(&profile).sort_by_cum().top()?, &["-top", "-cum"], &file);
        assert_same(&View::new(&profile).sample_index("0")?.top()?, &["-top", "-sample_index=0"], &file);
        assert_same(&View::new(&profile).ignore("main.main")?.top()?, &["-top", "-ignore=main.main"], &file);
        assert_same(&View::new(&profile).hide("^runtime")?.top()?, &["-top", "-hide=^runtime"], &file);
        assert_same(&View::new(&profile).peek("main")?, &["-peek=main"], &file);
        assert_same(&View::new(&profile).list("main.main")?, &["-list=main.main"], &file);
    }
    Ok(())
}
