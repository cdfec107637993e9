//! The inputs of a block and the calls of their check. It is compiled for each space, and the driver once.

use std::ops::Range;
use std::slice;

use crate::check::codec::Breakdown;
use crate::check::erased::ThreadCheck;
use crate::check::failure::FailureKind;
use crate::check::function::{Block, Fault, MAX_BLOCK_LEN, Origin};
use crate::check::panics::guarded;
use crate::plan::sample::Draw;
use crate::plan::space::Space;

/// The inputs of a block of any type, which can be checked together and alone, by their places.
pub(crate) trait Inputs {
    /// Takes consecutive inputs from the space, which may be one of a user, and returns how many it
    /// gave.
    fn fill(&mut self, first: u64, count: usize) -> usize;
    /// Replaces the inputs by draws, if the space gives as many inputs; and returns how many it gave.
    fn draw(&mut self, count: usize, draw: &mut Draw<'_>, first: i128) -> usize;
    /// Returns whether all inputs pass in one call, or the message of a panic.
    fn all_pass(&mut self, origin: Origin) -> Result<Result<bool, Breakdown>, String>;
    /// Returns the greatest deviation in the last call.
    fn deviation(&self) -> Option<f64>;
    /// Returns whether an input passes, or `None` if there is no answer.
    fn passes(&mut self, at: usize) -> Option<bool>;
    /// Checks these inputs in one call, and returns the first fault, which may be a panic.
    fn explain(&mut self, part: Range<usize>) -> Result<Option<Fault>, Breakdown>;
    /// Returns the deviation of one input, which is checked again unless it is known.
    fn deviation_of(&mut self, at: usize) -> Option<f64>;
}

/// The inputs of a space.
pub(crate) struct SpaceInputs<'s, S: Space> {
    space: &'s S,
    items: Vec<S::Item>,
    check: Box<dyn ThreadCheck<S::Item> + 's>,
}

impl<'s, S: Space> SpaceInputs<'s, S> {
    pub(crate) fn new(space: &'s S, check: Box<dyn ThreadCheck<S::Item> + 's>) -> Self {
        Self { space, items: Vec::with_capacity(MAX_BLOCK_LEN), check }
    }
}

impl<S: Space> Inputs for SpaceInputs<'_, S> {
    fn fill(&mut self, first: u64, count: usize) -> usize {
        self.space.fill(first, count, &mut self.items);
        self.items.len()
    }

    fn draw(&mut self, count: usize, draw: &mut Draw<'_>, first: i128) -> usize {
        if self.items.len() < count && self.fill(0, count) != count {
            return self.items.len();
        }
        let Self { space, items, .. } = self;
        items.truncate(count);
        draw.fill_with(items, |number| space.at((number - first) as u64));
        items.len()
    }

    fn all_pass(&mut self, origin: Origin) -> Result<Result<bool, Breakdown>, String> {
        guarded(|| self.check.passes(&Block::new(&self.items, origin)))
    }

    fn deviation(&self) -> Option<f64> {
        self.check.deviation()
    }

    fn passes(&mut self, at: usize) -> Option<bool> {
        let block = Block::new(slice::from_ref(&self.items[at]), Origin::Other);
        guarded(|| self.check.passes(&block)).ok()?.ok()
    }

    fn explain(&mut self, part: Range<usize>) -> Result<Option<Fault>, Breakdown> {
        let explained = guarded(|| self.check.explain(&self.items[part]));
        explained.unwrap_or_else(|panic| Ok(Some(Fault::new("a result", panic).kind(FailureKind::Panic))))
    }

    fn deviation_of(&mut self, at: usize) -> Option<f64> {
        if let Some(deviations) = self.check.deviations() {
            return deviations.get(at).copied();
        }
        self.passes(at)?;
        self.check.deviation()
    }
}
