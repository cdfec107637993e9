//! The number of samples per second.

/// The default number of samples per second of CPU time.
///
/// It is enough for percentages and too low to slow a program down. It is not 100, so that the
/// samples do not coincide with work that is done a hundred times per second.
pub const DEFAULT_HERTZ: u32 = 99;
/// The maximum number of samples per second of CPU time. No supported system has a faster timer.
pub const MAX_HERTZ: u32 = 1000;
