//! The samples of a profile. There can be millions, so that their parts are side by side in a few
//! vectors.

use super::wire::Label;

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Samples {
    locations: Vec<u32>,
    values: Vec<i64>,
    labels: Vec<Label>,
    /// The end of each sample in `locations` and in `labels`.
    ends: Vec<(u32, u32)>,
    /// The number of values of each sample.
    types: usize,
}

/// A sample: its locations from the innermost outwards, and a value for each sample type.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sample<'s> {
    pub(crate) location_id: &'s [u32],
    pub(crate) value: &'s [i64],
    pub(crate) label: &'s [Label],
}

impl Samples {
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns the number of values of each sample, which is 0 if there are no samples.
    pub(super) fn types(&self) -> usize {
        self.types
    }

    pub(crate) fn get(&self, at: usize) -> Sample<'_> {
        let (stack, label) = at.checked_sub(1).map_or((0, 0), |before| self.ends[before]);
        let (stack_end, label_end) = self.ends[at];
        Sample {
            location_id: &self.locations[stack as usize..stack_end as usize],
            value: &self.values[at * self.types..(at + 1) * self.types],
            label: &self.labels[label as usize..label_end as usize],
        }
    }

    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = Sample<'_>> + Clone {
        (0..self.len()).map(|at| self.get(at))
    }

    /// Adds a location, a value or a label to the sample that [`end`](Self::end) ends.
    pub(super) fn add_location(&mut self, location: u32) {
        push(&mut self.locations, location);
    }

    pub(super) fn add_value(&mut self, value: i64) {
        push(&mut self.values, value);
    }

    pub(super) fn add_label(&mut self, label: Label) {
        push(&mut self.labels, label);
    }

    /// Ends a sample. The error is the number of its values if others have more or less.
    pub(super) fn end(&mut self) -> Result<(), usize> {
        let count = self.values.len() - self.types * self.len();
        if self.ends.is_empty() {
            self.types = count;
        }
        if count != self.types {
            return Err(count);
        }
        // They fit: see `MAX_FRAMES`, and a label has two bytes or more in a file.
        push(&mut self.ends, (self.locations.len() as u32, self.labels.len() as u32));
        Ok(())
    }

    /// Adds a sample, which has as many values as the others.
    pub(crate) fn push(&mut self, sample: Sample<'_>) {
        sample.location_id.iter().for_each(|&location| self.add_location(location));
        sample.value.iter().for_each(|&value| self.add_value(value));
        sample.label.iter().for_each(|&label| self.add_label(label));
        let added = self.end();
        debug_assert_eq!(added, Ok(()));
    }

    /// Removes the samples for which the function returns `false`.
    #[cfg(feature = "program")]
    pub(crate) fn retain(&mut self, mut is_kept: impl FnMut(Sample<'_>) -> bool) {
        let mut kept = Self::default();
        self.iter().filter(|&sample| is_kept(sample)).for_each(|sample| kept.push(sample));
        *self = kept;
    }

    pub(super) fn locations_mut(&mut self) -> &mut [u32] {
        &mut self.locations
    }

    /// Changes all labels, and removes those for which the function returns `false`.
    pub(super) fn retain_labels<E>(
        &mut self,
        mut is_kept: impl FnMut(&mut Label) -> Result<bool, E>,
    ) -> Result<(), E> {
        let (mut at, mut kept) = (0, 0);
        for (_, end) in &mut self.ends {
            for label in at..*end as usize {
                if is_kept(&mut self.labels[label])? {
                    self.labels[kept] = self.labels[label];
                    kept += 1;
                }
            }
            at = *end as usize;
            *end = kept as u32;
        }
        self.labels.truncate(kept);
        Ok(())
    }

    /// Frees the memory that would be for more samples.
    pub(super) fn shrink(&mut self) {
        self.locations.shrink_to_fit();
        self.values.shrink_to_fit();
        self.labels.shrink_to_fit();
        self.ends.shrink_to_fit();
    }
}

/// Adds an entry to a vector, which grows by a quarter: a large one that doubled could be half empty.
pub(super) fn push<T>(all: &mut Vec<T>, entry: T) {
    reserve(all);
    all.push(entry);
}

/// Makes space for another entry.
pub(super) fn reserve<T>(all: &mut Vec<T>) {
    if all.len() == all.capacity() {
        all.reserve_exact(4 + all.len() / 4);
    }
}
