//! The decoders of one integer type, which check batches of strings.

use std::any::Any;

use super::batch::{Batch, MAX_VALUES};
use super::check::Check;
use super::decoder::ByteDecoder;
use super::placement::Placement;
use crate::check::subject::Found;
use crate::plan::byte_strings::Group;
use crate::plan::integer::Integer;

/// The decoders of one integer type.
pub(super) struct DecoderSet<T>(pub(super) Vec<Box<dyn ByteDecoder<T>>>);

/// A [`DecoderSet`] of any integer type.
pub(super) trait AnyDecoderSet: Any + Sync {
    /// Returns the name of the type.
    fn type_name(&self) -> &'static str;

    /// Returns the names of the decoders and their kernels.
    fn names(&self) -> Vec<(&str, Option<&str>)>;

    /// Creates the check of one thread.
    fn check(&self) -> Box<dyn SetCheck + '_>;
}

/// A check of all decoders of one type on one thread.
pub(super) trait SetCheck {
    /// Gives the strings with these numbers to each decoder in each placement. Mixed streams have
    /// those of `mixed`.
    fn strings(&mut self, group: Group, numbers: &[u64], mixed: &[u64], found: &mut Found<'_>);
}

impl<T: Integer> AnyDecoderSet for DecoderSet<T> {
    fn type_name(&self) -> &'static str {
        T::NAME
    }

    fn names(&self) -> Vec<(&str, Option<&str>)> {
        self.0.iter().map(|decoder| (decoder.name(), decoder.kernel())).collect()
    }

    fn check(&self) -> Box<dyn SetCheck + '_> {
        let any_bulk = self.0.iter().any(|decoder| decoder.is_bulk());
        let dst = vec![T::default(); MAX_VALUES];
        Box::new(ThreadCheck { decoders: &self.0, any_bulk, batch: Batch::new(), dst })
    }
}

struct ThreadCheck<'c, T> {
    decoders: &'c [Box<dyn ByteDecoder<T>>],
    any_bulk: bool,
    batch: Batch<T>,
    dst: Vec<T>,
}

impl<T: Integer> SetCheck for ThreadCheck<'_, T> {
    fn strings(&mut self, group: Group, numbers: &[u64], mixed: &[u64], found: &mut Found<'_>) {
        let Self { decoders, any_bulk, batch, dst } = self;
        batch.fill(group, numbers, mixed, *any_bulk);
        for decoder in decoders.iter().map(|decoder| &**decoder) {
            for placement in Placement::ALL {
                let Some(inputs) = batch.inputs(placement, decoder.is_bulk()) else { continue };
                for canonical in [false, true] {
                    let mut check = Check { decoder, inputs, placement, canonical, dst };
                    let mut rest = 0..inputs.count();
                    while let Some(wrong) = check.first_wrong(rest.clone()) {
                        found.add(check.describe(rest.clone(), wrong));
                        rest.start = wrong + 1;
                    }
                }
            }
        }
    }
}
