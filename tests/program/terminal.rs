//! The program at a terminal: help, completions, manual pages, colours, and suggestions for
//! misspelled names.

use std::fs;
use std::process::{Command, Output, Stdio};

use crate::support::{err, out};

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

/// Returns the commands in the help.
fn commands() -> Vec<String> {
    let help = out(&sweep(&["--help"]));
    let section =
        help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    // The second line of a description is indented further than a command.
    let commands: Vec<_> = section
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next().map(str::to_owned))
        .filter(|command| command != "help")
        .collect();
    for command in ["merge", "bytes", "completions", "man"] {
        assert!(commands.iter().any(|named| named == command), "{command} in {help}");
    }
    commands
}

#[test]
fn every_command_has_help_with_exit_codes_and_examples() {
    let mut lines = vec![vec!["--help".to_owned()]];
    lines.extend(commands().into_iter().map(|command| vec![command, "--help".to_owned()]));
    for line in lines {
        let output = program().args(&line).output().unwrap();
        let text = out(&output);
        assert_eq!((output.status.code(), err(&output).as_str()), (Some(0), ""), "{line:?}");
        assert!(text.contains("\nExit codes:\n    0  "), "{line:?}: {text}");
        assert!(text.contains("\nExamples:\n  sweep"), "{line:?}: {text}");
    }
}

#[test]
fn short_help_fits_a_screen() {
    for command in [None].into_iter().chain(commands().into_iter().map(Some)) {
        let output = program().args(&command).arg("-h").output().unwrap();
        let text = out(&output);
        assert_eq!(output.status.code(), Some(0));
        assert!(text.contains("Exit codes: 0 "), "{text}");
        assert!(text.lines().count() <= 50, "{command:?}: {} lines\n{text}", text.lines().count());
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    }
}

#[test]
fn help_groups_the_options() {
    let text = out(&sweep(&["--help"]));
    let mut rest = text.as_str();
    for heading in ["What to check", "Codec", "Large runs", "Watching", "Output", "Exit codes", "Examples"] {
        let at =
            rest.find(&format!("\n{heading}:\n")).unwrap_or_else(|| panic!("no {heading} in order: {text}"));
        rest = &rest[at + 1..];
    }
}

/// Asserts that `interpreter` parses `script`. Prints a message if it is not installed.
fn assert_parses(interpreter: &str, arguments: &[&str], script: &str) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("script");
    fs::write(&path, script).unwrap();
    match Command::new(interpreter).args(arguments).arg(&path).output() {
        Ok(output) => {
            assert!(output.status.success() && output.stderr.is_empty(), "{interpreter}: {}", err(&output));
        }
        Err(_) => eprintln!("skipped: {interpreter} is not installed"),
    }
}

#[test]
fn shells_parse_their_completion_scripts() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let output = sweep(&["completions", shell]);
        let script = out(&output);
        assert_eq!((output.status.code(), err(&output).as_str()), (Some(0), ""), "{shell}");
        for word in ["merge", "exhaustive", "completions"] {
            assert!(script.contains(word), "{shell}: no {word}");
        }
        if ["bash", "zsh", "fish"].contains(&shell) {
            assert!(script.contains("article2015"), "{shell} does not complete names of codecs");
            assert_parses(shell, &["-n"], &script);
        }
    }
}

#[test]
fn completions_have_the_kernels_of_this_cpu_and_files_for_profiles() {
    for shell in ["bash", "zsh", "fish"] {
        let script = out(&sweep(&["completions", shell]));
        for kernel in crate::support::listed("kernels of this CPU") {
            let after_option = script.split("kernel").skip(1).any(|rest| {
                rest.lines()
                    .take(12)
                    .any(|line| line.split(|c: char| !c.is_alphanumeric()).any(|word| word == kernel))
            });
            assert!(after_option, "{shell} does not complete the kernel {kernel}");
        }
    }
    if cfg!(feature = "profile") {
        let script = out(&sweep(&["completions", "zsh"]));
        let profile = script.split("(profile)").nth(1).unwrap_or_default();
        let file = profile.lines().find(|line| line.contains(":file -- ")).unwrap_or_default();
        assert!(file.ends_with("_files' \\"), "{file}");
    }
}

