//! Measures how fast a codec is swept on this machine.

use std::time::{Duration, Instant};

use crate::check::function::MAX_BLOCK_LEN;
use crate::check::observer::Unobserved;
use crate::check::subject::{Found, Subject};
use crate::plan::interval::Interval;
use crate::plan::partition::Partition;

/// The duration of a measurement that decides whether an exhaustive sweep fits the budget.
pub(crate) const TRIAL: Duration = Duration::from_millis(50);

/// Returns the number of consecutive values checked per second on this thread.
///
/// The blocks are spread over the plan. Each number of a trial has other blocks.
pub(crate) fn consecutive_rate(
    plan: &[Interval],
    subject: &dyn Subject,
    time: Duration,
    trial: usize,
) -> f64 {
    let blocks = Partition::new(plan.to_vec(), MAX_BLOCK_LEN.ilog2());
    let space = subject.space();
    let (mut check, mut found) = (subject.check(), Found::new(0, &Unobserved, &*space, &[]));
    let (start, mut values) = (Instant::now(), 0);
    let mut place = 0.5 + 0.1 * trial as f64;
    'trial: while start.elapsed() < time && !blocks.is_empty() {
        // Steps of the golden ratio spread evenly over the plan, for any number of steps.
        place = (place + 0.618_033_988_749_895).fract();
        // Check adjacent blocks, as the sweep does, so that the set-up of the oracle has little
        // weight.
        let first = (place * blocks.len() as f64) as u64;
        for block in (first..first.saturating_add(16)).filter_map(|number| blocks.block(number)) {
            check.consecutive(block.first, block.count() as usize, &mut found);
            values += block.count();
            // A breakdown may take long. The sweep itself reports it.
            if found.broke_down {
                break 'trial;
            }
        }
    }
    values as f64 / start.elapsed().as_secs_f64()
}
