//! Runs all vectors, and byte strings, with the children that commands start, and prints a line for
//! each implementation. `checks/conformance.sh` calls it.
//!
//! An argument is `LANGUAGE/LEN=COMMAND`, where every byte string has at most `LEN` bytes.

mod differences;
mod implementation;
mod strings;

use std::collections::BTreeMap;
use std::env::args;
use std::process::{Command, ExitCode};

use implementation::Implementation;

fn main() -> ExitCode {
    match args().skip(1).try_for_each(|argument| print(&argument)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("error: {problem}");
            ExitCode::FAILURE
        }
    }
}

/// Prints a line for each implementation that a command lists.
fn print(argument: &str) -> Result<(), String> {
    let usage = || format!("'{argument}' is no child; write LANGUAGE/LEN=COMMAND");
    let (of, command) = argument.split_once('=').ok_or_else(usage)?;
    let (language, len) = of.split_once('/').ok_or_else(usage)?;
    let len = len.parse().map_err(|_| usage())?;
    let documented: BTreeMap<String, String> =
        serde_json::from_str(include_str!("../../documented.json")).expect("texts by implementation");
    for line in list(command)?.lines() {
        let [name, package, version, types @ ..] = &line.split(' ').collect::<Vec<_>>()[..] else {
            return Err(format!(
                "'{command}' lists '{line}', not a name, a package, a version and wire types"
            ));
        };
        let one = |wire_type| Implementation::new(format!("{command} {name} {wire_type}"), wire_type);
        let all = types.iter().map(|wire_type| one(*wire_type)).collect::<Result<Vec<_>, _>>()?;
        println!(
            "figure: implementation={package} {version}; language={language}; wire types={}; documents={}; \
             differences={}; strings={}",
            types.join(", "),
            documented.get(&format!("{language}/{package}")).map_or("", |text| text),
            differences::text(&all)?,
            strings::text(&all, len)?
        );
    }
    Ok(())
}

/// Returns the list of implementations that a child prints.
fn list(command: &str) -> Result<String, String> {
    let mut words = command.split_whitespace();
    let program = words.next().ok_or("no command")?;
    let output = Command::new(program).args(words).output().map_err(|error| format!("{program}: {error}"))?;
    let list = String::from_utf8_lossy(&output.stdout).into_owned();
    if !output.status.success() || list.is_empty() {
        let messages = String::from_utf8_lossy(&output.stderr);
        return Err(format!("'{command}' lists no implementations: {messages}"));
    }
    Ok(list)
}
