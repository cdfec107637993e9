//! Which share of a profile has truncated stacks: those that lack their outermost functions.

use super::units::{AUTO, label, percentage};
use super::view::View;
use crate::format::Profile;
use crate::names::{self, TRUNCATED};

impl View<'_> {
    /// Returns a line about the profile, and one about the base, unless it has no truncated stacks.
    ///
    /// The filters do not change it, because they cannot find the functions that these stacks lack.
    pub(super) fn truncated(&self) -> impl Iterator<Item = String> {
        let truncated = self
            .originals()
            .map(|(profile, is_base)| (profile, is_base, self.truncated_sum(profile, is_base)));
        truncated.filter(|&(.., sum)| sum > 0).map(|(profile, is_base, sum)| {
            let of = if is_base { " of the base" } else { "" };
            let (share, sum) =
                (percentage(sum, self.column(is_base).total(profile)), label(sum, self.unit(), AUTO));
            format!(
                "Truncated stacks{of}: {sum} ({}) below {TRUNCATED}, which stands for unknown outer functions",
                share.trim()
            )
        })
    }

    /// Returns the sum of the samples whose outermost function has the name of truncated stacks.
    fn truncated_sum(&self, profile: &Profile, is_base: bool) -> i64 {
        let column = self.column(is_base);
        let tables = &profile.tables;
        let is_name = |function: u64| {
            // The id 0 means that there is no function.
            let function = tables.function.get((function as usize).wrapping_sub(1));
            function.is_some_and(|function| profile.text(names::function(profile, function)) == TRUNCATED)
        };
        let truncated = profile.samples.iter().filter(|sample| {
            let outermost = sample.location_id.last().map(|&id| &tables.location[id as usize - 1]);
            outermost.and_then(|location| location.line.last()).is_some_and(|line| is_name(line.function_id))
        });
        truncated.fold(0, |sum, sample| sum.saturating_add(column.value(sample).saturating_abs()))
    }
}
