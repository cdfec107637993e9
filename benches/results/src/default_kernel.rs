//! The check that what programs call is the fastest of this crate.

use crate::measurement::{Measurement, OURS, is_ours};

/// The operations and types that a run without arguments measures. All contenders of this crate in them
/// are slice functions: [`OURS`], and kernels by their names.
pub const HEADLINE: [&str; 2] = ["encode/u64", "decode/u64"];

/// How many times as long as a kernel [`OURS`] may take.
const LIMIT: f64 = 1.1;
/// The least number of samples of a benchmark that is checked. `--quick` takes two.
const SAMPLES: u32 = 10;

/// A set of the [`HEADLINE`] in which a kernel is more than 10 % faster than [`OURS`], by the minimum of the
/// samples.
pub struct Slower {
    /// The table and the set, such as `decode/u64/mix`.
    pub group: String,
    /// Both contenders and their times.
    problem: String,
}

/// Returns the sets in which a kernel is faster.
#[must_use]
pub fn slower(results: &[Measurement]) -> Vec<Slower> {
    let checked = || {
        let is_checked = |one: &&Measurement| {
            HEADLINE.contains(&&*one.table) && one.samples >= SAMPLES && is_ours(&one.contender)
        };
        results.iter().filter(is_checked)
    };
    let mut found = Vec::new();
    for ours in checked().filter(|one| one.contender == OURS) {
        let of_set = checked().filter(|one| one.table == ours.table && one.set == ours.set);
        let fastest = of_set.min_by(|one, other| one.nanoseconds.total_cmp(&other.nanoseconds));
        if let Some(fastest) = fastest
            && ours.nanoseconds > LIMIT * fastest.nanoseconds
        {
            let problem = format!(
                "{OURS} takes {:.3} ns per value and {} {:.3} ({:.0} % more, at most 10 %)",
                ours.nanoseconds,
                fastest.contender,
                fastest.nanoseconds,
                (ours.nanoseconds / fastest.nanoseconds - 1.0) * 100.0
            );
            found.push(Slower { group: format!("{}/{}", ours.table, ours.set), problem });
        }
    }
    found
}

/// Checks that no kernel is faster in any set.
///
/// # Errors
///
/// Names each such set, both contenders and their times.
pub fn check(results: &[Measurement]) -> Result<(), String> {
    let problems: Vec<_> =
        slower(results).iter().map(|one| format!("{}: {}", one.group, one.problem)).collect();
    if problems.is_empty() {
        return Ok(());
    }
    let remedy = "measure these sets again while nothing else runs, and mend the default kernel";
    Err(format!("the default is not the fastest kernel:\n{}\n{remedy}", problems.join("\n")))
}
