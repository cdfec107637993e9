//! Times of the cases of a program, and the numbers that they work on.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

use zigzag_varint::Kernel;

/// The number of values of many short fields. A CPU cannot learn the lengths of that number.
pub const VALUES: usize = 65_536;

/// The time that is spent on a case.
const BUDGET: Duration = Duration::from_millis(30);

/// Limits this crate to the kernel that the variable `KERNEL` names. Call it first.
pub fn limit_kernel() {
    if let Ok(name) = std::env::var("KERNEL") {
        let kernel = Kernel::by_name(&name).unwrap_or_else(|| panic!("this CPU has no kernel '{name}'"));
        Kernel::set_default(kernel).expect("no slice was processed before");
    }
}

/// Runs `operation` repeatedly, and prints its name, its least time per value in nanoseconds, and a
/// checksum of `result`, which is what it reads or writes.
pub fn case(name: &str, values: usize, result: &impl Hash, mut operation: impl FnMut()) {
    let mut hasher = DefaultHasher::new();
    result.hash(&mut hasher);
    let mut least = Duration::MAX;
    let begin = cpu_time();
    while cpu_time() - begin < BUDGET || least == Duration::MAX {
        let start = cpu_time();
        operation();
        least = least.min(cpu_time() - start);
    }
    println!("{name}\t{}\t{:016x}", least.as_nanos() as f64 / values as f64, hasher.finish());
}

/// Returns the CPU time of this thread.
fn cpu_time() -> Duration {
    Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).expect("not negative")
}

/// A set of numbers.
#[derive(Clone, Copy)]
pub enum Set {
    /// All of one byte.
    Small,
    /// 70 % of one byte, 20 % of two, 8 % of three and four, 2 % of five and more, as in messages.
    Mix,
}

impl Set {
    pub const ALL: [Self; 2] = [Self::Small, Self::Mix];

    pub fn name(self) -> &'static str {
        match self {
            Self::Small => "1B",
            Self::Mix => "mix",
        }
    }

    /// Returns `count` numbers, which are the same in every run.
    pub fn numbers(self, count: usize) -> Vec<u64> {
        let mut random = Random(0x7a69_677a_6167_0001);
        (0..count).map(|_| self.number(&mut random)).collect()
    }

    fn number(self, random: &mut Random) -> u64 {
        let bytes = match (self, random.below(100)) {
            (Self::Small, _) | (Self::Mix, 0..70) => 1,
            (Self::Mix, 70..90) => 2,
            (Self::Mix, 90..98) => 3 + random.below(2),
            (Self::Mix, _) => 5 + random.below(5),
        };
        let least = if bytes == 1 { 0 } else { 1 << (7 * (bytes - 1)) };
        least + random.next() % ((1 << (7 * bytes)) - least)
    }
}

/// SplitMix64.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number below `limit`.
    pub fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }
}
