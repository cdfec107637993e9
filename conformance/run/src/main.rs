//! Runs all vectors, and byte strings, with published implementations, and prints a line for each.
//! `checks/conformance.sh` calls it with four arguments for each language: its name, the length up to which
//! every string is tried, the command of its child, and a text that has the versions of its packages.

mod differences;
mod implementation;
mod strings;

use std::env::args;
use std::process::ExitCode;

use implementation::Implementation;
use serde::Deserialize;

/// The functions of a package for some wire types, of which `children/` has a codec each.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Api {
    language: String,
    api: String,
    /// The package, if its name is another one.
    package: Option<String>,
    types: Vec<String>,
    #[serde(default)]
    documents: String,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = args().skip(1).collect();
    match arguments.chunks(4).try_for_each(compare) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("error: {problem}");
            ExitCode::FAILURE
        }
    }
}

/// Prints a line for each API of a language.
fn compare(arguments: &[String]) -> Result<(), String> {
    let [of_language, len, command, versions] = arguments else {
        return Err(format!("{} arguments; write LANGUAGE LEN COMMAND VERSIONS", arguments.len()));
    };
    let len = len.parse().map_err(|error| format!("length '{len}': {error}"))?;
    let apis: Vec<Api> = serde_json::from_str(include_str!("../../implementations.json")).expect("rows");
    for Api { language, api, package, types, documents } in apis {
        if language != *of_language {
            continue;
        }
        let package = package.as_ref().unwrap_or(&api);
        let version = version(versions, package).ok_or_else(|| format!("{package}: no version"))?;
        let one = |name: &String| Implementation::new(format!("{command} {api} {name}"), name);
        let all = types.iter().map(one).collect::<Result<Vec<_>, _>>()?;
        println!(
            "figure: implementation={api} {version}; language={language}; wire types={}; \
             documents={documents}; differences={}; strings={}",
            types.join(", "),
            differences::text(&all)?,
            strings::text(&all, len)?
        );
    }
    Ok(())
}

/// Returns the version of a package in the text of a manifest: the first number after its name.
fn version<'t>(text: &'t str, package: &str) -> Option<&'t str> {
    let is_of_name = |char: char| char.is_alphanumeric() || "-/@".contains(char);
    let mut places = text.match_indices(package).map(|(at, name)| (&text[..at], &text[at + name.len()..]));
    let (_, rest) =
        places.find(|(before, rest)| !before.ends_with(is_of_name) && !rest.starts_with(is_of_name))?;
    let mut parts = rest.split(|char: char| char != '.' && !char.is_ascii_digit());
    parts.find(|part| part.starts_with(|first: char| first.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::version;

    #[test]
    fn a_version_is_that_of_the_whole_name() {
        let text = r#""@webassemblyjs/leb128": "1.14.1", "leb128fmt": "0.1.0", "leb128": "^0.0.5-rc1""#;
        assert_eq!(version(text, "leb128"), Some("0.0.5"));
        assert_eq!(version(text, "128"), None);
        assert_eq!(version("<artifactId>avro</artifactId><version>1.12.2</version>", "avro"), Some("1.12.2"));
    }
}
