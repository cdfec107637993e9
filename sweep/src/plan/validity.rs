//! What a sweep refuses at its start: a space that leaves inputs out, and a plan without inputs.

use crate::plan::interval::{Interval, union};
use crate::plan::space::{Erased, Stratum, Untyped};

/// The greatest number of inputs that a sweep can number.
const MAX_COUNT: u128 = 1 << 64;

/// Returns why a space with this name cannot be swept because of the number of its inputs, if it cannot.
pub(crate) fn of_count(name: &str, count: u128) -> Option<String> {
    let problem = match count {
        0 => "no inputs to check; add at least one",
        1..=MAX_COUNT => return None,
        _ => "more than 2^64 inputs; sweep parts of it, such as ranges of values",
    };
    Some(format!("space '{name}': {problem}"))
}

/// Returns why a space would leave inputs out or check some twice, if it would.
pub(crate) fn of_space(space: &Untyped) -> Option<String> {
    let Untyped { name, limits, classes, edges, .. } = space;
    let class = |class: &Stratum| {
        let name = class.name.clone().unwrap_or_default();
        class.intervals.clone().into_iter().map(move |numbers| (name.clone(), numbers))
    };
    let (last, count) = (limits.last, limits.count());
    if let Some(problem) = of_classes(classes.iter().flat_map(class).collect(), *limits) {
        return Some(format!("space '{name}': {problem}; put each number from 0 to {last} in one class"));
    }
    let edge = edges.iter().find(|edge| !limits.contains(**edge))?;
    Some(format!(
        "space '{name}': edge {edge} is not less than the count, {count}; return edges below the count"
    ))
}

/// Returns why classes, each a name with numbers, do not have each of these numbers once, if so.
pub(crate) fn of_classes(mut classes: Vec<(String, Interval)>, all: Interval) -> Option<String> {
    if let Some((name, Interval { first, last })) = classes.iter().find(|(_, own)| own.first > own.last) {
        return Some(format!("class '{name}' has no numbers ({first}..={last} is reversed)"));
    }
    classes.sort_by_key(|(_, own)| own.first);
    let (mut next, mut before) = (all.first, None);
    for (name, own) in &classes {
        match before {
            _ if own.first > next => {
                return Some(format!(
                    "no class has number {next} (the next one, '{name}', begins at {})",
                    own.first
                ));
            }
            Some(before) if own.first < next => {
                return Some(format!("the classes '{before}' and '{name}' both have number {}", own.first));
            }
            _ if own.last > all.last => {
                let (number, count) = (all.last + 1, all.count());
                return Some(format!(
                    "class '{name}' has number {number}, which is not less than the count, {count}"
                ));
            }
            _ => (next, before) = (own.last + 1, Some(name)),
        }
    }
    match before {
        _ if next > all.last => None,
        Some(name) => {
            Some(format!("no class has number {next} (the last one, '{name}', ends at {})", next - 1))
        }
        None => Some(format!("no class has number {next} (there are no classes)")),
    }
}

impl Erased {
    /// Returns the numbers to check: these ranges, or all inputs.
    ///
    /// # Errors
    ///
    /// Returns a message if the sweep would leave inputs out, or if it would check none.
    pub(crate) fn plan(&self, ranges: Option<&[Interval]>) -> Result<Vec<Interval>, String> {
        if let Some(problem) = &self.problem {
            return Err(problem.clone());
        }
        let Some(ranges) = ranges else { return Ok(self.numbers.into_iter().collect()) };
        let name = self.name();
        if ranges.is_empty() {
            return Err(format!("ranges: there is none; name at least one, or sweep all of {name}"));
        }
        for range in ranges {
            let Interval { first, last } = range;
            if first > last {
                return Err(format!("range {first}..={last}: reversed; write the smaller bound first"));
            }
            if let Some(own) = self.numbers.filter(|own| own.intersect(*range) != Some(*range)) {
                let own = format!("{name} ({}..={})", own.first, own.last);
                return Err(format!("range {first}..={last}: not within {own}; stay within these"));
            }
        }
        Ok(union(ranges.iter().copied()))
    }
}
