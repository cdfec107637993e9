//! The progress of a sweep: the finished units, their counts, and the first disagreements.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::disagreement::Disagreement;
use super::report::{DecoderReport, TypeReport};
use super::schedule::{Schedule, Unit};
use crate::plan::unit_set::UnitSet;
use crate::report::decimal;
use crate::state::totals::keep_first;

/// The result of one unit.
#[derive(Clone)]
pub(super) struct UnitResult {
    number: u64,
    of_type: usize,
    pub(super) report: TypeReport,
    pub(super) disagreements: u64,
    /// The first disagreements of the unit.
    pub(super) listed: Vec<Disagreement>,
    /// Whether all of the unit is checked. The limit of disagreements ends the check of a unit.
    pub(super) is_finished: bool,
}

/// The finished units of a sweep, and separately the results of units that are not finished. A
/// resumed sweep checks the latter again.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Totals {
    finished: UnitSet,
    /// The counts of the finished units for each type.
    types: Vec<TypeReport>,
    #[serde(with = "decimal")]
    disagreements: u64,
    /// The first disagreements by unit, so that the list does not depend on the number of threads.
    listed: BTreeMap<u64, Vec<Disagreement>>,
    #[serde(skip)]
    unfinished: Vec<UnitResult>,
}

impl UnitResult {
    /// Creates the result of a unit of which nothing is checked yet.
    pub(super) fn new(unit: &Unit, report: TypeReport) -> Self {
        let Unit { number, of_type, .. } = *unit;
        Self { number, of_type, report, disagreements: 0, listed: Vec::new(), is_finished: false }
    }
}

impl Totals {
    /// Creates the totals of a sweep that has done nothing yet, from reports without strings.
    pub(super) fn new(types: Vec<TypeReport>) -> Self {
        Self {
            finished: UnitSet::default(),
            types,
            disagreements: 0,
            listed: BTreeMap::new(),
            unfinished: Vec::new(),
        }
    }

    /// Adds the result of a unit, and keeps the first `list` disagreements at least.
    pub(super) fn add(&mut self, result: UnitResult, list: usize) {
        if !result.is_finished {
            self.unfinished.push(result);
            return;
        }
        self.finished.add(&[result.number]);
        self.types[result.of_type].add(&result.report);
        self.disagreements += result.disagreements;
        if !result.listed.is_empty() {
            self.listed.insert(result.number, result.listed);
            keep_first(&mut self.listed, list);
        }
    }

    /// Returns the totals with which a sweep with these decoders resumes. They have a row for each
    /// decoder of the sweep, and for each further decoder that earlier runs had: kernels differ
    /// between machines.
    ///
    /// # Errors
    ///
    /// Returns an error if the totals, which are read from a file, contradict themselves.
    pub(super) fn resume(mut self, blank: &[TypeReport], schedule: &Schedule) -> Result<Self, ()> {
        if !self.finished.is_valid(schedule.end()) || self.types.len() != blank.len() {
            return Err(());
        }
        let strings = schedule.strings_in(&self.finished);
        for ((of_type, blank), strings) in self.types.iter_mut().zip(blank).zip(&strings) {
            let planned: u64 = blank.lengths.iter().map(|length| length.planned).sum();
            let is_of_plan =
                of_type.lengths.iter().map(|length| (length.length, length.every, length.planned));
            let planned_lengths =
                blank.lengths.iter().map(|length| (length.length, length.every, length.planned));
            let are_counts_right = of_type.lengths.iter().zip(strings).all(|(length, &strings)| {
                let outcomes = [length.values, length.truncated, length.overflow].into_iter();
                length.checked == strings
                    && outcomes.map(u128::from).sum::<u128>() == u128::from(strings)
                    && length.overlong <= length.values
            });
            let are_decoders_right =
                of_type.decoders.iter().flat_map(|decoder| decoder.strings).all(|strings| strings <= planned);
            if of_type.value_type != blank.value_type
                || !is_of_plan.eq(planned_lengths)
                || !are_counts_right
                || !are_decoders_right
            {
                return Err(());
            }
            of_type.decoders = with_earlier(&blank.decoders, std::mem::take(&mut of_type.decoders));
        }
        Ok(self)
    }

    /// Returns the finished units.
    pub(super) fn finished(&self) -> &UnitSet {
        &self.finished
    }

    /// Returns the number of disagreements in finished units.
    pub(super) fn disagreements(&self) -> u64 {
        self.disagreements
    }

    /// Returns the counts for each type, the number of disagreements, and the first `list` of them
    /// in the order of the units. All include units that are not finished.
    pub(super) fn all(&self, list: usize) -> (Vec<TypeReport>, u64, Vec<Disagreement>) {
        let (mut types, mut disagreements) = (self.types.clone(), self.disagreements);
        let mut listed = self.listed.clone();
        for result in &self.unfinished {
            types[result.of_type].add(&result.report);
            disagreements += result.disagreements;
            listed.insert(result.number, result.listed.clone());
        }
        (types, disagreements, listed.into_values().flatten().take(list).collect())
    }
}

/// Returns the rows of `decoders` with the counts of earlier runs, and the rows that only earlier
/// runs had.
fn with_earlier(decoders: &[DecoderReport], mut earlier: Vec<DecoderReport>) -> Vec<DecoderReport> {
    let mut rows = Vec::new();
    for row in decoders {
        let same = earlier.iter().position(|saved| saved.name() == row.name());
        rows.push(same.map_or_else(|| row.clone(), |same| earlier.remove(same)));
    }
    rows.append(&mut earlier);
    rows
}
