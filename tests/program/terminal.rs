//! The program at a terminal: help, completions and colours.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::support::{document, err, out};

const ESCAPE: char = '\x1b';

fn program() -> Command {
    let mut program = crate::support::program();
    for variable in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "CI"] {
        program.env_remove(variable);
    }
    program.env("TERM", "xterm").env("COLUMNS", "80");
    program
}

fn sweep(arguments: &[&str]) -> Output {
    program().args(arguments).output().expect("the program starts")
}

/// The commands, of which the first has no name.
const COMMANDS: &[&[&str]] = &[
    &[],
    &["merge"],
    &["bytes"],
    #[cfg(feature = "profile")]
    &["profile"],
    #[cfg(unix)]
    &["protocol"],
    &["completions"],
];

#[test]
fn every_command_has_help_with_exit_codes_and_examples() {
    for line in COMMANDS.iter().map(|command| [command, &["--help"][..]].concat()) {
        let output = sweep(&line);
        let text = out(&output);
        assert_eq!((output.status.code(), err(&output).as_str()), (Some(0), ""), "{line:?}");
        assert!(text.contains("\nExit codes:\n    0  "), "{line:?}: {text}");
        assert!(text.contains("\nExamples:\n  sweep"), "{line:?}: {text}");
    }
}

#[test]
fn the_version_is_that_of_the_package() {
    assert_eq!(out(&sweep(&["--version"])), concat!("sweep ", env!("CARGO_PKG_VERSION"), "\n"));
}

#[test]
fn short_help_fits_a_screen() {
    for line in COMMANDS.iter().map(|command| [command, &["-h"][..]].concat()) {
        let text = out(&sweep(&line));
        assert!((5..=50).contains(&text.lines().count()), "{line:?}\n{text}");
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    }
}

/// Runs the script of a shell with this command line, which ends in the path of a script. Returns what
/// it prints, or `None` if there is no such shell.
fn run_script(line: &[&str], script: &Path) -> Option<String> {
    let output = Command::new(line[0]).args(&line[1..]).arg(script).output().ok()?;
    assert!(output.status.success() && output.stderr.is_empty(), "{line:?}: {}", err(&output));
    Some(out(&output))
}

#[test]
fn completion_scripts_name_every_command_and_are_valid_in_their_shells() {
    let folder = tempfile::tempdir().unwrap();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let output = sweep(&["completions", shell]);
        assert_eq!((output.status.code(), &*err(&output)), (Some(0), ""), "{shell}");
        let script = out(&output);
        for word in COMMANDS.iter().copied().flatten().chain(&["exhaustive"]) {
            assert!(script.contains(word), "{shell}: no {word}");
        }
        let path = folder.path().join(shell);
        fs::write(&path, script).unwrap();
        if ["bash", "zsh", "fish"].contains(&shell) && run_script(&[shell, "-n"], &path).is_none() {
            eprintln!("not run: {shell}");
        }
    }
    let complete =
        r#". "$0"; COMP_WORDS=(sweep mer) COMP_CWORD=1; _sweep sweep mer sweep; echo "${COMPREPLY[@]}""#;
    match run_script(&["bash", "-c", complete], &folder.path().join("bash")) {
        Some(completed) => assert_eq!(completed.trim(), "merge"),
        None => eprintln!("not run: bash"),
    }
    assert_eq!(sweep(&["completions", "sh"]).status.code(), Some(2));
}

/// Environment variables, the option `--color`, and whether text has colours without a terminal.
type ColorCase = (&'static [(&'static str, &'static str)], Option<&'static str>, bool);

const COLORS: &[ColorCase] = &[
    (&[], None, false),
    (&[], Some("auto"), false),
    (&[], Some("always"), true),
    (&[], Some("never"), false),
    (&[("CLICOLOR_FORCE", "1")], None, true),
    (&[("CLICOLOR_FORCE", "1")], Some("auto"), true),
    (&[("CLICOLOR_FORCE", "1")], Some("never"), false),
    (&[("NO_COLOR", "1")], None, false),
    (&[("NO_COLOR", "1")], Some("always"), true),
    (&[("NO_COLOR", "1"), ("CLICOLOR_FORCE", "1")], None, false),
];