#[test]
#[cfg(unix)]
fn bash_completes_commands_options_and_names() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sweep.bash");
    fs::write(&path, sweep(&["completions", "bash"]).stdout).unwrap();
    for (words, expected) in [
        ("sweep mer", "merge"),
        ("sweep --exh", "--exhaustive"),
        ("sweep --codec art", "article2015"),
        ("sweep --kernel sca", "scalar"),
    ] {
        let (before, word) = words.rsplit_once(' ').unwrap();
        let previous = before.rsplit(' ').next().unwrap();
        let count = before.split(' ').count();
        let ask = format!(
            "source '{}' && COMP_WORDS=({words}) COMP_CWORD={count} && _sweep sweep '{word}' '{previous}'; \
             echo \"${{COMPREPLY[*]}}\"",
            path.display()
        );
        match Command::new("bash").args(["--norc", "-c", &ask]).output() {
            Ok(answer) => assert_eq!(out(&answer).trim(), expected, "{words}: {}", err(&answer)),
            Err(_) => return eprintln!("skipped: bash is not installed"),
        }
    }
}

#[test]
fn every_command_has_a_manual_page_with_all_sections() {
    let folder = tempfile::tempdir().unwrap();
    let output = sweep(&["man", "--out", folder.path().to_str().unwrap()]);
    assert_eq!((output.status.code(), out(&output), err(&output)), (Some(0), String::new(), String::new()));
    let mut expected: Vec<_> = commands().iter().map(|command| format!("sweep-{command}.1")).collect();
    expected.push("sweep.1".into());
    expected.sort();
    let mut written: Vec<_> = fs::read_dir(folder.path())
        .unwrap()
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .collect();
    written.sort();
    assert_eq!(written, expected);

    for name in written {
        let page = fs::read_to_string(folder.path().join(&name)).unwrap();
        let mut arguments = vec!["man"];
        arguments.extend(name.strip_prefix("sweep-").and_then(|rest| rest.strip_suffix(".1")));
        assert_eq!(out(&sweep(&arguments)), page, "{name}");
        for section in
            ["NAME", "SYNOPSIS", "DESCRIPTION", "EXIT STATUS", "ENVIRONMENT", "EXAMPLES", "SEE ALSO"]
        {
            let quoted =
                page.contains(&format!(".SH \"{section}\"")) || page.contains(&format!(".SH {section}\n"));
            assert!(quoted, "{name}: no {section}");
        }
        // An option without a description leaves an empty line. Line breaks are empty lines after
        // `.br`.
        let lines: Vec<_> = page.lines().collect();
        let undescribed = lines.windows(2).find(|pair| pair[0] != ".br" && pair[1].is_empty());
        assert_eq!(undescribed, None, "{name}: an option without a description");
        assert_parses("mandoc", &["-T", "lint", "-W", "error"], &page);
    }

    let missing = folder.path().join("missing");
    let output = sweep(&["man", "--out", missing.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(3));
    assert!(err(&output).contains("name an existing, writable folder"), "{}", err(&output));
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
        // The result of a sweep, two errors and the help. Clap prints the second error and the
        // help.
        assert_eq!(colored(out(&run(&["1..=9"]))), *expected, "{case}");
        let failing = ["--codec", "article2015", "9223372036854775807..=MAX"];
        assert_eq!(colored(out(&run(&failing))), *expected, "{case}");
        assert_eq!(colored(err(&run(&["--type", "i8", "0..=300"]))), *expected, "{case}");
        assert_eq!(colored(err(&run(&["--no-such-option"]))), *expected, "{case}");
        assert_eq!(colored(out(&run(&["merge", "--help"]))), *expected, "{case}");
        // JSON, scripts and manual pages never have colours.
        let report = run(&["1..=9", "--json", "-"]);
        assert!(serde_json::from_slice::<serde_json::Value>(&report.stdout).is_ok(), "{case}");
        assert_eq!(colored(err(&report)), *expected, "{case}");
        assert!(!colored(out(&run(&["completions", "bash"]))), "{case}");
        assert!(!colored(out(&run(&["man"]))), "{case}");
    }
}

