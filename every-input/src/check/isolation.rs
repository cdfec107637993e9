//! Finds the inputs of a block that fail, after the block did.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::check::codec::Breakdown;
use crate::check::failure::{Failure, FailureKind};
use crate::check::function::Fault;
use crate::check::inputs::Inputs;
use crate::check::subject::Found;
use crate::check::worst::{MAX_VALUE, Records, Worst, add};
use crate::plan::interval::Interval;
use crate::texts::cut;

/// The search for the inputs that fail.
pub(crate) struct Isolation<'a, 'f> {
    pub(crate) inputs: &'a mut dyn Inputs,
    /// The numbers of the inputs.
    pub(crate) numbers: Vec<i128>,
    /// Whether an input that passes alone does so in any call.
    pub(crate) is_plain: bool,
    pub(crate) found: &'a mut Found<'f>,
}

impl Isolation<'_, '_> {
    /// Records what a block has, of which this is the result, or the message of a panic.
    #[cold]
    pub(crate) fn after(&mut self, passed: Result<Result<bool, Breakdown>, String>) {
        match passed {
            Ok(Ok(true)) => {}
            Ok(Ok(false)) => self.isolate(Ok("a failure".to_owned())),
            Ok(Err(breakdown)) => self.isolate(Err(breakdown)),
            Err(panic) => self.isolate(Ok(panic)),
        }
    }

    /// Records the greatest deviation that an input of each class has alone, and the lowest number of an
    /// input with it. That of the block is known, unless it panicked.
    #[cold]
    pub(crate) fn record_worst(&mut self, of_block: Option<f64>, records: &mut Records) {
        let mut places = Vec::from_iter(0..self.numbers.len());
        places.sort_by_key(|&at| self.numbers[at]);
        let ends = places.first().zip(places.last());
        let (first, last) = ends.map_or((0, 0), |(&first, &last)| (self.numbers[first], self.numbers[last]));
        // In a block with several classes, it is that of one of them.
        let of_block = of_block.filter(|_| records.class(first, last).is_some());
        let mut found = BTreeSet::new();
        for at in places {
            let number = self.numbers[at];
            let Some(class) = records.class(number, number) else { continue };
            // Of a deviation that another input has too, only a lower number matters.
            if of_block.is_some_and(|of_block| !records.is_greater(class, of_block, number)) {
                break;
            }
            let own = self.inputs.deviation_of(at);
            let own = own.filter(|own| of_block.is_none_or(|of| of.total_cmp(own).is_eq()));
            if let Some(own) = own.filter(|&own| records.is_greater(class, own, number)) {
                records.set(class, own, number);
                found.insert(class);
                if of_block.is_some() {
                    break;
                }
            }
        }
        for class in found {
            let (class, (deviation, number)) = records.get(class);
            let value = cut(self.found.space.text(number), MAX_VALUE);
            let worst = Worst { deviation, value, number };
            add(&mut self.found.worst, class.to_owned(), worst);
        }
    }

    /// Finds which inputs made the block fail, as described by `failed` or by a breakdown.
    fn isolate(&mut self, failed: Result<String, Breakdown>) {
        let (block, before) = (0..self.numbers.len(), self.found.failures);
        match failed {
            Err(breakdown) => {
                let fault = self.broke_down(breakdown);
                self.found.begin_block();
                // The inputs of a longer block are checked again in halves.
                if block.len() == 1 {
                    self.check_again(block, fault);
                } else {
                    self.bisect(block, fault);
                }
            }
            Ok(first) => {
                self.found.begin_block();
                self.check_each(block.clone());
                match self.found.failures == before {
                    true if self.found.is_block_cut() => self.record(block, unlocated(&first)),
                    true => self.check_again(block, Fault::new("", first)),
                    false => {}
                }
            }
        }
        self.found.name_last();
    }

