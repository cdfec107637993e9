//! The colour of the result line in the text of a report.

use anstyle::AnsiColor;

/// The words that start the result line, and their colours.
const RESULTS: [(&str, AnsiColor); 4] = [
    ("OK:", AnsiColor::Green),
    ("FAILED:", AnsiColor::Red),
    ("INCOMPLETE:", AnsiColor::Yellow),
    ("INTERRUPTED:", AnsiColor::Yellow),
];

/// Returns the text with the first word of the result line in colour.
///
/// The result line is the last line that starts with one of [`RESULTS`]. Messages of failures come
/// before it and can contain such lines too.
pub(crate) fn color_result(text: &str) -> String {
    let mut at = 0;
    let mut result = None;
    for line in text.split_inclusive('\n') {
        if let Some((word, color)) = RESULTS.into_iter().find(|(word, _)| line.starts_with(word)) {
            result = Some((at, word, color.on_default().bold()));
        }
        at += line.len();
    }
    match result {
        None => text.to_owned(),
        Some((at, word, style)) => {
            format!("{}{style}{word}{style:#}{}", &text[..at], &text[at + word.len()..])
        }
    }
}
