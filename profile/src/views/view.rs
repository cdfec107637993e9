//! What to show of a profile.

use regex::Regex;

use super::error::ViewError;
use crate::format::Profile;
use crate::format::model::ValueType;
use crate::names;

/// A way to show a profile: by one sample type, all samples or some, alone or compared with a base.
///
/// The methods that return a view choose what is shown; [`top`](Self::top), [`peek`](Self::peek),
/// [`list`](Self::list) and [`flamegraph`](Self::flamegraph) show it. Tables have the columns,
/// units, order and omissions of `go tool pprof`:
///
/// | column | content |
/// |---|---|
/// | `flat` | the samples in the function or line itself, in the unit of the sample type or a multiple (`10ms`, `512kB`) |
/// | `flat%` | their share of all samples; in a comparison, of those of the base |
/// | `sum%` | the sum of `flat%` down to this row |
/// | `cum`, `cum%` | the samples in the function and in all that it calls |
///
/// Functions that the compiler inlined count as functions.
///
/// # Examples
///
/// ```
/// use pprof_views::{Profile, View};
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
    /// Shows all samples, by the default sample type of the profile, or by its last one if it names
    /// no default.
    pub fn new(profile: &'p Profile) -> Self {
        let preferred = profile.text(profile.header.default_type);
        let last = profile.types.len().saturating_sub(1);
        let by_name = profile.sample_types().position(|(kind, _)| !preferred.is_empty() && kind == preferred);
        let value = by_name.unwrap_or(last);
        Self { profile, base: None, value, focus: None, by_cum: false, rows: None }
    }

    /// Shows the values of the sample type with this name, or with this number, counted from 0.
    ///
    /// As in `go tool pprof`, `inuse_space` also stands for `space`.
    ///
    /// # Errors
    ///
    /// [`ViewError::SampleIndex`] if the profile has no such type.
    pub fn sample_index(self, name: &str) -> Result<Self, ViewError> {
        let kinds = || self.profile.sample_types().map(|(kind, _)| kind);
        let by_number = name.parse().ok().filter(|&index: &usize| index < self.profile.types.len());
        let short = name.strip_prefix("inuse_").unwrap_or(name); // as old profiles of the heap have it
        match by_number.or_else(|| kinds().position(|kind| kind == name || kind == short)) {
            Some(value) => Ok(Self { value, ..self }),
            None => Err(ViewError::SampleIndex(name.into(), kinds().map(names::printable).collect())),
        }
    }

    /// Shows what changed since `base`: its values are subtracted, and percentages are of its
    /// total.
    ///
    /// # Errors
    ///
    /// [`ViewError::Base`] if `base` has other sample types.
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

    /// Shows only samples with a function or a file that matches the regular expression `pattern`.
    ///
    /// Percentages are of all samples.
    ///
    /// # Errors
    ///
    /// [`ViewError::Pattern`] if `pattern` is not a regular expression, and [`ViewError::NoMatch`]
    /// if nothing matches.
    pub fn focus(self, pattern: &str) -> Result<Self, ViewError> {
        let view = Self { focus: Some(Regex::new(pattern)?), ..self };
        match view.parts().any(|(profile, _)| view.in_focus(profile).contains(&true)) {
            true => Ok(view),
            false => Err(ViewError::NoMatch(pattern.into())),
        }
    }

    /// Sorts the top table by `cum` instead of `flat`.
    pub fn by_cum(self) -> Self {
        Self { by_cum: true, ..self }
    }

    /// Shows at most `rows` functions in the top table. 0 shows all.
    pub fn rows(self, rows: usize) -> Self {
        Self { rows: Some(rows), ..self }
    }

    /// Returns the profiles to add up, and for each whether to subtract it instead.
    pub(super) fn parts(&self) -> impl Iterator<Item = (&'p Profile, bool)> + use<'p> {
        std::iter::once((self.profile, false)).chain(self.base.map(|base| (base, true)))
    }

    /// Returns for each location whether samples with it are shown.
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

    /// Returns what percentages are of: the sum of all samples, in a comparison of those of the
    /// base.
    pub(super) fn total(&self) -> i64 {
        let base = self.base.map_or(0, |base| base.total(self.value));
        if base > 0 { base } else { self.profile.total(self.value) }
    }
}
