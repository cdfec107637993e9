//! The parts of pages that a command writes.
//!
//! Such a part is between the lines `<!-- made by COMMAND -->` and `<!-- end -->`. The first `<!-- end -->`
//! ends it, whatever stands between.

use std::path::Path;

const START: &str = "<!-- made by ";
const END: &str = "<!-- end -->";

/// Returns `text` with every generated part as `generate` makes it from its command.
///
/// # Errors
///
/// Names `page` and the line of a marker that has no end or no start or is misspelt, or whose command
/// `generate` refuses.
pub(crate) fn rewritten(
    page: &Path,
    text: &str,
    mut generate: impl FnMut(&str) -> Result<String, String>,
) -> Result<String, String> {
    let mut out = String::new();
    let mut in_code = false;
    let mut lines = (1..).zip(text.lines());
    while let Some((number, line)) = lines.next() {
        out = out + line + "\n";
        in_code ^= line.starts_with("```");
        if in_code || !line.contains("<!--") {
            continue;
        }
        let made = match line.strip_prefix(START).and_then(|rest| rest.strip_suffix(" -->")) {
            Some(command) => generate(command),
            None if line == END => Err(format!("'{END}' without '{START}COMMAND -->' before it")),
            None => Err(format!("misspelt marker '{line}'; write '{START}COMMAND -->' or '{END}'")),
        };
        let made = made.map_err(|problem| format!("{}:{number}: {problem}", page.display()))?;
        if !lines.any(|(_, line)| line == END) {
            return Err(format!("{}:{number}: this generated part has no '{END}'", page.display()));
        }
        out += &format!("\n{}\n\n{END}\n", made.trim());
    }
    Ok(out)
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
            ("a\n<!-- end -->\n", "a.md:2: '<!-- end -->' without '<!-- made by COMMAND -->' before it"),
            ("<!-- made by unknown -->\n<!-- end -->\n", "a.md:1: unknown command 'unknown'"),
            (
                "<!--made by x -->\n<!-- end -->\n",
                "a.md:1: misspelt marker '<!--made by x -->'; write '<!-- made by COMMAND -->' or '<!-- end -->'",
            ),
        ] {
            assert_eq!(rewrite(page).unwrap_err(), expected);
        }
    }
}
