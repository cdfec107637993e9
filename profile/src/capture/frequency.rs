//! How often samples are taken.

/// Samples per second of CPU time that suit most programs: enough for percentages, and too few to
/// slow a program down. It is not 100, so that it is not in step with work that happens a hundred
/// times a second.
pub const DEFAULT_HERTZ: u32 = 99;
/// The most samples per second of CPU time. No system's timer is faster.
pub const MAX_HERTZ: u32 = 1000;
