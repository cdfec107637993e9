//! The sample types that several profiles have in common.

use super::units::{is_convertible, scale};
use crate::format::Profile;
use crate::format::samples::Sample;
use crate::names;

/// The sample types that are in each of some profiles, in the order of the first, as pprof selects them.
#[derive(Clone, Debug)]
pub(crate) struct SampleTypes<'p> {
    pub(crate) all: Vec<SampleType<'p>>,
    /// The name of the default, which may be empty or unknown.
    pub(crate) preferred: &'p str,
}

#[derive(Clone, Debug)]
pub(crate) struct SampleType<'p> {
    pub(crate) kind: &'p str,
    /// The finest unit of the profiles.
    pub(crate) unit: &'p str,
    /// Where each profile has the values.
    pub(crate) columns: Vec<Column>,
}

/// The values of a sample type in one profile.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Column {
    index: usize,
    /// The unit of the profile in the unit of the sample type.
    factor: f64,
}

impl<'p> SampleTypes<'p> {
    /// Returns the sample types of `count` profiles that all have those of `profile`.
    pub(crate) fn of(profile: &'p Profile, count: usize) -> Self {
        let sample_type = |(index, (kind, unit))| SampleType {
            kind,
            unit,
            columns: vec![Column { index, factor: 1.0 }; count],
        };
        let all = profile.sample_types().enumerate().map(sample_type).collect();
        Self { all, preferred: profile.text(profile.tables.default_sample_type) }
    }

    /// The error names the sample types or units if there is no common one.
    pub(crate) fn common(profiles: &[&'p Profile]) -> Result<Self, String> {
        let first = profiles[0];
        let mut types = Self::of(first, profiles.len());
        let is_same = |profile: &&Profile| profile.sample_types().eq(first.sample_types());
        if !profiles.iter().all(is_same) {
            types.all.clear();
            for (kind, unit) in first.sample_types() {
                let index = |profile: &Profile| profile.sample_types().position(|it| it.0 == kind);
                let columns = profiles.iter().map(|profile| Some((*profile, index(profile)?)));
                if let Some(columns) = columns.collect::<Option<Vec<_>>>() {
                    types.all.push(SampleType::new(kind, unit, &columns)?);
                }
            }
        }
        if types.all.is_empty() {
            let mut lists: Vec<_> = profiles.iter().map(|profile| names::sample_types(profile)).collect();
            lists.dedup();
            return Err(format!("they have no sample type in common: {}", lists.join(" and ")));
        }
        let preferred = profiles.iter().enumerate().map(|(at, profile)| types.preferred_by(at, profile));
        types.preferred =
            preferred.reduce(|first, next| if first.is_empty() { next } else { first }).unwrap_or_default();
        Ok(types)
    }

    /// Returns the name of the default of one of the profiles. It is the first type if the profile has more
    /// types or another order.
    fn preferred_by(&self, at: usize, profile: &'p Profile) -> &'p str {
        let name = profile.text(profile.tables.default_sample_type);
        let indices = self.all.iter().map(|it| it.columns[at].index);
        let is_same = indices.eq(0..profile.tables.sample_type.len());
        if is_same || self.find(name).is_some() { name } else { self.all[0].kind }
    }

    /// Returns the index of the type with this name.
    pub(crate) fn find(&self, kind: &str) -> Option<usize> {
        self.all.iter().position(|it| it.kind == kind)
    }

    /// Returns the index of the type that is shown if none is selected.
    pub(crate) fn default(&self) -> usize {
        let preferred = self.find(self.preferred).filter(|_| !self.preferred.is_empty());
        preferred.unwrap_or(self.all.len() - 1) // every profile has a sample type
    }
}

impl<'p> SampleType<'p> {
    /// `columns` are the profiles, each with its index of this type.
    fn new(kind: &'p str, unit: &'p str, columns: &[(&'p Profile, usize)]) -> Result<Self, String> {
        let unit_of = |&(profile, index): &(&'p Profile, usize)| {
            let unit = profile.tables.sample_type[index].unit;
            profile.text(unit)
        };
        let finer = |unit: &'p str, other: &'p str| match is_convertible(unit, other) {
            true if scale(1, other, unit).0 < 1.0 => Ok(other),
            true => Ok(unit),
            false => Err(names::printable(&format!("the unit of {kind} is {unit} and {other}"))),
        };
        let unit = columns.iter().map(unit_of).try_fold(unit, finer)?;
        let column = |it: &(_, usize)| Column { index: it.1, factor: scale(1, unit_of(it), unit).0 };
        Ok(Self { kind, unit, columns: columns.iter().map(column).collect() })
    }
}

impl Column {
    /// Returns the value of a sample, in the unit of the sample type.
    pub(crate) fn value(self, sample: Sample<'_>) -> i64 {
        let value = sample.value[self.index];
        if self.factor == 1.0 { value } else { (value as f64 * self.factor).round() as i64 }
    }

    /// Returns the sum of the absolute values.
    pub(crate) fn total(self, profile: &Profile) -> i64 {
        let values = profile.samples.iter().map(|sample| self.value(sample));
        values.fold(0, |sum, value| sum.saturating_add(value.saturating_abs()))
    }
}
