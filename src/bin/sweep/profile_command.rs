//! `sweep profile`: shows profiles, of this program or any other.

use std::path::{Path, PathBuf};

use clap::Args;
use pprof_views::{Profile, View, ViewError};
use varint_sweep::OutputFile;

use super::console::print;
use super::error::Error;
use super::exit_code::ExitCode;
use super::help_ending::HelpEnding;
use super::named_output::cannot_open;

pub(crate) const ENDING: HelpEnding = HelpEnding {
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
pub(crate) struct ProfileCommand {
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

impl ProfileCommand {
    pub(crate) fn run(&self) -> Result<ExitCode, Error> {
        // Opened before the work, so that a bad path is known at once.
        let svg = self.svg.as_deref().map(Svg::open).transpose()?;
        let profile = read(&self.file)?;
        let base = self.diff.as_deref().map(read).transpose()?;
        let view = self.view(&profile, base.as_ref()).map_err(Error::usage)?;
        match svg {
            Some(svg) => svg.write(&view.flamegraph().map_err(Error::usage)?)?,
            None => print(&self.text(&view).map_err(Error::usage)?)?,
        }
        Ok(ExitCode::Success)
    }

    fn text(&self, view: &View<'_>) -> Result<String, ViewError> {
        match (&self.list, &self.peek) {
            (Some(function), _) => view.list(function),
            (_, Some(function)) => view.peek(function),
            _ => view.top(),
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
}

/// The file for the flamegraph.
struct Svg<'p> {
    path: &'p Path,
    file: OutputFile,
}

impl<'p> Svg<'p> {
    fn open(path: &'p Path) -> Result<Self, Error> {
        let file = OutputFile::create(path).map_err(|error| cannot_open("flamegraph", path, &error))?;
        Ok(Self { path, file })
    }

    fn write(self, content: &[u8]) -> Result<(), Error> {
        self.file.finish(content).map_err(|error| cannot_open("flamegraph", self.path, &error))
    }
}

fn read(path: &Path) -> Result<Profile, Error> {
    Profile::read(path)
        .map_err(|error| Error::file(format_args!("cannot read the profile '{}': {error}", path.display())))
}

fn count(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(count @ 1..) => Ok(count),
        _ => Err("write a number of functions from 1 on".into()),
    }
}
