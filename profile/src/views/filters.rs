//! The filters of a view: they select samples and frames by the names of functions and files.

use regex_lite::Regex;

use super::error::ViewError;
use crate::format::Profile;
use crate::format::wire::{Line, Location};
use crate::names;

/// The regular expressions of a view, as in the options of the same names of pprof.
#[derive(Clone, Debug, Default)]
pub(super) struct Filters {
    /// Only samples with a matching frame are shown.
    pub(super) focus: Option<Regex>,
    /// Samples with a matching frame are not shown.
    pub(super) ignore: Option<Regex>,
    /// Matching frames are not shown.
    pub(super) hide: Option<Regex>,
}

/// The samples and frames of one profile that the filters select.
pub(super) struct Selection {
    /// For each location whether its samples are in focus. Empty without any filter.
    in_focus: Vec<bool>,
    /// For each location whether its samples are ignored. Empty without that filter.
    ignored: Vec<bool>,
    /// For each location whether all its frames are hidden. Empty without that filter.
    hidden: Vec<bool>,
    /// For each line whether its frame is hidden. Empty without that filter.
    hidden_lines: Vec<bool>,
}

impl Filters {
    /// Returns the names and regular expressions of the filters that are set.
    pub(super) fn active(&self) -> impl Iterator<Item = (&'static str, &Regex)> {
        let all = [("focus", &self.focus), ("ignore", &self.ignore), ("hide", &self.hide)];
        all.into_iter().filter_map(|(name, regex)| Some((name, regex.as_ref()?)))
    }

    /// Applies the filters to a profile.
    pub(super) fn select(&self, profile: &Profile) -> Selection {
        let locations = |regex: &Option<Regex>| {
            regex.as_ref().map_or(vec![], |regex| Matches::new(profile, regex).locations())
        };
        let in_focus = match self.active().next() {
            Some(_) if self.focus.is_none() => vec![true; profile.tables.location.len()],
            _ => locations(&self.focus),
        };
        let hidden_lines: Vec<bool> =
            self.hide.as_ref().map_or(vec![], |regex| Matches::new(profile, regex).lines());
        let hidden = match self.hide {
            Some(_) => (profile.line_ranges().into_iter())
                .map(|lines| hidden_lines[lines].iter().all(|&is_hidden| is_hidden))
                .collect(),
            None => vec![],
        };
        Selection { in_focus, ignored: locations(&self.ignore), hidden, hidden_lines }
    }
}

impl Selection {
    /// Returns whether a sample with this stack is shown. With a filter, a sample without a frame
    /// that is shown is not.
    pub(super) fn has(&self, stack: &[u64]) -> bool {
        let any = |flags: &[bool]| stack.iter().any(|&id| flags[id as usize - 1]);
        self.in_focus.is_empty()
            || (any(&self.in_focus)
                && (self.ignored.is_empty() || !any(&self.ignored))
                && (self.hidden.is_empty() || stack.iter().any(|&id| !self.hidden[id as usize - 1])))
    }

    /// Returns whether the frame of this line is hidden.
    pub(super) fn hides(&self, line: usize) -> bool {
        self.hidden_lines.get(line).is_some_and(|&is_hidden| is_hidden)
    }
}

/// Returns whether a function or file of the profile matches.
pub(super) fn is_found(profile: &Profile, regex: &Regex) -> bool {
    Matches::new(profile, regex).locations().contains(&true)
}

/// Removes the samples with a function or file in their stack that matches.
#[cfg(feature = "criterion")]
pub(crate) fn remove_samples(profile: &mut Profile, regex: &Regex) {
    let matching = Matches::new(profile, regex).locations();
    profile.tables.sample.retain(|sample| !sample.location_id.iter().any(|&id| matching[id as usize - 1]));
}

/// Returns for each line of the profile whether its function or file matches.
pub(super) fn matching_lines(profile: &Profile, pattern: &str) -> Result<Vec<bool>, ViewError> {
    Ok(Matches::new(profile, &Regex::new(pattern)?).lines())
}

/// The functions and mapped files of a profile that match, by name or by source file.
struct Matches<'p> {
    profile: &'p Profile,
    functions: Vec<bool>,
    mappings: Vec<bool>,
}

impl<'p> Matches<'p> {
    fn new(profile: &'p Profile, regex: &Regex) -> Self {
        let functions = (profile.tables.function.iter())
            .map(|function| {
                let name = names::function(profile.text(function.name), profile.text(function.system_name));
                regex.is_match(&name) || regex.is_match(profile.text(function.filename))
            })
            .collect();
        let mappings =
            profile.tables.mapping.iter().map(|it| regex.is_match(profile.text(it.filename))).collect();
        Self { profile, functions, mappings }
    }

    fn is_mapping(&self, location: &Location) -> bool {
        (location.mapping_id as usize).checked_sub(1).is_some_and(|at| self.mappings[at])
    }

    fn is_function(&self, line: &Line) -> bool {
        (line.function_id as usize).checked_sub(1).is_some_and(|at| self.functions[at])
    }

    /// Returns for each location whether it or one of its lines matches.
    fn locations(&self) -> Vec<bool> {
        (self.profile.tables.location.iter())
            .map(|location| {
                self.is_mapping(location) || location.lines().iter().any(|line| self.is_function(line))
            })
            .collect()
    }

    /// Returns for each line whether it or its location matches.
    fn lines(&self) -> Vec<bool> {
        (self.profile.tables.location.iter())
            .flat_map(|location| {
                let is_mapping = self.is_mapping(location);
                location.lines().iter().map(move |line| is_mapping || self.is_function(line))
            })
            .collect()
    }
}
