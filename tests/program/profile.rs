//! Tests of `sweep profile` and `sweep --cpuprofile` on the command line.

#[path = "../../pprof-views/tests/files/synthetic.rs"]
pub(crate) mod synthetic;

use std::error::Error;
use std::fs;

use pprof_views::{Capture, Profile, View};

use self::synthetic::{Synthetic, small, small_before};
use crate::support::{assert_refused, err, in_folder, out, program, sweep};

#[test]
fn invalid_arguments_are_refused() -> Result<(), Box<dyn Error>> {
    let path = in_folder();
    let file = path("x.pb");
    fs::write(&file, small("/x.rs").bytes())?;
    assert_refused(&["--cpuprofile", "x.txt"], 2, &["x.txt", ".pb.gz", ".svg"]);
    assert_refused(&["--cpuprofile", "/no/such/folder/x.pb.gz"], 3, &["/no/such/folder", "writable folder"]);
    assert_refused(&["--cpuprofile", "x.svg", "--profile-hz", "1001"], 2, &["1001", "from 1 to 1000"]);
    assert_refused(&["profile", "/no/such/x.pb.gz"], 3, &["/no/such/x.pb.gz"]);
    assert_refused(&["profile", &file, "--diff", "/no/such/x.pb"], 3, &["/no/such/x.pb"]);
    assert_refused(&["profile", &file, "--svg", "/no/such/x.svg"], 3, &["/no/such/x.svg", "writable folder"]);
    for invalid in [
        &["--list", "("][..],
        &["--list", "nowhere at all"],
        &["--list", "a", "--peek", "b"],
        &["--hide", "("],
        &["--peek", "a", "--nodecount", "5"],
        &["--nodecount", "0"],
        &["--sample-index", "wall"],
        &["--list", "a", "--source", "/no/such/folder"],
        &["--source", "."],
        &["--trim-path", "/x"],
        &["--tag-focus", "thread=("],
        &["--tags", "--tag-root", "thread"],
        &["--title", "without --svg"],
        &["--svg", "x.svg", "--palette", "plaid"],
        &["--diff", "-", "-"],
        &["-", "-"],
        &["--max-size", "1GB"],
        &["--max-frames", "0"],
    ] {
        assert_refused(&[&["profile", &file], invalid].concat(), 2, &[]);
    }
    Ok(())
}

