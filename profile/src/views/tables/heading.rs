//! The lines above a table: program, sample type, time and filters.

use jiff::tz::TimeZone;
use jiff::{Timestamp, fmt::strtime};

use crate::names;
use crate::views::units::{AUTO, label, percentage, scale};
use crate::views::view::View;

impl View<'_> {
    /// Returns the lines above a table, which describe the profile as a whole.
    pub(super) fn heading(&self, unit: &str) -> Vec<String> {
        let mut lines = vec![];
        let profiles = || self.parts().map(|(profile, _)| profile);
        if let Some(profile) = profiles().find(|profile| !profile.mappings.is_empty()) {
            let (file, build_id) = (profile.mappings[0].file, profile.mappings[0].build_id);
            let known =
                [("File: ", names::base_name(profile.text(file))), ("Build ID: ", profile.text(build_id))];
            lines.extend(
                known.iter().filter(|(_, text)| !text.is_empty()).map(|(name, text)| format!("{name}{text}")),
            );
        }
        for profile in profiles() {
            for comment in profile.header.comments.iter().map(|&comment| profile.text(comment).to_owned()) {
                if !comment.starts_with('#') && !lines.contains(&comment) {
                    lines.push(comment);
                }
            }
        }
        if !self.kind().is_empty() {
            lines.push(format!("Type: {}", self.kind()));
        }
        if let Some(url) =
            profiles().map(|profile| profile.text(profile.header.doc_url)).find(|url| !url.is_empty())
        {
            lines.push(format!("Doc: {url}"));
        }
        let times = profiles().map(|profile| profile.header.time_nanos);
        lines.extend(
            times.reduce(|first, time| if first == 0 { time } else { first.min(time) }).and_then(time),
        );
        let duration =
            profiles().fold(0i64, |sum, profile| sum.saturating_add(profile.header.duration_nanos));
        if duration != 0 {
            let share = match scale(self.total(), self.unit(), "nanoseconds") {
                (nanos, "ns") if nanos != 0.0 => format!("({})", percentage(nanos as i64, duration)),
                _ => String::new(),
            };
            let total = label(self.total(), self.unit(), unit);
            let duration = label(duration, "nanoseconds", AUTO);
            lines.push(format!("Duration: {duration}, Total samples = {total} {share}"));
        }
        if let Some(focus) = &self.focus {
            lines.push("Active filters:".into());
            let pattern: String = focus.as_str().chars().take(74).collect();
            let rest = if pattern.len() < focus.as_str().len() { "…" } else { "" };
            lines.push(format!("   focus={pattern}{rest}"));
        }
        lines.iter().map(|line| names::printable(line)).collect()
    }
}

/// Formats the time of a profile in the local time zone.
fn time(nanos: i64) -> Option<String> {
    if nanos == 0 {
        return None;
    }
    let zoned = Timestamp::from_nanosecond(nanos.into()).ok()?.to_zoned(TimeZone::system());
    strtime::format("Time: %Y-%m-%d %H:%M:%S %Z", &zoned).ok()
}
