//! `sweep`: checks a varint codec value by value.
//!
//! This file defines the command line and returns the exit code. The checks are in the package
//! `every-input`.

use std::ffi::OsString;

use clap::{ColorChoice, CommandFactory, Parser, Subcommand};

#[path = "sweep/codecs/mod.rs"]
mod codecs;

/// The options, in groups.
#[path = "sweep/arguments"]
mod arguments {
    pub(crate) mod codecs;
    pub(crate) mod common;
    #[cfg(unix)]
    pub(crate) mod exec;
    pub(crate) mod plan;
    #[cfg(feature = "profile")]
    pub(crate) mod profile;
    pub(crate) mod run;
    pub(crate) mod watch;
}

/// The commands. Each has its arguments and `run`, which returns an exit code or an error.
#[path = "sweep/commands"]
mod commands {
    pub(crate) mod bytes;
    pub(crate) mod completions;
    #[cfg(feature = "profile")]
    mod fetch;
    pub(crate) mod merge;
    #[cfg(feature = "profile")]
    pub(crate) mod profile;
    #[cfg(unix)]
    pub(crate) mod protocol;
    mod run;
    pub(crate) mod sweep;
}

/// The server of `--http`.
#[cfg(feature = "http")]
#[path = "sweep/http"]
mod http {
    mod routes;
    pub(crate) mod server;
}

/// What the commands print and write, and how they react to signals.
#[path = "sweep/output"]
mod output {
    pub(crate) mod console;
    pub(crate) mod error;
    pub(crate) mod files;
    pub(crate) mod signals;
}

use arguments::common::OUTPUT;
use arguments::plan::ranges_last;
use commands::bytes::BytesCommand;
use commands::completions::CompletionsCommand;
use commands::merge::MergeCommand;
#[cfg(feature = "profile")]
use commands::profile::ProfileCommand;
#[cfg(unix)]
use commands::protocol::ProtocolCommand;
use commands::sweep::{EXAMPLES, EXIT_CODES, SweepCommand};
use output::console::{print_error, print_help};
use output::error::{Error, ExitCode};

/// For /debug/pprof/heap of `--http`.
#[cfg(feature = "http")]
#[global_allocator]
static ALLOCATOR: pprof_views::heap::HeapProfiler = pprof_views::heap::HeapProfiler::new();

/// Check a varint codec value by value
///
/// Each value is encoded, the bytes are compared with an independently calculated encoding, and the
/// bytes are decoded and compared with the value.
///
/// Without RANGE, all values of the type are checked. If they do not fit the time --budget, a
/// random sample is checked instead.
#[derive(Parser)]
#[command(name = "sweep", version, max_term_width = 100, args_conflicts_with_subcommands = true)]
#[command(after_long_help = [EXIT_CODES, EXAMPLES].concat())]
struct Program {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    sweep: SweepCommand,
    /// When to use colours: auto, always or never
    ///
    /// auto uses colours on a terminal, unless the environment variable NO_COLOR is set. Elsewhere
    /// it uses them if CLICOLOR_FORCE is set. JSON never has colours.
    #[arg(
        long,
        global = true,
        value_name = "WHEN",
        default_value = "auto",
        hide_possible_values = true,
        help_heading = OUTPUT
    )]
    color: ColorChoice,
}

#[derive(Subcommand)]
enum Command {
    Merge(MergeCommand),
    Bytes(Box<BytesCommand>),
    #[cfg(feature = "profile")]
    Profile(Box<ProfileCommand>),
    #[cfg(unix)]
    Protocol(ProtocolCommand),
    Completions(CompletionsCommand),
}

fn main() -> std::process::ExitCode {
    #[cfg(unix)]
    output::signals::handle_signals();
    let exit_code = run().unwrap_or_else(|error| print_error(error).exit_code);
    std::process::ExitCode::from(exit_code as u8)
}

