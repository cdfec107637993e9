//! The share of positions that the longest loops try: all, or fewer on slow (emulated) machines.

/// Returns the positions of a stream, by default all of them. ZIGZAG_VARINT_TEST_STRIDE=7 selects
/// every seventh. The first position depends on `turn`, so that all turns together cover every one.
pub fn positions(end: usize, turn: usize) -> impl Iterator<Item = usize> {
    let stride = stride();
    (turn % stride..end).step_by(stride)
}

fn stride() -> usize {
    let Ok(stride) = std::env::var("ZIGZAG_VARINT_TEST_STRIDE") else { return 1 };
    stride
        .parse()
        .ok()
        .filter(|&stride| stride > 0)
        .expect("ZIGZAG_VARINT_TEST_STRIDE is a number of at least 1")
}
