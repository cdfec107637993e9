//! `sweep profile`: shows profiles of any program.

use std::env::split_paths;
use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::{OsStringValueParser, PossibleValuesParser, TypedValueParser};
use pprof_views::{Limits, Profile, ProfileError, View, ViewError};

use super::fetch::fetch;
use crate::arguments::common::positive;
use crate::output::console::{print, warn};
use crate::output::error::{Error, ExitCode};
use crate::output::files::{NamedFile, NamedOutput, check_distinct, is_standard};

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
  sweep profile x.pb.gz --svg x.svg --tag-root thread    draw a flamegraph by thread
  sweep profile 'http://127.0.0.1:6060/debug/pprof/profile?seconds=5'    ask a running program
";

/// Show a CPU or heap profile of any program
///
/// Shows a CPU or heap profile of any program in pprof's format: by default the functions with the
/// largest values. The columns and units are those of `go tool pprof`. FUNCTION and REGEX are
/// regular expressions. A filter that matches nothing causes a warning.
///
/// TAG selects labels: KEY=REGEX matches texts, and KEY=32kb, KEY=4kb:1mb, KEY=1ms: or KEY=:1s matches
/// numbers; write KEY=^17$ for the text 17. Without KEY= the key can be any, and a REGEX matches key:text.
///
/// A URL is that of a running program, such as http://127.0.0.1:6060/debug/pprof/heap. The time limit is a
/// minute, plus the seconds of the profile. Redirects to other hosts are not followed. For https, fetch the
/// profile with another program, such as curl, and name the file.
#[derive(Args)]
#[command(after_long_help = ENDING)]
pub(crate) struct ProfileCommand {
    /// Files or http:// URLs of profiles, which are added up; - is standard input
    #[arg(value_name = "FILE", required = true, value_parser = source())]
    sources: Vec<Source>,
    /// Sort by the values of functions including their callees (cum)
    #[arg(long, conflicts_with_all = ["list", "svg", "tags"])]
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
    #[arg(long, value_name = "PREFIX", requires = "list", hide_short_help = true)]
    trim_path: Option<OsString>,
    /// Show the callers and callees of matching functions
    #[arg(long, value_name = "FUNCTION", group = "view")]
    peek: Option<String>,
    /// Show the labels of the samples: their keys, and values with their shares
    #[arg(long, group = "view")]
    tags: bool,
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
    /// Show also the functions that the profile names to omit (drop_frames of the format)
    #[arg(long)]
    all_frames: bool,
    /// Show only samples with a matching label
    #[arg(long, value_name = "TAG")]
    tag_focus: Option<String>,
    /// Omit samples with a matching label
    #[arg(long, value_name = "TAG")]
    tag_ignore: Option<String>,
    /// Make the values of the labels KEY the outermost frames of all stacks, the first KEY outermost
    #[arg(long, value_name = "KEY,...", conflicts_with = "tags")]
    tag_root: Option<String>,
    /// Select the sample type by name or index, if the profile has several [default: that of the
    /// profile]
    #[arg(long, value_name = "NAME")]
    sample_index: Option<String>,
    /// Show at most N functions [default: all of at least half a percent]
    #[arg(
        short = 'n',
        long,
        value_name = "N",
        value_parser = positive,
        conflicts_with_all = ["list", "peek", "svg", "tags"]
    )]
    nodecount: Option<u64>,
    /// Set the title of the flamegraph
    #[arg(long, value_name = "TEXT", requires = "svg", hide_short_help = true)]
    title: Option<String>,
    /// Draw the flamegraph from top to bottom
    #[arg(long, requires = "svg", hide_short_help = true)]
    icicle: bool,
    /// Draw a flamegraph of the callers of each function, with the innermost frames at its base
    #[arg(long, requires = "svg", hide_short_help = true)]
    reverse: bool,
    /// Select the colours of the flamegraph
    #[arg(
        long,
        value_name = "NAME",
        value_parser = PossibleValuesParser::new(View::PALETTES),
        requires = "svg",
        conflicts_with = "diff",
        hide_short_help = true
    )]
    palette: Option<String>,
    /// Refuse a profile of more than SIZE bytes, uncompressed, such as 1GiB [default: 128MiB]
    #[arg(long, value_name = "SIZE", value_parser = size, hide_short_help = true)]
    max_size: Option<u64>,
    /// Refuse a profile with more than N frames in its stacks [default: 134217728]
    #[arg(long, value_name = "N", value_parser = positive, hide_short_help = true)]
    max_frames: Option<u64>,
}

