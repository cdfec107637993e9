//! How fast a codec is here, found by trying: it decides whether a plan fits its budget.

use std::time::{Duration, Instant};

use super::check::{BLOCK, Checker};
use super::codec::Codec;
use super::integer::Integer;
use super::interval::Interval;
use super::partition::Partition;

const TRIAL: Duration = Duration::from_millis(50);

/// Values per second on one thread, from blocks all over the plan.
pub(super) fn values_per_second<T: Integer>(plan: &[Interval], codec: &dyn Codec<T>) -> f64 {
    let blocks = Partition::new(plan.to_vec(), BLOCK.ilog2());
    let mut checker = Checker::new(codec, 0);
    let (start, mut values) = (Instant::now(), 0);
    let mut place = 0.5f64;
    'trial: while start.elapsed() < TRIAL {
        // Steps of the golden ratio spread evenly over the plan, however many there are.
        place = (place + 0.618_033_988_749_895).fract();
        // Neighbouring blocks as the sweep has them, so that setting up the oracle does not count in full.
        let first = (place * blocks.len() as f64) as u64;
        for block in (first..first + 16).filter_map(|number| blocks.block(number)) {
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
