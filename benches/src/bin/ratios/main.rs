//! Makes Markdown tables of ratios, and a bar chart, from the results of `cargo bench`.

mod chart;
mod results;
mod table;

use std::fmt;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use zigzag_varint_benches::failure::{self, Failure};
use zigzag_varint_benches::host;
use zigzag_varint_benches::results::{LATEST, Results, default_dir, read};

use results::Group;

/// Prints how this crate compares with the best peer, from the results of the last `cargo bench`
#[derive(Parser)]
#[command(version, about, max_term_width = 100)]
struct Arguments {
    /// Groups to show: an operation, or an operation and a type [default: all]
    #[arg(value_name = "OPERATION[/TYPE]")]
    groups: Vec<String>,

    /// List every peer, not only the best
    #[arg(long)]
    peers: bool,

    /// Draw a chart of the ratios of the kernels to this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    /// Criterion's folder [default: $CRITERION_HOME, or `criterion` in the target folder]
    #[arg(long, value_name = "DIR")]
    criterion: Option<PathBuf>,
}

fn main() -> ExitCode {
    failure::exit_code("ratios", run(&Arguments::parse()))
}

fn run(arguments: &Arguments) -> Result<(), Failure> {
    let dir = arguments.criterion.clone().unwrap_or_else(default_dir);
    let Results { benchmarks, skipped } = read(&dir, LATEST)
        .map_err(|error| Failure::File(format!("{}: {error}; run `cargo bench` first", dir.display())))?;
    for reason in skipped {
        eprintln!("ratios: skipped {reason}");
    }
    if benchmarks.is_empty() {
        let dir = dir.display();
        return Err(Failure::File(format!("{dir}: no benchmark results; run `cargo bench` first")));
    }
    let chosen = choose(results::group(benchmarks), &arguments.groups)?;

    failure::print(&Report { groups: &chosen, peers: arguments.peers })?;
    if let Some(path) = &arguments.svg {
        chart::write(&chosen, path).map_err(|error| Failure::cannot_write(path, error))?;
    }
    Ok(())
}

/// Returns the groups that `wanted` names, or all if it is empty.
fn choose(groups: Vec<Group>, wanted: &[String]) -> Result<Vec<Group>, Failure> {
    let named = |group: &Group, want: &String| group.name() == *want || group.operation == *want;
    for want in wanted {
        if !groups.iter().any(|group| named(group, want)) {
            let names: Vec<String> = groups.iter().map(Group::name).collect();
            return Err(Failure::Usage(format!("no results for '{want}' (available: {})", names.join(", "))));
        }
    }
    Ok(groups
        .into_iter()
        .filter(|group| wanted.is_empty() || wanted.iter().any(|want| named(group, want)))
        .collect())
}

/// The output of the program.
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
