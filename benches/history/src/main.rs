//! `history`: keeps the results of criterion in a database, and shows them by commit.

mod commits;
mod database;
mod folder;
mod history;
mod measurement;
mod picture;
mod table;
mod welch;

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser;
use regex_lite::Regex;

use commits::Commits;
use folder::Contents;
use history::History;

/// Keep the results of criterion in a database, and show them by commit
///
/// Imports each result of criterion's folder once, and prints a table of all results in the database:
/// the time at each commit, the change from the commit before, and whether chance explains it.
#[derive(Parser)]
#[command(name = "history", version, max_term_width = 100, after_help = EXIT_CODES)]
struct Arguments {
    /// Show only benchmarks whose names match this regular expression
    filter: Option<Regex>,

    /// Criterion's folder, such as target/criterion [default: that of the benchmarks beside this program]
    #[arg(long, value_name = "DIR", default_value_os_t = default_folder(), hide_default_value = true)]
    criterion: PathBuf,

    /// The database [default: history.sqlite beside criterion's folder]
    ///
    /// `cargo clean` removes it if it is in the folder target.
    #[arg(long, value_name = "FILE")]
    db: Option<PathBuf>,

    /// Draw the times over commits to this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

const EXIT_CODES: &str = "\
Exit codes:
  0  success
  1  files of criterion's folder cannot be used and were skipped
  2  wrong arguments, or no benchmark matches FILTER
  3  the database or another file cannot be used, or there are no results";

/// Why the program ends early.
enum Failure {
    /// There is nothing to show, and a message has said why.
    Nothing,
    Usage(String),
    File(String),
}

/// Returns the folder of this repository's benchmarks.
fn default_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("criterion")
}

fn main() -> ExitCode {
    let (message, code) = match run(&Arguments::parse()) {
        Ok(skipped) => return ExitCode::from(u8::from(skipped)),
        Err(Failure::Nothing) => return ExitCode::from(3),
        Err(Failure::Usage(message)) => (message, 2),
        Err(Failure::File(message)) => (message, 3),
    };
    eprintln!("history: {message}");
    ExitCode::from(code)
}

/// Returns whether files were skipped.
fn run(arguments: &Arguments) -> Result<bool, Failure> {
    let folder = &arguments.criterion;
    let path = arguments.db.clone().unwrap_or_else(|| folder.with_file_name("history.sqlite"));
    let Contents { measurements, mut problems } = Contents::read(folder);
    if measurements.is_empty() {
        problems.push(format!(
            "{}: no results of criterion; run `cargo bench`, or name another folder with --criterion",
            folder.display()
        ));
    }
    for problem in &problems {
        eprintln!("history: {problem}");
    }
    if measurements.is_empty() && !path.exists() {
        return Err(Failure::Nothing);
    }
    let (added, mut all) = database::update(&path, &measurements).map_err(Failure::File)?;
    eprintln!("{}: {added} new of {} results in {}", path.display(), measurements.len(), folder.display());

    if let Some(filter) = &arguments.filter {
        let known: BTreeSet<String> = all.iter().map(|one| one.name()).collect();
        all.retain(|one| filter.is_match(&one.name()));
        if all.is_empty() && !known.is_empty() {
            let known = Vec::from_iter(known).join("\n  ");
            return Err(Failure::Usage(format!(
                "FILTER '{filter}': no such benchmark; known are\n  {known}"
            )));
        }
    }
    if all.is_empty() {
        return Err(Failure::Nothing);
    }
    let commits = Commits::find(folder, all.iter().map(|one| &*one.baseline));
    let history = History::new(all, &commits);
    print(&table::tables(&history))?;
    if let Some(svg) = &arguments.svg {
        draw(&history, svg, &path)?;
    }
    Ok(!problems.is_empty())
}

/// Writes the picture to the file `svg`, which must not be the database.
fn draw(history: &History, svg: &Path, database: &Path) -> Result<(), Failure> {
    if let (Ok(svg), Ok(database)) = (fs::canonicalize(svg), fs::canonicalize(database))
        && svg == database
    {
        return Err(Failure::Usage(format!("--svg {}: is the database; name another file", svg.display())));
    }
    let picture = picture::picture(history).map_err(|error| Failure::File(error.to_string()))?;
    fs::write(svg, picture).map_err(|error| {
        Failure::File(format!(
            "{}: cannot be written ({error}); check its folder, or name another file with --svg",
            svg.display()
        ))
    })
}

/// Prints to standard output. A reader that has seen enough, such as `head`, is no failure.
fn print(text: &str) -> Result<(), Failure> {
    match io::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::File(format!("standard output: {error}; check the free space")))
        }
        _ => Ok(()),
    }
}
