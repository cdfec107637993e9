//! The command that checks failed values again.

use crate::check::failure::Failure;
use crate::plan::interval::union;
use crate::plan::known_spaces::by_name;

/// Returns `command` with the ranges that reproduce the failures.
pub(crate) fn replay(command: &str, failures: &[Failure], value_type: &str) -> Option<String> {
    let space = by_name(value_type)?;
    let ranges = union(failures.iter().filter_map(|failure| failure.reproducing_inputs(&*space)));
    let words: Vec<String> = std::iter::once(command.to_owned())
        .chain(ranges.iter().map(|range| format!("{}..={}", range.first, range.last)))
        .collect();
    (!ranges.is_empty()).then(|| words.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::failure::FailureKind;

    fn failure(value: &str, block: usize) -> Failure {
        let (expected, got) = ("01".into(), "02".into());
        Failure::new(value.into(), FailureKind::WrongBytes, expected, got, block)
    }

    #[test]
    fn adjacent_values_are_one_range_and_a_block_extends_to_both_sides() {
        let replayed = |failures: &[Failure]| replay("sweep --type i8", failures, "i8");
        assert_eq!(
            replayed(&[
                failure("7", 1),
                failure("-5", 1),
                failure("7", 1),
                failure("8", 1),
                failure("100", 64)
            ])
            .as_deref(),
            Some("sweep --type i8 -5..=-5 7..=8 37..=127")
        );
        assert_eq!(replayed(&[failure("-128", 1024)]).as_deref(), Some("sweep --type i8 -128..=127"));
        assert_eq!(replayed(&[]), None);
        assert_eq!(
            replay("x", &[failure(&u64::MAX.to_string(), 1)], "u64").as_deref(),
            Some("x 18446744073709551615..=18446744073709551615")
        );
    }
}
