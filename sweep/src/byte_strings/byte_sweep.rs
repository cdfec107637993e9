//! The builder for sweeps over byte strings.

use std::any::Any;
use std::time::Duration;

use super::checkpoint::Checkpoint;
use super::decoder::ByteDecoder;
use super::decoder_set::DecoderSet;
use super::report::Report;
use super::session;
use super::settings::{Length, Settings};
use super::strings::MAX_EXHAUSTIVE_LEN;
use crate::error::SweepError;
use crate::plan::integer::Integer;
use crate::run::limits::Limits;
use crate::watch::handle::Watch;

/// A check of decoders on byte strings; see the [module](super).
pub struct ByteSweep {
    settings: Settings,
}

impl Default for ByteSweep {
    fn default() -> Self {
        Self::new()
    }
}

impl ByteSweep {
    /// Creates a sweep of every string up to three bytes on all cores, without decoders.
    pub fn new() -> Self {
        let (length, limits) = (Length::Given(3), Limits::default());
        Self { settings: Settings { length, types: Vec::new(), limits, kernels_are_chosen: false } }
    }

    /// Sets the length up to which every string is checked, at most [`MAX_EXHAUSTIVE_LEN`]. Of
    /// longer strings, only structured ones are checked.
    pub fn max_len(mut self, len: usize) -> Self {
        self.settings.length = Length::Given(len.min(MAX_EXHAUSTIVE_LEN));
        self
    }

    /// Chooses the greatest [length](Self::max_len) with which the sweep is estimated to take at
    /// most this time. A short trial measures the decoders. Structured strings are always checked.
    ///
    /// A sweep that resumes from a checkpoint keeps its length.
    pub fn budget(mut self, budget: Duration) -> Self {
        self.settings.length = Length::Within(budget);
        self
    }

    /// Adds a decoder to check. Decoders of several integer types are checked one type after
    /// another.
    pub fn decoder<T: Integer>(mut self, decoder: impl ByteDecoder<T> + 'static) -> Self {
        let set = self.settings.types.iter_mut().find_map(|set| {
            let set: &mut dyn Any = &mut **set;
            set.downcast_mut::<DecoderSet<T>>()
        });
        match set {
            Some(DecoderSet(decoders)) => decoders.push(Box::new(decoder)),
            None => self.settings.types.push(Box::new(DecoderSet(vec![Box::new(decoder)]))),
        }
        self
    }

    /// Declares that the kernels of the decoders were chosen. Then a checkpoint of a sweep with
    /// other kernels is refused. By default it is not, because each machine has its own kernels.
    pub fn with_chosen_kernels(mut self) -> Self {
        self.settings.kernels_are_chosen = true;
        self
    }

    /// Sets the number of worker threads, which is at least one.
    pub fn threads(mut self, threads: usize) -> Self {
        self.settings.limits.threads = threads.max(1);
        self
    }

    /// Sets the number of disagreements after which the sweep stops, which is 10 by default. At most
    /// this number is listed. With 0 it does not stop: all are counted, and the first twenty listed.
    pub fn max_failures(mut self, failures: u64) -> Self {
        self.settings.limits.max_failures = failures;
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
        session::run(&self.settings, watch, checkpoint).inspect_err(|error| watch.end(Err(error.clone())))
    }
}

impl std::fmt::Debug for ByteSweep {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Settings { length, types, limits, .. } = &self.settings;
        let types: Vec<_> = types.iter().map(|set| set.type_name()).collect();
        write!(f, "ByteSweep {{ length: {length:?}, types: {types:?}, limits: {limits:?}, .. }}")
    }
}
