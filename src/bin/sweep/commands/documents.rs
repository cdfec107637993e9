//! `sweep completions`, `sweep man` and `sweep protocol`: completion scripts for shells, manual pages,
//! which have the same texts as `--help`, and the protocol of child processes.

use std::path::PathBuf;

#[cfg(unix)]
use clap::builder::PossibleValuesParser;
use clap::{Args, Command};
use clap_complete::{Shell, generate};
use clap_mangen::{Man, generate_to};
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
/// With this script, the shell completes commands, options, files, and the names of codecs, kernels
/// of this CPU and presets when you press Tab.
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

const MAN_ENDING: &str = "\
Exit codes:
    0  written
    2  invalid arguments
    3  a file cannot be written

Examples:
  sweep man | man -l -                        read sweep(1)
  sweep man --out /usr/local/share/man/man1   install all pages: sweep(1) and one for each command
";

/// Print the manual page, or write all pages
///
/// Prints the manual page of sweep, or writes the pages of all commands to a folder.
#[derive(Args)]
#[command(after_long_help = MAN_ENDING)]
pub(crate) struct ManCommand {
    /// Write all pages to FOLDER, which must exist
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
}

impl ManCommand {
    pub(crate) fn run(&self, command: Command) -> Result<ExitCode, Error> {
        match &self.out {
            Some(folder) => generate_to(command, folder).map_err(|error| {
                let folder = folder.display();
                Error::file(format_args!(
                    "cannot write the manual pages to '{folder}': {error}; name an existing, writable folder"
                ))
            })?,
            None => {
                let mut page = vec![];
                let rendered = Man::new(command.disable_help_subcommand(true)).render(&mut page);
                rendered.map_err(Error::file)?;
                print_raw(&page)?;
            }
        }
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