fn run() -> Result<ExitCode, Error> {
    let words = ranges_last(std::env::args_os().collect());
    let missing = optional(&words).into_iter().find(|one| one.is_asked && !one.is_available);
    if let Some(Optional { what, feature, .. }) = missing {
        return Err(Error::usage(format_args!(
            "{what}: not available in this build; rebuild with --features {feature}"
        )));
    }
    let program = match Program::try_parse_from(words) {
        Ok(program) => program,
        Err(error) if error.use_stderr() => error.exit(),
        Err(help) => return print_help(&help).map(|()| ExitCode::Success),
    };
    match program.color {
        ColorChoice::Auto => {} // the terminal and the environment decide
        ColorChoice::Always => anstream::ColorChoice::Always.write_global(),
        ColorChoice::Never => anstream::ColorChoice::Never.write_global(),
    }
    match program.command {
        None => program.sweep.run(),
        Some(Command::Merge(merge)) => merge.run(),
        Some(Command::Bytes(bytes)) => bytes.run(),
        #[cfg(feature = "profile")]
        Some(Command::Profile(profile)) => profile.run(),
        #[cfg(unix)]
        Some(Command::Protocol(protocol)) => protocol.run(),
        Some(Command::Completions(completions)) => completions.run(Program::command()),
    }
}

/// A part of the program that not all builds have.
struct Optional {
    what: &'static str,
    feature: &'static str,
    is_available: bool,
    /// Whether the command line asks for it.
    is_asked: bool,
}

/// Returns the optional parts.
fn optional(words: &[OsString]) -> [Optional; 2] {
    let has = |option: &str| {
        let mut rest = words.iter().filter_map(|word| word.to_str()?.strip_prefix(option));
        rest.any(|rest| rest.is_empty() || rest.starts_with('='))
    };
    let is_profile = words.get(1).is_some_and(|word| word == "profile") || has("--cpuprofile");
    [
        ("profiles", "profile", cfg!(feature = "profile"), is_profile),
        ("--http", "http", cfg!(feature = "http"), has("--http")),
    ]
    .map(|(what, feature, is_available, is_asked)| Optional { what, feature, is_available, is_asked })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_valid() {
        Program::command().debug_assert();
    }

    #[test]
    fn a_command_line_that_asks_for_an_optional_part_is_recognized() {
        let asks = |line: &str| {
            let words: Vec<_> = line.split(' ').map(Into::into).collect();
            optional(&words).into_iter().filter(|one| one.is_asked).map(|one| one.feature).collect::<Vec<_>>()
        };
        assert_eq!(asks("sweep profile x.pb.gz"), ["profile"]);
        assert_eq!(asks("sweep --json - --cpuprofile=x.svg"), ["profile"]);
        assert_eq!(asks("sweep --cpuprofile x.svg --http 80"), ["profile", "http"]);
        assert_eq!(asks("sweep bytes --http=80"), ["http"]);
        assert!(asks("sweep --json profile").is_empty() && asks("sweep").is_empty());
    }

    /// Parses the part of each example before the first pipe, redirection or description.
    #[test]
    #[cfg(unix)]
    fn every_example_is_a_valid_command_line() {
        let command = Program::command();
        for one in [&command].into_iter().chain(command.get_subcommands()) {
            let help = one.get_after_long_help().map(ToString::to_string).unwrap_or_default();
            let (_, examples) = help.split_once("Examples:\n").expect("examples");
            for line in examples.lines().map(str::trim_ascii_start).filter(|line| line.starts_with("sweep")) {
                let own = line
                    .split("  ")
                    .next()
                    .and_then(|line| line.split(['|', '>']).next())
                    .unwrap_or_default();
                let words = shell_words::split(own).unwrap().into_iter().map(Into::into).collect();
                if let Err(error) = command.clone().try_get_matches_from(ranges_last(words)) {
                    panic!("{line}: {error}");
                }
            }
        }
    }
}
