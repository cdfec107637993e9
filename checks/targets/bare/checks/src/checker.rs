//! Counts the comparisons, so that a run without comparisons cannot pass.

use core::fmt::Debug;

#[derive(Default)]
pub(crate) struct Checker {
    check: &'static str,
    checks: u32,
    comparisons: u32,
}

impl Checker {
    /// Begins a check, whose name the messages of its comparisons contain.
    pub(crate) fn begin(&mut self, check: &'static str) {
        self.check = check;
        self.checks += 1;
    }

    #[track_caller]
    pub(crate) fn same<T: PartialEq + Debug>(&mut self, found: T, expected: T) {
        assert_eq!(found, expected, "{}", self.check);
        self.comparisons += 1;
    }

    #[track_caller]
    pub(crate) fn same_bytes(&mut self, found: &[u8], expected: &[u8]) {
        self.same(found, expected);
    }

    pub(crate) fn checks(&self) -> u32 {
        self.checks
    }

    pub(crate) fn comparisons(&self) -> u32 {
        self.comparisons
    }
}