#[test]
fn the_program_prints_the_views_of_the_library() -> Result<(), Box<dyn Error>> {
    let path = in_folder();
    let (file, before, svg) = (path("x.pb"), path("before.pb"), path("x.svg"));
    fs::write(&file, small("/x.rs").bytes())?;
    fs::write(&before, small_before("/x.rs").bytes())?;
    let (profile, base) = (Profile::read(file.as_ref())?, Profile::read(before.as_ref())?);
    let view = || View::new(&profile);
    let cases = [
        (vec![], view().top()),
        (vec!["--cum"], view().sort_by_cum().top()),
        (vec!["-n", "2"], view().node_count(2).top()),
        (vec!["-n", "1k"], view().node_count(1000).top()),
        (vec!["--focus", "shift"], view().focus("shift")?.top()),
        (vec!["--ignore", "shift"], view().ignore("shift")?.top()),
        (vec!["--hide", "shift"], view().hide("shift")?.top()),
        (vec!["--sample-index", "samples"], view().sample_index("samples")?.top()),
        (vec!["--peek", "decode"], view().peek("decode")?),
        (vec!["--list", "decode"], view().list("decode")?),
        (vec!["--diff", &before], view().diff(&base)?.top()),
        (vec!["--tags"], view().tags()),
        (vec!["--tag-focus", "thread=-0"], view().tag_focus("thread=-0")?.top()),
        (vec!["--tag-ignore", "worker"], view().tag_ignore("worker")?.top()),
        (vec!["--tag-root", "thread"], view().tag_root("thread").top()),
    ];
    for (options, expected) in cases {
        let output = sweep(&[&["profile", &file][..], &options].concat());
        assert_eq!(out(&output), expected, "{options:?}");
        assert_eq!(output.status.code(), Some(0), "{options:?}");
    }
    let with_frames = Synthetic { drop_frames: "codec::.*".into(), ..small("/x.rs") };
    fs::write(&before, with_frames.bytes())?;
    assert_eq!(out(&sweep(&["profile", &before, "--all-frames"])), view().top());
    assert!(!out(&sweep(&["profile", &before])).contains("codec::shift"));
    let output = sweep(&["profile", &file, "--svg", &svg]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(fs::read(&svg)?, view().flamegraph()?);
    let styled = ["--title", "T", "--icicle", "--reverse", "--palette", "mem"];
    assert_eq!(out(&sweep(&[&["profile", &file, "--svg", &svg][..], &styled].concat())), "");
    assert_eq!(fs::read(&svg)?, view().title("T").icicle().reverse().palette("mem")?.flamegraph()?);
    Ok(())
}

#[test]
fn filters_that_match_nothing_cause_warnings() -> Result<(), Box<dyn Error>> {
    let path = in_folder();
    let file = path("x.pb");
    fs::write(&file, small("/x.rs").bytes())?;
    let filters = ["--ignore", "shift", "--hide", "nowhere at all", "--tag-ignore", "thread=none"];
    let output = sweep(&[&["profile", &file][..], &filters].concat());
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(err(&output).matches("warning: ").count(), 2, "{}", err(&output));
    assert!(err(&output).contains("hide=nowhere at all matches no sample"), "{}", err(&output));
    assert!(err(&output).contains("tagignore=thread=none matches no sample"), "{}", err(&output));
    assert!(out(&output).contains("  main\n"));
    let output = sweep(&["profile", &file, "--focus", "nothing"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(out(&output).ends_with("      flat  flat%   sum%        cum   cum%\n"));
    let output = sweep(&["profile", &file, "--svg", &path("x.svg"), "--focus", "nothing"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(err(&output).contains("error: no flamegraph: no sample is left by focus=nothing"));
    assert!(!fs::exists(path("x.svg"))?);
    Ok(())
}

#[test]
fn a_dash_is_standard_input() -> Result<(), Box<dyn Error>> {
    let path = in_folder();
    let (file, before) = (path("x.pb"), path("before.pb.gz"));
    fs::write(&file, small("/x.rs").bytes())?;
    let base = Profile::from_bytes(&small_before("/x.rs").bytes())?;
    fs::write(&before, base.to_gzip()?)?;
    let profile = Profile::read(file.as_ref())?;
    let run = |input: &str, arguments: &[&str]| {
        let stdin = fs::File::open(input).expect("a file that was written");
        out(&program().arg("profile").args(arguments).stdin(stdin).output().expect("the program"))
    };
    assert_eq!(run(&file, &["-"]), View::new(&profile).top());
    assert_eq!(run(&before, &[&file, "--diff", "-"]), View::new(&profile).diff(&base)?.top());
    let output = program().args(["profile", "-"]).stdin(fs::File::open("/dev/null")?).output()?;
    assert_eq!(output.status.code(), Some(3));
    assert!(err(&output).contains("standard input: empty file"), "{}", err(&output));
    Ok(())
}

#[test]
fn the_limits_can_be_changed() -> Result<(), Box<dyn Error>> {
    let path = in_folder();
    let file = path("x.pb");
    fs::write(&file, small("/x.rs").bytes())?;
    let size = fs::metadata(&file)?.len();
    let (exact, less) = (size.to_string(), (size - 1).to_string());
    for limits in [&["--max-size", &exact][..], &["--max-size", "1KiB"], &["--max-frames", "1k"]] {
        assert_eq!(sweep(&[&["profile", &file], limits].concat()).status.code(), Some(0), "{limits:?}");
    }
    assert_refused(
        &["profile", &file, "--max-size", &less],
        3,
        &[&less, "bytes, uncompressed", "--max-size"],
    );
    assert_refused(&["profile", &file, "--max-frames", "9"], 3, &["9 frames", "--max-frames"]);
    Ok(())
}

#[test]
fn a_sweep_writes_its_profiles_and_prints_the_top_functions() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let names =
        ["x.pb.gz", "x.pb", "x.svg"].map(|name| folder.path().join(name).to_string_lossy().into_owned());
    let mut arguments = vec!["--no-progress", "--profile-hz", "250"];
    arguments.extend(names.iter().flat_map(|name| ["--cpuprofile", name]));
    if !Capture::IS_SUPPORTED {
        assert_refused(&arguments, 2, &["--cpuprofile", "only on Linux with glibc"]);
        return Ok(());
    }
    let of_profiler = tempfile::tempdir()?;
    let run = |budget| {
        let arguments = arguments.iter().copied().chain(["--budget", budget]);
        program().args(arguments).env("TMPDIR", of_profiler.path()).output()
    };
    let mut output = run("1s")?;
    // How many samples there are depends on the timer of the system.
    for budget in ["4s", "16s", "64s"] {
        if Profile::read(names[0].as_ref())?.total(0) < 50 {
            output = run(budget)?;
        }
    }
    let stdout = out(&output);
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    assert_eq!(stdout.matches("      flat  flat%   sum%        cum   cum%").count(), 2, "{stdout}");
    let profile = Profile::read(names[0].as_ref())?;
    assert_eq!(Profile::read(names[1].as_ref())?, profile);
    assert!(fs::read_to_string(&names[2])?.contains("<svg"));
    assert!(View::new(&profile).top().contains("File: sweep"));
    let cum = View::new(&profile).sort_by_cum().node_count(20).top();
    assert!(cum.contains("every_input::") && !cum.contains("rayon"), "the stacks start at the work: {cum}");
    let threads = String::from_utf8_lossy(&profile.to_bytes()).matches("sweep-1").count();
    assert!(threads > 0, "no thread names in the profile");
    let by_thread = View::new(&profile).tag_root("thread").sort_by_cum().top_table();
    assert!(by_thread.contains("%  sweep-1\n"), "{by_thread}");
    assert_eq!(fs::read_dir(folder.path())?.count(), names.len(), "temporary files are left");
    Ok(())
}
