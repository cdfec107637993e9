//! The driver of every check: gives it blocks of a space, and finds the inputs of a block that fail.

use std::ops::Range;
use std::sync::Arc;

use crate::check::codec::Breakdown;
use crate::check::failure::{Failure, FailureKind, Worst};
use crate::check::function::{Block, Check, Fault, MAX_BLOCK_LEN, Origin};
use crate::check::panics::guarded;
use crate::check::subject::{BlockCheck, Found, Subject};
use crate::plan::interval::Interval;
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
            numbers: Vec::new(),
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
    /// The numbers of the inputs, if their block failed.
    numbers: Vec<i128>,
    /// The greatest deviation so far.
    worst: f64,
}

impl<S: Space, C: Check<S::Item>> BlockCheck for Driver<'_, S, C> {
    fn consecutive(&mut self, first: i128, count: usize, found: &mut Found<'_>) {
        let number = (first - self.first) as u64;
        self.space.fill(number, count, &mut self.inputs);
        self.block(Origin::Consecutive(number), || (first..first + count as i128).collect(), found);
    }

    fn drawn(&mut self, count: usize, _: &Stratum, draw: &mut Draw<'_>, found: &mut Found<'_>) {
        let (space, first, again) = (self.space, self.first, draw.clone());
        if self.inputs.len() < count {
            space.fill(0, count, &mut self.inputs);
        }
        self.inputs.truncate(count);
        draw.fill_with(&mut self.inputs, |number| space.at((number - first) as u64));
        // Drawn again only if an input fails.
        let numbers = || {
            let mut numbers = vec![0; count];
            again.clone().fill_with(&mut numbers, |number| number);
            numbers
        };
        self.block(Origin::Drawn, numbers, found);
    }
}

