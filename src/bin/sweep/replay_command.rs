//! The command that checks failed values again with the same codec.

use super::plan_arguments::PlanArguments;
use super::value_parsers::name_of;

/// Returns the command without its ranges, quoted for a shell.
pub(crate) fn replay_command(plan: &PlanArguments) -> String {
    let mut words = vec!["sweep".to_owned(), "--type".into(), name_of(&plan.value_type())];
    words.extend(plan.codecs.words());
    words.push("--exhaustive".into());
    quoted(&words)
}

#[cfg(unix)]
fn quoted(words: &[String]) -> String {
    shell_words::join(words)
}

/// Only the value of `--exec` can need quotes, and only Unix has that option.
#[cfg(not(unix))]
fn quoted(words: &[String]) -> String {
    words.join(" ")
}
