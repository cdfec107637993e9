//! Sets of integers for comparison with those of the engine: membership is looked up in each part
//! between two ends of intervals.

use every_input::Interval;

pub fn union(intervals: impl IntoIterator<Item = Interval>) -> Vec<Interval> {
    combined(&intervals.into_iter().collect::<Vec<_>>(), &[], |is_in_a, _| is_in_a)
}

pub fn intersection(a: &[Interval], b: &[Interval]) -> Vec<Interval> {
    combined(a, b, |is_in_a, is_in_b| is_in_a && is_in_b)
}

pub fn difference(a: &[Interval], b: &[Interval]) -> Vec<Interval> {
    combined(a, b, |is_in_a, is_in_b| is_in_a && !is_in_b)
}

/// Returns the number of integers in disjoint intervals.
pub fn count(intervals: &[Interval]) -> u128 {
    intervals.iter().map(|interval| interval.count()).sum()
}

fn combined(a: &[Interval], b: &[Interval], keeps: fn(bool, bool) -> bool) -> Vec<Interval> {
    let mut ends: Vec<i128> = a.iter().chain(b).flat_map(|part| [part.first, part.last + 1]).collect();
    ends.sort_unstable();
    ends.dedup();
    let mut kept: Vec<Interval> = Vec::new();
    for pair in ends.windows(2) {
        let is_in = |set: &[Interval]| set.iter().any(|interval| interval.contains(pair[0]));
        match kept.last_mut() {
            _ if !keeps(is_in(a), is_in(b)) => {}
            Some(before) if before.last + 1 == pair[0] => before.last = pair[1] - 1,
            _ => kept.push(Interval { first: pair[0], last: pair[1] - 1 }),
        }
    }
    kept
}
