//! Ranges with a history.

use varint_sweep::Interval;

/// A named set of ranges.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Preset {
    /// Its name on the command line.
    pub(crate) name: &'static str,
    /// What it is, in a line.
    pub(crate) about: &'static str,
    ranges: &'static [(i64, i64)],
}

impl Preset {
    /// Its ranges.
    pub(crate) fn intervals(&self) -> Vec<Interval> {
        self.ranges
            .iter()
            .filter_map(|&(first, end)| Interval::new(first.into(), i128::from(end) - 1))
            .collect()
    }
}

/// All of them.
pub(crate) const PRESETS: &[Preset] = &[Preset {
    name: "article2015",
    about: "the eight ranges of the 2015 article on profiling a Go program: 399,999,994 values of 4 and 5 bytes",
    // With exclusive ends, as the article's loops had them.
    ranges: &[
        (100_000_001, 150_000_001),
        (200_000_001, 250_000_001),
        (300_000_001, 350_000_000),
        (400_000_001, 450_000_000),
        (500_000_001, 550_000_000),
        (600_000_001, 650_000_000),
        (700_000_001, 750_000_000),
        (800_000_001, 850_000_000),
    ],
}];