impl ProfileCommand {
    pub(crate) fn run(&self) -> Result<ExitCode, Error> {
        let all = || self.sources.iter().chain(&self.diff);
        let inputs = all().filter_map(|source| match source {
            Source::File(path) => Some(NamedFile::input("the profile", &**path)),
            Source::Stdin => Some(NamedFile::input("the profile", Path::new("-"))),
            Source::Url(_) => None,
        });
        if all().filter(|source| matches!(source, Source::Stdin)).count() > 1 {
            return Err(Error::usage("'-' names standard input twice; write one of the profiles to a file"));
        }
        let outputs = self.svg.iter().map(|path| NamedFile::output("--svg", path));
        check_distinct(&inputs.chain(outputs).collect::<Vec<_>>())?;
        // Opened before the work, so that an invalid path is reported at once.
        let svg = self.svg.as_deref().map(|path| NamedOutput::open("flamegraph", path)).transpose()?;
        let limits = self.limits();
        let base = self.diff.as_ref().map(|source| source.read(limits)).transpose()?;
        let profiles =
            self.sources.iter().map(|source| source.read(limits)).collect::<Result<Vec<_>, _>>()?;
        let profile = match <[Profile; 1]>::try_from(profiles) {
            Ok([profile]) => profile,
            Err(several) => Profile::sum(&several).map_err(Error::usage)?,
        };
        let view = self.view(&profile, base.as_ref()).map_err(Error::usage)?;
        for filter in view.unmatched() {
            let remedy = if filter.starts_with("tag") {
                "--tags lists the labels"
            } else {
                "see the names in the table without it"
            };
            warn(format_args!("{filter} matches no sample; {remedy}"));
        }
        match svg {
            Some(svg) => svg.write(&view.flamegraph().map_err(Error::usage)?)?,
            None => print(&self.text(&view).map_err(Error::usage)?)?,
        }
        Ok(ExitCode::Success)
    }

    fn limits(&self) -> Limits {
        let default = Limits::default();
        Limits {
            bytes: self.max_size.unwrap_or(default.bytes),
            frames: self.max_frames.map_or(default.frames, saturated),
        }
    }

    fn text(&self, view: &View<'_>) -> Result<String, ViewError> {
        match (&self.list, &self.peek) {
            (Some(function), _) => view.list(function),
            (_, Some(function)) => view.peek(function),
            _ if self.tags => Ok(view.tags()),
            _ => Ok(view.top()),
        }
    }

    fn view<'p>(&self, profile: &'p Profile, base: Option<&'p Profile>) -> Result<View<'p>, ViewError> {
        type Select<'p> = fn(View<'p>, &str) -> Result<View<'p>, ViewError>;
        let selections: [(&Option<String>, Select<'p>); 9] = [
            (&self.sample_index, View::sample_index),
            (&self.focus, View::focus),
            (&self.ignore, View::ignore),
            (&self.hide, View::hide),
            (&self.tag_focus, View::tag_focus),
            (&self.tag_ignore, View::tag_ignore),
            (&self.tag_root, |view, keys| Ok(view.tag_root(keys))),
            (&self.title, |view, title| Ok(view.title(title))),
            (&self.palette, View::palette),
        ];
        let mut view = View::new(profile).node_count(self.nodecount.map_or(0, saturated));
        if let Some(base) = base {
            view = view.diff(base)?;
        }
        for (text, select) in selections {
            if let Some(text) = text {
                view = select(view, text)?;
            }
        }
        for folder in &self.source {
            view = view.source(folder)?;
        }
        for prefix in self.trim_path.iter().flat_map(split_paths) {
            view = view.trim_path(&prefix.to_string_lossy());
        }
        type Switch<'p> = fn(View<'p>) -> View<'p>;
        let switches: [(bool, Switch<'p>); 4] = [
            (self.all_frames, View::all_frames),
            (self.cum, View::sort_by_cum),
            (self.icicle, View::icicle),
            (self.reverse, View::reverse),
        ];
        let switches = switches.into_iter().filter(|(is_set, _)| *is_set);
        Ok(switches.fold(view, |view, (_, set)| set(view)))
    }
}

/// Where a profile is.
#[derive(Clone)]
enum Source {
    File(PathBuf),
    Stdin,
    Url(String),
}

/// Returns the parser of a source. It fails for URLs that cannot be fetched.
fn source() -> impl TypedValueParser<Value = Source> {
    OsStringValueParser::new().try_map(|text| match text.to_str() {
        Some(url) if url.starts_with("http://") => Ok(Source::Url(url.to_owned())),
        Some(url) if url.starts_with("https://") => {
            Err(format!("https is not supported; run: curl -o x.pb.gz '{url}', and name x.pb.gz instead"))
        }
        _ if is_standard(text.as_ref()) => Ok(Source::Stdin),
        _ => Ok(Source::File(text.into())),
    })
}

impl Source {
    fn read(&self, limits: Limits) -> Result<Profile, Error> {
        let read = |path| Profile::from_reader(File::open(path).map_err(ProfileError::Io)?, limits);
        match self {
            Self::File(path) => read(path).map_err(|error| {
                Error::file(format_args!("cannot read the profile '{}': {error}", path.display()))
            }),
            Self::Stdin => Profile::from_reader(io::stdin().lock(), limits).map_err(|error| {
                Error::file(format_args!("cannot read the profile from standard input: {error}"))
            }),
            Self::Url(url) => fetch(url, limits),
        }
    }
}

/// Returns the number, or the largest one that fits.
fn saturated(number: u64) -> usize {
    number.try_into().unwrap_or(usize::MAX)
}

/// Parses a number of bytes, which may have a unit.
fn size(text: &str) -> Result<u64, String> {
    let units = [("KiB", 10), ("MiB", 20), ("GiB", 30)];
    let with_unit = units.into_iter().find_map(|(unit, shift)| Some((text.strip_suffix(unit)?, shift)));
    let (number, shift) = with_unit.unwrap_or((text, 0));
    let bytes = positive(number).ok().and_then(|number| number.checked_mul(1 << shift));
    bytes.ok_or_else(|| "expected a number of bytes, such as 512MiB or 1GiB".into())
}
