//! The decoders of one integer type, which check units of strings.

use std::any::Any;

use super::batch::{Batch, MAX_VALUES};
use super::check::Check;
use super::decoder::ByteDecoder;
use super::placement::Placement;
use super::report::{DecoderReport, TypeReport};
use super::schedule::Unit;
use super::strings::Group;
use super::totals::UnitResult;
use crate::environment::cpu_time::thread_time;
use crate::plan::integer::Integer;
use crate::run::limits::Limits;
use crate::watch::handle::Watch;

/// The decoders of one integer type.
pub(super) struct DecoderSet<T>(pub(super) Vec<Box<dyn ByteDecoder<T>>>);

/// A [`DecoderSet`] of any integer type.
pub(super) trait AnyDecoderSet: Any + Sync {
    /// Returns the name of the type.
    fn type_name(&self) -> &'static str;

    /// Returns the names of the decoders and their kernels, in reports without strings.
    fn decoders(&self) -> Vec<DecoderReport>;

    /// Gives the strings of a unit to each decoder in each placement.
    fn check(&self, unit: &Unit, groups: &[Group], limits: Limits, watch: &Watch) -> UnitResult;
}

impl<T: Integer> AnyDecoderSet for DecoderSet<T> {
    fn type_name(&self) -> &'static str {
        T::NAME
    }

    fn decoders(&self) -> Vec<DecoderReport> {
        let report = |decoder: &dyn ByteDecoder<T>| DecoderReport {
            decoder: decoder.name().to_owned(),
            kernel: decoder.kernel().map(str::to_owned),
            strings: Default::default(),
            cpu_seconds: 0.0,
        };
        self.0.iter().map(|decoder| report(&**decoder)).collect()
    }

    fn check(&self, unit: &Unit, groups: &[Group], limits: Limits, watch: &Watch) -> UnitResult {
        let report = TypeReport::new(T::NAME, groups, self.decoders());
        let result = UnitResult::new(unit, report);
        let dst = vec![T::default(); MAX_VALUES];
        let mut check = UnitCheck { decoders: &self.0, limits, watch, dst, result };
        check.run(groups[unit.group], unit);
        check.result
    }
}

/// The check of one unit.
struct UnitCheck<'c, T> {
    decoders: &'c [Box<dyn ByteDecoder<T>>],
    limits: Limits,
    watch: &'c Watch,
    dst: Vec<T>,
    result: UnitResult,
}

impl<T: Integer> UnitCheck<'_, T> {
    /// Checks all batches of the unit, unless the limit of disagreements is reached. A stop does not
    /// end the check.
    fn run(&mut self, group: Group, unit: &Unit) {
        let any_bulk = self.decoders.iter().any(|decoder| decoder.is_bulk());
        let mut batch = Batch::new();
        for number in unit.batches.clone() {
            batch.fill(group, number, any_bulk);
            for index in 0..self.decoders.len() {
                let start = thread_time();
                self.decode(&batch, index);
                let spent = thread_time().saturating_sub(start);
                self.result.report.decoders[index].cpu_seconds += spent.as_secs_f64();
                if self.limit_is_reached() {
                    return;
                }
            }
            // The strings count as checked once every decoder got them.
            self.result.report.lengths[unit.group].count(&batch.alone);
            self.watch.add(batch.alone.count() as u64, 0);
        }
        self.result.is_finished = true;
    }

    /// Gives the strings of a batch to one decoder in each placement, until the limit of
    /// disagreements is reached.
    fn decode(&mut self, batch: &Batch<T>, index: usize) {
        let decoder = &*self.decoders[index];
        for placement in Placement::ALL {
            let Some(inputs) = batch.inputs(placement, decoder.is_bulk()) else { continue };
            for canonical in [false, true] {
                let mut check = Check { decoder, inputs, placement, canonical, dst: &mut self.dst };
                let mut rest = 0..inputs.count();
                while let Some(wrong) = check.first_wrong(rest.clone()) {
                    if self.result.listed.len() < self.limits.kept() {
                        self.result.listed.push(check.describe(rest.clone(), wrong));
                    }
                    self.result.disagreements += 1;
                    self.watch.add(0, 1);
                    if self.limits.is_reached_by(self.watch.failures()) {
                        return;
                    }
                    rest.start = wrong + 1;
                }
            }
            self.result.report.decoders[index].strings[placement as usize] += batch.alone.count() as u64;
        }
    }

    /// Returns whether the limit of disagreements is reached.
    fn limit_is_reached(&self) -> bool {
        self.limits.is_reached_by(self.watch.failures())
    }
}
