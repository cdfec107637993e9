//! `sweep completions`: completion scripts for shells.

use clap::{Args, Command};
use clap_complete::{Shell, generate};

use crate::output::console::print_raw;
use crate::output::error::{Error, ExitCode};

const ENDING: &str = "\
Exit codes:
    0  printed
    2  invalid arguments
    3  cannot write to standard output

Examples:
  sweep completions bash > ~/.local/share/bash-completion/completions/sweep
  sweep completions zsh > ~/.zfunc/_sweep  with fpath+=(~/.zfunc) before compinit in ~/.zshrc
  sweep completions fish > ~/.config/fish/completions/sweep.fish
  sweep completions elvish >> ~/.config/elvish/rc.elv
  sweep completions powershell >> $PROFILE
";

/// Print a completion script for a shell
///
/// With this script, the shell completes commands, options, files, and the names of codecs, presets
/// and the kernels of this CPU when you press Tab.
#[derive(Args)]
#[command(after_long_help = ENDING)]
pub(crate) struct CompletionsCommand {
    /// Shell that runs the script
    shell: Shell,
}

impl CompletionsCommand {
    pub(crate) fn run(&self, mut program: Command) -> Result<ExitCode, Error> {
        let mut script = Vec::new();
        generate(self.shell, &mut program, "sweep", &mut script);
        print_raw(&script)?;
        Ok(ExitCode::Success)
    }
}
