//! The builder for sweeps over byte strings.

use std::any::Any;
use std::time::Duration;

use super::checkpoint::{Checkpoint, Identity};
use super::decoder::ByteDecoder;
use super::decoder_set::{AnyDecoderSet, DecoderSet};
use super::report::Report;
use super::session;
use crate::error::SweepError;
use crate::plan::integer::Integer;
use crate::run::limits::Limits;
use crate::watch::handle::Watch;

/// The maximum of [`ByteSweep::max_len`]. Each further byte would take 256 times as long.
pub const MAX_EXHAUSTIVE_LEN: usize = 5;

/// A check of decoders on byte strings; see the [module](super).
pub struct ByteSweep {
    pub(super) length: Length,
    /// The decoders for each integer type, in the order in which the types are checked.
    pub(super) types: Vec<Box<dyn AnyDecoderSet>>,
    pub(super) limits: Limits,
    kernels_are_chosen: bool,
}

/// The length up to which every string is checked.
#[derive(Clone, Copy, Debug)]
pub(super) enum Length {
    Given(usize),
    /// The greatest length that is estimated to fit into this time.
    Within(Duration),
}

impl Default for ByteSweep {
    fn default() -> Self {
        Self::new()
    }
}

impl ByteSweep {
    /// Creates a sweep of every string up to three bytes on all cores, without decoders.
    pub fn new() -> Self {
        let limits = Limits::default();
        Self { length: Length::Given(3), types: Vec::new(), limits, kernels_are_chosen: false }
    }

    /// Sets the length up to which every string is checked, at most [`MAX_EXHAUSTIVE_LEN`]. Of
    /// longer strings, only structured ones are checked.
    pub fn max_len(mut self, len: usize) -> Self {
        self.length = Length::Given(len.min(MAX_EXHAUSTIVE_LEN));
        self
    }

    /// Chooses the greatest [length](Self::max_len) with which the sweep is estimated to take at
    /// most this time. A short trial measures the decoders. Structured strings are always checked.
    ///
    /// A sweep that resumes from a checkpoint keeps its length.
    pub fn budget(mut self, budget: Duration) -> Self {
        self.length = Length::Within(budget);
        self
    }

    /// Adds a decoder to check. Decoders of several integer types are checked one type after
    /// another.
    pub fn decoder<T: Integer>(mut self, decoder: impl ByteDecoder<T> + 'static) -> Self {
        let set = self.types.iter_mut().find_map(|set| {
            let set: &mut dyn Any = &mut **set;
            set.downcast_mut::<DecoderSet<T>>()
        });
        match set {
            Some(DecoderSet(decoders)) => decoders.push(Box::new(decoder)),
            None => self.types.push(Box::new(DecoderSet(vec![Box::new(decoder)]))),
        }
        self
    }

    /// Declares that the kernels of the decoders were chosen. Then a checkpoint of a sweep with
    /// other kernels is refused. By default it is not, because each machine has its own kernels.
    pub fn with_chosen_kernels(mut self) -> Self {
        self.kernels_are_chosen = true;
        self
    }

    /// Sets the number of worker threads, which is at least one.
    pub fn threads(mut self, threads: usize) -> Self {
        self.limits.threads = threads.max(1);
        self
    }

    /// Sets the number of disagreements after which the sweep stops, which is 10 by default. At most
    /// this number is listed. With 0 it does not stop: all are counted, and the first twenty listed.
    pub fn max_failures(mut self, failures: u64) -> Self {
        self.limits.max_failures = failures;
        self
    }

    /// Runs the sweep. Memory does not grow with the number of strings.
    ///
    /// # Errors
    ///
    /// Returns an error if the threads cannot be started. Disagreements are in the report.
    pub fn run(&self) -> Result<Report, SweepError> {
        self.run_watched(&Watch::new(), None)
    }

    /// Runs the sweep while other threads observe or stop it through `watch`, which counts strings,
    /// and saves its progress to a checkpoint.
    ///
    /// If the checkpoint contains progress of the same sweep, the sweep resumes there. After the
    /// run, [`Checkpoint::save_error`] returns whether the final state could not be saved.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`run`](Self::run), and an error if the checkpoint cannot be written or
    /// belongs to another sweep.
    pub fn run_watched(
        &self,
        watch: &Watch,
        checkpoint: Option<&mut Checkpoint>,
    ) -> Result<Report, SweepError> {
        session::run(self, watch, checkpoint).inspect_err(|error| watch.end(Err(error.clone())))
    }

    /// Returns what the sweep checks, as in a checkpoint.
    pub(super) fn identity(&self, len: usize, program: &str) -> Identity {
        let rows: Vec<_> = self.types.iter().flat_map(|set| set.decoders()).collect();
        Identity {
            program: program.to_owned(),
            len,
            types: self.types.iter().map(|set| set.type_name().to_owned()).collect(),
            decoders: distinct(rows.iter().map(|row| &*row.decoder)),
            kernels: self
                .kernels_are_chosen
                .then(|| distinct(rows.iter().filter_map(|row| row.kernel.as_deref()))),
        }
    }
}

/// Returns the names without repetitions.
fn distinct<'n>(names: impl Iterator<Item = &'n str>) -> Vec<String> {
    let mut distinct = Vec::new();
    for name in names {
        if !distinct.iter().any(|known| known == name) {
            distinct.push(name.to_owned());
        }
    }
    distinct
}

impl std::fmt::Debug for ByteSweep {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let types: Vec<_> = self.types.iter().map(|set| set.type_name()).collect();
        f.debug_struct("ByteSweep")
            .field("length", &self.length)
            .field("types", &types)
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}
