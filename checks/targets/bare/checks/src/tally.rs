//! Comparisons, counted: a run that compares nothing cannot pass for one that does.

use core::fmt::Debug;

#[derive(Default)]
pub(crate) struct Tally {
    check: &'static str,
    checks: u32,
    comparisons: u32,
}

impl Tally {
    /// What follows belongs to the check of that name.
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
