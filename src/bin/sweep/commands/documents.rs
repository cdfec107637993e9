//! `sweep completions` and `sweep protocol`: completion scripts for shells, and the protocol of child
//! processes.

#[cfg(unix)]
use clap::builder::PossibleValuesParser;
use clap::{Args, Command};
use clap_complete::{Shell, generate};
#[cfg(unix)]
use every_input::PROTOCOL;

use crate::output::console::print_raw;
use crate::output::error::{Error, ExitCode};

const COMPLETIONS_ENDING: &str = "\
Exit codes:
    0  printed
    2  invalid arguments
    3  cannot write to standard output

Examples:
  sweep completions bash > ~/.local/share/bash-completion/completions/sweep
  sweep completions zsh > ~/.zfunc/_sweep  with fpath+=(~/.zfunc) before compinit in ~/.zshrc
  sweep completions fish > ~/.config/fish/completions/sweep.fish
  sweep completions powershell >> $PROFILE
";

/// Print a completion script for a shell
///
/// With this script, the shell completes commands, options, files, and the names of codecs and of
/// the kernels of this CPU when you press Tab.
#[derive(Args)]
#[command(after_long_help = COMPLETIONS_ENDING)]
pub(crate) struct CompletionsCommand {
    /// Shell that will run the script
    shell: Shell,
}

impl CompletionsCommand {
    pub(crate) fn run(&self, mut command: Command) -> Result<ExitCode, Error> {
        let mut script = vec![];
        generate(self.shell, &mut command, "sweep", &mut script);
        print_raw(&script)?;
        Ok(ExitCode::Success)
    }
}

#[cfg(unix)]
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
/// short programs that do; or the program with this name only.
#[cfg(unix)]
#[derive(Args)]
#[command(after_long_help = PROTOCOL_ENDING)]
pub(crate) struct ProtocolCommand {
    /// Print this program only
    #[arg(value_parser = PossibleValuesParser::new(PROTOCOL[1..].iter().map(|(name, _)| *name)))]
    program: Option<String>,
}

#[cfg(unix)]
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
