//! Turns what `cargo bench` left behind into Markdown tables of ratios, and a bar chart.

mod chart;
mod host;
mod results;
mod table;

use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser;

use results::{Group, Results};

/// Prints how this crate compares with the best peer, from the results of the last `cargo bench`
#[derive(Parser)]
#[command(version, about, max_term_width = 100)]
struct Arguments {
    /// What to show: an operation, or an operation and a type [default: everything]
    #[arg(value_name = "OPERATION[/TYPE]")]
    groups: Vec<String>,

    /// Also list every peer, not the best one alone
    #[arg(long)]
    peers: bool,

    /// Draw the ratios of the kernels to this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    /// Criterion's folder [default: $CRITERION_HOME, or `criterion` in the target folder]
    #[arg(long, value_name = "DIR")]
    criterion: Option<PathBuf>,
}

/// Why there is nothing to show. The text says what to do.
enum Failure {
    Usage(String),
    File(String),
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Usage(text)) => {
            eprintln!("ratios: {text}");
            ExitCode::from(2)
        }
        Err(Failure::File(text)) => {
            eprintln!("ratios: {text}");
            ExitCode::from(3)
        }
    }
}

fn run(arguments: &Arguments) -> Result<(), Failure> {
    let dir = arguments.criterion.clone().unwrap_or_else(default_dir);
    let Results { groups, skipped } = results::read(&dir)
        .map_err(|error| Failure::File(format!("{}: {error}; run `cargo bench` first", dir.display())))?;
    for reason in skipped {
        eprintln!("ratios: skipped {reason}");
    }
    if groups.is_empty() {
        let dir = dir.display();
        return Err(Failure::File(format!("no benchmark results in {dir}; run `cargo bench` first")));
    }
    let chosen = choose(groups, &arguments.groups)?;

    print(&Report { groups: &chosen, peers: arguments.peers })
        .map_err(|error| Failure::File(format!("standard output: {error}")))?;
    if let Some(path) = &arguments.svg {
        chart::write(&chosen, path)
            .map_err(|error| Failure::File(format!("cannot write {}: {error}", path.display())))?;
    }
    Ok(())
}

/// Where criterion writes: `criterion` beside the folder of this program, which cargo puts into the target folder.
fn default_dir() -> PathBuf {
    if let Some(home) = std::env::var_os("CRITERION_HOME") {
        return home.into();
    }
    let program = std::env::current_exe().unwrap_or_default();
    let beside = program.ancestors().map(|dir| dir.join("criterion")).find(|dir| dir.is_dir());
    beside.unwrap_or_else(|| Path::new("target").join("criterion"))
}

/// The groups that `wanted` names; all of them where it names none.
fn choose(groups: Vec<Group>, wanted: &[String]) -> Result<Vec<Group>, Failure> {
    let named = |group: &Group, want: &String| group.name() == *want || group.operation == *want;
    for want in wanted {
        if !groups.iter().any(|group| named(group, want)) {
            let names: Vec<String> = groups.iter().map(Group::name).collect();
            return Err(Failure::Usage(format!("no results for '{want}'; there are {}", names.join(", "))));
        }
    }
    Ok(groups
        .into_iter()
        .filter(|group| wanted.is_empty() || wanted.iter().any(|want| named(group, want)))
        .collect())
}

/// A reader that has seen enough and closes the pipe is no error.
fn print(report: &Report<'_>) -> io::Result<()> {
    match write!(io::stdout().lock(), "{report}") {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}

/// All that is printed.
struct Report<'a> {
    groups: &'a [Group],
    peers: bool,
}

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}; {}.", host::cpu(), host::rustc())?;
        writeln!(f, "{}", table::method(self.groups))?;
        let arguments: Vec<String> = std::env::args().skip(1).collect();
        let dashes = if arguments.is_empty() { "" } else { " -- " };
        let arguments = arguments.join(" ");
        writeln!(
            f,
            "Made by `cargo bench`, then `cargo run -p zigzag-varint-benches --bin ratios{dashes}{arguments}`."
        )?;
        for group in self.groups {
            write!(f, "\n{}", table::Table { group, peers: self.peers })?;
        }
        Ok(())
    }
}
