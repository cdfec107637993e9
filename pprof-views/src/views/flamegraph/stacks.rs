//! The stacks of a flamegraph as text, without frames that are too narrow to be seen.
//!
//! The stacks of a large profile take far more memory as text than the profile. They are compared by the
//! names of their frames instead, and become text only when the values of their frames are known.

use std::cmp::Ordering;
use std::collections::HashMap;

use regex_lite::Regex;

use crate::format::Profile;
use crate::views::error::ViewError;
use crate::views::filters::{Selection, matching_lines};
use crate::views::graph::{Granularity, Name, Names, node_keys};
use crate::views::sample_types::Column;
use crate::views::view::View;

/// A stack with the outermost frame first, and its values in the base and in the profile.
pub(super) type Stack = (String, i64, i64);

/// The maximum size of all stacks. That of a recursion grows with the square of its depth.
const MAX_TEXT: usize = 512 << 20;

/// The samples of one profile.
struct Part<'p> {
    profile: &'p Profile,
    is_base: bool,
    selection: Selection<'p>,
    column: Column,
    /// For each line the text of its frame, and whether it is left out at the root.
    frames: Vec<Name>,
    wrappers: Option<Vec<bool>>,
    /// Whether stacks start with the innermost frame.
    is_reversed: bool,
}

/// A frame while its stacks are added up.
#[derive(Default)]
struct Frame {
    name: Name,
    /// The values of the stacks that end here, in the base and in the profile.
    own: [i64; 2],
    /// The values of callees that are too narrow.
    narrow: [i64; 2],
    /// The values of the other callees.
    callees: [i64; 2],
    /// The number of stacks before those of this frame.
    first: usize,
}

/// Returns the stacks of all samples that the view shows. Frames of less than `min_share` of all are part
/// of their callers. With `work`, stacks begin with its name, and its wrappers are left out.
pub(super) fn stacks(
    view: &View<'_>,
    work: Option<(&str, &str)>,
    min_share: f64,
) -> Result<Vec<Stack>, ViewError> {
    let wrappers = work.map(|(_, wrappers)| Regex::new(wrappers)).transpose()?;
    let (mut names, mut texts, mut known) = (Names::new(), Names::new(), HashMap::new());
    let mut parts = vec![];
    for (profile, is_base) in view.parts() {
        let keys = node_keys(profile, Granularity::Functions, &mut names).map(|key| key.label);
        let keys: Vec<Name> = keys.collect();
        let mut text = |name| *known.entry(name).or_insert_with(|| texts.add(&frame(names.get(name))));
        parts.push(Part {
            profile,
            is_base,
            selection: view.filters.select(profile, view.dropped_lines(is_base)),
            column: view.column(is_base),
            frames: keys.into_iter().map(&mut text).collect(),
            wrappers: wrappers.as_ref().map(|regex| matching_lines(profile, regex)),
            is_reversed: view.style.is_reversed,
        });
    }
    let mut order: Vec<(usize, usize)> = vec![];
    for (at, part) in parts.iter().enumerate() {
        let is_shown = |&sample: &usize| work.is_some() || part.selection.has(sample);
        order.extend((0..part.profile.samples.len()).filter(is_shown).map(|sample| (at, sample)));
    }
    let compare = |&(a, left): &(usize, usize), &(b, right): &(usize, usize)| -> Ordering {
        parts[a].stack(left).cmp(parts[b].stack(right))
    };
    order.sort_unstable_by(compare);
    let value = |&(at, sample): &(usize, usize)| -> [i64; 2] {
        let value = parts[at].column.value(parts[at].profile.samples.get(sample));
        if parts[at].is_base { [value, 0] } else { [0, value] }
    };
    let after = order.iter().fold(0i64, |all, sample| all.saturating_add(value(sample)[1].max(0)));
    let root = work.map_or(String::new(), |(name, _)| frame(name));
    let mut tree = Tree {
        texts,
        root,
        open: vec![Frame::default()],
        stacks: vec![],
        size: 0,
        min: after as f64 * min_share,
    };
    let mut stack = vec![];
    for sample in &order {
        stack.clear();
        stack.extend(parts[sample.0].stack(sample.1));
        tree.add(&stack, value(sample));
    }
    tree.close(0);
    match tree.size > MAX_TEXT {
        true => Err(ViewError::Flamegraph("its stacks are too deep; select some, or hide functions".into())),
        false => Ok(tree.stacks),
    }
}