    /// Checks inputs that failed in one call a second time, and records the fault, or that the `first`
    /// one did not occur again. A breakdown is not repeated if the check shall end.
    fn check_again(&mut self, part: Range<usize>, first: Fault) {
        let is_last = first.kind.is_breakdown() && (self.found.is_over || self.found.is_cut_short());
        let fault = if is_last { Some(first.clone()) } else { self.explain(part.clone()) };
        let once = || {
            let fault =
                Fault::new("the same result each time", format!("{}, only the first time", first.got));
            fault.kind(FailureKind::NotReproducible)
        };
        self.record(part, fault.unwrap_or_else(once));
    }

    /// Checks each input in a call of its own and records the failures.
    fn check_each(&mut self, part: Range<usize>) {
        for at in part.clone() {
            // After a permanent breakdown no call succeeds, so try all remaining inputs at once.
            let tried = at..if self.found.is_over { part.end } else { at + 1 };
            if self.is_plain && self.is_settled(at) {
                continue;
            }
            if let Some(fault) = self.explain(tried.clone()) {
                self.record(tried.clone(), fault);
            }
            if tried.len() > 1 || self.found.is_cut_short() {
                break;
            }
        }
    }

    /// Returns whether an input passes or fails as the one before it, which needs no texts. Billions of
    /// neighbours may fail.
    fn is_settled(&mut self, at: usize) -> bool {
        match self.inputs.passes(at) {
            Some(passes) => passes || self.found.extend(self.numbers[at], FailureKind::WrongValue),
            None => false,
        }
    }

    /// Finds which inputs made the check break down. `whole` is the fault of all of them.
    ///
    /// Each breakdown may cost a timeout. So the inputs are bisected, with at most ten more
    /// breakdowns per failing input, or none if no failure is to be listed or the check shall end.
    fn bisect(&mut self, part: Range<usize>, whole: Fault) {
        if part.len() < 2 || !self.found.lists() || self.found.is_over {
            return self.record(part, whole);
        }
        let (before, middle) = (self.found.failures, part.start + part.len() / 2);
        for half in [part.start..middle, middle..part.end] {
            if self.found.is_cut_short() {
                break;
            }
            match self.explain(half.clone()) {
                None => {}
                Some(fault) if fault.kind.is_breakdown() => self.bisect(half, fault),
                Some(_) => self.check_each(half),
            }
        }
        let no_half_failed = self.found.failures == before;
        if no_half_failed {
            self.check_again(part, whole);
        }
    }

    fn explain(&mut self, part: Range<usize>) -> Option<Fault> {
        self.inputs.explain(part).unwrap_or_else(|breakdown| Some(self.broke_down(breakdown)))
    }

    /// Returns a breakdown as the fault of the inputs of its call.
    fn broke_down(&mut self, breakdown: Breakdown) -> Fault {
        self.found.broke_down = true;
        self.found.is_over |= breakdown.is_permanent();
        Fault::new("an answer", breakdown.to_string()).kind(breakdown.kind)
    }

    fn record(&mut self, part: Range<usize>, fault: Fault) {
        let Fault { kind, at, expected, got } = fault;
        let number = self.numbers[part.start + at.min(part.len() - 1)];
        // Each breakdown may cost a timeout, so it counts as a failure of its own.
        let can_join = part.len() == 1 && !kind.is_breakdown();
        // The texts of a range are made once.
        if can_join && self.found.extend(number, kind) {
            return;
        }
        self.found.name_last();
        let mut failure = Failure::new(self.found.space.text(number), kind, expected, got, part.len());
        failure.numbers = Some(Interval { first: number, last: number });
        self.found.add(failure);
    }
}

/// Returns the fault of a block that failed, if the check ended before it was known which inputs do.
fn unlocated(first: &str) -> Fault {
    let got = format!("{first}, and the sweep was stopped before a second call");
    Fault::new("the same result each time", got).kind(FailureKind::NotReproducible)
}
