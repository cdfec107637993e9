//! The frames that a profile says are of no interest, by the regular expressions `drop_frames` and
//! `keep_frames` of pprof's format.

use std::collections::HashMap;

use regex_lite::{Regex, RegexBuilder};

use crate::format::Profile;
use crate::format::wire::Location;
use crate::names;

/// The maximum size of a regular expression in a file. Those of pprof itself have up to 1,500 bytes.
const MAX_PATTERN: usize = 64 << 10;
/// The maximum size of a compiled expression in bytes.
const MAX_SIZE: usize = 1 << 20;
/// The maximum product of the sizes of a compiled expression and of all names, in bytes. A bad expression
/// takes about 20 seconds then, and that of 1,500 bytes can have names of 3 MB.
const MAX_WORK: usize = 1 << 37;

/// What is dropped in the profiles of a view.
#[derive(Clone, Debug, Default)]
pub(super) struct DroppedFrames {
    /// In the profile and in the base, unless nothing is dropped.
    pub(super) parts: Vec<DroppedLines>,
    /// Why nothing is dropped although the profile asks for it.
    pub(super) problem: Option<String>,
}

/// How many lines of each location are dropped, from the innermost one outwards.
#[derive(Clone, Debug)]
pub(super) struct DroppedLines(Vec<u32>);

/// All lines of a location.
const ALL: u32 = u32::MAX;

impl DroppedFrames {
    /// Finds what the first of some profiles drops in all of them.
    pub(super) fn find(profiles: &[&Profile]) -> Self {
        match lines(profiles) {
            Ok(parts) => Self { parts, problem: None },
            Err(problem) => Self { parts: vec![], problem: Some(problem) },
        }
    }
}

fn lines(profiles: &[&Profile]) -> Result<Vec<DroppedLines>, String> {
    let Some((first, tables)) = profiles.first().map(|first| (first, &first.tables)) else {
        return Ok(vec![]);
    };
    if first.text(tables.drop_frames).is_empty() {
        return Ok(vec![]);
    }
    let names = profiles.iter().flat_map(|it| names::functions(it).into_iter().map(move |name| (it, name)));
    let size: usize = names.map(|(it, name)| names::shown(it, name).len() + 1).sum();
    let limit = (MAX_WORK / size.max(1)).min(MAX_SIZE);
    let regex = |field: &str, pattern| {
        compile(first.text(pattern), limit)
            .map_err(|error| format!("invalid {field} in the profile: {error}"))
    };
    let drop = regex("drop_frames", tables.drop_frames)?;
    let keep = regex("keep_frames", tables.keep_frames)?;
    let is_dropped = |name: &str| {
        let name = without_arguments(name);
        let matches = |regex: &Option<Regex>| regex.as_ref().is_some_and(|regex| regex.is_match(name));
        !name.is_empty() && matches(&drop) && !matches(&keep)
    };
    Ok(profiles.iter().map(|profile| DroppedLines::find(profile, is_dropped)).collect())
}

impl DroppedLines {
    fn find(profile: &Profile, is_dropped: impl Fn(&str) -> bool) -> Self {
        let of_name = |name| (name, is_dropped(&names::shown(profile, name)));
        let names: HashMap<i64, bool> = names::functions(profile).into_iter().map(of_name).collect();
        let functions = &profile.tables.function;
        let is_dropped = |id: u64| {
            let function = functions.get((id as usize).wrapping_sub(1)); // the id 0 means none
            function.is_some_and(|function| names[&names::function(profile, function)])
        };
        let dropped =
            |location: &Location| match location.line.iter().rposition(|line| is_dropped(line.function_id)) {
                None => 0,
                Some(outermost) if outermost + 1 == location.line.len() => ALL,
                Some(line) => line as u32 + 1,
            };
        Self(profile.tables.location.iter().map(dropped).collect())
    }

    /// Returns how many lines are dropped of a location that has others, given its position.
    pub(super) fn of_location(&self, at: usize) -> usize {
        match self.0.get(at) {
            None | Some(&ALL) => 0,
            Some(&lines) => lines as usize,
        }
    }

    /// Returns the part of a stack that is shown. As in pprof, the outermost frames stay until the first
    /// one that is not dropped, so that something is left.
    pub(super) fn shown<'s>(&self, stack: &'s [u32]) -> &'s [u32] {
        let dropped = |at: &usize| self.0[stack[*at] as usize - 1];
        let is_label = |at: &usize| stack[*at] as usize > self.0.len(); // those are outside of all functions
        let outer = (0..stack.len()).rev().skip_while(is_label).skip_while(|at| dropped(at) > 0);
        match { outer }.find(|at| dropped(at) > 0) {
            None => stack,
            Some(at) if dropped(&at) == ALL => &stack[at + 1..],
            Some(at) => &stack[at..],
        }
    }
}

/// Compiles a regular expression that must match a whole name. An empty one is none.
fn compile(pattern: &str, limit: usize) -> Result<Option<Regex>, String> {
    match pattern.len() {
        0 => Ok(None),
        1..=MAX_PATTERN => {
            let regex = RegexBuilder::new(&format!("^({pattern})$")).size_limit(limit).build();
            regex.map(Some).map_err(|error| error.to_string())
        }
        length => Err(format!("a regular expression of {length} bytes")),
    }
}

/// Returns a name up to the arguments of the function. pprof also removes a leading dot, which some
/// systems have.
fn without_arguments(name: &str) -> &str {
    let name = name.strip_prefix('.').unwrap_or(name);
    let mut start = 0;
    while let Some(at) = name[start..].find('(').map(|at| start + at) {
        let is_operator = name[start..at].ends_with("operator") && name[at..].starts_with("()");
        match &name[at..] {
            _ if is_operator => start = at + 2,
            rest if rest.starts_with("(anonymous namespace)") => start = at + "(anonymous namespace)".len(),
            _ => return &name[..at],
        }
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_no_part_of_a_name() {
        for (name, matched) in [
            ("foo::bar(int)", "foo::bar"),
            (".foo", "foo"),
            ("(anonymous namespace)::f(int)", "(anonymous namespace)::f"),
            ("A::operator()(int) const", "A::operator()"),
            ("operator()()", "operator()"),
            ("<fn() as Trait>::call", "<fn"),
            ("main", "main"),
        ] {
            assert_eq!(without_arguments(name), matched);
        }
    }

    #[test]
    fn expressions_beyond_the_limits_are_refused() {
        assert!(compile("", 1000).is_ok_and(|regex| regex.is_none()));
        assert!(
            compile("a|b", 1000)
                .is_ok_and(|regex| regex.is_some_and(|it| it.is_match("b") && !it.is_match("ab")))
        );
        for pattern in ["(", "((.?){1000}){1000}", &"a".repeat(MAX_PATTERN), &"a".repeat(MAX_PATTERN + 1)] {
            assert!(compile(pattern, 1000).is_err());
        }
    }
}
