//! `sweep protocol`: the protocol of child processes.

use clap::Args;
use clap::builder::PossibleValuesParser;
use every_input::PROTOCOL;

use crate::output::console::print_raw;
use crate::output::error::{Error, ExitCode};

const PROTOCOL_ENDING: &str = "\
Exit codes:
    0  printed
    2  invalid arguments
    3  cannot write to standard output

Examples:
  sweep protocol                       read the protocol and all programs
  sweep protocol child.py > child.py   start from a program in Python
";

/// Print the protocol of --exec, with programs to start from
///
/// Prints how a program in any language takes inputs from --exec and returns results, followed by
/// short example programs. With PROGRAM, prints only that program.
#[derive(Args)]
#[command(after_long_help = PROTOCOL_ENDING)]
pub(crate) struct ProtocolCommand {
    /// Print this program only
    #[arg(value_parser = PossibleValuesParser::new(PROTOCOL[1..].iter().map(|(name, _)| *name)))]
    program: Option<String>,
}

impl ProtocolCommand {
    pub(crate) fn run(&self) -> Result<ExitCode, Error> {
        let [(_, description), programs @ ..] = PROTOCOL;
        let programs = programs.into_iter();
        let text: String = match &self.program {
            Some(chosen) => programs.filter(|(name, _)| name == chosen).map(|(_, text)| text).collect(),
            None => {
                let quoted = programs.map(|(name, text)| format!("\n`{name}`:\n\n```\n{text}```\n"));
                description.to_owned() + &quoted.collect::<String>()
            }
        };
        print_raw(text.as_bytes())?;
        Ok(ExitCode::Success)
    }
}
