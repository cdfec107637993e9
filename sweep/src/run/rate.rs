//! How fast a codec is here, found by trying.

use std::time::{Duration, Instant};

use crate::check::checker::{BLOCK, Checker};
use crate::check::codec::Codec;
use crate::plan::integer::Integer;
use crate::plan::interval::Interval;
use crate::plan::partition::Partition;
use crate::plan::sample::{DRAW, Draw, Stratum};

/// Long enough to decide whether a plan fits its budget.
pub(crate) const TRIAL: Duration = Duration::from_millis(50);

/// Consecutive values per second on this thread, from blocks all over the plan, others for each number of a trial.
pub(crate) fn consecutive_rate<T: Integer>(
    plan: &[Interval],
    codec: &dyn Codec<T>,
    time: Duration,
    trial: usize,
) -> f64 {
    let blocks = Partition::new(plan.to_vec(), BLOCK.ilog2());
    let mut checker = Checker::new(codec, 0);
    let (start, mut values) = (Instant::now(), 0);
    let mut place = 0.5 + 0.1 * trial as f64;
    'trial: while start.elapsed() < time && !blocks.is_empty() {
        // Steps of the golden ratio spread evenly over the plan, however many there are.
        place = (place + 0.618_033_988_749_895).fract();
        // Neighbouring blocks as the sweep has them, so that setting up the oracle does not count in full.
        let first = (place * blocks.len() as f64) as u64;
        for block in (first..first.saturating_add(16)).filter_map(|number| blocks.block(number)) {
            checker.consecutive(block.first, block.count() as usize);
            values += block.count();
            // It may have taken long; the sweep itself will report it.
            if checker.broke_down {
                break 'trial;
            }
        }
    }
    values as f64 / start.elapsed().as_secs_f64()
}

/// Values drawn per second on this thread, from each stratum in turn.
pub(crate) fn drawn_rate<T: Integer>(
    strata: &[Stratum],
    codec: &dyn Codec<T>,
    time: Duration,
    trial: usize,
) -> f64 {
    let mut checker = Checker::new(codec, 0);
    let (start, mut values) = (Instant::now(), 0);
    for (number, stratum) in (0..).zip(strata.iter().cycle()) {
        if start.elapsed() >= time || checker.broke_down {
            break;
        }
        let mut draw = Draw::new(stratum, trial as u64, number);
        for _ in 0..DRAW / BLOCK as u64 {
            checker.drawn(BLOCK, stratum.length, || draw.next());
            values += BLOCK;
        }
    }
    values as f64 / start.elapsed().as_secs_f64()
}
