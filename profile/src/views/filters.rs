//! The filters of a view: they select samples and frames by the names of functions and files.

use std::collections::HashMap;
use std::iter::once;
use std::ops::Range;

use regex_lite::Regex;

use super::frames::DroppedLines;
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

/// The samples and frames of one profile that the filters select. Each filter that is set has for
/// each line whether its frame matches.
pub(super) struct Selection<'d> {
    line_ranges: Vec<Range<usize>>,
    dropped: Option<&'d DroppedLines>,
    focus: Option<Vec<bool>>,
    ignore: Option<Vec<bool>>,
    hide: Option<Vec<bool>>,
}

impl Filters {
    /// Returns the names and regular expressions of the filters that are set.
    pub(super) fn active(&self) -> impl Iterator<Item = (&'static str, &Regex)> {
        let all = [("focus", &self.focus), ("ignore", &self.ignore), ("hide", &self.hide)];
        all.into_iter().filter_map(|(name, regex)| Some((name, regex.as_ref()?)))
    }

    /// Applies the filters to a profile, after lines are dropped.
    pub(super) fn select<'d>(&self, profile: &Profile, dropped: Option<&'d DroppedLines>) -> Selection<'d> {
        let [focus, ignore, hide] = [&self.focus, &self.ignore, &self.hide]
            .map(|regex| regex.as_ref().map(|regex| matching_lines(profile, regex)));
        let mut line_ranges = profile.line_ranges();
        if let Some(dropped) = dropped {
            line_ranges.iter_mut().enumerate().for_each(|(at, lines)| lines.start += dropped.of_location(at));
        }
        Selection { line_ranges, dropped, focus, ignore, hide }
    }
}

impl Selection<'_> {
    /// Returns the locations of a stack that are not dropped.
    pub(super) fn locations<'s>(&self, stack: &'s [u64]) -> &'s [u64] {
        self.dropped.map_or(stack, |dropped| dropped.shown(stack))
    }

    /// Returns the positions of the lines of a location.
    pub(super) fn lines(&self, location: u64) -> Range<usize> {
        self.line_ranges[location as usize - 1].clone()
    }

    /// Returns whether a sample with these locations is shown. With a filter, a sample without a frame
    /// that is shown is not.
    pub(super) fn has(&self, stack: &[u64]) -> bool {
        let lines = || stack.iter().flat_map(|&location| self.lines(location));
        let matches = |flags: &[bool]| lines().any(|line| flags[line]);
        let is_filtered = self.focus.is_some() || self.ignore.is_some() || self.hide.is_some();
        !is_filtered
            || (self.focus.as_deref().is_none_or(matches)
                && !self.ignore.as_deref().is_some_and(matches)
                && lines().any(|line| !self.hides(line)))
    }

    /// Returns whether the frame of this line is hidden.
    pub(super) fn hides(&self, line: usize) -> bool {
        self.hide.as_ref().is_some_and(|flags| flags[line])
    }
}

/// Removes the samples with a function or file in their stack that matches.
#[cfg(feature = "program")]
pub(crate) fn remove_samples(profile: &mut Profile, regex: &Regex) {
    let selection = Filters { ignore: Some(regex.clone()), ..Filters::default() }.select(profile, None);
    profile.tables.sample.retain(|sample| {
        let stack = &sample.location_id;
        stack.is_empty() || selection.has(stack)
    });
}

/// Returns for each line of the profile whether its function, source file or mapped file matches.
pub(super) fn matching_lines(profile: &Profile, regex: &Regex) -> Vec<bool> {
    // A text that several entries have is matched only once, because it can be long.
    let (mut names, mut files) = (HashMap::new(), HashMap::new());
    let mut has_name =
        |name| *names.entry(name).or_insert_with(|| regex.is_match(&names::shown(profile, name)));
    let mut has_file =
        |file| *files.entry(file).or_insert_with(|| regex.is_match(&names::printable(profile.text(file))));
    // The id 0 means that there is no entry.
    let functions = profile.tables.function.iter();
    let functions = functions.map(|it| has_name(names::function(profile, it)) || has_file(it.filename));
    let functions: Vec<bool> = once(false).chain(functions).collect();
    let mappings = profile.tables.mapping.iter().map(|it| has_file(it.filename));
    let mappings: Vec<bool> = once(false).chain(mappings).collect();
    let lines = profile.tables.location.iter().flat_map(|it| it.lines().iter().map(move |line| (it, line)));
    let matches = |(location, line): (&Location, &Line)| {
        mappings[location.mapping_id as usize] || functions[line.function_id as usize]
    };
    lines.map(matches).collect()
}
