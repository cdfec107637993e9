//! The lines above a table or drawing: program, sample type, time and filters.

use jiff::tz::TimeZone;
use jiff::{Timestamp, fmt::strtime};

use super::units::{AUTO, label, percentage, scale};
use super::view::View;
use crate::format::Profile;
use crate::format::model::Mapping;
use crate::names;

impl<'p> View<'p> {
    /// Returns the file name of the program, if the profile has it.
    pub(super) fn program(&self) -> Option<&'p str> {
        let (profile, mapping) = self.main_mapping()?;
        Some(names::base_name(profile.text(mapping.file))).filter(|name| !name.is_empty())
    }

    /// Returns the mapping of the program, which is the first.
    fn main_mapping(&self) -> Option<(&'p Profile, &'p Mapping)> {
        self.parts().find_map(|(profile, _)| Some((profile, profile.mappings.first()?)))
    }

    /// Returns the lines above a table, which describe the profile as a whole.
    pub(super) fn heading(&self, unit: &str) -> Vec<String> {
        let mut lines = vec![];
        let profiles = || self.parts().map(|(profile, _)| profile);
        lines.extend(self.program().map(|program| format!("File: {program}")));
        let build_id = self.main_mapping().map_or("", |(profile, mapping)| profile.text(mapping.build_id));
        if !build_id.is_empty() {
            lines.push(format!("Build ID: {build_id}"));
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
        if self.filters.active().next().is_some() {
            lines.push("Active filters:".into());
        }
        for (name, regex) in self.filters.active() {
            let filter = format!("{name}={regex}");
            let shown: String = filter.chars().take(80).collect();
            let rest = if shown.len() < filter.len() { "…" } else { "" };
            lines.push(format!("   {shown}{rest}"));
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
