//! Tables of the commands of `sweep`, from their help.

use std::fmt::Write;

/// An option or argument of a command.
struct Row {
    name: String,
    /// The paragraphs of its help.
    paragraphs: Vec<String>,
}

impl Row {
    /// Returns the first paragraph, with the default and the possible values if they stand elsewhere.
    fn text(&self) -> String {
        let (first, rest) = self.paragraphs.split_first().expect("every option has a help");
        let notes = rest.iter().filter_map(|paragraph| {
            let list = paragraph.strip_prefix("Possible values: - ").map(|list| {
                let names: Vec<_> = list.split(" - ").filter_map(|item| item.split(':').next()).collect();
                format!("[possible values: {}]", names.join(", "))
            });
            list.or_else(|| paragraph.starts_with('[').then(|| paragraph.clone()))
        });
        [first.clone()].into_iter().chain(notes).collect::<Vec<_>>().join(" ").replace('|', "\\|")
    }
}

/// Returns the lines below `heading`, up to the next heading.
fn section<'t>(help: &'t str, heading: &str) -> impl Iterator<Item = &'t str> {
    let below = help.lines().skip_while(move |line| line.trim_end() != heading).skip(1);
    below.take_while(|line| line.is_empty() || line.starts_with(' '))
}

fn codes(help: &str) -> Vec<&str> {
    section(help, "Exit codes:").collect()
}

/// Returns the options and arguments that a help describes, without those that every command has.
fn rows(help: &str) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    let mut in_options = false;
    let mut is_new_paragraph = true;
    for line in help.lines() {
        let text = line.trim();
        let indent = line.len() - line.trim_start().len();
        if indent == 0 && !text.is_empty() {
            let heading = text.strip_suffix(':');
            in_options = heading.is_some_and(|name| !["Commands", "Exit codes", "Examples"].contains(&name));
        } else if in_options && indent < 10 && !text.is_empty() {
            rows.push(Row { name: text.to_owned(), paragraphs: Vec::new() });
            is_new_paragraph = true;
        } else if text.is_empty() {
            is_new_paragraph = true;
        } else if let Some(row) = rows.last_mut().filter(|_| in_options) {
            match row.paragraphs.last_mut().filter(|_| !is_new_paragraph) {
                Some(paragraph) => *paragraph = format!("{paragraph} {text}"),
                None => row.paragraphs.push(text.to_owned()),
            }
            is_new_paragraph = false;
        }
    }
    rows.retain(|row| !["--help", "--version", "--color"].iter().any(|name| row.name.contains(name)));
    rows
}

/// Returns a section for each command: its usage, options and exit codes, of which those of the first
/// are not repeated. `help` prints the help of a command; that of `""` names the others.
pub(crate) fn commands(help: impl Fn(&str) -> Result<String, String>) -> Result<String, String> {
    let main = help("")?;
    let line = |row: &Row| format!("| `{}` | {} |", row.name, row.text());
    let known: Vec<_> = rows(&main).iter().map(line).collect();
    let others = section(&main, "Commands:").filter_map(|line| line.split_whitespace().next());
    let mut out = String::new();
    for command in [""].into_iter().chain(others.filter(|name| *name != "help")) {
        let help = if command.is_empty() { main.clone() } else { help(command)? };
        let name = format!("sweep {command}");
        let about = help.lines().next().unwrap_or_default();
        let _ = write!(out, "### `{}`\n\n{about}.\n\n| option | effect |\n|---|---|\n", name.trim()); // a String
        let is_repeated = |row: &Row| !command.is_empty() && known.contains(&line(row));
        let (repeated, own): (Vec<_>, Vec<_>) = rows(&help).into_iter().partition(is_repeated);
        own.iter().for_each(|row| out += &(line(row) + "\n"));
        if !repeated.is_empty() {
            let names: Vec<_> = repeated.iter().filter_map(|row| row.name.split(" <").next()).collect();
            let _ = writeln!(out, "\nOptions as those of `sweep`: `{}`.", names.join("`, `"));
        }
        if !command.is_empty() && codes(&help) == codes(&main) {
            out += "\nThe exit codes are those of `sweep`.\n\n";
            continue;
        }
        let _ = write!(out, "\n| exit code | meaning |\n|--:|---|\n");
        for line in codes(&help) {
            if let Some((code, meaning)) = line.trim().split_once("  ") {
                let _ = writeln!(out, "| {code} | {meaning} |");
            }
        }
        out += "\n";
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_help_becomes_tables() {
        let help = |command: &str| {
            Ok(match command {
                "" => {
                    "Does it\n\nMore.\n\nUsage: sweep\n\nCommands:\n  one   Does one\n  help  Prints help\n\nMuch:\n      \
                     --long <A|B>\n          Sets what\n          it is\n\n          More.\n\n          [default: A]\n\n  -h, --help\n          \
                     Print help\n\nExit codes:\n    0  good\n  130  interrupted\n"
                }
                _ => "Does one\n\nMuch:\n      --long <A|B>\n          Sets what it is\n\n          [default: A]\n\n  -n <N>\n          \
                     Sets N\n\n          Possible values:\n          - a: x\n          - b:  y\n\n\
                     Exit codes:\n    0  good\n  130  interrupted\n",
            }
            .to_owned())
        };
        let expected = "### `sweep`\n\nDoes it.\n\n| option | effect |\n|---|---|\n| `--long <A|B>` | Sets what it is [default: A] |\n\
                        \n| exit code | meaning |\n|--:|---|\n| 0 | good |\n| 130 | interrupted |\n\
                        \n### `sweep one`\n\nDoes one.\n\n| option | effect |\n|---|---|\n| `-n <N>` | Sets N [possible values: a, b] |\n\
                        \nOptions as those of `sweep`: `--long`.\n\nThe exit codes are those of `sweep`.\n\n";
        assert_eq!(commands(help).as_deref(), Ok(expected));
    }
}
