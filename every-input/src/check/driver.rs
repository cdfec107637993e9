//! The driver of every check: gives it blocks of a space.

use std::sync::Arc;

use crate::check::erased::{About, ErasedCheck};
use crate::check::function::Origin;
use crate::check::inputs::{Inputs, SpaceInputs};
use crate::check::isolation::Isolation;
use crate::check::subject::{BlockCheck, Found, MAX_FAILING_INPUTS, Subject};
use crate::check::worst::Records;
use crate::plan::sample::Draw;
use crate::plan::space::{ErasedClass, ErasedPart, ErasedSpace, Space};

/// Returns the subject that is a check with this name, on the inputs of a space.
pub(crate) fn subject<'s, S: Space>(
    name: &str,
    space: &'s S,
    check: &'s dyn ErasedCheck<S::Item>,
) -> Subject<'s> {
    let inputs =
        Box::new(move || -> Box<dyn Inputs + 's> { Box::new(SpaceInputs::new(space, check.on_thread())) });
    erased_subject(name, space.erased(), check.about(), inputs)
}

/// Creates the inputs of a thread.
type CreateInputs<'s> = dyn Fn() -> Box<dyn Inputs + 's> + Sync + 's;

fn erased_subject<'s>(
    name: &str,
    part: ErasedPart,
    about: About<'s>,
    inputs: Box<CreateInputs<'s>>,
) -> Subject<'s> {
    let (first, names, is_plain) = (part.first(), Arc::clone(&part.space), about.is_plain);
    Subject {
        name: name.to_owned(),
        kernel: about.kernel.map(str::to_owned),
        wire: about.wire.map(str::to_owned),
        noun: Some(about.noun).filter(|noun| *noun != names.subject_noun),
        space: part.space,
        max_failing_inputs: if about.is_remote { 1 << 12 } else { MAX_FAILING_INPUTS },
        losses: about.losses,
        check: Box::new(move || {
            Box::new(Driver { inputs: inputs(), names: Arc::clone(&names), first, is_plain, records: None })
        }),
    }
}

struct Driver<'s> {
    inputs: Box<dyn Inputs + 's>,
    names: Arc<ErasedSpace>,
    /// The number of the first input in reports.
    first: i128,
    /// Whether an input that passes alone does so in any call.
    is_plain: bool,
    /// The greatest deviations so far, once there are any.
    records: Option<Records>,
}

impl BlockCheck for Driver<'_> {
    fn consecutive(&mut self, first: i128, count: usize, found: &mut Found<'_>) {
        let number = (first - self.first) as u64;
        let filled = self.inputs.fill(number, count);
        self.expect(count, filled, number);
        let last = first + count as i128 - 1;
        self.block(Origin::Consecutive(number), [first, last], &|| (first..=last).collect(), found);
    }

    fn drawn(&mut self, count: usize, class: &ErasedClass, draw: &mut Draw<'_>, found: &mut Found<'_>) {
        let again = draw.clone();
        let filled = self.inputs.draw(count, draw, self.first);
        self.expect(count, filled, 0);
        // Drawn again only if an input fails.
        let least = class.intervals.first().map_or(i128::MIN, |interval| interval.first);
        self.block(Origin::Drawn, [least; 2], &|| again.clone().numbers(count), found);
    }
}

impl Driver<'_> {
    /// Ends the sweep if the space gave another number of inputs.
    fn expect(&self, count: usize, filled: usize, first: u64) {
        let name = &self.names.name;
        assert!(
            filled == count,
            "space '{name}': `fill` gave {filled} inputs instead of {count} from number {first} on"
        );
    }

    /// Checks the block of inputs, which are in the classes of these two numbers, and none of which has a
    /// number below the first. Their numbers are asked for if one is to be named.
    fn block(
        &mut self,
        origin: Origin,
        [least, last]: [i128; 2],
        numbers: &dyn Fn() -> Vec<i128>,
        found: &mut Found<'_>,
    ) {
        let Self { inputs, records, names, .. } = self;
        let passed = inputs.all_pass(origin);
        let deviation = inputs.deviation();
        let is_record = deviation.is_some_and(|deviation| {
            let records = records.get_or_insert_with(|| Records::of(names));
            let class = records.class(least, last);
            class.is_none_or(|class| records.is_greater(class, deviation, least))
        });
        if !is_record && matches!(passed, Ok(Ok(true))) {
            return;
        }
        let mut isolation =
            Isolation { inputs: &mut **inputs, numbers: numbers(), is_plain: self.is_plain, found };
        if let (Some(deviation), Some(records)) = (deviation, records) {
            match passed {
                Ok(Ok(_)) if is_record => isolation.record_worst(Some(deviation), records),
                // Each call may cost a timeout.
                Ok(_) => {}
                // The inputs before and after the one that panicked have a deviation too.
                Err(_) => isolation.record_worst(None, records),
            }
        }
        isolation.after(passed);
    }
}
