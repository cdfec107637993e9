//! What several groups of options have: the headings of the help, parsers of values, and the options
//! of reports.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use clap::builder::{PathBufValueParser, PossibleValuesParser, TypedValueParser};
use every_input::parse_integer;
use zigzag_varint::Kernel;

use crate::output::error::Error;
use crate::output::files::{Destinations, NamedFile, NamedOutput};

pub(crate) const WHAT: &str = "What to check";
pub(crate) const CODEC: &str = "Codec";
pub(crate) const LARGE: &str = "Large runs";
pub(crate) const WATCHING: &str = "Watching";
#[cfg(feature = "profile")]
pub(crate) const PROFILING: &str = "Profiling";
pub(crate) const OUTPUT: &str = "Output";

/// Returns a parser for the name of a kernel that this CPU can run.
pub(crate) fn kernel() -> impl TypedValueParser<Value = Kernel> {
    PossibleValuesParser::new(Kernel::available().map(Kernel::name))
        .try_map(|name| Kernel::by_name(&name).ok_or("unknown kernel"))
}

/// Parses a number of worker threads.
///
/// The maximum is four for each CPU, and at least 64. Further threads would only delay the others,
/// among them the one that handles signals.
pub(crate) fn threads(text: &str) -> Result<usize, String> {
    let cpus = std::thread::available_parallelism().map_or(1, usize::from);
    let max = (4 * cpus).max(64);
    let threads = number(text).and_then(|threads| usize::try_from(threads).ok());
    threads
        .filter(|threads| (1..=max).contains(threads))
        .ok_or_else(|| format!("expected a number of threads from 1 to {max}"))
}

/// Returns a parser for the path of a file that is replaced while the sweep runs, so that it cannot be
/// standard output.
pub(crate) fn file_path() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| {
        if path.as_os_str() == "-" {
            Err("expected the name of a file, which is replaced while the sweep runs")
        } else {
            Ok(path)
        }
    })
}

/// Parses a number that can be zero.
pub(crate) fn count(text: &str) -> Result<u64, String> {
    number(text).ok_or_else(|| {
        "expected a whole number of at most 2^64-1, such as 1000, 1e6, 10M, 0xff, 2^40 or MAX".into()
    })
}

/// Parses a number that must not be zero.
pub(crate) fn positive(text: &str) -> Result<u64, String> {
    number(text)
        .filter(|&number| number > 0)
        .ok_or_else(|| "expected a whole number from 1 to 2^64-1, such as 1000, 1e6, 10M, 2^40 or MAX".into())
}

fn number(text: &str) -> Option<u64> {
    match text {
        "MIN" => Some(u64::MIN),
        "MAX" => Some(u64::MAX),
        _ => parse_integer(text)?.try_into().ok(),
    }
}

/// Parses a duration, which must not be zero: numbers with units, such as `1h30m`. A number alone is in
/// seconds.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().or_else(|| seconds(text));
    let duration = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    duration.filter(|duration| !duration.is_zero()).ok_or_else(|| {
        "expected a duration above zero in ms, s, m, h or d, such as 250ms, 10s, 1h30m or 2d".into()
    })
}

fn seconds(text: &str) -> Option<f64> {
    let (mut rest, mut sum) = (text, 0.0);
    while !rest.is_empty() {
        let (number, unit) = rest.split_at(rest.find(|c: char| c.is_ascii_alphabetic())?);
        let unit_end = unit.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(unit.len());
        let in_seconds = match &unit[..unit_end] {
            "ms" => 0.001,
            "s" => 1.0,
            "m" => 60.0,
            "h" => 3600.0,
            "d" => 86_400.0,
            _ => return None,
        };
        sum += number.parse::<f64>().ok().filter(|&number| number >= 0.0)? * in_seconds;
        rest = &unit[unit_end..];
    }
    Some(sum)
}

/// The options of commands that print a report.
#[derive(Args)]
pub(crate) struct ReportArguments {
    /// Write the report to FILE as JSON; - is standard output
    ///
    /// The report of an earlier run is removed first, and so is that of --junit.
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    json: Option<PathBuf>,
    /// Write the result to FILE as JUnit XML, for CI systems; - is standard output
    ///
    /// Each sweep is a suite of two test cases: one fails if a value failed, and the other if not all
    /// values were checked.
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    junit: Option<PathBuf>,
    /// Print only errors; the exit code tells whether inputs failed
    #[arg(short, long, help_heading = OUTPUT)]
    pub(crate) quiet: bool,
}

impl ReportArguments {
    pub(crate) fn files(&self) -> impl Iterator<Item = NamedFile<'_>> {
        let json = self.json.iter().map(|path| NamedFile::output("--json", path));
        json.chain(self.junit.iter().map(|path| NamedFile::output("--junit", path)))
    }

    /// Opens the files, and removes those of an earlier run, so that none is taken for a report of this one.
    pub(crate) fn open(&self) -> Result<Destinations, Error> {
        let open = |content_name, path: &Option<PathBuf>| {
            let file = path.as_deref().map(|path| NamedOutput::open(content_name, path)?.without_old());
            file.transpose()
        };
        let (json, junit) = (open("report", &self.json), open("JUnit report", &self.junit));
        Ok(Destinations { json: json?, junit: junit?, quiet: self.quiet })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_a_unit_or_are_in_seconds() {
        let cases = [
            ("10", 10_000),
            ("1.5", 1500),
            ("10s", 10_000),
            ("2m", 120_000),
            ("250ms", 250),
            ("1h30m", 5_400_000),
            ("2d", 172_800_000),
        ];
        for (text, millis) in cases {
            assert_eq!(duration(text), Ok(Duration::from_millis(millis)), "{text}");
        }
        for wrong in [
            "", "0", "0s", "-1", "inf", "NaN", "1e400", "ten", "s", "10M", "1y", "1day", "5 m", "1h-1s",
            "5m3",
        ] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn numbers_are_within_their_limits() {
        assert_eq!((count("0"), count("10M"), count("2^64")), (Ok(0), Ok(10_000_000), count("x")));
        assert_eq!(
            (count("MAX"), positive("2^40"), positive("MIN")),
            (Ok(u64::MAX), Ok(1 << 40), positive("0"))
        );
        assert_eq!((positive("1"), positive("0")), (Ok(1), positive("-1")));
        assert_eq!((threads("64"), threads("0")), (Ok(64), threads("1e9")));
    }
}
