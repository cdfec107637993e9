//! Ranges on the command line.

use std::ffi::OsString;

/// Moves ranges that begin with a minus sign to the end, after `--`. Clap would parse them as
/// options otherwise.
pub(crate) fn ranges_last(arguments: Vec<OsString>) -> Vec<OsString> {
    let is_range = |argument: &OsString| {
        argument
            .to_str()
            .and_then(|argument| argument.strip_prefix('-'))
            .is_some_and(|rest| rest.contains("..") && rest.starts_with(|c: char| c.is_ascii_digit()))
    };
    if arguments.iter().any(|argument| argument == "--") {
        return arguments;
    }
    let (ranges, mut rest): (Vec<_>, Vec<_>) = arguments.into_iter().partition(is_range);
    if !ranges.is_empty() {
        rest.push("--".into());
        rest.extend(ranges);
    }
    rest
}
