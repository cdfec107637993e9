//! Output files that are pipes, links, devices or standard streams.

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread;

use crate::support::{OUTPUTS, document, err, in_folder, json, json_file, out, program, signals, sweep};
use crate::waiting::wait_for;

/// A range in which the codec of the article fails for 1,097 of 2,001 values.
const FAILING: &str = "4_611_686_018_427_387_000..=4_611_686_018_427_389_000";
const ARTICLE: [&str; 4] = ["--codec", "article2015", "--max-failures", "0"];

fn make_pipe(path: &str) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

/// Runs the program with a shell that may redirect its streams.
fn shell(script: &str, folder: &str) -> Output {
    let mut shell = Command::new("bash");
    shell.args(["-c", script, env!("CARGO_BIN_EXE_sweep")]).current_dir(folder).stdin(Stdio::null());
    shell.output().unwrap()
}

fn start(arguments: &[&str]) -> Child {
    let mut command = program();
    command.args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

#[test]
fn a_program_that_reads_a_pipe_gets_all_failures_and_the_reports() {
    for _ in 0..20 {
        let path = in_folder();
        let pipes = ["list", "json", "junit"].map(&path);
        pipes.iter().for_each(|pipe| make_pipe(pipe));
        let [list, json, junit] = pipes.each_ref();
        let outputs = ["--failures", list, "--json", json, "--junit", junit];
        let sweep = start(&[&ARTICLE[..], &[FAILING, "--quiet"], &outputs].concat());
        let readers = pipes.map(|pipe| thread::spawn(move || fs::read(pipe).unwrap()));
        let [list, json, junit] = readers.map(|reader| reader.join().unwrap());
        let output = sweep.wait_with_output().unwrap();
        assert_eq!((output.status.code(), &*err(&output)), (Some(1), ""));
        let lines = String::from_utf8(list).unwrap();
        assert!(lines.starts_with("{\"type\"") && lines.ends_with("}\n"), "{lines}");
        assert_eq!(document(&json)["failures"], "1097");
        assert!(junit.starts_with(b"<?xml") && junit.trim_ascii_end().ends_with(b">"));
    }
}

#[test]
fn two_sweeps_write_one_list_to_a_pipe() {
    let path = in_folder();
    let pipe = path("list");
    make_pipe(&pipe);
    let codecs = ["--codec", "article2015", "--codec", "single", "--codec", "article2015"];
    let sweep = start(&[&codecs[..], &["--max-failures", "0", FAILING, "--failures", &pipe]].concat());
    let lines = BufReader::new(File::open(&pipe).unwrap()).lines().map_while(Result::ok);
    let is_single = |line: &String| line.contains("\"numbers\"");
    let lines = lines.filter(is_single).count();
    assert_eq!(sweep.wait_with_output().unwrap().status.code(), Some(1));
    assert!(lines >= 2, "{lines} lines");
}

/// Nobody reads the pipe.
#[test]
fn an_interrupt_ends_a_sweep_that_waits_for_the_reader_of_a_pipe() {
    for (option, code, words) in [("--json", 3, "no program reads the pipe"), ("--failures", 130, "")] {
        let path = in_folder();
        let pipe = path("pipe");
        make_pipe(&pipe);
        let sweep = start(&["--type", "u8", option, &pipe]);
        signals::wait_until_interrupts_are_handled(&sweep);
        signals::send("-TERM", &sweep);
        let output = sweep.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{option}: {}", err(&output));
        assert!(err(&output).contains(words), "{option}: {}", err(&output));
        assert!(out(&output).contains("values"), "{option}: the text of the report: {}", out(&output));
    }
}

#[test]
fn standard_output_by_another_name_has_the_report_and_standard_error_the_text() {
    const TEXT: &str = "FAILED: 1,097 failures in 2,001 values";
    let path = in_folder();
    for name in ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"] {
        if !Path::new(name).exists() {
            continue;
        }
        for (option, start) in [("--json", "{\n"), ("--junit", "<?xml"), ("--failures", "{\"type\":\"i64\"")]
        {
            let arguments = [&ARTICLE[..], &[FAILING, option, name]].concat();
            let output = sweep(&arguments);
            assert_eq!(output.status.code(), Some(1), "{}", err(&output));
            assert!(out(&output).starts_with(start) && !out(&output).contains(TEXT), "{}", out(&output));
            assert!(err(&output).contains(TEXT), "{}", err(&output));
            // The same in a file.
            let file = File::create(path("file")).unwrap();
            let output = program().args(&arguments).stdout(file).output().unwrap();
            let content = fs::read_to_string(path("file")).unwrap();
            assert!(content.starts_with(start) && !content.contains(TEXT), "{name} {option}: {content}");
            assert!(err(&output).contains(TEXT), "{}", err(&output));
        }
    }
    // The file by its own name.
    let script = format!("\"$0\" {} {FAILING} --json file > file", ARTICLE.join(" "));
    let output = shell(&script, &path(""));
    assert!(err(&output).contains(TEXT), "{}", err(&output));
    assert_eq!(json_file(path("file"))["failures"], "1097");
    fs::write(path("file"), "").unwrap();
    for option in ["--status", "--checkpoint"] {
        for stream in [">", "2>"] {
            let output = shell(&format!("\"$0\" --type u8 {option} file {stream} file"), &path(""));
            let text = err(&output) + &fs::read_to_string(path("file")).unwrap();
            assert_eq!(output.status.code(), Some(2), "{text}");
            assert!(text.contains("name another file"), "{option} {stream}: {text}");
        }
    }
}