#[test]
fn only_the_first_word_of_the_result_is_coloured() {
    let colored = out(&sweep(&["--color=always", "1..=9"]));
    assert!(colored.contains("\x1b[1m\x1b[32mOK:\x1b[0m no failure in 9 values"), "{colored:?}");
    let failed = out(&sweep(&["--color=always", "--codec", "article2015", "9223372036854775807..=MAX"]));
    assert!(failed.contains("\x1b[1m\x1b[31mFAILED:\x1b[0m 1 failure in 1 value"), "{failed:?}");
    assert_eq!(colored.matches("\x1b[").count(), 3);
}

#[test]
fn the_colour_option_can_be_anywhere_and_the_last_one_wins() {
    for arguments in [
        &["--color", "always", "merge", "--help"][..],
        &["merge", "--color=always", "--help"],
        &["--color=never", "merge", "--help", "--color", "always"],
        &["--color=always", "-5..=5"],
        &["--color=always", "--", "-5..=5"],
    ] {
        let output = sweep(arguments);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", err(&output));
        assert!(out(&output).contains(ESCAPE), "{arguments:?}");
    }
    for arguments in [&["--color"][..], &["--color=sometimes"], &["--color", "sometimes", "merge", "x"]] {
        let output = sweep(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(err(&output).contains("never"), "{arguments:?}: {}", err(&output));
    }
}

#[test]
#[cfg(unix)]
fn arguments_that_are_not_utf_8_are_refused_without_a_panic() {
    use std::os::unix::ffi::OsStrExt;
    let output = program().arg(std::ffi::OsStr::from_bytes(b"\xff..=5")).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.stderr.starts_with(b"error: "));
}

#[test]
fn misspelled_names_get_a_suggestion() {
    for (arguments, suggestion) in [
        (&["mrge", "a.json"][..], "did you mean 'sweep merge'?"),
        (&["--quiet", "merge", "a.json"], "sweep merge ..."),
        (&["frobnicate"], "the commands are merge, bytes"),
        (&["frobnicate"], "A..=B"),
        (&["--codec", "bluk"], "'bulk'"),
        (&["--kernel", "scaler"], "did you mean 'scalar'?"),
        (&["--preset", "article2105"], "'article2015'"),
        (&["--type", "u46"], "a similar value exists: 'u"),
        (&["--exhastive"], "'--exhaustive'"),
        (&["bytes", "--decoder", "redaer"], "'reader'"),
        (&["bytes", "--kernel", "scaler"], "did you mean 'scalar'?"),
        (&["completions", "bsh"], "'bash'"),
        (&["man", "mrge"], "did you mean 'merge'?"),
    ] {
        let output = sweep(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", err(&output));
        assert!(err(&output).starts_with("error: "), "{arguments:?}");
        assert!(err(&output).contains(suggestion), "{arguments:?}: {}", err(&output));
    }
    // No name is similar to these.
    for arguments in [&["--kernel", "x"][..], &["12345"], &["man", "xyz"]] {
        assert!(!err(&sweep(arguments)).contains("did you mean"), "{arguments:?}");
    }
    // `sweep bytes` has no commands to suggest.
    assert!(!err(&sweep(&["bytes", "mrge"])).contains("commands are"));
}

#[test]
fn a_closed_pipe_is_not_an_error_for_any_output() {
    for arguments in [
        &["--help"][..],
        &["completions", "zsh"],
        &["man"],
        &["--list"],
        &["1..=9"],
        &["1..=9", "-q", "--json", "-"],
    ] {
        let mut child =
            program().args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{arguments:?}");
        // Warnings are possible, for example about a busy machine.
        assert!(err(&output).lines().all(|line| line.starts_with("warning: ")), "{}", err(&output));
    }
}
