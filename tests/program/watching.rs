//! Watching a long sweep: the status file and the log.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
#[cfg(target_os = "linux")]
use std::process::Command;
use std::process::Stdio;

use serde_json::Value;

#[cfg(unix)]
use crate::support::{document, out, signals};
use crate::support::{in_folder, json_file, program};
#[cfg(unix)]
use crate::waiting::wait_for;

/// Returns the content of a status file, if there is one. A file that is not complete JSON fails
/// the test.
#[cfg(unix)]
fn status(path: &Path) -> Option<Value> {
    fs::read(path).ok().map(|text| document(&text))
}

#[cfg(unix)]
#[test]
fn an_interrupted_sweep_has_a_status_until_its_end_and_reports_its_blocks() {
    for signal in ["-INT", "-TERM"] {
        let folder = tempfile::tempdir().unwrap();
        let [json, file, checkpoint] =
            ["report", "status", "checkpoint"].map(|name| folder.path().join(name));
        let mut command = program();
        command.args(["--exhaustive", "--no-progress", "--json"]).arg(&json).arg("--status").arg(&file);
        command.arg("--checkpoint").arg(&checkpoint).stdout(Stdio::piped());
        let child = command.spawn().unwrap();
        let has_values = |status: &Value| status["report"]["by_length"]["10"].is_string();
        let running = wait_for(|| status(&file).filter(has_values));
        let report = &running["report"];
        assert_eq!((&report["ending"], &running["of"]), (&"running".into(), &"18446744073709551616".into()));
        assert_eq!(running["pid"], child.id());
        for field in ["time", "part", "eta_seconds"] {
            assert!(!running[field].is_null(), "{field} in {running}");
        }
        assert_eq!(running["checkpoint"]["file"], fs::canonicalize(&checkpoint).unwrap().to_str().unwrap());
        assert!(running["checkpoint"]["saved"].is_string());

        let later = wait_for(|| status(&file).filter(|later| later["report"]["values"] != report["values"]));
        assert!(later["report"]["seconds"].as_f64() > report["seconds"].as_f64());

        signals::send(signal, &child);
        let output = child.wait_with_output().unwrap();
        let text = out(&output);
        assert_eq!(output.status.code(), Some(130), "{text}");
        assert!(text.contains("interrupted") && text.contains("INTERRUPTED: no failure in "), "{text}");
        let report = json_file(&json);
        assert_eq!((&report["complete"], &report["ending"]), (&false.into(), &"interrupted".into()));
        let saved = &json_file(&checkpoint)["content"]["report"];
        for other in [saved, &status(&file).unwrap()["report"]] {
            assert_eq!((&other["ending"], &other["values"]), (&report["ending"], &report["values"]));
        }
        let bound = |range: &Value, end: usize| range[end].as_str().unwrap().parse::<i128>().unwrap();
        let covered = report["covered"].as_array().unwrap().iter();
        let values: i128 = covered.map(|range| bound(range, 1) - bound(range, 0) + 1).sum();
        assert_eq!(report["values"], values.to_string());
        let files = fs::read_dir(folder.path()).unwrap().count();
        assert_eq!(files, 4, "report, status, checkpoint, its lock, and no other file");
    }
}

#[cfg(unix)]
#[test]
fn a_log_has_what_is_checked_and_the_first_figure() {
    let mut child =
        program().arg("--exhaustive").stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok);
    // On a slow machine, no unit may be finished at first.
    let line = lines.find(|line| !line.starts_with("warning: ") && !line.contains(": 0 values, "));
    let line = line.expect("the progress");
    let (title, progress) = line.split_once(": ").expect("a title");
    assert!(title.starts_with("sweep of i64 by codec bulk, kernel "), "{line}");
    assert!(progress.contains(" values, ") && progress.contains("/s, 0 failures, "), "{line}");
    assert!(progress.ends_with(" years remaining"), "{line}");
    signals::send("-INT", &child);
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

#[cfg(unix)]
#[test]
fn sigusr1_prints_the_progress_and_the_threads_and_the_sweep_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("status");
    let mut command = program();
    // The limit ends a sweep that a failing test leaves behind.
    command.args(["--exhaustive", "--time-limit", "10m", "--threads", "2", "--quiet", "--status"]).arg(&file);
    let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
    // The report names threads after a second.
    let has_threads = |status: &Value| status["report"]["seconds"].as_f64() > Some(1.0);
    let before = wait_for(|| status(&file).filter(has_threads));
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok);
    for _ in 0..3 {
        signals::send("-USR1", &child);
        let progress = lines.next().expect("an answer");
        let (title, progress) = progress.split_once(": ").expect("a title");
        assert!(title.starts_with("sweep of i64 by codec bulk, kernel "), "{title}");
        assert!(progress.contains(" values, ") && progress.ends_with(" minutes remaining"), "{progress}");
        let cpu = lines.next().expect("the use of the CPUs");
        assert!(cpu.starts_with("CPU: ") && cpu.contains(" used"), "{cpu}");
        assert!(cpu.contains("; sweep-1 to sweep-2: ") || !cfg!(target_os = "linux"), "{cpu}");
    }
    wait_for(|| status(&file).filter(|later| later["report"]["values"] != before["report"]["values"]));
    signals::send("-INT", &child);
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

