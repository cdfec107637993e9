//! What to show of a profile, and the lines above every table.

use jiff::tz::TimeZone;
use jiff::{Timestamp, fmt::strtime};
use regex::Regex;

use super::error::ViewError;
use super::model::{Profile, ValueType};
use super::names;
use super::units::{AUTO, label, percentage, scale};

/// A profile seen in a certain way: one kind of value, perhaps only some of the samples, perhaps compared with another.
///
/// Tables have the columns, the units, the order and the omissions of `go tool pprof`.
///
/// ```
/// use zigzag_varint::sweep::profile::{Profile, View};
///
/// let bytes = b"\x0a\x04\x08\x01\x10\x02\x12\x03\x12\x01\x07\x32\x00\x32\x03cpu\x32\x0bnanoseconds";
/// let profile = Profile::from_bytes(bytes)?;
/// let table = View::new(&profile).by_cum().rows(10).top()?;
/// assert!(table.contains("      flat  flat%   sum%        cum   cum%"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct View<'p> {
    pub(super) profile: &'p Profile,
    pub(super) base: Option<&'p Profile>,
    /// Index of the sample type.
    pub(super) value: usize,
    pub(super) focus: Option<Regex>,
    pub(super) by_cum: bool,
    pub(super) rows: Option<usize>,
}

impl<'p> View<'p> {
    /// All samples, by the sample type that the profile prefers, else by its last one.
    pub fn new(profile: &'p Profile) -> Self {
        let preferred = profile.text(profile.header.default_type);
        let last = profile.types.len().saturating_sub(1);
        let by_name = profile.sample_types().position(|(kind, _)| !preferred.is_empty() && kind == preferred);
        let value = by_name.unwrap_or(last);
        Self { profile, base: None, value, focus: None, by_cum: false, rows: None }
    }

    /// Values of the sample type of that name or number, counted from 0.
    ///
    /// # Errors
    ///
    /// Where the profile has no such type.
    pub fn sample_index(self, name: &str) -> Result<Self, ViewError> {
        let kinds = || self.profile.sample_types().map(|(kind, _)| kind);
        let by_number = name.parse().ok().filter(|&index: &usize| index < self.profile.types.len());
        let short = name.strip_prefix("inuse_").unwrap_or(name); // as old profiles of the heap have it
        match by_number.or_else(|| kinds().position(|kind| kind == name || kind == short)) {
            Some(value) => Ok(Self { value, ..self }),
            None => Err(ViewError::SampleIndex(name.into(), kinds().map(names::printable).collect())),
        }
    }

    /// What changed since `base`: its values are subtracted, and percentages are of its total.
    ///
    /// # Errors
    ///
    /// Where `base` has other sample types.
    pub fn diff(self, base: &'p Profile) -> Result<Self, ViewError> {
        let types = |profile: &Profile| {
            let types: Vec<_> = profile.sample_types().map(|(kind, unit)| format!("{kind}/{unit}")).collect();
            names::printable(&types.join(" "))
        };
        let (ours, theirs) = (types(self.profile), types(base));
        if ours != theirs {
            return Err(ViewError::Base(format!("one has samples of {ours}, the base of {theirs}")));
        }
        Ok(Self { base: Some(base), ..self })
    }

    /// Only samples with a function or a file that matches this regular expression. Percentages are of all samples.
    ///
    /// # Errors
    ///
    /// Where it is no regular expression, or nothing matches.
    pub fn focus(self, pattern: &str) -> Result<Self, ViewError> {
        let view = Self { focus: Some(Regex::new(pattern)?), ..self };
        match view.parts().any(|(profile, _)| view.in_focus(profile).contains(&true)) {
            true => Ok(view),
            false => Err(ViewError::NoMatch(pattern.into())),
        }
    }

    /// The functions that take most with all they call come first.
    pub fn by_cum(self) -> Self {
        Self { by_cum: true, ..self }
    }

    /// At most so many functions in the top table.
    pub fn rows(self, rows: usize) -> Self {
        Self { rows: Some(rows), ..self }
    }

    /// The profiles to add up, and whether to subtract instead.
    pub(super) fn parts(&self) -> impl Iterator<Item = (&'p Profile, bool)> + use<'p> {
        std::iter::once((self.profile, false)).chain(self.base.map(|base| (base, true)))
    }

    /// For each location, whether samples that pass it are to be seen.
    pub(super) fn in_focus(&self, profile: &Profile) -> Vec<bool> {
        let Some(focus) = &self.focus else { return vec![true; profile.locations.len()] };
        let functions: Vec<bool> = (profile.functions.iter())
            .map(|function| {
                let name = names::function(profile.text(function.name), profile.text(function.system_name));
                focus.is_match(&name) || focus.is_match(profile.text(function.file))
            })
            .collect();
        let mappings: Vec<bool> =
            profile.mappings.iter().map(|mapping| focus.is_match(profile.text(mapping.file))).collect();
        (profile.locations.iter())
            .map(|location| {
                location.mapping.is_some_and(|index| mappings[index as usize])
                    || (profile.lines_of(location).iter())
                        .any(|line| line.function.is_some_and(|index| functions[index as usize]))
            })
            .collect()
    }

    fn value_type(&self) -> ValueType {
        self.profile.types.get(self.value).copied().unwrap_or_default()
    }

    pub(super) fn kind(&self) -> &'p str {
        self.profile.text(self.value_type().kind)
    }

    pub(super) fn unit(&self) -> &'p str {
        self.profile.text(self.value_type().unit)
    }

    /// What percentages are of: all samples, in a comparison those of the base.
    pub(super) fn total(&self) -> i64 {
        let base = self.base.map_or(0, |base| base.total(self.value));
        if base > 0 { base } else { self.profile.total(self.value) }
    }

    /// What is known of the profile as a whole.
    pub(super) fn header(&self, unit: &str) -> Vec<String> {
        let mut lines = vec![];
        let profiles = || self.parts().map(|(profile, _)| profile);
        if let Some(profile) = profiles().find(|profile| !profile.mappings.is_empty()) {
            let (file, build_id) = (profile.mappings[0].file, profile.mappings[0].build_id);
            let known = [("File: ", names::base(profile.text(file))), ("Build ID: ", profile.text(build_id))];
            lines.extend(
                known.iter().filter(|(_, text)| !text.is_empty()).map(|(what, text)| format!("{what}{text}")),
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

/// The time of a profile in the reader's time zone.
fn time(nanos: i64) -> Option<String> {
    if nanos == 0 {
        return None;
    }
    let zoned = Timestamp::from_nanosecond(nanos.into()).ok()?.to_zoned(TimeZone::system());
    strtime::format("Time: %Y-%m-%d %H:%M:%S %Z", &zoned).ok()
}
