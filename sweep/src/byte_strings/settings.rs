//! The settings of a sweep.

use std::time::Duration;

use super::checkpoint::Identity;
use super::decoder_set::AnyDecoderSet;
use crate::run::limits::Limits;

/// The settings of a sweep; see the methods of [`ByteSweep`](super::byte_sweep::ByteSweep).
pub(super) struct Settings {
    pub(super) length: Length,
    /// The decoders for each integer type, in the order in which the types are checked.
    pub(super) types: Vec<Box<dyn AnyDecoderSet>>,
    pub(super) limits: Limits,
    pub(super) kernels_are_chosen: bool,
}

/// The length up to which every string is checked.
#[derive(Clone, Copy, Debug)]
pub(super) enum Length {
    Given(usize),
    /// The greatest length that is estimated to fit into this time.
    Within(Duration),
}

impl Settings {
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