/// Four workers on one CPU: each has a quarter of it at most, on average.
#[cfg(target_os = "linux")]
#[test]
fn four_threads_on_one_cpu_show_in_the_report() {
    let folder = tempfile::tempdir().unwrap();
    let report = folder.path().join("report");
    let sweep = ["--exhaustive", "--time-limit", "2s", "--threads", "4", "--json"];
    let mut command = Command::new("taskset");
    command.args(["-c", &first_cpu(), env!("CARGO_BIN_EXE_sweep")]).args(sweep).arg(&report);
    let Ok(output) = command.output() else { return eprintln!("not run: there is no taskset") };
    let text = out(&output);
    assert_eq!(output.status.code(), Some(124), "{text}");
    let report = json_file(&report);
    let threads = report["cpu_by_thread"].as_array().expect("threads").iter();
    let workers: Vec<&Value> = threads.filter(|thread| thread["worker"] == true).collect();
    let names: Vec<&str> = workers.iter().filter_map(|worker| worker["name"].as_str()).collect();
    assert_eq!(names, ["sweep-1", "sweep-2", "sweep-3", "sweep-4"]);
    let used: f64 = workers.iter().filter_map(|worker| worker["cpu_seconds"].as_f64()).sum();
    let [seconds, all] = ["seconds", "cpu_seconds"].map(|name| report[name].as_f64().expect("a time"));
    assert!(used > 0.0 && used <= 1.05 * seconds, "{used} s in {seconds} s");
    // The rest is of `main` and of rounding.
    assert!(used <= all + 0.1 && used >= all - 0.3, "{used} s of {all} s");
    assert!(text.contains(" of 1 CPU used; sweep-1 to sweep-4: "), "{text}");
}

/// Returns the number of a CPU that this process may use.
#[cfg(target_os = "linux")]
fn first_cpu() -> String {
    let status = fs::read_to_string("/proc/self/status").expect("Linux");
    let list = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:")).expect("a list");
    list.trim().split([',', '-']).next().expect("a CPU").into()
}

#[cfg(unix)]
#[test]
fn children_are_counted_while_they_run() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("status");
    let mut command = program();
    command.args(["--quiet", "--exhaustive", "--time-limit", "10m", "--status"]).arg(&file);
    let child = command.args(["--exec", &crate::exec::child::command("right", 0)]);
    let child = child.stdout(Stdio::null()).spawn().unwrap();
    let times = |status: &Value, name: &str| {
        let threads = status["threads"].as_array().expect("threads").clone().into_iter();
        let named = threads.filter(|thread| name.is_empty() || thread["name"] == name);
        Vec::from_iter(named.map(|thread| thread["cpu_seconds"].as_f64().expect("a time")))
    };
    let time = |status: &Value| times(status, "children").first().copied();
    // The times of the threads are rounded, and measured after that of the process.
    let has_all = |status: &Value| {
        let all = status["report"]["cpu_seconds"].as_f64().expect("a time");
        assert!(times(status, "").iter().sum::<f64>() < all + 0.3, "{status}");
    };
    if cfg!(target_os = "linux") {
        let with_children = |status: &Value| time(status).is_some_and(|seconds| seconds > 0.5);
        has_all(&wait_for(|| status(&file).filter(with_children)));
    } else {
        wait_for(|| status(&file).filter(|status| status["report"].is_object()));
    }
    signals::send("-INT", &child);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let last = status(&file).unwrap();
    assert_eq!(time(&last).is_some(), cfg!(target_os = "linux"));
    has_all(&last);
}

#[test]
fn the_status_file_has_the_ending() {
    let path = in_folder();
    let (file, checkpoint) = (path("status.json"), path("checkpoint"));
    let ended = |arguments: &[&str]| {
        let output = program().args(["--quiet", "--status", &file]).args(arguments).output().unwrap();
        (json_file(&file), output.status.code())
    };
    let (complete, code) = ended(&["--type", "i16"]);
    assert_eq!((&complete["report"]["ending"], code), (&"complete".into(), Some(0)));
    assert_eq!(
        (&complete["report"]["values"], &complete["part"], &complete["of"]),
        (&"65536".into(), &1.0.into(), &"65536".into())
    );
    assert_eq!(complete["report"]["by_length"], serde_json::json!({"1": "128", "2": "16256", "3": "49152"}));

    let (failures, code) = ended(&["--codec", "article2015", "4611686018427387904..=4611686018427387904"]);
    assert_eq!((&failures["report"]["failures"], code), (&"1".into(), Some(1)));
    assert_eq!(failures["report"]["first_failures"][0]["value"], "4611686018427387904");
    let text = failures["failures"][0].as_str().expect("a text");
    assert!(text.starts_with("4611686018427387904: decode panicked: index out of bounds"), "{text}");

    ended(&["--type", "i16", "--checkpoint", &checkpoint]);
    let (again, code) = ended(&["--type", "i16", "--checkpoint", &checkpoint]);
    let report = &again["report"];
    assert_eq!((&report["ending"], &report["values"], code), (&"complete".into(), &"65536".into(), Some(0)));
    let (refused, code) = ended(&["--type", "i8", "--checkpoint", &checkpoint]);
    assert_eq!((&refused["report"], code), (&Value::Null, Some(3)));
    assert!(refused["error"].as_str().unwrap().contains("another sweep"), "{refused}");
}
