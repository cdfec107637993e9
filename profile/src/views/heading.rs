//! The lines above a table or drawing: program, sample type, time and filters.

use super::units::{AUTO, label, percentage, scale};
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

/// Formats the time of a profile, given in nanoseconds since 1970, in UTC.
fn time(nanos: i64) -> Option<String> {
    if nanos == 0 {
        return None;
    }
    let seconds = nanos.div_euclid(1_000_000_000);
    let (year, month, day) = date(seconds.div_euclid(86_400));
    let second = seconds.rem_euclid(86_400);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    Some(format!("Time: {year}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02} UTC"))
}

/// Returns the year, month and day of a number of days since 1970.
///
/// The years here start in March, so that a leap day is the last day of its year. The lengths of the
/// months from March on then repeat every five months, which have 153 days.
fn date(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468; // since the first of March of the year 0
    let (era, day) = (days.div_euclid(146_097), days.rem_euclid(146_097)); // of 400 years
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let is_next_year = month >= 10;
    (era * 400 + year + i64::from(is_next_year), if is_next_year { month - 9 } else { month + 3 }, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_in_utc() {
        assert_eq!(time(1_700_000_000_000_000_000).as_deref(), Some("Time: 2023-11-14 22:13:20 UTC"));
        assert_eq!(time(-1).as_deref(), Some("Time: 1969-12-31 23:59:59 UTC"));
        assert_eq!(time(i64::MIN).as_deref(), Some("Time: 1677-09-21 00:12:43 UTC"));
        assert_eq!(time(i64::MAX).as_deref(), Some("Time: 2262-04-11 23:47:16 UTC"));
        assert_eq!(time(0), None, "an unknown time");
    }

    /// Each day follows the previous one, by the lengths of the months and the rule of leap years.
    #[test]
    fn every_day_of_six_centuries_follows_the_previous_one() {
        let (mut year, mut month, mut day) = (1970, 1, 1);
        for days in 0..219_146 {
            assert_eq!(date(days), (year, month, day));
            let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
            let last = match month {
                2 => 28 + i64::from(is_leap),
                4 | 6 | 9 | 11 => 30,
                _ => 31,
            };
            (day, month) = if day == last { (1, month + 1) } else { (day + 1, month) };
            (month, year) = if month == 13 { (1, year + 1) } else { (month, year) };
        }
    }
}
