//! Which strings a door gets wrong, and what it makes of them.

use std::ops::Range;

use crate::Integer;
use crate::check::panics::guarded;

use super::check;
use super::disagreement::{Disagreement, Placement, hex};
use super::door::Door;
use super::script::{Entry, Script};
use super::verdict::{Ended, Fault, Verdict};

/// A door, and how strings are given to it.
pub(super) struct Meeting<'m, T> {
    pub(super) door: &'m dyn Door<T>,
    pub(super) script: &'m Script<T>,
    pub(super) placement: Placement,
    pub(super) canonical: bool,
}

impl<T: Integer> Meeting<'_, T> {
    /// Gives all strings to the door; the disagreements in number, and the first of them in `listed` while it has less
    /// than `list`. Ends early where `enough` says so of their number.
    pub(super) fn hold(
        &self,
        room: &mut [T],
        (listed, list): (&mut Vec<Disagreement>, usize),
        enough: impl Fn(u64) -> bool,
    ) -> u64 {
        let mut strings = 0..self.script.entries.len();
        let mut count = 0;
        while let Some(index) = self.try_out(strings.clone(), room) {
            count += 1;
            if listed.len() < list {
                listed.push(self.explain(strings.clone(), index, room));
            }
            if enough(count) {
                break;
            }
            strings.start = index + 1;
        }
        count
    }

    /// The first of these strings that the door gets wrong.
    fn try_out(&self, strings: Range<usize>, room: &mut [T]) -> Option<usize> {
        match self.check(strings.clone(), room) {
            Ok(disagrees) => disagrees,
            Err(_) => Some(self.panicking(strings, room)),
        }
    }

    fn check(&self, strings: Range<usize>, room: &mut [T]) -> Result<Option<usize>, String> {
        let Self { door, script, canonical, .. } = *self;
        guarded(|| match self.placement {
            Placement::First => check::first(door, script, strings, canonical),
            Placement::Whole | Placement::AtEnd => check::whole(door, script, strings, canonical, room),
            Placement::InOrder | Placement::Mixed => check::stream(door, script, strings, canonical, room),
        })
    }

    /// The string that makes the door panic, or that it gets wrong before: the first with which it happens.
    #[cold]
    fn panicking(&self, strings: Range<usize>, room: &mut [T]) -> usize {
        let mut indices = strings.clone();
        let found = indices.find(|&index| {
            let start = if self.placement.is_stream() { strings.start } else { index };
            self.check(start..index + 1, room) != Ok(None)
        });
        found.unwrap_or(strings.end - 1)
    }

    #[cold]
    fn explain(&self, strings: Range<usize>, index: usize, room: &mut [T]) -> Disagreement {
        let script = self.script;
        let entry = &script.entries[index];
        let (expected, got, stream) = match self.placement {
            Placement::First => {
                let got = guarded(|| self.door.first(script.string(entry), self.canonical));
                (self.due(entry), got.map_or_else(|panic| panic, verdict), None)
            }
            Placement::Whole | Placement::AtEnd => {
                let (expected, got) = self.outcomes(index..index + 1, index, &mut room[..entry.len.into()]);
                (expected, got, None)
            }
            Placement::InOrder | Placement::Mixed => {
                let around = self.cut_down(strings, index, room);
                let (from, to) = (&script.entries[around.start], &script.entries[around.end - 1]);
                let bytes = &script.bytes[from.byte as usize..to.byte as usize + usize::from(to.len)];
                let at = (entry.byte - from.byte) as usize;
                let (expected, got) = self.outcomes(around, index, room);
                (expected, got, Some((hex(bytes), at)))
            }
        };
        let got = if got == expected { format!("{got}, but not every time") } else { got };
        let (stream, at) = stream.unzip();
        Disagreement {
            bytes: hex(script.string(entry)),
            value_type: T::NAME,
            door: self.door.name().to_owned(),
            kernel: self.door.kernel().map(str::to_owned),
            canonical: self.canonical,
            placement: self.placement,
            expected,
            got,
            stream,
            at,
        }
    }

    /// The fewest strings around the one in question that still show the disagreement, left where they are in memory.
    fn cut_down(&self, strings: Range<usize>, index: usize, room: &mut [T]) -> Range<usize> {
        let mut reach = 0;
        loop {
            let around = index.saturating_sub(reach).max(strings.start)..(index + reach + 1).min(strings.end);
            if around == strings || self.check(around.clone(), room) != Ok(None) {
                return around;
            }
            reach = 2 * reach + 1;
        }
    }

    /// The first thing that differs where these strings are an input, as it is due and as it comes.
    fn outcomes(&self, strings: Range<usize>, index: usize, room: &mut [T]) -> (String, String) {
        let script = self.script;
        // What begins the input of the door's call, and what ends it.
        let faulty = &script.faulty[usize::from(self.canonical)];
        let next = faulty.partition_point(|&faulty| (faulty as usize) < index);
        let start = next.checked_sub(1).map_or(0, |before| faulty[before] as usize + 1).max(strings.start);
        let last = faulty.get(next).map_or(usize::MAX, |&faulty| faulty as usize).min(strings.end - 1);
        let (from, to, behind) =
            (&script.entries[start], &script.entries[last], &script.entries[strings.end - 1]);
        let src = &script.bytes[from.byte as usize..behind.byte as usize + usize::from(behind.len)];
        let due = script.ended(from, to, self.canonical);
        let values = &script.values[from.value as usize..][..due.values];
        let (got_values, got) = match guarded(|| self.decode(src, room)) {
            Ok(decoded) => decoded,
            Err(panic) => return (self.due(&script.entries[index]), panic),
        };
        let offset = (script.entries[index].byte - from.byte) as usize;
        let differs = values.iter().zip(&got_values).position(|(due, got)| due != got);
        let at = differs.unwrap_or(values.len().min(got_values.len()));
        let tell = |values: &[T], ended| values.get(at).map_or_else(|| end(ended, offset), |&v| number(v));
        (tell(values, due), tell(&got_values, got))
    }

    /// What is due of a string, in short.
    fn due(&self, entry: &Entry) -> String {
        verdict(self.script.first(entry, self.canonical))
    }

    /// All values of `src`, as far as they fit into `room` over and over.
    fn decode(&self, src: &[u8], room: &mut [T]) -> (Vec<T>, Ended) {
        let (mut values, mut bytes) = (Vec::new(), 0);
        loop {
            let rest = src.get(bytes..).unwrap_or_default();
            let ended = self.door.all(rest, room, self.canonical);
            values.extend_from_slice(&room[..ended.values.min(room.len())]);
            let fault =
                ended.fault.map(|fault| Fault { offset: bytes.saturating_add(fault.offset), ..fault });
            bytes = bytes.saturating_add(ended.bytes);
            if fault.is_some() || ended.values < room.len() || ended.bytes == 0 || values.len() > src.len() {
                return (values, Ended { values: 0, bytes, fault });
            }
        }
    }
}

fn verdict<T: Integer>(verdict: Verdict<T>) -> String {
    match verdict {
        Ok((value, len)) => format!("{} in {len} bytes", number(value)),
        Err(fault) => fault.to_string(),
    }
}

fn number<T: Integer>(value: T) -> String {
    format!("value {}", value.to_i128())
}

/// How it ended, seen from a string that begins at `offset`.
fn end(ended: Ended, offset: usize) -> String {
    let place = |at: usize| at as i128 - offset as i128;
    match ended.fault {
        Some(Fault { kind, offset }) => {
            format!("{kind:?} at byte {} behind values up to byte {}", place(offset), place(ended.bytes))
        }
        None => format!("the end at byte {}", place(ended.bytes)),
    }
}
