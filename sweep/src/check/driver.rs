//! The driver of every check: gives it blocks of a space.

use std::ops::Range;
use std::slice;
use std::sync::Arc;

use crate::check::function::{Block, Check, Fault, MAX_BLOCK_LEN, Origin};
use crate::check::isolation::{Guarded, Inputs, Isolation};
use crate::check::panics::guarded;
use crate::check::subject::{BlockCheck, Found, Subject};
use crate::plan::sample::Draw;
use crate::plan::space::{DynSpace, Space, Stratum};

/// A check with its name, on the inputs of a space.
pub(crate) struct Checked<'c, S, C> {
    pub(crate) name: &'c str,
    pub(crate) space: &'c S,
    pub(crate) check: &'c C,
}

impl<S: Space, C: Check<S::Item>> Subject for Checked<'_, S, C> {
    fn name(&self) -> String {
        self.name.to_owned()
    }

    fn kernel(&self) -> Option<String> {
        self.check.kernel().map(str::to_owned)
    }

    fn wire(&self) -> Option<String> {
        self.check.wire().map(str::to_owned)
    }

    fn space(&self) -> Arc<dyn DynSpace> {
        self.space.erased().space
    }

    fn noun(&self) -> Option<&'static str> {
        Some(self.check.noun()).filter(|noun| *noun != self.space().subject_noun())
    }

    fn check(&self) -> Box<dyn BlockCheck + '_> {
        let names = self.space();
        Box::new(Driver {
            first: self.space.erased().first(),
            names,
            space: self.space,
            check: self.check,
            memory: C::Memory::default(),
            inputs: Vec::with_capacity(MAX_BLOCK_LEN),
            worst: f64::NEG_INFINITY,
        })
    }

    fn max_failing_inputs(&self) -> u64 {
        if self.check.is_remote() { 1 << 12 } else { 1 << 20 }
    }
}

/// The check of one thread.
struct Driver<'s, S: Space, C: Check<S::Item>> {
    space: &'s S,
    names: Arc<dyn DynSpace>,
    /// The number of the first input in reports.
    first: i128,
    check: &'s C,
    memory: C::Memory,
    inputs: Vec<S::Item>,
    /// The greatest deviation so far.
    worst: f64,
}

impl<S: Space, C: Check<S::Item>> BlockCheck for Driver<'_, S, C> {
    fn consecutive(&mut self, first: i128, count: usize, found: &mut Found<'_>) {
        let number = (first - self.first) as u64;
        self.space.fill(number, count, &mut self.inputs);
        self.block(Origin::Consecutive(number), &|| (first..first + count as i128).collect(), found);
    }

    fn drawn(&mut self, count: usize, _: &Stratum, draw: &mut Draw<'_>, found: &mut Found<'_>) {
        let (space, first, again) = (self.space, self.first, draw.clone());
        if self.inputs.len() < count {
            space.fill(0, count, &mut self.inputs);
        }
        self.inputs.truncate(count);
        draw.fill_with(&mut self.inputs, |number| space.at((number - first) as u64));
        // Drawn again only if an input fails.
        self.block(Origin::Drawn, &|| again.clone().numbers(count), found);
    }
}

impl<S: Space, C: Check<S::Item>> Driver<'_, S, C> {
    /// Checks the block of inputs, whose numbers are asked for if one is to be named.
    #[inline]
    fn block(&mut self, origin: Origin, numbers: &dyn Fn() -> Vec<i128>, found: &mut Found<'_>) {
        let Self { check, inputs, memory, names, worst, .. } = self;
        let passed = guarded(|| check.passes(&Block::new(inputs, origin), memory));
        let deviation = check.deviation(memory).filter(|deviation| deviation > worst);
        if deviation.is_none() && matches!(passed, Ok(Ok(true))) {
            return;
        }
        let mut isolation = Isolation {
            inputs: &mut Alone { check: *check, inputs, memory },
            numbers: numbers(),
            names: &**names,
            is_plain: C::IS_PLAIN,
            found,
        };
        isolation.after(passed, deviation, worst);
    }
}

/// The inputs of a block, which are checked again in other calls.
struct Alone<'a, I, C: Check<I>> {
    check: &'a C,
    inputs: &'a [I],
    memory: &'a mut C::Memory,
}

impl<I, C: Check<I>> Inputs for Alone<'_, I, C> {
    fn passes(&mut self, at: usize) -> Guarded<bool> {
        let block = Block::new(slice::from_ref(&self.inputs[at]), Origin::Other);
        guarded(|| self.check.passes(&block, self.memory))
    }

    fn explain(&mut self, part: Range<usize>) -> Guarded<Option<Fault>> {
        guarded(|| self.check.explain(&self.inputs[part], self.memory))
    }

    fn deviation(&mut self) -> Option<f64> {
        self.check.deviation(self.memory)
    }
}
