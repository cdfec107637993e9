//! `sweep completions`: prints scripts that make shells complete commands, options and names.

use clap::{Args, Command};
use clap_complete::{Shell, generate};

use super::console::print_raw;
use super::error::Error;
use super::exit_code::ExitCode;

const ENDING: &str = "\
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
#[command(after_long_help = ENDING)]
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
