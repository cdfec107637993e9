//! `sweep`: checks a varint codec value by value. Arguments, wiring, exit code; the work is in `zigzag_varint::sweep`.

use std::process::ExitCode;

use clap::{Parser, Subcommand};

#[path = "sweep/arguments.rs"]
mod arguments;
#[path = "sweep/console.rs"]
mod console;
#[path = "sweep/estimate.rs"]
mod estimate;
#[path = "sweep/interrupt.rs"]
mod interrupt;
#[path = "sweep/merge.rs"]
mod merge;
#[path = "sweep/run.rs"]
mod run;

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
}

fn main() -> ExitCode {
    let program = Program::parse_from(arguments::ranges_last(std::env::args().collect()));
    match program.command {
        None => program.run.run(),
        Some(Command::Merge(merge)) => merge.run(),
        Some(Command::Estimate(estimate)) => estimate.run(),
    }
}
