//! Two functions with the same loop, which run 30 % and 70 % of its iterations. Both are inlined into a
//! third function that has no other code.

#[inline(always)]
fn three(mut x: u64) -> u64 {
    let mut round = 0;
    while round < 300 {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        round += 1;
    }
    x
}

#[inline(always)]
fn seven(mut x: u64) -> u64 {
    let mut round = 0;
    while round < 700 {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        round += 1;
    }
    x
}

#[inline(never)]
pub(crate) fn both(x: u64) -> u64 {
    seven(three(x))
}
