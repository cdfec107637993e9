//! `sweep man`: prints or writes manual pages, which have the same texts as `--help`.

use std::path::PathBuf;

use clap::{Args, Command};
use clap_mangen::{Man, generate_to};

use super::console::print_raw;
use super::error::Error;
use super::exit_code::ExitCode;

const ENDING: &str = "\
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
#[command(after_long_help = ENDING)]
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
