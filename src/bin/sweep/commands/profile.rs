//! `sweep profile`: shows profiles of any program.

use std::env::split_paths;
use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;
use clap::builder::{OsStringValueParser, TypedValueParser};
use pprof_views::{Profile, View, ViewError};

use super::fetch::fetch;
use crate::output::console::print;
use crate::output::error::{Error, ExitCode};
use crate::output::files::{NamedFile, NamedOutput, check_distinct};

const ENDING: &str = "\
Exit codes:
    0  success
    2  invalid arguments
    3  a file cannot be read or written

Examples:
  sweep --cpuprofile x.pb.gz                       take a profile of a sweep
  sweep profile x.pb.gz                            show the functions that use the most CPU time
  sweep profile x.pb.gz --list decode_slice        show the source of a function, line by line
  sweep profile after.pb.gz --diff before.pb.gz    show what has changed
  sweep profile 'http://127.0.0.1:6060/debug/pprof/profile?seconds=5'    ask a running program
";

/// Show a CPU or heap profile of any program
///
/// Shows a CPU or heap profile of any program in pprof's format: by default the functions with the
/// largest values. The columns and units are those of `go tool pprof`. FUNCTION and REGEX are
/// regular expressions.
///
/// A URL is that of a running program, such as http://127.0.0.1:6060/debug/pprof/heap. It is fetched in a
/// minute and the seconds of its profile; redirects to other hosts are not followed. For https, fetch the
/// profile with another program, such as curl, and name the file.
#[derive(Args)]
#[command(after_long_help = ENDING)]
pub(crate) struct ProfileCommand {
    /// Files or http:// URLs of profiles, which are added up; each at most 32 MiB uncompressed
    #[arg(value_name = "FILE", required = true, value_parser = source())]
    sources: Vec<Source>,
    /// Sort by the values of functions including their callees (cum)
    #[arg(long, conflicts_with_all = ["list", "svg"])]
    cum: bool,
    /// Show the source of matching functions with the values of each line
    #[arg(long, value_name = "FUNCTION", group = "view")]
    list: Option<String>,
    /// Read sources from the folder DIR, and from no other; can be repeated [default: the current folder]
    #[arg(long, value_name = "DIR", requires = "list")]
    source: Vec<PathBuf>,
    /// Remove PREFIX from the paths of sources before they are looked for in the folders; several prefixes
    /// are separated as in PATH
    ///
    /// The sources of Rust's own functions come with `rustup component add rust-src`. They are found with
    /// --source "$(rustc --print sysroot)/lib/rustlib/src/rust" and --trim-path /rustc/HASH.
    #[arg(long, value_name = "PREFIX", requires = "list")]
    trim_path: Option<OsString>,
    /// Show the callers and callees of matching functions
    #[arg(long, value_name = "FUNCTION", group = "view")]
    peek: Option<String>,
    /// Write a flamegraph to OUT, as SVG; - is standard output
    #[arg(long, value_name = "OUT", group = "view")]
    svg: Option<PathBuf>,
    /// Subtract the profile BASE, to show what has changed; percentages are relative to BASE
    #[arg(long, value_name = "BASE", value_parser = source())]
    diff: Option<Source>,
    /// Show only samples with a matching function or file in their stack
    #[arg(long, value_name = "REGEX")]
    focus: Option<String>,
    /// Omit samples with a matching function or file in their stack
    #[arg(long, value_name = "REGEX")]
    ignore: Option<String>,
    /// Omit matching functions and files from all stacks
    #[arg(long, value_name = "REGEX")]
    hide: Option<String>,
    /// Show also the functions that the profile says are of no interest (drop_frames of the format)
    #[arg(long)]
    all_frames: bool,
    /// Select the sample type by name or index, if the profile has several [default: that of the
    /// profile]
    #[arg(long, value_name = "NAME")]
    sample_index: Option<String>,
    /// Show at most N functions [default: all of at least half a percent]
    #[arg(
        short = 'n',
        long,
        value_name = "N",
        value_parser = node_count,
        conflicts_with_all = ["list", "peek", "svg"]
    )]
    nodecount: Option<usize>,
}

impl ProfileCommand {
    pub(crate) fn run(&self) -> Result<ExitCode, Error> {
        let inputs = self.sources.iter().chain(&self.diff).filter_map(|source| match source {
            Source::File(path) => Some(NamedFile::input("the profile", path)),
            Source::Url(_) => None,
        });
        let outputs = self.svg.iter().map(|path| NamedFile::output("--svg", path));
        check_distinct(&inputs.chain(outputs).collect::<Vec<_>>())?;
        // Opened before the work, so that an invalid path is reported at once.
        let svg = self.svg.as_deref().map(|path| NamedOutput::open("flamegraph", path)).transpose()?;
        let base = self.diff.as_ref().map(Source::read).transpose()?;
        let profiles = self.sources.iter().map(Source::read).collect::<Result<Vec<_>, _>>()?;
        let profile = match <[Profile; 1]>::try_from(profiles) {
            Ok([profile]) => profile,
            Err(several) => Profile::sum(&several).map_err(Error::usage)?,
        };
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
            _ => Ok(view.top()),
        }
    }

    fn view<'p>(&self, profile: &'p Profile, base: Option<&'p Profile>) -> Result<View<'p>, ViewError> {
        type Select<'p> = fn(View<'p>, &str) -> Result<View<'p>, ViewError>;
        let selections: [(&Option<String>, Select<'p>); 4] = [
            (&self.sample_index, View::sample_index),
            (&self.focus, View::focus),
            (&self.ignore, View::ignore),
            (&self.hide, View::hide),
        ];
        let mut view = View::new(profile).node_count(self.nodecount.unwrap_or(0));
        // The patterns may match in the base alone.
        if let Some(base) = base {
            view = view.diff(base)?;
        }
        for (text, select) in selections {
            if let Some(text) = text {
                view = select(view, text)?;
            }
        }
        if self.all_frames {
            view = view.all_frames();
        }
        for folder in &self.source {
            view = view.source(folder)?;
        }
        for prefix in self.trim_path.iter().flat_map(split_paths) {
            view = view.trim_path(&prefix.to_string_lossy());
        }
        Ok(if self.cum { view.sort_by_cum() } else { view })
    }
}

/// Where a profile is.
#[derive(Clone)]
enum Source {
    File(PathBuf),
    Url(String),
}

/// Returns the parser of a source. It fails for URLs that cannot be fetched.
fn source() -> impl TypedValueParser<Value = Source> {
    OsStringValueParser::new().try_map(|text| match text.to_str() {
        Some(url) if url.starts_with("http://") => Ok(Source::Url(url.to_owned())),
        Some(url) if url.starts_with("https://") => {
            Err(format!("https is not supported; run: curl -o x.pb.gz '{url}', and name x.pb.gz instead"))
        }
        _ => Ok(Source::File(text.into())),
    })
}

impl Source {
    fn read(&self) -> Result<Profile, Error> {
        match self {
            Self::File(path) => Profile::read(path).map_err(|error| {
                Error::file(format_args!("cannot read the profile '{}': {error}", path.display()))
            }),
            Self::Url(url) => fetch(url),
        }
    }
}

fn node_count(text: &str) -> Result<usize, String> {
    let count = text.parse().ok().filter(|&count| count > 0);
    count.ok_or_else(|| "expected a number of functions, at least 1".into())
}