#[test]
fn reports_and_lists_are_read_from_pipes_and_the_status_is_written_to_a_device() {
    let path = in_folder();
    for shard in ["1/2", "2/2"] {
        let file = path(&shard[..1]);
        sweep(&["--exhaustive", "0..=5_000_000", "--shard", shard, "--json", &file]);
    }
    let output = shell("\"$0\" merge <(cat 1) <(cat 2) --json >(cat > all)", &path(""));
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    assert!(out(&output).contains("5,000,001 values, which is all of them"), "{}", out(&output));
    sweep(&[&ARTICLE[..], &[FAILING, "--failures", &path("list"), "--json", &path("report")]].concat());
    for script in ["--replay <(cat list)", "--replay <(cat report)", "--replay /dev/stdin < <(cat list)"] {
        let output = shell(&format!("\"$0\" --max-failures 0 {script}"), &path(""));
        let text = out(&output);
        assert!(text.contains("FAILED: 1,097 failures in 1,097 values"), "{script}: {text}{}", err(&output));
    }
    let output = sweep(&["--type", "u8", "--status", "/dev/null"]);
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    // A write to a pipe may wait forever.
    make_pipe(&path("pipe"));
    let output = sweep(&["--type", "u8", "--status", &path("pipe")]);
    assert_eq!(output.status.code(), Some(3), "{}", err(&output));
}

/// Checks that a command is refused because of two names of one file, and leaves all files as they are.
fn assert_same_file(folder: &str, script: &str) {
    let contents = || {
        let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let mut all: Vec<_> = entries.map(|path| (fs::read(&path).ok(), path)).collect();
        all.sort();
        all
    };
    let before = contents();
    let output = shell(&format!("\"$0\" {script}"), folder);
    assert_eq!(output.status.code(), Some(2), "{script}: {}", err(&output));
    assert!(err(&output).contains("name the same file"), "{script}: {}", err(&output));
    assert!(before == contents(), "{script}: a file has changed");
}

