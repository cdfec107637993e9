//! `sweep man`: manual pages, from the same description as `--help`.

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Command};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};
use varint_sweep::OutputFile;

use super::console::{FILE, USAGE, fail, print_raw};
use super::ending::Ending;
use super::suggest::did_you_mean;

pub(crate) const ENDING: Ending = Ending {
    exit_codes: &[(0, "written"), (2, "wrong usage"), (3, "a file cannot be written")],
    examples: &[
        ("sweep man | man -l -", "read sweep(1)"),
        ("sweep man merge | man -l -", "read sweep-merge(1)"),
        (
            "sweep man --out /usr/local/share/man/man1",
            "install the pages: one for sweep and one for each command",
        ),
    ],
};

/// Print a manual page, or write all of them
#[derive(Args)]
pub(crate) struct Manual {
    /// The command that the page is about; without it the page is about sweep itself
    #[arg(value_name = "COMMAND", conflicts_with = "out")]
    command: Option<String>,
    /// Write all pages into FOLDER, which must exist
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
}

type Endings = fn(&str) -> &'static Ending;

impl Manual {
    /// `ending` knows the ending of each command.
    pub(crate) fn run(&self, command: Command, ending: Endings) -> ExitCode {
        // `help` needs no page of its own.
        let mut sweep = command.disable_help_subcommand(true);
        sweep.build();
        if let Some(folder) = &self.out {
            return match write_all(&sweep, folder, ending) {
                Ok(()) => ExitCode::SUCCESS,
                Err(message) => fail(FILE, message),
            };
        }
        let names = || sweep.get_subcommands().map(Command::get_name);
        let about = match &self.command {
            None => Some(&sweep),
            Some(name) => sweep.find_subcommand(name),
        };
        match (about.map(|command| page(command, ending)), &self.command) {
            (Some(Ok(page)), _) => print_raw(&page, ExitCode::SUCCESS),
            (Some(Err(error)), _) => fail(FILE, format_args!("no manual page: {error}")),
            (None, given) => {
                let given = given.as_deref().unwrap_or_default();
                let all = names().collect::<Vec<_>>().join(", ");
                fail(
                    USAGE,
                    format_args!("no command '{given}': choose one of {all}{}", did_you_mean(given, names())),
                )
            }
        }
    }
}

/// Every page is made, and every file tried, before the first is written.
fn write_all(sweep: &Command, folder: &Path, ending: Endings) -> Result<(), String> {
    let mut files = vec![];
    for command in [sweep].into_iter().chain(sweep.get_subcommands()) {
        let path = folder.join(Man::new(command.clone()).get_filename());
        let opened = page(command, ending).and_then(|page| Ok((OutputFile::create(&path)?, page)));
        let (file, page) = opened.map_err(|error| {
            let path = path.display();
            format!("cannot write the manual page '{path}' ({error}): name a folder that exists and that you may write to")
        })?;
        files.push((path, file, page));
    }
    files.into_iter().try_for_each(|(path, file, page)| {
        file.finish(&page).map_err(|error| {
            let path = path.display();
            format!("cannot write the manual page '{path}': {error}; free some space or name another folder")
        })
    })
}

fn page(command: &Command, ending: Endings) -> io::Result<Vec<u8>> {
    // clap_mangen runs the lines of a help's end together: they have sections of their own instead.
    let man = Man::new(command.clone()).manual("sweep");
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

/// Exit status, environment, examples, and the other pages.
fn sections(command: &Command, ending: &Ending) -> Roff {
    let mut roff = Roff::new();
    roff.control("SH", ["EXIT STATUS"]);
    for (code, meaning) in ending.exit_codes {
        roff.control("TP", []).text([bold(code.to_string())]).text([roman(*meaning)]);
    }
    roff.control("SH", ["ENVIRONMENT"]);
    for (name, meaning) in [
        ("NO_COLOR", "no colours, unless --color asks for them"),
        ("CLICOLOR_FORCE", "colours even where the output is no terminal"),
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
