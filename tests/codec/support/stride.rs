//! How much of the widest loops is done: all, or a share where the machine is emulated and slow.

/// The places of a stream, all of them. ZIGZAG_VARINT_TEST_STRIDE=7 takes every seventh, from one
/// that moves on with `turn`, so that none is left out of all turns.
pub fn places(end: usize, turn: usize) -> impl Iterator<Item = usize> {
    let stride = stride();
    (turn % stride..end).step_by(stride)
}

fn stride() -> usize {
    let Ok(stride) = std::env::var("ZIGZAG_VARINT_TEST_STRIDE") else { return 1 };
    stride.parse().ok().filter(|&stride| stride > 0).expect("ZIGZAG_VARINT_TEST_STRIDE is a number from 1")
}
