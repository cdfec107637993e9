//! The driver of every check: gives it blocks of a space.

use std::ops::Range;
use std::slice;
use std::sync::Arc;

use crate::check::codec::Breakdown;
use crate::check::failure::FailureKind;
use crate::check::function::{Block, Check, Fault, MAX_BLOCK_LEN, Origin};
use crate::check::isolation::{Inputs, Isolation};
use crate::check::panics::guarded;
use crate::check::subject::{BlockCheck, Found, MAX_FAILING_INPUTS, Subject};
use crate::check::worst::Records;
use crate::plan::sample::Draw;
use crate::plan::space::{ErasedClass, ErasedSpace, Space};

/// Returns the subject that is a check with this name, on the inputs of a space.
pub(crate) fn subject<'s, S: Space, C: Check<S::Item>>(
    name: &str,
    space: &'s S,
    check: &'s C,
) -> Subject<'s> {
    let inputs = space.erased();
    let (first, names) = (inputs.first(), Arc::clone(&inputs.space));
    Subject {
        name: name.to_owned(),
        kernel: check.kernel().map(str::to_owned),
        wire: check.wire().map(str::to_owned),
        noun: Some(check.noun()).filter(|noun| *noun != names.subject_noun),
        space: inputs.space,
        max_failing_inputs: if check.is_remote() { 1 << 12 } else { MAX_FAILING_INPUTS },
        losses: check.losses(),
        check: Box::new(move || {
            Box::new(Driver {
                space,
                names: Arc::clone(&names),
                first,
                check,
                memory: C::Memory::default(),
                inputs: Vec::with_capacity(MAX_BLOCK_LEN),
                records: None,
            })
        }),
    }
}

struct Driver<'s, S: Space, C: Check<S::Item>> {
    space: &'s S,
    names: Arc<ErasedSpace>,
    /// The number of the first input in reports.
    first: i128,
    check: &'s C,
    memory: C::Memory,
    inputs: Vec<S::Item>,
    /// The greatest deviations so far, once there are any.
    records: Option<Records>,
}

impl<S: Space, C: Check<S::Item>> BlockCheck for Driver<'_, S, C> {
    fn consecutive(&mut self, first: i128, count: usize, found: &mut Found<'_>) {
        let number = (first - self.first) as u64;
        self.fill(number, count);
        let last = first + count as i128 - 1;
        self.block(Origin::Consecutive(number), [first, last], &|| (first..=last).collect(), found);
    }

    fn drawn(&mut self, count: usize, class: &ErasedClass, draw: &mut Draw<'_>, found: &mut Found<'_>) {
        if self.inputs.len() < count {
            self.fill(0, count);
        }
        let (space, first, again) = (self.space, self.first, draw.clone());
        self.inputs.truncate(count);
        draw.fill_with(&mut self.inputs, |number| space.at((number - first) as u64));
        // Drawn again only if an input fails.
        let least = class.intervals.first().map_or(i128::MIN, |interval| interval.first);
        self.block(Origin::Drawn, [least; 2], &|| again.clone().numbers(count), found);
    }
}

impl<S: Space, C: Check<S::Item>> Driver<'_, S, C> {
    /// Takes consecutive inputs from a space, which may be one of a user.
    #[inline]
    fn fill(&mut self, first: u64, count: usize) {
        self.space.fill(first, count, &mut self.inputs);
        if self.inputs.len() != count {
            self.refuse_fill(first, count);
        }
    }

    /// Apart from `fill`, which each block calls.
    #[cold]
    #[inline(never)]
    fn refuse_fill(&self, first: u64, count: usize) -> ! {
        let (name, len) = (&self.names.name, self.inputs.len());
        panic!("space '{name}': `fill` gave {len} inputs instead of {count} from number {first} on");
    }

    /// Checks the block of inputs, which are in the classes of these two numbers, and none of which has a
    /// number below the first. Their numbers are asked for if one is to be named.
    #[inline]
    fn block(
        &mut self,
        origin: Origin,
        [least, last]: [i128; 2],
        numbers: &dyn Fn() -> Vec<i128>,
        found: &mut Found<'_>,
    ) {
        let Self { check, inputs, memory, records, names, .. } = self;
        let passed = guarded(|| check.passes(&Block::new(inputs, origin), memory));
        let deviation = check.deviation(memory);
        let is_record = deviation.is_some_and(|deviation| {
            let records = records.get_or_insert_with(|| Records::of(names));
            let class = records.class(least, last);
            class.is_none_or(|class| records.is_greater(class, deviation, least))
        });
        if !is_record && matches!(passed, Ok(Ok(true))) {
            return;
        }
        let mut records = records.take();
        let mut isolation = Isolation { inputs: self, numbers: numbers(), is_plain: C::IS_PLAIN, found };
        if let (Some(deviation), Some(records)) = (deviation, &mut records) {
            match passed {
                Ok(Ok(_)) if is_record => isolation.record_worst(Some(deviation), records),
                // Each call may cost a timeout.
                Ok(_) => {}
                // The inputs before and after the one that panicked have a deviation too.
                Err(_) => isolation.record_worst(None, records),
            }
        }
        isolation.after(passed);
        self.records = records;
    }
}

/// The inputs of a block are checked again in other calls.
impl<S: Space, C: Check<S::Item>> Inputs for Driver<'_, S, C> {
    fn passes(&mut self, at: usize) -> Option<bool> {
        let block = Block::new(slice::from_ref(&self.inputs[at]), Origin::Other);
        guarded(|| self.check.passes(&block, &mut self.memory)).ok()?.ok()
    }

    fn explain(&mut self, part: Range<usize>) -> Result<Option<Fault>, Breakdown> {
        let explained = guarded(|| self.check.explain(&self.inputs[part], &mut self.memory));
        explained.unwrap_or_else(|panic| Ok(Some(Fault::new("a result", panic).kind(FailureKind::Panic))))
    }

    fn deviation_of(&mut self, at: usize) -> Option<f64> {
        if let Some(deviations) = self.check.deviations(&self.memory) {
            return deviations.get(at).copied();
        }
        self.passes(at)?;
        self.check.deviation(&self.memory)
    }
}