impl Part<'_> {
    /// Returns the frames of a sample from the base of the flamegraph on.
    fn stack(&self, sample: usize) -> impl Iterator<Item = Name> {
        let lines = move || {
            let locations = self.selection.locations(self.profile.samples.get(sample).location_id);
            let lines = locations.iter().rev().flat_map(|&location| self.selection.lines(location).rev());
            lines.filter(|&line| !self.selection.hides(line))
        };
        let is_wrapper = |line: usize| self.wrappers.as_ref().is_some_and(|wrappers| wrappers[line]);
        let first = lines().position(|line| !is_wrapper(line)).unwrap_or(usize::MAX);
        let (lines, reversed) = match self.is_reversed {
            true => (None, Some(lines().rev())),
            false => (Some(lines().skip(first)), None),
        };
        let lines = lines.into_iter().flatten().chain(reversed.into_iter().flatten());
        lines.map(|line| self.frames[line])
    }
}

/// The frames of the current stack, below a root, and the stacks that are complete.
struct Tree {
    texts: Names,
    root: String,
    open: Vec<Frame>,
    stacks: Vec<Stack>,
    /// The size of all stacks that were complete.
    size: usize,
    /// The minimum value of a frame in the profile.
    min: f64,
}

impl Tree {
    /// Adds a stack, which equals the previous one or follows it in the order of names.
    fn add(&mut self, stack: &[Name], value: [i64; 2]) {
        let is_same = |(frame, name): &(&Frame, &Name)| frame.name == **name;
        let shared = self.open[1..].iter().zip(stack).take_while(is_same).count();
        self.close(shared + 1);
        for &name in &stack[shared..] {
            self.open.push(Frame { name, first: self.stacks.len(), ..Frame::default() });
        }
        if let Some(last) = self.open.last_mut() {
            last.own = sum(last.own, value);
        }
    }

    /// Ends frames until `depth` are left.
    fn close(&mut self, depth: usize) {
        while self.open.len() > depth
            && let Some(frame) = self.open.pop()
        {
            let own = sum(frame.own.map(|value| value.max(0)), frame.narrow); // a width is not negative
            let all = sum(own, frame.callees);
            // The outermost frames have no caller.
            if self.open.len() > 1 && (all[1] as f64) < self.min {
                self.stacks.truncate(frame.first);
                let caller = self.open.last_mut().expect("more than one");
                caller.narrow = sum(caller.narrow, all);
                continue;
            }
            if own != [0, 0] {
                let names = self.open.iter().skip(1).chain(Some(&frame).filter(|_| !self.open.is_empty()));
                let names = names.map(|frame| self.texts.get(frame.name));
                let root = Some(&*self.root).filter(|root| !root.is_empty());
                let stack: Vec<&str> = root.into_iter().chain(names).collect();
                self.size = self.size.saturating_add(stack.iter().map(|name| name.len() + 1).sum());
                if self.size <= MAX_TEXT {
                    let text = if stack.is_empty() { "[unknown]".into() } else { stack.join(";") };
                    self.stacks.push((text, own[0], own[1]));
                }
            }
            if let Some(caller) = self.open.last_mut() {
                caller.callees = sum(caller.callees, all);
            }
        }
    }
}

fn sum(left: [i64; 2], right: [i64; 2]) -> [i64; 2] {
    [left[0].saturating_add(right[0]), left[1].saturating_add(right[1])]
}

/// Returns a name in which inferno finds neither a separator of frames nor a value.
fn frame(name: &str) -> String {
    let name = name.replace(';', ":");
    match name.rsplit_once(' ') {
        _ if name.is_empty() => "[unknown]".into(),
        Some((front, last)) if last.parse::<f64>().is_ok() => format!("{front}_{last}"),
        _ => name,
    }
}
