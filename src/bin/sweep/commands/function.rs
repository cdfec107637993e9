//! `sweep function`: checks functions that run as child processes.

use clap::{Args, ValueHint};
use every_input::ExecFunctions;
use every_input::replay::Replay;

use super::run::{Subject, run};
use super::sweep::EXIT_CODES;
use crate::arguments::common::CODEC;
use crate::arguments::exec::ExecArguments;
use crate::arguments::plan::ValueArguments;
use crate::arguments::run::RunArguments;
use crate::codecs::{CodecInteger, with_type};
use crate::output::error::{Error, ExitCode};
use crate::output::signals::handle_interrupts;

const EXAMPLES: &str = r#"
Examples:
  sweep function --type u32 --exec ./root --reference "python3 root.py"
                            check a function on a sample of all u32
  sweep function --type u32 --exec ./root --reference "python3 root.py" 0..=1000000
                            check it on a range
"#;

/// Check a function in any language against a reference
///
/// Two programs are called with each value, and must return the same bytes.
#[derive(Args)]
#[command(override_usage = "sweep function [OPTIONS] --exec <COMMAND> --reference <COMMAND> [RANGE]")]
#[command(after_long_help = [EXIT_CODES, EXAMPLES].concat())]
pub(crate) struct FunctionCommand {
    #[command(flatten)]
    values: ValueArguments,
    #[command(flatten)]
    exec: ExecArguments,
    /// Program that returns the expected results
    ///
    /// It follows the same protocol as that of --exec, and has the same time limit.
    #[arg(
        long,
        value_name = "COMMAND",
        requires = "commands",
        value_hint = ValueHint::CommandString,
        help_heading = CODEC
    )]
    reference: String,
    #[command(flatten)]
    run: RunArguments,
}

impl FunctionCommand {
    pub(crate) fn run(mut self) -> Result<ExitCode, Error> {
        let replay = self.run.read_replay()?;
        replay.as_ref().map_or(Ok(()), |replay| self.values.replay(replay))?;
        with_type!(self.values.value_type(), sweep(&self, replay))
    }
}

fn sweep<T: CodecInteger>(arguments: &FunctionCommand, replay: Option<Replay>) -> Result<ExitCode, Error> {
    let FunctionCommand { values, exec, reference, run: options } = arguments;
    handle_interrupts(options.output.quiet);
    let start = |command: &str, timeout| ExecFunctions::<T>::start([command, reference], timeout);
    let functions = exec.start(options.output.quiet, Some(reference), start)?;
    let sweep = options.apply(values.sweep::<T>()?, replay, functions.len())?;
    let mut named = exec.options();
    named.push(("--reference", reference.clone()));
    let words = named.into_iter().flat_map(|(option, value)| [option.to_owned(), value]);
    let again = values.replay_command(&["sweep", "function"], words.collect());
    let subjects = exec.commands.iter().zip(functions).map(|(command, function)| {
        let name = format!("exec: {command}, reference: {reference}");
        Subject::of(&sweep, name, Some(again.clone()), function)
    });
    run(options, &subjects.collect::<Vec<_>>())
}
