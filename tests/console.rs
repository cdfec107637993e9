//! What the pages show of the program `sweep` is true. These tests are not in `tests/docs/`, because
//! cargo names the built program to the tests of its own package only.
//!
//! A block marked `console` has commands after `$ `, each followed by what it prints. A line `...`
//! stands for any lines that are left out, and empty lines do not count. Outputs stand in no other
//! block, so none is shown that was not run. What depends on the machine is masked. `cargo run -q` runs
//! the first program of the page.

#![allow(clippy::incompatible_msrv)]
// the program needs a newer Rust than the library
// Elsewhere some options do not exist, or no profile can be taken.
#![cfg(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64"))]

use std::path::{Path, PathBuf};
use std::process::Command;

use regex_lite::Regex;
use zigzag_varint_docs::{files, read, root};

/// These pages have issues of their own.
const OTHERS: [&str; 3] = ["benches", "proofs", "fuzz"];

/// A command and the lines that a page shows of its output.
#[derive(Debug, PartialEq)]
struct Shown<'p> {
    line: usize,
    command: &'p str,
    output: Vec<&'p str>,
}

/// Returns the commands of the console blocks of a page, in order.
///
/// # Errors
///
/// Names the line of a block that shows an output without a command, or a command without an output.
fn shown(page: &str) -> Result<Vec<Shown<'_>>, String> {
    let mut found: Vec<Shown<'_>> = Vec::new();
    let mut block = None;
    for (line, text) in (1..).zip(page.lines()) {
        match (block, text.strip_prefix("```")) {
            (None, Some("text")) => {
                return Err(format!(
                    "{line}: a block 'text'; an output stands in a block 'console', after '$ COMMAND'"
                ));
            }
            (None, Some(language)) => {
                block = Some(language);
                if language == "console" && !page.lines().nth(line).is_some_and(|next| next.starts_with("$ "))
                {
                    return Err(format!("{line}: a block 'console' that does not start with '$ COMMAND'"));
                }
            }
            (Some(language), Some("")) => {
                block = None;
                if let Some(last) =
                    found.last().filter(|last| language == "console" && last.output.is_empty())
                {
                    return Err(format!("{}: no output; commands alone stand in a block 'sh'", last.line));
                }
            }
            (Some("console"), None) => match (text.strip_prefix("$ "), found.last_mut()) {
                (Some(command), _) => found.push(Shown { line, command, output: Vec::new() }),
                (None, Some(last)) => last.output.push(text),
                (None, None) => unreachable!("a block starts with a command"),
            },
            _ => {}
        }
    }
    Ok(found)
}

/// Returns the arguments of a command that runs `sweep`.
fn arguments(command: &str) -> Option<Vec<String>> {
    let rest = ["cargo run --bin sweep --", "sweep"].iter().find_map(|start| command.strip_prefix(start))?;
    (rest.is_empty() || rest.starts_with(' ')).then(|| shell_words::split(rest).ok())?
}

/// Returns the first program in Rust of a page.
fn program(page: &str) -> Option<&str> {
    page.split_once("```rust\n")?.1.split("```").next()
}

/// Returns a command that runs `program` in a new package in `folder` that depends on this crate.
fn cargo_run(program: &str, folder: &Path) -> Command {
    let manifest = format!(
        "[package]\nname = 'start'\nedition = '2024'\n[workspace]\n[dependencies]\nzigzag-varint = {{ path = '{}' }}\n",
        root().display()
    );
    std::fs::create_dir(folder.join("src")).unwrap();
    std::fs::write(folder.join("Cargo.toml"), manifest).unwrap();
    std::fs::write(folder.join("src/main.rs"), program).unwrap();
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["run", "-q", "--offline", "--target-dir", concat!(env!("CARGO_TARGET_TMPDIR"), "/start")]);
    cargo
}

/// Compiles the program of functions in C in the folder, as the page says that shows their sweeps.
fn compile_math(folder: &Path) {
    let sweep = env!("CARGO_BIN_EXE_sweep");
    let script = format!("'{sweep}' protocol math.c > math.c && cc -O2 -o math math.c -lm");
    let compiled = Command::new("sh").args(["-c", &script]).current_dir(folder).output().unwrap();
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
}

/// Replaces what depends on the machine, the build and the moment, and the width of columns.
struct Masks(Vec<(Regex, &'static str)>);

impl Masks {
    fn new() -> Self {
        let masks = [
            (r"\b(scalar|swar|sse|avx2|avx512|neon|simd128)\b", "KERNEL"),
            (r"[\d,.]+ (values|strings)/s", "RATE"),
            (r" +[\d,]+ +[\d.]+ +(\d+)$", " RATES $1"), // of one of several codecs
            (r"^ *(0|[\d.]+m?s)( +[\d.]+%){2} +[\d.]+m?s +[\d.]+%  .*", "FUNCTION"), // of a profile
            (r"\d[\d,]*(\.\d+)? (s|seconds?|minutes?|hours?|days?|years?)\b", "TIME"),
            (r"^CPU: .*", "CPU"),
            (r"\d+ threads?\b", "THREADS"),
            (r"\d+ \(here\)", "HERE"),
            (r"[\d,]+ core hours", "CORE-HOURS"),
            (r"--seed \d+", "--seed SEED"),
            (r"\d[\d,]*\.\d+", "DECIMAL"),
            (r" +", " "),
        ];
        Self(masks.map(|(mask, name)| (Regex::new(mask).expect("a mask"), name)).into())
    }

    fn apply(&self, line: &str) -> String {
        let masked = self
            .0
            .iter()
            .fold(line.to_owned(), |text, (mask, name)| mask.replace_all(&text, *name).into_owned());
        masked.trim().to_owned()
    }

    /// Returns the first line of the page that is not in `printed` at its place, and the line there.
    fn difference<'t>(&self, page: &[&'t str], printed: &'t str) -> Option<(&'t str, &'t str)> {
        let mut rest = printed.lines().filter(|line| !line.trim().is_empty());
        let mut is_after_gap = false;
        for shown in page.iter().filter(|line| !line.trim().is_empty()) {
            if *shown == "..." {
                is_after_gap = true;
                continue;
            }
            let wanted = self.apply(shown);
            let mut next = rest.clone();
            let found = if is_after_gap { next.find(|line| self.apply(line) == wanted) } else { next.next() };
            match found {
                Some(line) if self.apply(line) == wanted => rest = next,
                other => return Some((shown, other.unwrap_or("(no such line)"))),
            }
            is_after_gap = false;
        }
        let more = rest.next().filter(|_| !is_after_gap)?;
        Some(("(the end)", more))
    }
}

