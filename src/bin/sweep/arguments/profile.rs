//! `--cpuprofile`: takes a CPU profile of the sweep itself.

use std::path::PathBuf;

use clap::Args;
use pprof_views::{Capture, DEFAULT_HERTZ, MAX_HERTZ, Profile, View};

use super::common::PROFILING;
use crate::output::error::Error;
use crate::output::files::{NamedFile, NamedOutput};

/// The number of functions in each of the two tables that are printed at the end.
const ROWS: usize = 10;

#[derive(Args)]
pub(crate) struct CpuProfileArguments {
    /// Write a CPU profile to FILE (.pb.gz or .svg)
    ///
    /// The extension selects the format: .pb.gz or .pb for `sweep profile` and pprof, .svg for a
    /// flamegraph. The option can be repeated.
    #[arg(long, value_name = "FILE", value_parser = output_file, help_heading = PROFILING)]
    cpuprofile: Vec<(PathBuf, Content)>,
    /// Samples per second of CPU time, at most 1000
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

type Content = fn(&Profile) -> Result<Vec<u8>, String>;

/// A profile that is being taken, and the files to which it will be written.
pub(crate) struct CpuProfile {
    capture: Capture,
    files: Vec<(NamedOutput, Content)>,
}

impl CpuProfileArguments {
    pub(crate) fn files(&self) -> impl Iterator<Item = NamedFile<'_>> {
        self.cpuprofile.iter().map(|(path, _)| NamedFile::output("--cpuprofile", path))
    }

    /// Opens the files and starts to take the profile, if `--cpuprofile` was given.
    pub(crate) fn start(&self) -> Result<Option<CpuProfile>, Error> {
        if self.cpuprofile.is_empty() {
            return Ok(None);
        }
        let files =
            self.cpuprofile.iter().map(|(path, content)| Ok((NamedOutput::open("profile", path)?, *content)));
        let files = files.collect::<Result<_, Error>>()?;
        let capture = Capture::start(self.profile_hz)
            .map_err(|error| Error::usage(format_args!("--cpuprofile: {error}")))?;
        Ok(Some(CpuProfile { capture, files }))
    }
}

impl CpuProfile {
    /// Ends the profile, writes it to its files, and returns its tables as text.
    pub(crate) fn finish(self) -> Result<String, Error> {
        let profile = self.capture.finish().map_err(Error::file)?;
        for (file, content) in self.files {
            let content = content(&profile).map_err(|error| {
                Error::file(format_args!("cannot write the profile '{}': {error}", file.path.display()))
            })?;
            file.write(&content)?;
        }
        let view = View::new(&profile).node_count(ROWS);
        Ok(format!("\n{}\n{}", view.top(), view.clone().sort_by_cum().top_table()))
    }
}

fn output_file(text: &str) -> Result<(PathBuf, Content), String> {
    let formats: [(&str, Content); 3] = [
        (".pb.gz", |profile| profile.to_gzip().map_err(|error| error.to_string())),
        (".pb", |profile| Ok(profile.to_bytes())),
        (".svg", |profile| View::new(profile).flamegraph().map_err(|error| error.to_string())),
    ];
    let is_of = |extension: &str| text.len() > extension.len() && text.ends_with(extension);
    match formats.into_iter().find(|(extension, _)| is_of(extension)) {
        Some((_, content)) => Ok((text.into(), content)),
        None => Err("unknown extension; use .pb.gz or .pb for a profile, .svg for a flamegraph".into()),
    }
}

fn hertz(text: &str) -> Result<u32, String> {
    let hertz = text.parse().ok().filter(|hertz| (1..=MAX_HERTZ).contains(hertz));
    hertz.ok_or_else(|| format!("expected a number of samples per second from 1 to {MAX_HERTZ}"))
}
