//! `sweep man`: prints or writes manual pages, which have the same texts as `--help`.

use std::io;
use std::path::{Path, PathBuf};

use clap::{Arg, Args, Command};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};
use varint_sweep::OutputFile;

use super::console::print_raw;
use super::error::Error;
use super::exit_code::ExitCode;
use super::help_ending::HelpEnding;
use super::suggestion::did_you_mean;

pub(crate) const ENDING: HelpEnding = HelpEnding {
    exit_codes: &[(0, "written"), (2, "invalid arguments"), (3, "a file cannot be written")],
    examples: &[
        ("sweep man | man -l -", "read sweep(1)"),
        ("sweep man merge | man -l -", "read sweep-merge(1)"),
        ("sweep man --out /usr/local/share/man/man1", "install all pages: sweep(1) and one for each command"),
    ],
};

/// Print a manual page, or write all of them
///
/// Prints a manual page to standard output, or writes the pages of all commands to a folder.
#[derive(Args)]
pub(crate) struct ManCommand {
    /// Command to describe, such as merge [default: sweep itself]
    #[arg(value_name = "COMMAND", conflicts_with = "out")]
    command: Option<String>,
    /// Write all pages to FOLDER, which must exist
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
}

/// Returns the ending for the help of the command with the given name.
type Endings = fn(&str) -> &'static HelpEnding;

impl ManCommand {
    pub(crate) fn run(&self, command: Command, ending: Endings) -> Result<ExitCode, Error> {
        // The subcommand `help` needs no page.
        let mut sweep = command.disable_help_subcommand(true);
        sweep.build();
        match &self.out {
            Some(folder) => write_all(&sweep, folder, ending)?,
            None => {
                let page = page(self.subject(&sweep)?, ending);
                print_raw(
                    &page.map_err(|error| {
                        Error::file(format_args!("cannot create the manual page: {error}"))
                    })?,
                )?;
            }
        }
        Ok(ExitCode::Success)
    }

    /// Returns the command that the page describes.
    fn subject<'c>(&self, sweep: &'c Command) -> Result<&'c Command, Error> {
        let Some(given) = &self.command else { return Ok(sweep) };
        sweep.find_subcommand(given).ok_or_else(|| {
            let names: Vec<_> = sweep.get_subcommands().map(Command::get_name).collect();
            let meant = did_you_mean(given, names.iter().copied());
            Error::usage(format_args!("unknown command '{given}'; choose one of {}{meant}", names.join(", ")))
        })
    }
}

/// Writes all pages. Creates every page and opens every file before writing the first one.
fn write_all(sweep: &Command, folder: &Path, ending: Endings) -> Result<(), Error> {
    let mut files = vec![];
    for command in [sweep].into_iter().chain(sweep.get_subcommands()) {
        let path = folder.join(Man::new(command.clone()).get_filename());
        let opened = page(command, ending).and_then(|page| Ok((OutputFile::create(&path)?, page)));
        let (file, page) = opened.map_err(|error| {
            let path = path.display();
            Error::file(format_args!(
                "cannot write the manual page '{path}': {error}; name an existing, writable folder"
            ))
        })?;
        files.push((path, file, page));
    }
    files.into_iter().try_for_each(|(path, file, page)| {
        file.finish(&page).map_err(|error| {
            let path = path.display();
            Error::file(format_args!(
                "cannot write the manual page '{path}': {error}; free some space or name another folder"
            ))
        })
    })
}

fn page(command: &Command, ending: Endings) -> io::Result<Vec<u8>> {
    // clap_mangen would join the lines of the ending, so `sections` writes the ending instead.
    let man = Man::new(command.clone().mut_args(join_paragraphs)).manual("sweep");
    let mut page = vec![];
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    if command.has_subcommands() {
        man.render_subcommands_section(&mut page)?;
    }
    sections(command, ending(command.get_name())).to_writer(&mut page)?;
    Ok(page)
}

/// Joins the paragraphs of an option's long help. clap_mangen would separate them by empty lines,
/// which manual pages must not contain.
fn join_paragraphs(arg: Arg) -> Arg {
    let text = arg.get_long_help().map(ToString::to_string).unwrap_or_default();
    match text.split_once("\n\n") {
        Some((summary, details)) => arg.long_help(format!("{summary}. {}", details.replace("\n\n", " "))),
        None => arg,
    }
}

/// Returns the sections that clap_mangen does not write: exit status, environment, examples and the
/// other pages.
fn sections(command: &Command, ending: &HelpEnding) -> Roff {
    let mut roff = Roff::new();
    roff.control("SH", ["EXIT STATUS"]);
    for (code, meaning) in ending.exit_codes {
        roff.control("TP", []).text([bold(code.to_string())]).text([roman(*meaning)]);
    }
    roff.control("SH", ["ENVIRONMENT"]);
    for (name, meaning) in [
        ("NO_COLOR", "If set, text has no colours unless --color=always is given."),
        ("CLICOLOR_FORCE", "If set, text has colours even if the output is not a terminal."),
    ] {
        roff.control("TP", []).text([bold(name)]).text([roman(meaning)]);
    }
    roff.control("SH", ["EXAMPLES"]);
    for (line, does) in ending.examples {
        roff.control("TP", []).text([bold(*line)]).text([roman(*does)]);
    }
    roff.control("SH", ["SEE ALSO"]);
    if command.has_subcommands() {
        let pages = command.get_subcommands().map(|other| format!("sweep-{}(1)", other.get_name()));
        roff.text([roman(pages.collect::<Vec<_>>().join(", "))]);
    } else {
        roff.text([bold("sweep"), roman("(1)")]);
    }
    roff
}
