//! Named sets of ranges.

use clap::ValueEnum;
use every_input::Interval;

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Preset {
    /// the eight ranges of the 2015 article on profiling a Go program: 399,999,994 values of 4 and
    /// 5 bytes
    Article2015,
}

/// The ranges of the article. The ends are exclusive, as in its loops.
const ARTICLE_2015: [(i64, i64); 8] = [
    (100_000_001, 150_000_001),
    (200_000_001, 250_000_001),
    (300_000_001, 350_000_000),
    (400_000_001, 450_000_000),
    (500_000_001, 550_000_000),
    (600_000_001, 650_000_000),
    (700_000_001, 750_000_000),
    (800_000_001, 850_000_000),
];

impl Preset {
    pub(crate) fn intervals(self) -> Vec<Interval> {
        let ranges = match self {
            Self::Article2015 => ARTICLE_2015,
        };
        ranges.iter().filter_map(|&(first, end)| Interval::new(first.into(), i128::from(end) - 1)).collect()
    }
}
