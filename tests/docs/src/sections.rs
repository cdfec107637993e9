//! The parts of pages that a command writes.
//!
//! Such a part is between the lines `<!-- made by COMMAND -->` and `<!-- end -->`.

use std::path::Path;

const START: &str = "<!-- made by ";
const END: &str = "<!-- end -->";

/// Returns `text` with every generated part as `generate` makes it from its command.
///
/// # Errors
///
/// Names `page` and the line of a marker that is not closed, not open, nested or misspelt, or whose
/// command `generate` refuses.
pub(crate) fn rewritten(
    page: &Path,
    text: &str,
    mut generate: impl FnMut(&str) -> Result<String, String>,
) -> Result<String, String> {
    let mut out = String::new();
    let mut open: Option<usize> = None;
    let mut in_code = false;
    for (number, line) in (1..).zip(text.lines()) {
        let fail = |problem: &str| Err(format!("{}:{number}: {problem}", page.display()));
        let is_start = !in_code && line.starts_with(START);
        let is_end = !in_code && line == END;
        if !in_code && !is_start && !is_end && line.contains("<!--") && line.contains("made by") {
            return fail(&format!(
                "misspelt marker '{line}'; write '{START}COMMAND -->' on a line of its own"
            ));
        }
        match open {
            Some(start) if is_start => {
                return fail(&format!("a generated part inside that of line {start}; '{END}' is missing"));
            }
            Some(_) if is_end => {
                open = None;
                out = out + line + "\n";
            }
            Some(_) => in_code ^= line.starts_with("```"),
            None if is_end => return fail(&format!("'{END}' without '{START}COMMAND -->' before it")),
            None => {
                in_code ^= line.starts_with("```");
                out = out + line + "\n";
                if !is_start {
                    continue;
                }
                let Some(command) = line.strip_prefix(START).and_then(|rest| rest.strip_suffix(" -->"))
                else {
                    return fail(&format!("misspelt marker '{line}'; it ends with ' -->'"));
                };
                match generate(command) {
                    Ok(made) => out = out + "\n" + made.trim() + "\n\n",
                    Err(problem) => return fail(&problem),
                }
                open = Some(number);
            }
        }
    }
    match open {
        Some(start) => Err(format!("{}:{start}: this generated part has no '{END}'", page.display())),
        None => Ok(out),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rewrite(text: &str) -> Result<String, String> {
        rewritten("a.md".as_ref(), text, |command| match command {
            "unknown" => Err("unknown command 'unknown'".into()),
            _ => Ok(format!("new {command}\n")),
        })
    }

    #[test]
    fn generated_parts_are_replaced_and_the_rest_is_kept() {
        let page = "# A\n<!-- made by x y -->\nold\n```text\n<!-- made by z -->\n```\n<!-- end -->\nb\n\
                    ```\n<!-- made by x -->\n```\n<!-- made by z -->\n<!-- end -->\n";
        let expected = "# A\n<!-- made by x y -->\n\nnew x y\n\n<!-- end -->\nb\n\
                        ```\n<!-- made by x -->\n```\n<!-- made by z -->\n\nnew z\n\n<!-- end -->\n";
        assert_eq!(rewrite(page).as_deref(), Ok(expected));
        assert_eq!(rewrite(expected).as_deref(), Ok(expected));
    }

    #[test]
    fn a_broken_marker_is_an_error_with_its_file_and_line() {
        for (page, expected) in [
            ("a\n<!-- made by x -->\n", "a.md:2: this generated part has no '<!-- end -->'"),
            (
                "a\n<!-- made by x -->\n<!-- made by y -->\n<!-- end -->\n",
                "a.md:3: a generated part inside that of line 2; '<!-- end -->' is missing",
            ),
            ("a\n<!-- end -->\n", "a.md:2: '<!-- end -->' without '<!-- made by COMMAND -->' before it"),
            ("<!-- made by unknown -->\n<!-- end -->\n", "a.md:1: unknown command 'unknown'"),
            (
                "<!-- made by x ->\n<!-- end -->\n",
                "a.md:1: misspelt marker '<!-- made by x ->'; it ends with ' -->'",
            ),
            (
                "<!--made by x -->\n<!-- end -->\n",
                "a.md:1: misspelt marker '<!--made by x -->'; write '<!-- made by COMMAND -->' on a line of its own",
            ),
        ] {
            assert_eq!(rewrite(page).unwrap_err(), expected);
        }
    }
}