#[test]
fn colours_follow_the_option_and_the_environment() {
    for (variables, option, expected) in COLORS {
        let option: Vec<String> = option.iter().map(|when| format!("--color={when}")).collect();
        let run = |arguments: &[&str]| {
            program().args(arguments).args(&option).envs(variables.iter().copied()).output().unwrap()
        };
        let case = format!("{variables:?} {option:?}");
        let colored = |text: String| text.contains(ESCAPE);
        // The result of a sweep and an error.
        assert_eq!(colored(out(&run(&["1..=9"]))), *expected, "{case}");
        let failing = ["--codec", "article2015", "9223372036854775807..=MAX"];
        assert_eq!(colored(out(&run(&failing))), *expected, "{case}");
        assert_eq!(colored(err(&run(&["--type", "i8", "0..=300"]))), *expected, "{case}");
        // JSON never has colours.
        let report = run(&["1..=9", "--json", "-"]);
        document(&report.stdout);
        assert_eq!(colored(err(&report)), *expected, "{case}");
    }
}

#[test]
fn only_the_first_word_of_the_result_is_coloured() {
    let colored = out(&sweep(&["--color=always", "1..=9"]));
    assert!(colored.contains("\x1b[1;32mOK:\x1b[0m no failure in 9 values"), "{colored:?}");
    let failed = out(&sweep(&["--color=always", "--codec", "article2015", "9223372036854775807..=MAX"]));
    assert!(failed.contains("\x1b[1;31mFAILED:\x1b[0m 1 failure in 1 value"), "{failed:?}");
    assert_eq!(colored.matches("\x1b[").count(), 2);
}

#[test]
fn a_closed_pipe_is_not_an_error_for_any_output() {
    for arguments in
        [&["--help"][..], &["completions", "zsh"], &["--list"], &["1..=9"], &["1..=9", "-q", "--json", "-"]]
    {
        let mut child =
            program().args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{arguments:?}");
        // Warnings are possible, for example about a busy machine.
        assert!(err(&output).lines().all(|line| line.starts_with("warning: ")), "{}", err(&output));
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_text_that_cannot_be_printed_is_an_error_of_every_command() {
    let printing: [&[&str]; 6] =
        [&["--version"], &["--list"], &["--schema"], &["completions", "bash"], &["help"], &["1..=2"]];
    let helps =
        COMMANDS.iter().flat_map(|command| ["--help", "-h"].map(|help| [command, &[help][..]].concat()));
    let protocol = vec!["protocol"];
    for arguments in printing.into_iter().map(<[_]>::to_vec).chain(helps).chain([protocol]) {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let output = program().args(&arguments).stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(3), "{arguments:?}");
        assert!(err(&output).starts_with("error: cannot write to standard output: "), "{}", err(&output));
    }
}

/// How long there is still to go is what a person looks for, so it has a place on any terminal.
#[test]
#[cfg(target_os = "linux")]
fn the_progress_line_fits_the_terminal_and_ends_with_the_percentage_and_the_remaining_time() {
    for columns in [200, 80, 50, 30, 10] {
        let mut command = program();
        command.args(["--exhaustive", "--time-limit", "1s", "--color", "never"]).stdout(Stdio::null());
        let (lines, status) = crate::tty::drawn_lines(command, columns);
        assert_eq!(status.code(), Some(124), "{lines:?}");
        let drawn: Vec<&String> = lines.iter().filter(|line| !line.starts_with("warning: ")).collect();
        assert!(drawn.iter().all(|line| line.len() <= columns.into()), "{columns}: {drawn:?}");
        let last = drawn.last().expect("a line").as_str();
        let (before, after) = last.rsplit_once(" %").expect(last);
        // Of the time limit, which comes long before all values are checked.
        let percent = before.rsplit(", ").next().and_then(|percent| percent.parse::<f64>().ok());
        assert!(percent.is_some_and(|percent| percent > 1.0), "{last}");
        assert_eq!(after, if columns >= 30 { ", 0 seconds remaining" } else { "" }, "{last}");
        assert_eq!(before.contains("/s, 0 failures, "), columns >= 80, "{last}");
        assert_eq!(before.contains(" values, "), columns >= 200, "{last}");
    }
}

/// The text is on standard error here, which is the terminal.
#[test]
#[cfg(target_os = "linux")]
fn the_lines_of_a_report_break_at_spaces_on_a_terminal_only() {
    let arguments =
        ["--codec", "article2015", "--color", "never", "9223372036854775807..=MAX", "--json", "-"];
    let piped = err(&sweep(&arguments));
    let long = piped.lines().find(|line| line.contains(": decode panicked: ")).expect(&piped);
    assert!(long.len() > 50, "{long}");
    let mut command = program();
    command.args(arguments).stdout(Stdio::null());
    let (lines, status) = crate::tty::drawn_lines(command, 50);
    assert_eq!(status.code(), Some(1), "{lines:?}");
    let is_report = |line: &&String| !line.starts_with("warning: ");
    assert!(lines.iter().filter(is_report).all(|line| line.len() <= 50), "{lines:?}");
    let text = lines.join(" ").split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains(long.trim()), "{long} in {lines:?}");
}