#[test]
fn an_output_is_no_input_by_any_name() {
    let path = in_folder();
    let folder = path("");
    let (report, _) = json(&[&ARTICLE[..], &[FAILING]].concat());
    fs::write(path("a"), report.to_string()).unwrap();
    fs::hard_link(path("a"), path("hard")).unwrap();
    symlink("a", path("soft")).unwrap();
    symlink("new", path("dangling")).unwrap();
    fs::write(path("own.py"), "print()").unwrap();
    fs::hard_link(path("own.py"), path("hard.py")).unwrap();
    fs::write(path("c"), "").unwrap();
    fs::hard_link(path("c"), path("d")).unwrap();
    for name in ["hard", "soft", "./a"] {
        for output in OUTPUTS {
            assert_same_file(&folder, &format!("--replay a {output} {name}"));
            assert_same_file(&folder, &format!("--replay - {output} {name} < a"));
        }
        assert_same_file(&folder, &format!("--replay {name} --failures - >> a"));
        assert_same_file(&folder, &format!("merge a --json {name}"));
        assert_same_file(&folder, &format!("--json a --failures {name}"));
    }
    for command in
        ["python3 own.py", "./own.py", "python3 ./hard.py", "env --file=own.py", "sh -c \"exec<own.py\""]
    {
        for output in ["--failures", "--json"] {
            let exec = format!("--exec '{command}' {output} own.py");
            assert_same_file(&folder, &exec);
            assert_same_file(&folder, &format!("bytes {exec}"));
            assert_same_file(&folder, &format!("--type u8 --exec x --reference '{command}' {output} own.py"));
        }
    }
    assert_same_file(&folder, "--json c --checkpoint d");
    assert_same_file(&folder, "--json .c.sweep-lock --checkpoint c");
    assert_same_file(&folder, "--status .c.sweep-lock --checkpoint c");
    assert_same_file(&folder, "--json dangling --failures new");
    assert_same_file(&folder, "--checkpoint dangling --json new");
    #[cfg(feature = "profile")]
    assert_same_file(&folder, "profile - --svg hard < a");
}

#[test]
fn an_output_that_is_a_dangling_link_is_created_behind_the_link() {
    let path = in_folder();
    fs::create_dir(path("folder")).unwrap();
    for option in OUTPUTS {
        let (link, target) = (path(option), path("folder/") + option);
        symlink(&target, path("between")).unwrap();
        symlink("between", &link).unwrap();
        let output = sweep(&["--type", "u8", option, &link]);
        assert_eq!(output.status.code(), Some(0), "{}", err(&output));
        assert!(Path::new(&target).is_file(), "{option}");
        for link in [&link, &path("between")] {
            assert!(fs::symlink_metadata(link).unwrap().is_symlink(), "{option}: the link stays");
        }
        fs::remove_file(path("between")).unwrap();
    }
    symlink("loop", path("loop")).unwrap();
    let output = sweep(&["--type", "u8", "--json", &path("loop")]);
    assert_eq!(output.status.code(), Some(3), "{}", err(&output));
    assert!(fs::symlink_metadata(path("loop")).unwrap().is_symlink(), "the link stays");
}

#[test]
fn the_list_of_a_sweep_that_is_running_is_refused_and_stays() {
    let path = in_folder();
    let (list, checkpoint) = (path("list"), path("c"));
    let endless = [&ARTICLE[..], &["--exhaustive", "--failures", &list, FAILING, "0.."]].concat();
    let resumed = [&endless[..], &["--checkpoint", &checkpoint, "--time-limit", "100ms"]].concat();
    assert_eq!(sweep(&resumed).status.code(), Some(1));
    fs::remove_file(&list).unwrap(); // what is read below is of the next one
    let mut running = start(&[&endless[..], &["--time-limit", "10m"]].concat());
    let first = wait_for(|| fs::read_to_string(&list).ok().filter(|text| text.ends_with('\n')));
    for other in [&endless, &resumed] {
        let output = sweep(other);
        assert_eq!(output.status.code(), Some(3), "{}", err(&output));
        assert!(err(&output).contains("another sweep is writing it"), "{}", err(&output));
    }
    assert!(fs::read_to_string(&list).unwrap().starts_with(&first));
    signals::send("-TERM", &running);
    running.wait().unwrap();
}
