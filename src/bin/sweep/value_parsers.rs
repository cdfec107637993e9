//! Parsers for the values of options that several commands have.

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{PathBufValueParser, TypedValueParser};
use zigzag_varint::Kernel;

use super::suggestion::did_you_mean;

/// Parses the name of a kernel that this CPU can run.
pub(crate) fn kernel(name: &str) -> Result<Kernel, String> {
    Kernel::by_name(name).ok_or_else(|| {
        let available: Vec<_> = Kernel::available().map(Kernel::name).collect();
        let meant = did_you_mean(name, available.iter().copied());
        format!("the kernels of this CPU are {}{meant}", available.join(", "))
    })
}

/// Parses a number of worker threads.
pub(crate) fn threads(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(threads @ 1..) => Ok(threads),
        _ => Err("expected a number of threads, at least 1".into()),
    }
}

/// Returns a parser for the path of a file, which must not be `-`. Only JSON can be written to
/// standard output.
pub(crate) fn file_path() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| {
        if path.as_os_str() == "-" {
            Err("expected the name of a file; only --json can be -")
        } else {
            Ok(path)
        }
    })
}

/// Parses a duration, which must not be zero.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    match humantime::parse_duration(text) {
        Ok(duration) if !duration.is_zero() => Ok(duration),
        _ => Err("expected a duration above zero, such as 10s, 5m or 2h".into()),
    }
}
