//! The command that checks failed values again with the same codec.

use super::plan_arguments::PlanArguments;
use super::value_names::name_of;

/// Returns the command without its ranges, quoted for a shell.
pub(crate) fn replay_command(plan: &PlanArguments) -> String {
    let mut words = vec!["sweep".to_owned(), "--type".into(), name_of(&plan.value_type())];
    words.extend(codec(plan));
    words.push("--exhaustive".into());
    quoted(&words)
}

fn codec(plan: &PlanArguments) -> Vec<String> {
    #[cfg(unix)]
    if let Some(command) = &plan.exec {
        let timeout = humantime::format_duration(plan.exec_timeout).to_string().replace(' ', "");
        return vec!["--exec".into(), command.clone(), "--exec-timeout".into(), timeout];
    }
    let mut words = vec!["--codec".into(), name_of(&plan.codec)];
    words.extend(plan.kernel.iter().flat_map(|kernel| ["--kernel".into(), kernel.name().into()]));
    words
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
