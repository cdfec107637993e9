//! `sweep profile`: shows profiles, of this program or any other.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use pprof_views::{Profile, View, ViewError};
use varint_sweep::OutputFile;

use super::console::{FILE, USAGE, fail, print};
use super::ending::Ending;

pub(crate) const ENDING: Ending = Ending {
    exit_codes: &[(0, "shown"), (2, "wrong usage"), (3, "a file cannot be read or written")],
    examples: &[
        ("sweep --cpuprofile x.pb.gz", "take a profile of a sweep"),
        ("sweep profile x.pb.gz", "the functions that take most"),
        ("sweep profile x.pb.gz --list decode_slice", "a function's source, line by line"),
        ("sweep profile after.pb.gz --diff before.pb.gz", "what has changed"),
    ],
};

/// Show a CPU or heap profile of any program
///
/// Shows a CPU or heap profile in pprof's format, of any program: which functions take most. Columns and units are those
/// of `go tool pprof`. FUNCTION and REGEX are regular expressions.
#[derive(Args)]
pub(crate) struct ShowProfile {
    /// The profile, packed by gzip or not; 32 MiB at most unpacked
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Order by what functions take with all they call
    #[arg(long, conflicts_with_all = ["list", "svg"])]
    cum: bool,
    /// Show the source of matching functions with what every line takes
    #[arg(long, value_name = "FUNCTION", group = "what")]
    list: Option<String>,
    /// Show who calls matching functions and what they call
    #[arg(long, value_name = "FUNCTION", group = "what")]
    peek: Option<String>,
    /// Draw a flamegraph into OUT
    #[arg(long, value_name = "OUT", group = "what")]
    svg: Option<PathBuf>,
    /// Subtract the profile BASE, to see what has changed since; percentages are of BASE
    #[arg(long, value_name = "BASE")]
    diff: Option<PathBuf>,
    /// Only samples with a function or file that matches
    #[arg(long, value_name = "REGEX")]
    focus: Option<String>,
    /// What to measure by where the profile has several: a name or a number from 0 on
    #[arg(long, value_name = "NAME")]
    sample_index: Option<String>,
    /// Show at most N functions; all that matter by default
    #[arg(short = 'n', long, value_name = "N", value_parser = count, conflicts_with = "what")]
    nodecount: Option<usize>,
}

impl ShowProfile {
    pub(crate) fn run(&self) -> ExitCode {
        // Opened before the work, so that a bad path is known at once.
        let svg = match self.svg.as_deref().map(OutputFile::create).transpose() {
            Ok(svg) => svg,
            Err(error) => return self.cannot_write(error),
        };
        let (profile, base) = match (read(&self.file), self.diff.as_deref().map(read).transpose()) {
            (Ok(profile), Ok(base)) => (profile, base),
            (Err(message), _) | (_, Err(message)) => return fail(FILE, message),
        };
        let view = match self.view(&profile, base.as_ref()) {
            Ok(view) => view,
            Err(error) => return fail(USAGE, error),
        };
        if let Some(svg) = svg {
            return match view.flamegraph() {
                Ok(content) => match svg.finish(&content) {
                    Ok(()) => ExitCode::SUCCESS,
                    Err(error) => self.cannot_write(error),
                },
                Err(error) => fail(USAGE, error),
            };
        }
        let text = match (&self.list, &self.peek) {
            (Some(function), _) => view.list(function),
            (_, Some(function)) => view.peek(function),
            _ => view.top(),
        };
        match text {
            Ok(text) => print(&text, ExitCode::SUCCESS),
            Err(error) => fail(USAGE, error),
        }
    }

    fn view<'p>(&self, profile: &'p Profile, base: Option<&'p Profile>) -> Result<View<'p>, ViewError> {
        let mut view = View::new(profile);
        if let Some(name) = &self.sample_index {
            view = view.sample_index(name)?;
        }
        if let Some(base) = base {
            view = view.diff(base)?;
        }
        if let Some(pattern) = &self.focus {
            view = view.focus(pattern)?;
        }
        if let Some(rows) = self.nodecount {
            view = view.rows(rows);
        }
        Ok(if self.cum { view.by_cum() } else { view })
    }

    fn cannot_write(&self, error: std::io::Error) -> ExitCode {
        let path = self.svg.as_deref().unwrap_or(Path::new("")).display();
        fail(
            FILE,
            format!(
                "cannot write the flamegraph to '{path}' ({error}): name a file in a folder that you may write to"
            ),
        )
    }
}

fn read(path: &Path) -> Result<Profile, String> {
    Profile::read(path).map_err(|error| format!("cannot read the profile '{}': {error}", path.display()))
}

fn count(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(count @ 1..) => Ok(count),
        _ => Err("write a number of functions from 1 on".into()),
    }
}
