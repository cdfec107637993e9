//! The colour of the result in the text of a report.

use anstyle::AnsiColor;

/// The words with which the line of the result begins.
const RESULTS: [(&str, AnsiColor); 3] =
    [("OK:", AnsiColor::Green), ("FAILED:", AnsiColor::Red), ("INCOMPLETE:", AnsiColor::Yellow)];

/// Returns the text with the result in colour.
///
/// The result is the last line that begins with one of the words: the messages of failures come before it, and may
/// contain such lines too.
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
