//! What has been checked: strings by group and verdict, and by door and placement.

use std::time::Duration;

use crate::ErrorKind;
use crate::Integer;

use super::disagreement::{Disagreement, Placement};
use super::script::Script;

/// What one thread has done, or all together.
#[derive(Clone, Debug)]
pub(super) struct Tally {
    pub(super) groups: Vec<GroupTally>,
    pub(super) doors: Vec<DoorTally>,
    pub(super) disagreements: u64,
    /// The first of them, by number of the unit of work.
    pub(super) listed: Vec<(u64, Vec<Disagreement>)>,
    /// Whether nothing was left out.
    pub(super) complete: bool,
}

/// Strings of a group, by the verdict on the first value.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct GroupTally {
    pub(super) strings: u64,
    pub(super) values: u64,
    /// Values that the canonical policy rejects.
    pub(super) overlong: u64,
    pub(super) truncated: u64,
    pub(super) overflow: u64,
}

/// Strings given to a door, by placement, and the time it took.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct DoorTally {
    pub(super) strings: [u64; Placement::ALL.len()],
    pub(super) time: Duration,
}

impl Tally {
    pub(super) fn new(groups: usize, doors: usize) -> Self {
        Self {
            groups: vec![GroupTally::default(); groups],
            doors: vec![DoorTally::default(); doors],
            disagreements: 0,
            listed: vec![],
            complete: true,
        }
    }

    pub(super) fn add(&mut self, other: Self) {
        for (group, other) in self.groups.iter_mut().zip(other.groups) {
            group.strings += other.strings;
            group.values += other.values;
            group.overlong += other.overlong;
            group.truncated += other.truncated;
            group.overflow += other.overflow;
        }
        for (door, other) in self.doors.iter_mut().zip(other.doors) {
            door.strings.iter_mut().zip(other.strings).for_each(|(sum, strings)| *sum += strings);
            door.time += other.time;
        }
        self.disagreements += other.disagreements;
        self.listed.extend(other.listed);
        self.complete &= other.complete;
    }
}

impl GroupTally {
    /// Counts the strings of a script, each an input of its own.
    pub(super) fn count<T: Integer>(&mut self, script: &Script<T>) {
        for entry in &script.entries {
            self.strings += 1;
            match script.first(entry, false) {
                Ok(_) => {
                    self.values += 1;
                    self.overlong += u64::from(script.first(entry, true).is_err());
                }
                Err(fault) if fault.kind == ErrorKind::Overflow => self.overflow += 1,
                Err(_) => self.truncated += 1,
            }
        }
    }
}
