//! `sweep completions`: prints scripts with which shells complete commands, options and names.

use clap::{Args, Command};
use clap_complete::{Shell, generate};

use super::console::print_raw;
use super::error::Error;
use super::exit_code::ExitCode;
use super::help_ending::HelpEnding;

pub(crate) const ENDING: HelpEnding = HelpEnding {
    exit_codes: &[(0, "printed"), (2, "wrong usage"), (3, "standard output cannot be written")],
    examples: &[
        (
            "sweep completions bash > ~/.local/share/bash-completion/completions/sweep",
            "bash with the package bash-completion; the next shell has them",
        ),
        (
            "sweep completions zsh > ~/.zfunc/_sweep",
            "zsh, with fpath+=(~/.zfunc) before compinit in ~/.zshrc",
        ),
        ("sweep completions fish > ~/.config/fish/completions/sweep.fish", "fish"),
        ("sweep completions powershell >> $PROFILE", "PowerShell"),
    ],
};

/// Print a script for completions in a shell
///
/// With the script the shell completes commands, options and names.
#[derive(Args)]
pub(crate) struct CompletionsCommand {
    /// The shell
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
