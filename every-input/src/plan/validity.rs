//! What a sweep refuses at its start: a space that leaves inputs out, and a plan without inputs.

use crate::plan::interval::Interval;

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

/// Returns why a space with this name and these numbers would leave inputs out or check some twice, if it
/// would. A class has a name and numbers.
pub(crate) fn of_space(
    name: &str,
    all: Interval,
    classes: Vec<(&str, Interval)>,
    edges: &[i128],
) -> Option<String> {
    let (last, count) = (all.last, all.count());
    if let Some(problem) = of_classes(classes, all) {
        return Some(format!("space '{name}': {problem}; put each number from 0 to {last} in one class"));
    }
    let edge = edges.iter().find(|edge| !all.contains(**edge))?;
    Some(format!(
        "space '{name}': edge {edge} is not less than the count, {count}; return edges below the count"
    ))
}

/// Returns why classes do not have each of these numbers once, if so.
pub(crate) fn of_classes(mut classes: Vec<(&str, Interval)>, all: Interval) -> Option<String> {
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
            None if own.first < next => return Some(format!("class '{name}' has number {}", own.first)),
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

/// Returns why a sweep of no ranges of the inputs with this name is refused.
pub(crate) fn of_none(name: &str) -> String {
    format!("ranges: there is none; name at least one, or sweep all of {name}")
}

/// Returns why a range is not a part of these inputs, of which `name` is called for a message, if so.
pub(crate) fn of_range(range: Interval, all: Interval, name: impl Fn() -> String) -> Option<String> {
    let Interval { first, last } = range;
    if first > last {
        return Some(format!("range {first}..={last}: reversed; write the smaller bound first"));
    }
    let is_within = all.contains(first) && all.contains(last);
    let all = || format!("{} ({}..={})", name(), all.first, all.last);
    (!is_within).then(|| format!("range {first}..={last}: not within {}; stay within these", all()))
}
