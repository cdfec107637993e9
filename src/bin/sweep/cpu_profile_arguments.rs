//! `--cpuprofile`: a profile of the sweep itself.

use std::path::{Path, PathBuf};

use clap::Args;
use pprof_views::{Capture, DEFAULT_HERTZ, MAX_HERTZ, Profile, View, ViewError};
use varint_sweep::OutputFile;

use super::arguments::PROFILING;
use super::console::{FILE, USAGE};

/// Functions in the tables on the screen.
const ROWS: usize = 10;

#[derive(Args)]
pub(crate) struct ProfileArguments {
    /// Write a CPU profile to FILE: .pb.gz or .svg
    ///
    /// Write a CPU profile of the sweep to FILE: .pb.gz or .pb for `sweep profile` and pprof, .svg for a flamegraph;
    /// may be given twice
    #[arg(long, value_name = "FILE", value_parser = target, help_heading = PROFILING)]
    cpuprofile: Vec<(PathBuf, Format)>,
    /// Samples per second of CPU time for the profile, up to 1000
    #[arg(
        long,
        value_name = "N",
        default_value_t = DEFAULT_HERTZ,
        value_parser = hertz,
        requires = "cpuprofile",
        help_heading = PROFILING,
        hide_short_help = true
    )]
    profile_hz: u32,
}

#[derive(Clone, Copy)]
enum Format {
    Packed,
    Raw,
    Flamegraph,
}

/// A profile under way, and the files it goes to.
pub(crate) struct Profiling {
    capture: Capture,
    files: Vec<(PathBuf, Format, OutputFile)>,
}

impl ProfileArguments {
    /// Opens the files and begins the profile, if there is to be one; else the exit code and what to say.
    pub(crate) fn begin(&self) -> Result<Option<Profiling>, (u8, String)> {
        if self.cpuprofile.is_empty() {
            return Ok(None);
        }
        let mut files = vec![];
        for (path, format) in &self.cpuprofile {
            let file = OutputFile::create(path).map_err(|error| {
                let path = path.display();
                (FILE, format!("cannot write the profile to '{path}' ({error}): name a file in a folder that you may write to"))
            })?;
            files.push((path.clone(), *format, file));
        }
        let capture =
            Capture::start(self.profile_hz).map_err(|error| (USAGE, format!("--cpuprofile: {error}")))?;
        Ok(Some(Profiling { capture, files }))
    }
}

impl Profiling {
    /// Ends the profile and writes it; what to show of it.
    pub(crate) fn finish(self) -> Result<String, String> {
        let profile = self.capture.finish().map_err(|error| error.to_string())?;
        for (path, format, file) in self.files {
            let content = format
                .content(&profile)
                .map_err(|error| format!("no profile in '{}': {error}", path.display()))?;
            file.finish(&content).map_err(|error| {
                let path = path.display();
                format!("cannot write the profile to '{path}': {error}; free some space or name another file")
            })?;
        }
        let view = View::new(&profile).rows(ROWS);
        let shown = || Ok(format!("\n{}\n{}", view.top()?, view.clone().by_cum().top_table()?));
        shown().map_err(|error: ViewError| error.to_string())
    }
}

impl Format {
    fn content(self, profile: &Profile) -> Result<Vec<u8>, String> {
        match self {
            Self::Packed => profile.to_gzip().map_err(|error| error.to_string()),
            Self::Raw => Ok(profile.to_bytes()),
            Self::Flamegraph => View::new(profile).flamegraph().map_err(|error| error.to_string()),
        }
    }
}

fn target(text: &str) -> Result<(PathBuf, Format), String> {
    let path = Path::new(text);
    let ends = |ending: &str| text.len() > ending.len() && text.ends_with(ending);
    let format = match () {
        () if ends(".pb.gz") => Format::Packed,
        () if ends(".pb") => Format::Raw,
        () if ends(".svg") => Format::Flamegraph,
        () => return Err("end the name in .pb.gz or .pb for a profile, in .svg for a flamegraph".into()),
    };
    Ok((path.to_owned(), format))
}

fn hertz(text: &str) -> Result<u32, String> {
    match text.parse() {
        Ok(hertz) if (1..=MAX_HERTZ).contains(&hertz) => Ok(hertz),
        _ => Err(format!("write a number of samples per second from 1 to {MAX_HERTZ}")),
    }
}
