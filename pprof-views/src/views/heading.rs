//! What stands above the rows of a table: program, sample type, time, filters and the names of the
//! columns that `top` and `peek` share.

use std::time::{Duration, SystemTime};

use super::graph::{Graph, Node};
use super::labels::shortened;
use super::units::{AUTO, common_unit, label, percentage, scale};
use super::view::View;
use crate::names;

impl View<'_> {
    /// Returns the lines above a table, which describe the profile as a whole.
    pub(super) fn heading(&self, unit: &str) -> Vec<String> {
        let mut lines = vec![];
        let profiles = || self.parts().map(|(profile, _)| profile);
        // The first mapping is that of the program.
        if let Some((profile, mapping)) = profiles().find_map(|it| Some((it, it.tables.mapping.first()?))) {
            let program = names::base_name(profile.text(mapping.filename));
            let known = [("File", program), ("Build ID", profile.text(mapping.build_id))];
            let known = known.into_iter().filter(|(_, text)| !text.is_empty());
            lines.extend(known.map(|(name, text)| format!("{name}: {text}")));
        }
        for profile in profiles() {
            for comment in profile.tables.comment.iter().map(|&comment| profile.text(comment).to_owned()) {
                if !comment.starts_with('#') && !lines.contains(&comment) {
                    lines.push(comment);
                }
            }
        }
        if !self.kind().is_empty() {
            lines.push(format!("Type: {}", self.kind()));
        }
        let mut urls = profiles().map(|profile| profile.text(profile.tables.doc_url));
        lines.extend(urls.find(|url| !url.is_empty()).map(|url| format!("Doc: {url}")));
        let times = profiles().map(|profile| profile.tables.time_nanos);
        let first = times.reduce(|first, time| if first == 0 { time } else { first.min(time) });
        lines.extend(first.and_then(time));
        let duration =
            profiles().fold(0i64, |sum, profile| sum.saturating_add(profile.tables.duration_nanos));
        if duration != 0 {
            let share = match scale(self.total(), self.unit(), "nanoseconds") {
                (nanos, "ns") if nanos != 0.0 => format!("({})", percentage(nanos as i64, duration)),
                _ => String::new(),
            };
            let total = label(self.total(), self.unit(), unit);
            let duration = label(duration, "nanoseconds", AUTO);
            lines.push(format!("Duration: {duration}, Total samples = {total} {share}"));
        }
        lines.extend(self.notes().chain(self.active_filters()));
        lines.iter().map(|line| names::printable(line)).collect()
    }

    /// Returns lines about frames that are missing, or that the profile does not want to be shown.
    pub(super) fn notes(&self) -> impl Iterator<Item = String> {
        self.not_dropped().into_iter().chain(self.truncated())
    }

    /// Returns lines that list the filters, if there are any.
    pub(super) fn active_filters(&self) -> impl Iterator<Item = String> {
        let filters = self.filters.active().map(|filter| format!("   {}", shortened(&filter, 80)));
        let title = self.filters.active().next().map(|_| "Active filters:".into());
        title.into_iter().chain(filters)
    }
}

/// Formats the time of a profile, given in nanoseconds since 1970, in UTC. Earlier times are none.
fn time(nanos: i64) -> Option<String> {
    let since = Duration::from_secs(u64::try_from(nanos).ok().filter(|&nanos| nanos > 0)? / 1_000_000_000);
    let time = humantime::format_rfc3339_seconds(SystemTime::UNIX_EPOCH + since).to_string();
    Some(format!("Time: {}", time.replace('T', " ").replace('Z', " UTC")))
}

/// The names of the columns.
pub(super) const COLUMNS: &str = "      flat  flat%   sum%        cum   cum%";

/// Formats the values of a table row by row.
pub(super) struct Columns<'v> {
    view: &'v View<'v>,
    /// The unit of all values in the table.
    unit: &'v str,
    total: i64,
    /// The sum of the flat values of all nodes to show.
    shown: i64,
    /// The sum of the flat values of the rows so far.
    sum: i64,
}

impl<'v> Columns<'v> {
    pub(super) fn new(view: &'v View<'v>, graph: &Graph) -> Self {
        let total = view.total();
        let smallest = graph.shown().filter_map(|node| match node.flat.saturating_abs() {
            0 => Some(node.cum.saturating_abs()).filter(|&cum| cum > 0),
            flat => Some(flat),
        });
        let unit = match graph.order.is_empty() {
            true => AUTO,
            false => common_unit(smallest.min().unwrap_or(total), total, view.unit()),
        };
        Self { view, unit, total, shown: graph.flat(), sum: 0 }
    }

    /// Returns the lines above the column names.
    pub(super) fn heading(&self) -> Vec<String> {
        let mut lines = self.view.heading(self.unit);
        let (shown, total) = (self.label(self.shown), self.label(self.total));
        let share = percentage(self.shown, self.total);
        lines.push(format!("Showing nodes accounting for {shown}, {} of {total} total", share.trim()));
        lines
    }

    /// Formats a value in the unit of the table.
    pub(super) fn label(&self, value: i64) -> String {
        label(value, self.view.unit(), self.unit)
    }

    /// Formats the columns of the next row.
    pub(super) fn row(&mut self, node: &Node) -> String {
        self.sum = self.sum.saturating_add(node.flat);
        format!(
            "{:>10} {} {} {:>10} {}",
            self.label(node.flat),
            percentage(node.flat, self.total),
            percentage(self.sum, self.total),
            self.label(node.cum),
            percentage(node.cum, self.total),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_in_utc() {
        assert_eq!(time(1_700_000_000_000_000_000).as_deref(), Some("Time: 2023-11-14 22:13:20 UTC"));
        assert_eq!(time(i64::MAX).as_deref(), Some("Time: 2262-04-11 23:47:16 UTC"));
        assert_eq!([0, -1, i64::MIN].map(time), [None, None, None], "an unknown time");
    }
}
