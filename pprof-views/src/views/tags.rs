//! Labels: the table of them, filters and roots.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::HashMap;

use super::error::ViewError;
use super::graph::{Name, Names};
use super::labels::{LabelFilter, Units, limit, shortened};
use super::units::{AUTO, label, percentage};
use super::view::View;
use crate::names::printable;

impl View<'_> {
    /// Returns the labels of the samples, like `go tool pprof -tags`: for each key its values, with the
    /// sums of their samples.
    ///
    /// A sample counts for each of its values, so that the percentages of a key can exceed 100. A number
    /// has its own unit if it has one. pprof shows all numbers of a key in one unit.
    pub fn tags(&self) -> String {
        let mut names = Names::new();
        let mut sums: HashMap<(Name, Name), i64> = HashMap::new();
        for (profile, is_base) in self.parts() {
            let selection = self.filters.select(profile, self.dropped_lines(is_base));
            let units = Units::new(profile);
            let samples = || {
                let samples = profile.samples.iter().enumerate().filter(|(at, _)| selection.has(*at));
                samples.map(|(_, sample)| sample)
            };
            let labels = || samples().flat_map(|sample| sample.label);
            let shown = |text| printable(profile.text(text)).into();
            let keys = names.add_all(labels().map(|label| label.key), shown);
            let texts = names.add_all(labels().map(|label| label.text), shown);
            let column = self.column(is_base);
            let values = samples().flat_map(|sample| {
                let value = column.value(sample);
                let value = if is_base { value.saturating_neg() } else { value };
                sample.label.iter().map(move |label| (label, value))
            });
            for ((key, text), (label, value)) in keys.into_iter().zip(texts).zip(values) {
                let text = match label.text {
                    0 => names.add(&self::label(label.number, units.get(label), AUTO)),
                    _ => text,
                };
                let sum = sums.entry((key, text)).or_default();
                *sum = sum.saturating_add(value);
            }
        }
        let mut rows: Vec<_> = sums.into_iter().collect();
        // Long names are not compared for each row.
        let ranks = names.ranks();
        rows.sort_by_key(|&((key, text), sum)| {
            (ranks[key as usize], Reverse(sum.unsigned_abs()), ranks[text as usize])
        });
        let lengths = rows.iter().map(|((key, text), _)| names.get(*key).len() + names.get(*text).len());
        let limit = limit(self.parts().map(|(profile, _)| profile), lengths);
        let total = self.total();
        let mut table = String::new();
        for rows in rows.chunk_by(|((one, _), _), ((other, _), _)| one == other) {
            let name = |name| shortened(names.get(name), limit);
            let ((key, _), _) = rows[0];
            let rows = rows.iter().map(|&((_, text), sum)| (name(text), sum));
            self.key(&name(key), rows, total, &mut table);
        }
        table
    }

    /// Shows only the samples with a label that matches `filter`, like `go tool pprof -tagfocus`.
    ///
    /// | filter | matching labels |
    /// |---|---|
    /// | `thread=^worker`, `thread=main,rayon` | texts with this key that match the regular expression, or one of several |
    /// | `bytes=32kb`, `bytes=32kb:1mb`, `bytes=32kb:`, `bytes=:1mb` | numbers with this key that are equal, or in a range that includes its limits |
    /// | `worker`, `main,GET`, `1ms:` | the same with any key; regular expressions match `key:text`, and a sample must have a match for each |
    ///
    /// What can be a number or a range is one, and does not match texts. A number without a unit does not
    /// match bytes and times. Percentages are still relative to all samples.
    ///
    /// # Errors
    ///
    /// [`ViewError::Pattern`] if a part is not a regular expression.
    pub fn tag_focus(mut self, filter: &str) -> Result<Self, ViewError> {
        self.filters.tag_focus = Some(LabelFilter::new(filter)?);
        Ok(self)
    }

    /// Omits the samples with a label that matches `filter`, like `go tool pprof -tagignore`.
    ///
    /// The filters are those of [`tag_focus`](Self::tag_focus). Percentages are still relative to all
    /// samples.
    ///
    /// # Errors
    ///
    /// [`ViewError::Pattern`] if a part is not a regular expression.
    pub fn tag_ignore(mut self, filter: &str) -> Result<Self, ViewError> {
        self.filters.tag_ignore = Some(LabelFilter::new(filter)?);
        Ok(self)
    }

    /// Adds an outermost frame to all stacks, which has the values of the labels with this key, like
    /// `go tool pprof -tagroot`. A flamegraph of a captured profile with the root `thread` is one by
    /// thread.
    ///
    /// In a list of keys with commas, the first is the outermost one. The frame of samples without the
    /// label is `<unknown>`. Filters of functions match these frames too, and the key as their file.
    ///
    /// # Examples
    ///
    /// ```
    /// # use pprof_views::{Profile, View};
    /// // A sample of 7 ns with an empty stack and the label "thread".
    /// let bytes = b"\x0a\x04\x08\x01\x10\x02\x12\x09\x12\x01\x07\x1a\x04\x08\x03\x10\x04\
    ///     \x32\x00\x32\x03cpu\x32\x0bnanoseconds\x32\x06thread\x32\x04main";
    /// let profile = Profile::from_bytes(bytes)?;
    /// assert!(View::new(&profile).tags().contains(" thread: Total 7ns of 7ns (  100%)"));
    /// assert!(View::new(&profile).tag_root("thread").top().ends_with("7ns   100%  main\n"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn tag_root(self, keys: &str) -> Self {
        self.with_roots(keys.split(',').filter(|key| !key.is_empty()).map(str::to_owned).collect())
    }

    /// Adds a key with its values to a table. The columns are as wide as their widest entry.
    fn key<'t>(
        &self,
        key: &str,
        rows: impl Iterator<Item = (Cow<'t, str>, i64)>,
        total: i64,
        table: &mut String,
    ) {
        let share = |sum| if total > 0 { format!(" ({})", percentage(sum, total)) } else { String::new() };
        let rows: Vec<_> =
            rows.map(|(text, sum)| (text, sum, format!("{}{}:", self.auto(sum), share(sum)))).collect();
        let sum = rows.iter().fold(0i64, |all, (_, sum, _)| all.saturating_add(*sum));
        *table += &format!(" {key}: Total {} of {}{}\n", self.auto(sum), self.auto(total), share(sum));
        let width = rows.iter().map(|(.., amount)| amount.chars().count()).max().unwrap_or(0);
        let indent = " ".repeat(key.chars().count() + 2); // more than a format string can have
        for (text, _, amount) in rows {
            *table += &format!("{indent} {amount:>width$} {text}\n");
        }
        table.push('\n');
    }
}
