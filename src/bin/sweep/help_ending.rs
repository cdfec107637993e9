//! The end of a command's help: exit codes and examples.

use std::fmt::Write;

use clap::Command;
use clap::builder::StyledStr;
use clap::builder::styling::Styles;

/// The end of a command's help.
pub(crate) struct HelpEnding {
    /// Each exit code, and its meaning.
    pub(crate) exit_codes: &'static [(u8, &'static str)],
    /// Command lines, and what each one does.
    pub(crate) examples: &'static [(&'static str, &'static str)],
}

impl HelpEnding {
    /// Adds this ending to the help of a command: the exit codes to `-h`, everything to `--help`.
    pub(crate) fn add_to(&self, command: Command) -> Command {
        let codes = self.exit_codes.iter().map(|(code, meaning)| format!("{code} {meaning}"));
        let short = format!("{} {}", header("Exit codes:"), codes.collect::<Vec<_>>().join("; "));
        command.after_help(StyledStr::from(short)).after_long_help(self.long())
    }

    fn long(&self) -> StyledStr {
        let literal = Styles::styled().get_literal().to_owned();
        let mut text = StyledStr::from(header("Exit codes:"));
        for (code, meaning) in self.exit_codes {
            let _ = write!(text, "\n  {literal}{code:>3}{literal:#}  {meaning}"); // writing to a string cannot fail
        }
        let _ = write!(text, "\n\n{}", header("Examples:"));
        for (line, does) in self.examples {
            let _ = write!(text, "\n  {literal}{line}{literal:#}\n          {does}");
        }
        text
    }
}

fn header(text: &str) -> String {
    let style = Styles::styled().get_header().to_owned();
    format!("{style}{text}{style:#}")
}
