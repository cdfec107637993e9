//! `sweep`: checks a varint codec value by value. Arguments, wiring, exit code; the work is in `zigzag_varint::sweep`.

use std::process::ExitCode;

use clap::{Parser, Subcommand};

#[path = "sweep/arguments.rs"]
mod arguments;
#[path = "sweep/bytes.rs"]
mod bytes;
#[path = "sweep/console.rs"]
mod console;
#[cfg(feature = "profile")]
#[path = "sweep/cpuprofile.rs"]
mod cpuprofile;
#[cfg(all(feature = "profile", target_os = "linux", target_env = "gnu"))]
#[path = "sweep/enclosing.rs"]
mod enclosing;
#[path = "sweep/estimate.rs"]
mod estimate;
#[path = "sweep/http.rs"]
mod http;
#[path = "sweep/interrupt.rs"]
mod interrupt;
#[path = "sweep/merge.rs"]
mod merge;
#[cfg(feature = "profile")]
#[path = "sweep/profile.rs"]
mod profile;
#[path = "sweep/run.rs"]
mod run;
#[path = "sweep/status_request.rs"]
mod status_request;
#[path = "sweep/watching.rs"]
mod watching;

/// Check a varint codec value by value: encode, compare the bytes with an independent oracle, decode, compare.
///
/// Without a RANGE it sweeps the whole type: exhaustively where that fits the budget, else by a stratified sample.
#[derive(Parser)]
#[command(
    version,
    max_term_width = 100,
    args_conflicts_with_subcommands = true,
    after_help = "\
Exit codes: 0 clean, 1 failures found, 2 wrong usage, 3 a file cannot be used, 130 interrupted.

Examples:
  sweep                                    a 10 s sample of all i64
  sweep --type i32 --exhaustive            all 4,294,967,296 values
  sweep -5..=5 MIN..=-9_000_000_000        two ranges
  sweep --codec article2015                watch it find a bug
  sweep --exec \"java Varint.java\"         a codec in another language
  sweep --exhaustive 0..=1_099_511_627_775 --checkpoint sweep.json     go on after a crash
  sweep --exhaustive --type u32 --shard 3/8 --json shard-3.json        a share of eight"
)]
struct Program {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    run: run::Run,
}

/// Other things to do than to sweep.
#[derive(Subcommand)]
enum Command {
    Merge(merge::Merge),
    Estimate(Box<estimate::Estimate>),
    Bytes(bytes::Bytes),
    #[cfg(feature = "profile")]
    Profile(profile::ShowProfile),
}

fn main() -> ExitCode {
    let program = Program::parse_from(arguments::ranges_last(std::env::args().collect()));
    match program.command {
        None => program.run.run(),
        Some(Command::Merge(merge)) => merge.run(),
        Some(Command::Estimate(estimate)) => estimate.run(),
        Some(Command::Bytes(bytes)) => bytes.run(),
        #[cfg(feature = "profile")]
        Some(Command::Profile(profile)) => profile.run(),
    }
}
