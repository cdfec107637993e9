//! A check without its type, so that the driver is compiled once for all checks. Each call is for a
//! whole block, so it costs nothing per input.

use crate::check::codec::Breakdown;
use crate::check::function::{Block, Check, Fault};
use crate::check::losses::Losses;

/// A [`Check`] of any type.
pub(crate) trait ErasedCheck<I>: Sync {
    fn about(&self) -> About<'_>;

    /// Returns the check with the memory of one thread.
    fn on_thread<'c>(&'c self) -> Box<dyn ThreadCheck<I> + 'c>
    where
        I: 'c;
}

/// What is known about a check before it is called. [`Check`] describes each.
pub(crate) struct About<'c> {
    pub(crate) kernel: Option<&'c str>,
    pub(crate) wire: Option<&'c str>,
    pub(crate) noun: &'static str,
    pub(crate) is_plain: bool,
    pub(crate) is_remote: bool,
    pub(crate) losses: Vec<&'c Losses>,
}

/// The check of one thread. Its methods are those of [`Check`] with its memory.
pub(crate) trait ThreadCheck<I> {
    fn passes(&mut self, block: &Block<'_, I>) -> Result<bool, Breakdown>;
    fn explain(&mut self, inputs: &[I]) -> Result<Option<Fault>, Breakdown>;
    fn deviation(&self) -> Option<f64>;
    fn deviations(&self) -> Option<&[f64]>;
}

impl<I, C: Check<I>> ErasedCheck<I> for C {
    fn about(&self) -> About<'_> {
        About {
            kernel: self.kernel(),
            wire: self.wire(),
            noun: self.noun(),
            is_plain: C::IS_PLAIN,
            is_remote: self.is_remote(),
            losses: self.losses(),
        }
    }

    fn on_thread<'c>(&'c self) -> Box<dyn ThreadCheck<I> + 'c>
    where
        I: 'c,
    {
        Box::new(OnThread::<I, C> { check: self, memory: C::Memory::default() })
    }
}

struct OnThread<'c, I, C: Check<I>> {
    check: &'c C,
    memory: C::Memory,
}

impl<I, C: Check<I>> ThreadCheck<I> for OnThread<'_, I, C> {
    fn passes(&mut self, block: &Block<'_, I>) -> Result<bool, Breakdown> {
        self.check.passes(block, &mut self.memory)
    }

    fn explain(&mut self, inputs: &[I]) -> Result<Option<Fault>, Breakdown> {
        self.check.explain(inputs, &mut self.memory)
    }

    fn deviation(&self) -> Option<f64> {
        self.check.deviation(&self.memory)
    }

    fn deviations(&self) -> Option<&[f64]> {
        self.check.deviations(&self.memory)
    }
}
