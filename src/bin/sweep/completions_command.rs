//! `sweep completions`: prints scripts that make shells complete commands, options and names.

use clap::builder::PossibleValuesParser;
use clap::{Args, Command};
use clap_complete::{Shell, generate};
use zigzag_varint::Kernel;

use super::console::print_raw;
use super::error::Error;
use super::exit_code::ExitCode;
use super::help_ending::HelpEnding;

pub(crate) const ENDING: HelpEnding = HelpEnding {
    exit_codes: &[(0, "printed"), (2, "invalid arguments"), (3, "cannot write to standard output")],
    examples: &[
        (
            "sweep completions bash > ~/.local/share/bash-completion/completions/sweep",
            "install for bash, with the package bash-completion; takes effect in the next shell",
        ),
        (
            "sweep completions zsh > ~/.zfunc/_sweep",
            "install for zsh; ~/.zshrc needs fpath+=(~/.zfunc) before compinit",
        ),
        ("sweep completions fish > ~/.config/fish/completions/sweep.fish", "install for fish"),
        ("sweep completions powershell >> $PROFILE", "install for PowerShell"),
    ],
};

/// Print a completion script for a shell
///
/// With this script, the shell completes commands, options, files, and the names of codecs, kernels
/// of this CPU and presets when you press Tab.
#[derive(Args)]
pub(crate) struct CompletionsCommand {
    /// Shell that will run the script
    shell: Shell,
}

impl CompletionsCommand {
    pub(crate) fn run(&self, command: Command) -> Result<ExitCode, Error> {
        let mut command = with_kernels(command);
        let mut script = vec![];
        generate(self.shell, &mut command, "sweep", &mut script);
        print_raw(&script)?;
        Ok(ExitCode::Success)
    }
}

/// Makes the kernels of this CPU the possible values of `--kernel`. Only the completion needs them,
/// since the errors of the option name them too.
fn with_kernels(command: Command) -> Command {
    let kernels = || PossibleValuesParser::new(Kernel::available().map(Kernel::name));
    command
        .mut_args(|arg| if arg.get_long() == Some("kernel") { arg.value_parser(kernels()) } else { arg })
        .mut_subcommands(with_kernels)
}