#[test]
fn every_output_that_a_page_shows_is_what_its_command_prints() {
    let masks = Masks::new();
    let mut problems = Vec::new();
    let mut outputs = 0;
    let is_other = |page: &PathBuf| OTHERS.iter().any(|folder| page.starts_with(folder));
    for page in files(".md").into_iter().filter(|page| !is_other(page)) {
        let (text, name) = (read(&page), page.display());
        let blocks = match shown(&text) {
            Ok(blocks) => blocks,
            Err(problem) => {
                problems.push(format!("{name}:{problem}"));
                continue;
            }
        };
        // A command may read the files that those before it have written.
        let folder = tempfile::tempdir().unwrap();
        if blocks.iter().any(|shown| shown.command.contains("./math ")) {
            compile_math(folder.path());
        }
        for Shown { line, command, output } in blocks {
            let mut run = match (arguments(command), program(&text)) {
                (Some(arguments), _) => {
                    let mut sweep = Command::new(env!("CARGO_BIN_EXE_sweep"));
                    sweep.args(arguments);
                    sweep
                }
                (None, Some(program)) if command == "cargo run -q" => cargo_run(program, folder.path()),
                _ => {
                    problems.push(format!("{name}:{line}: cannot run '{command}'; only sweep can be run"));
                    continue;
                }
            };
            let ran = run.current_dir(&folder).env_remove("CLICOLOR_FORCE").output().unwrap();
            let printed = String::from_utf8_lossy(&ran.stdout);
            if let Some((shown, found)) = masks.difference(&output, &printed) {
                let difference = format!("the page shows  {shown}\n  it now prints   {found}");
                problems.push(format!("{name}:{line}: {command}\n  {difference}"));
            }
            outputs += usize::from(!output.is_empty());
        }
    }
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
    println!("{outputs} outputs are as shown");
    assert!(outputs > 3, "only {outputs} outputs were found");
}

#[test]
fn a_block_that_cannot_be_checked_is_an_error() {
    let page = "```console\n$ sweep a\nout\n...\n$ sweep b\n$ sweep c\nmore\n```\n```sh\nls\n```\n";
    let expected = [(2, "sweep a", vec!["out", "..."]), (5, "sweep b", vec![]), (6, "sweep c", vec!["more"])];
    let expected = expected.map(|(line, command, output)| Shown { line, command, output });
    assert_eq!(shown(page), Ok(expected.into()));
    assert!(shown("a\n```text\nout\n```\n").unwrap_err().starts_with("2: a block 'text'"));
    let error = shown("```console\nout\n```\n").unwrap_err();
    assert!(error.starts_with("1: a block 'console' that does not start"), "{error}");
    assert!(shown("```console\n$ sweep a\n```\n").unwrap_err().starts_with("2: no output"));
    assert_eq!(arguments("cargo run --bin sweep -- -n 'a b'"), Some(vec!["-n".into(), "a b".into()]));
    assert_eq!(arguments("sweep"), Some(vec![]));
    assert_eq!(arguments("jq . a.json"), None);
}

#[test]
fn a_changed_word_is_noticed_and_a_changed_time_is_not() {
    let masks = Masks::new();
    let printed = "sweep by codec bulk, kernel avx2\n\n1,393 values in 0.10 s on 64 threads, 9,139 values/s\nCPU: 0.50 of 64 CPUs used\n\
                   stopped after 3 failures\nmore\n";
    let time = "1,393 values in 12 s on 1 thread, 805 values/s";
    let cpu = "CPU: 1.00 of 1 CPU used; sweep-1 100 %";
    let first = "sweep by codec bulk, kernel scalar";
    assert_eq!(masks.difference(&[first, "", time, cpu, "stopped after 3 failures", "more"], printed), None);
    assert_eq!(masks.difference(&[first, "...", "more"], printed), None);
    assert_eq!(masks.difference(&["...", time, cpu, "..."], printed), None);
    let different = |page: &[&'static str]| {
        masks.difference(page, printed).map(|(shown, found)| (shown, found.to_owned()))
    };
    assert_eq!(different(&[first, time, cpu]), Some(("(the end)", "stopped after 3 failures".into())));
    let page = [first, "...", "stopped after 8 failures", "..."];
    assert_eq!(different(&page), Some(("stopped after 8 failures", "(no such line)".into())));
    let count = time.replace("1,393", "1,394");
    assert!(masks.difference(&[first, &count, "..."], printed).is_some());
}