impl<S: Space, C: Check<S::Item>> Driver<'_, S, C> {
    /// Checks the block of inputs.
    #[inline]
    fn block(&mut self, origin: Origin, numbers: impl Fn() -> Vec<i128>, found: &mut Found<'_>) {
        let Self { check, inputs, memory, .. } = self;
        let passed = guarded(|| check.passes(&Block::new(inputs, origin), memory));
        if let Some(deviation) = check.deviation(memory).filter(|&deviation| deviation > self.worst) {
            self.record_worst(deviation, &numbers(), found);
        }
        let failed = match passed {
            Ok(Ok(true)) => return,
            Ok(Ok(false)) => Ok("a failure".to_owned()),
            Ok(Err(breakdown)) => Err(breakdown),
            Err(panic) => Ok(panic),
        };
        self.numbers = numbers();
        self.isolate(failed, found);
    }

    /// Records the greatest deviation so far, and finds its input. This is rare.
    #[cold]
    fn record_worst(&mut self, deviation: f64, numbers: &[i128], found: &mut Found<'_>) {
        let Self { check, inputs, memory, .. } = self;
        let mut deviates = |input: &S::Item| {
            let alone = Block::new(std::slice::from_ref(input), Origin::Other);
            guarded(|| check.passes(&alone, memory)).is_ok() && check.deviation(memory) == Some(deviation)
        };
        let Some(at) = inputs.iter().position(&mut deviates) else { return };
        self.worst = deviation;
        let worst = Worst { deviation, value: self.names.text(numbers[at]), number: numbers[at] };
        found.worst = Worst::greater(found.worst.take(), Some(worst));
    }

    /// Finds which inputs made the block fail, as described by `failed` or by a breakdown.
    #[cold]
    fn isolate(&mut self, failed: Result<String, Breakdown>, found: &mut Found<'_>) {
        let (block, before) = (0..self.inputs.len(), found.failures);
        match failed {
            Err(breakdown) => {
                let fault = broke_down(breakdown, found);
                // The inputs of a longer block are checked again in halves.
                if block.len() == 1 {
                    self.check_again(block, fault, found);
                } else {
                    self.bisect(block, fault, found);
                }
            }
            Ok(first) => {
                self.check_each(block.clone(), found);
                if found.failures == before {
                    self.check_again(block, Fault::new("", first), found);
                }
            }
        }
        found.name_last(|number| self.names.text(number));
    }

    /// Checks inputs that failed in one call a second time, and records the fault, or that the `first`
    /// one did not occur again. A breakdown is not repeated if the check shall end.
    fn check_again(&mut self, part: Range<usize>, first: Fault, found: &mut Found<'_>) {
        let is_last = first.kind.is_breakdown() && (found.is_over || found.is_cut_short());
        let fault = if is_last { Some(first.clone()) } else { self.explain(part.clone(), found) };
        let once = || {
            let fault =
                Fault::new("the same result each time", format!("{}, only the first time", first.got));
            fault.kind(FailureKind::NotReproducible)
        };
        self.record(part, fault.unwrap_or_else(once), found);
    }

    /// Checks each input in a call of its own and records the failures.
    fn check_each(&mut self, part: Range<usize>, found: &mut Found<'_>) {
        for at in part.clone() {
            // After a permanent breakdown no call succeeds, so try all remaining inputs at once.
            let tried = at..if found.is_over { part.end } else { at + 1 };
            if C::IS_PLAIN && self.is_settled(at, found) {
                continue;
            }
            if let Some(fault) = self.explain(tried.clone(), found) {
                self.record(tried.clone(), fault, found);
            }
            if tried.len() > 1 || found.is_cut_short() {
                break;
            }
        }
    }

    /// Returns whether an input passes or fails as the one before it, which needs no texts. Billions of
    /// neighbours may fail.
    fn is_settled(&mut self, at: usize, found: &mut Found<'_>) -> bool {
        let Self { check, inputs, memory, .. } = self;
        match guarded(|| check.passes(&Block::new(&inputs[at..=at], Origin::Other), memory)) {
            Ok(Ok(passes)) => passes || found.extend(self.numbers[at], FailureKind::WrongValue),
            _ => false,
        }
    }

    /// Finds which inputs made the check break down. `whole` is the fault of all of them.
    ///
    /// Each breakdown may cost a timeout. So the inputs are bisected, with at most ten more
    /// breakdowns per failing input, or none if no failure is to be listed or the check shall end.
    fn bisect(&mut self, part: Range<usize>, whole: Fault, found: &mut Found<'_>) {
        let before = found.failures;
        if part.len() > 1 && found.lists() && !found.is_over {
            let middle = part.start + part.len() / 2;
            for half in [part.start..middle, middle..part.end] {
                if found.is_cut_short() {
                    break;
                }
                match self.explain(half.clone(), found) {
                    None => {}
                    Some(fault) if fault.kind.is_breakdown() => self.bisect(half, fault, found),
                    Some(_) => self.check_each(half, found),
                }
            }
        }
        match found.failures == before {
            true if part.len() > 1 && found.lists() => self.check_again(part, whole, found),
            true => self.record(part, whole, found),
            false => {}
        }
    }

    /// Checks these inputs in one call and returns the first fault.
    fn explain(&mut self, part: Range<usize>, found: &mut Found<'_>) -> Option<Fault> {
        let Self { check, inputs, memory, .. } = self;
        match guarded(|| check.explain(&inputs[part], memory)) {
            Ok(Ok(fault)) => fault,
            Ok(Err(breakdown)) => Some(broke_down(breakdown, found)),
            Err(panic) => Some(Fault::new("a result", panic).kind(FailureKind::Panic)),
        }
    }

    /// Records the fault of these inputs in one call.
    fn record(&self, part: Range<usize>, fault: Fault, found: &mut Found<'_>) {
        let Fault { kind, at, expected, got } = fault;
        let number = self.numbers[part.start + at.min(part.len() - 1)];
        // Each breakdown may cost a timeout, so it counts as a failure of its own.
        let can_join = part.len() == 1 && !kind.is_breakdown();
        // The texts of a range are made once.
        if can_join && found.extend(number, kind) {
            return;
        }
        found.name_last(|number| self.names.text(number));
        let mut failure = Failure::new(self.names.text(number), kind, expected, got, part.len());
        failure.numbers = Some(Interval { first: number, last: number });
        found.add(failure);
    }
}

/// Returns a breakdown as the fault of the inputs of its call.
fn broke_down(breakdown: Breakdown, found: &mut Found<'_>) -> Fault {
    found.broke_down = true;
    found.is_over |= breakdown.is_permanent();
    Fault::new("an answer", breakdown.to_string()).kind(breakdown.kind)
}
