//! Flamegraphs.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use inferno::flamegraph::{Options, from_lines};

use super::error::ViewError;
use super::graph::{Detail, places};
use super::names;
use super::units::scale;
use super::view::View;

/// Bytes of all stacks written out. A picture of more would show nothing.
const LARGEST: usize = 256 << 20;

impl View<'_> {
    /// A flamegraph as SVG: a picture to click through, as wide as what is spent. In a comparison widths are the profile's,
    /// and colours tell what changed: red took less in the base, blue took more.
    ///
    /// # Errors
    ///
    /// Where there is no sample to draw, or the stacks are too long to be drawn.
    pub fn flamegraph(&self) -> Result<Vec<u8>, ViewError> {
        // Before and after.
        let mut stacks: BTreeMap<String, (i64, i64)> = BTreeMap::new();
        let mut size = 0;
        for (profile, is_base) in self.parts() {
            let in_focus = self.in_focus(profile);
            let mut frames = HashMap::new();
            let frames: Vec<Rc<str>> = places(profile, Detail::Functions)
                .map(|place| {
                    let label = place.label();
                    Rc::clone(frames.entry(Rc::clone(&label)).or_insert_with(|| frame(&label).into()))
                })
                .collect();
            for sample in profile.samples() {
                if self.focus.is_some() && !sample.stack.iter().any(|&at| in_focus[at as usize]) {
                    continue;
                }
                let locations = sample.stack.iter().rev().map(|&at| &profile.locations[at as usize]);
                let lines = locations.flat_map(|location| (location.first..location.end).rev());
                let mut stack = String::new();
                for line in lines {
                    if !stack.is_empty() {
                        stack.push(';');
                    }
                    stack += &frames[line as usize];
                    if size + stack.len() > LARGEST {
                        return Err(ViewError::Drawing(
                            "the stacks are too long; --focus shows a part".into(),
                        ));
                    }
                }
                if stack.is_empty() {
                    stack.push_str("[unknown]");
                }
                size += stack.len();
                let (before, after) = stacks.entry(stack).or_default();
                let sum = if is_base { before } else { after };
                *sum = sum.saturating_add(sample.values[self.value]);
            }
        }
        let mut options = self.options();
        let sum: i128 = stacks
            .values()
            .map(|&(before, after)| i128::from(before.max(0)) + i128::from(after.max(0)))
            .sum();
        // inferno calculates percentages in `usize`.
        let most = usize::MAX as i128 / 200;
        let unit = 1 + sum / most;
        options.factor *= unit as f64;
        if (sum / unit) as f64 * options.factor > most as f64 {
            return Err(ViewError::Drawing("its values are too large".into()));
        }
        let lines: Vec<String> = stacks
            .iter()
            .map(|(stack, (before, after))| {
                (stack, i128::from(*before.max(&0)) / unit, i128::from(*after.max(&0)) / unit)
            })
            .filter(|(_, before, after)| *before > 0 || *after > 0)
            .map(|(stack, before, after)| match self.base {
                Some(_) => format!("{stack} {before} {after}"),
                None => format!("{stack} {after}"),
            })
            .collect();
        if lines.is_empty() {
            return Err(ViewError::NoSamples);
        }
        let mut svg = vec![];
        from_lines(&mut options, lines.iter().map(String::as_str), &mut svg)
            .map_err(|error| ViewError::Drawing(error.to_string()))?;
        Ok(svg)
    }

    fn options(&self) -> Options<'static> {
        let mut options = Options::default();
        let (kind, unit) = (names::printable(self.kind()), self.unit());
        // Milliseconds rather than nanoseconds.
        let (name, factor) = match scale(1_000_000_000, unit, "ms") {
            (milliseconds, "ms") => ("ms".to_owned(), milliseconds / 1e9),
            _ => (names::printable(unit), 1.0),
        };
        options.title = match self.base {
            Some(_) => format!("Flamegraph of {kind}: red took less before, blue took more"),
            None => format!("Flamegraph of {kind}"),
        };
        options.count_name = name;
        options.factor = factor;
        options.deterministic = true;
        options
    }
}

/// A name that cannot be taken for several frames, nor for a number.
fn frame(name: &str) -> String {
    let name = name.replace(';', ":");
    match name.rsplit_once(' ') {
        _ if name.is_empty() => "[unknown]".into(),
        Some((front, last)) if last.parse::<f64>().is_ok() => format!("{front}_{last}"),
        _ => name,
    }
}
