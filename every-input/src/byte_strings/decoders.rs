//! The decoders to check, and their check on blocks of strings.

use std::any::Any;
use std::sync::Arc;

use super::batch::{Batch, MAX_VALUES, Placement, mixed};
use super::decoder::ByteDecoder;
use super::placement_check::PlacementCheck;
use crate::check::subject::{BlockCheck, Found, MAX_FAILING_INPUTS, Subject};
use crate::plan::byte_strings::{ByteStrings, Group};
use crate::plan::integer::Integer;
use crate::plan::sample::Draw;
use crate::plan::space::ErasedClass;

/// Decoders of one or more integer types; see the [module](super) and [`ByteDecoder`].
#[derive(Default)]
pub struct Decoders {
    types: Vec<Box<dyn AnyDecoderSet>>,
}

impl Decoders {
    /// Creates an empty list of decoders.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a decoder. Each string is decoded as each of the integer types that have decoders.
    pub fn with<T: Integer>(mut self, decoder: Box<dyn ByteDecoder<T>>) -> Self {
        let set = self.types.iter_mut().find_map(|set| {
            let set: &mut dyn Any = &mut **set;
            set.downcast_mut::<DecoderSet<T>>()
        });
        match set {
            Some(DecoderSet(decoders)) => decoders.push(decoder),
            None => self.types.push(Box::new(DecoderSet(vec![decoder]))),
        }
        self
    }
}

impl std::fmt::Debug for Decoders {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.types.iter().map(|set| (set.type_name(), set.names()))).finish()
    }
}

struct DecoderSet<T>(Vec<Box<dyn ByteDecoder<T>>>);

/// The check of all decoders of one type on one thread. It gives the strings with some numbers to each
/// decoder in each placement; mixed streams have those with other numbers.
type SetCheck<'s> = dyn FnMut(Group, &[u64], &[u64], &mut Found<'_>) + 's;

/// A [`DecoderSet`] of any integer type.
trait AnyDecoderSet: Any + Sync {
    fn type_name(&self) -> &'static str;

    fn names(&self) -> Vec<(&str, Option<&str>)>;

    fn check(&self) -> Box<SetCheck<'_>>;
}

impl<T: Integer> AnyDecoderSet for DecoderSet<T> {
    fn type_name(&self) -> &'static str {
        T::NAME
    }

    fn names(&self) -> Vec<(&str, Option<&str>)> {
        self.0.iter().map(|decoder| (decoder.name(), decoder.kernel())).collect()
    }

    fn check(&self) -> Box<SetCheck<'_>> {
        let any_bulk = self.0.iter().any(|decoder| decoder.is_bulk());
        let (mut batch, mut dst) = (Batch::new(), vec![T::default(); MAX_VALUES]);
        Box::new(move |group, numbers, mixed, found| {
            batch.fill(group, numbers, mixed, any_bulk);
            for decoder in self.0.iter().map(|decoder| &**decoder) {
                for placement in Placement::ALL {
                    let Some(inputs) = batch.inputs(placement, decoder.is_bulk()) else { continue };
                    for canonical in [false, true] {
                        let mut check =
                            PlacementCheck { decoder, inputs, placement, canonical, dst: &mut dst };
                        let mut rest = 0..inputs.count();
                        while let Some(wrong) = check.first_wrong(rest.clone()) {
                            found.add(check.describe(rest.clone(), wrong));
                            rest.start = wrong + 1;
                        }
                    }
                }
            }
        })
    }
}

/// Returns the names without repetitions, separated by commas.
fn distinct<'n>(names: impl Iterator<Item = &'n str>) -> String {
    let mut distinct = Vec::new();
    for name in names {
        if !distinct.contains(&name) {
            distinct.push(name);
        }
    }
    distinct.join(", ")
}

impl Decoders {
    /// Returns the subject that is these decoders, on the strings of a space; an error if there are none.
    pub(crate) fn on(&self, space: ByteStrings) -> Result<Subject<'_>, String> {
        if self.types.is_empty() {
            return Err("no decoders to check; add at least one, with `Decoders::with`".into());
        }
        let types: Vec<_> = self.types.iter().map(|set| set.type_name()).collect();
        let all = || self.types.iter().flat_map(|set| set.names());
        let (names, kernels) =
            (distinct(all().map(|(name, _)| name)), distinct(all().filter_map(|(_, kernel)| kernel)));
        Ok(Subject {
            name: format!("{names} as {}", types.join(", ")),
            kernel: Some(kernels).filter(|kernels| !kernels.is_empty()),
            wire: None,
            noun: None,
            space: Arc::new(space.erased_space()),
            max_failing_inputs: MAX_FAILING_INPUTS,
            losses: Vec::new(),
            check: Box::new(move || {
                let types = self.types.iter().map(|set| set.check()).collect();
                Box::new(DecodersCheck { space, types, numbers: Vec::new(), mixed: Vec::new() })
            }),
        })
    }
}

struct DecodersCheck<'s> {
    space: ByteStrings,
    types: Vec<Box<SetCheck<'s>>>,
    numbers: Vec<u64>,
    mixed: Vec<u64>,
}

impl BlockCheck for DecodersCheck<'_> {
    fn consecutive(&mut self, first: i128, count: usize, found: &mut Found<'_>) {
        for (group, numbers) in self.space.parts(first, count) {
            self.numbers.clear();
            self.numbers.extend(numbers.clone());
            self.mixed.clear();
            self.mixed.extend(mixed(group, numbers));
            for set in &mut self.types {
                set(group, &self.numbers, &self.mixed, found);
            }
        }
    }

    fn drawn(&mut self, count: usize, class: &ErasedClass, draw: &mut Draw<'_>, found: &mut Found<'_>) {
        // The plan may have only a part of the class.
        let Some((group, start)) = class.intervals.first().and_then(|part| self.space.locate(part.first))
        else {
            return;
        };
        self.numbers.resize(count, 0);
        draw.fill_with(&mut self.numbers, |number| (number - start) as u64);
        for set in &mut self.types {
            set(group, &self.numbers, &self.numbers, found);
        }
    }
}
