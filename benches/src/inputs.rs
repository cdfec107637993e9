//! The inputs of a benchmark, which change from iteration to iteration.

/// Inputs of which each iteration takes the next one, so that the CPU cannot learn the branches of one.
///
/// The input is copied to the same memory, in which it is cached as it would be if it were always the
/// same one.
pub(crate) struct Inputs<I> {
    all: Vec<Vec<I>>,
    index: usize,
    current: Vec<I>,
}

impl<I: Copy> Inputs<I> {
    /// Returns one or more inputs.
    pub(crate) fn new(all: impl IntoIterator<Item = Vec<I>>) -> Self {
        let mut inputs = Self { all: all.into_iter().collect(), index: 0, current: Vec::new() };
        inputs.rewind();
        inputs
    }

    pub(crate) fn is_one(&self) -> bool {
        self.all.len() == 1
    }

    pub(crate) fn current(&self) -> &[I] {
        &self.current
    }

    /// Takes the first input.
    pub(crate) fn rewind(&mut self) {
        self.take(0);
    }

    /// Takes the next input, and the first one after the last.
    pub(crate) fn advance(&mut self) {
        self.take((self.index + 1) % self.all.len());
    }

    fn take(&mut self, index: usize) {
        self.index = index;
        self.current.clear();
        self.current.extend_from_slice(&self.all[index]);
    }
}
