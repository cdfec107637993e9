//! The string table of a profile, in one string.

use super::samples::push;

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Strings {
    text: String,
    /// The end of each string.
    ends: Vec<usize>,
}

impl Strings {
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns the number of bytes of all strings.
    pub(crate) fn size(&self) -> usize {
        self.text.len()
    }

    pub(crate) fn get(&self, at: usize) -> Option<&str> {
        let end = *self.ends.get(at)?;
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        Some(&self.text[start..end])
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.len()).filter_map(|at| self.get(at))
    }

    pub(crate) fn push(&mut self, text: &str) {
        if self.text.capacity() - self.text.len() < text.len() {
            self.text.reserve_exact(text.len() + self.text.len() / 4);
        }
        self.text.push_str(text);
        push(&mut self.ends, self.text.len());
    }

    /// Frees the memory that would be for more strings.
    pub(super) fn shrink(&mut self) {
        self.text.shrink_to_fit();
        self.ends.shrink_to_fit();
    }
}
