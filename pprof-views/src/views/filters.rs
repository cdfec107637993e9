//! The filters of a view: they select samples and frames by the names of functions and files, and samples
//! by their labels.

use std::collections::HashMap;
use std::iter::once;
use std::ops::Range;

use regex_lite::Regex;

use super::dropped_frames::DroppedLines;
use super::labels::LabelFilter;
use crate::format::Profile;
use crate::format::wire::{Line, Location};
use crate::names;

/// The filters of a view, as in the options of the same names of pprof.
#[derive(Clone, Debug, Default)]
pub(super) struct Filters {
    /// Only samples with a matching frame are shown.
    pub(super) focus: Option<Regex>,
    /// Samples with a matching frame are not shown.
    pub(super) ignore: Option<Regex>,
    /// Matching frames are not shown.
    pub(super) hide: Option<Regex>,
    /// Only samples with a matching label are shown.
    pub(super) tag_focus: Option<LabelFilter>,
    /// Samples with a matching label are not shown.
    pub(super) tag_ignore: Option<LabelFilter>,
}

/// The samples and frames of one profile that the filters select.
pub(super) struct Selection<'d> {
    line_ranges: Vec<Range<usize>>,
    dropped: Option<&'d DroppedLines>,
    /// Whether each sample is shown.
    samples: Vec<bool>,
    /// Whether the frame of each line is hidden.
    hide: Option<Vec<bool>>,
}

impl Filters {
    fn of_frames(&self) -> [(&'static str, Option<&Regex>); 3] {
        [("focus", self.focus.as_ref()), ("ignore", self.ignore.as_ref()), ("hide", self.hide.as_ref())]
    }

    fn of_labels(&self) -> [(&'static str, Option<&LabelFilter>); 2] {
        [("tagfocus", self.tag_focus.as_ref()), ("tagignore", self.tag_ignore.as_ref())]
    }

    /// Returns the filters that are set as pprof lists them: `focus=main`.
    pub(super) fn active(&self) -> impl Iterator<Item = String> {
        let of_frames =
            self.of_frames().into_iter().filter_map(|(name, regex)| Some((name, regex?.as_str())));
        let of_labels =
            self.of_labels().into_iter().filter_map(|(name, filter)| Some((name, &*filter?.text)));
        of_frames.chain(of_labels).map(|(name, text)| format!("{name}={text}"))
    }

    /// Returns for each filter that is set whether it matches in a profile, in the order of
    /// [`active`](Self::active).
    pub(super) fn matches(
        &self,
        profile: &Profile,
        dropped: Option<&DroppedLines>,
    ) -> impl Iterator<Item = bool> {
        let all = Self::default().select(profile, dropped);
        let of_frames = self.of_frames().into_iter().filter_map(move |(_, regex)| {
            let lines = matching_lines(profile, regex?);
            let samples = profile.samples.iter();
            let mut locations = samples.flat_map(|sample| all.locations(sample.location_id));
            Some(locations.any(|&id| lines[all.lines(id)].contains(&true)))
        });
        let of_labels = self.of_labels().into_iter();
        let of_labels =
            of_labels.filter_map(|(_, filter)| Some(filter?.matching_samples(profile).contains(&true)));
        of_frames.chain(of_labels)
    }

    /// Applies the filters to a profile, after lines are dropped.
    pub(super) fn select<'d>(&self, profile: &Profile, dropped: Option<&'d DroppedLines>) -> Selection<'d> {
        let mut line_ranges = profile.line_ranges();
        if let Some(dropped) = dropped {
            line_ranges.iter_mut().enumerate().for_each(|(at, lines)| lines.start += dropped.of_location(at));
        }
        let mut selection = Selection { line_ranges, dropped, samples: vec![], hide: None };
        let [focus, ignore, hide] =
            self.of_frames().map(|(_, regex)| regex.map(|regex| matching_lines(profile, regex)));
        let [tag_focus, tag_ignore] =
            self.of_labels().map(|(_, filter)| filter.map(|filter| filter.matching_samples(profile)));
        let is_filtered = focus.is_some() || ignore.is_some() || hide.is_some();
        // With a filter of frames, a sample without a frame that is shown is not.
        let has_frames = |stack: &[u32]| {
            let lines = || selection.locations(stack).iter().flat_map(|&id| selection.lines(id));
            let matches = |flags: &[bool]| lines().any(|line| flags[line]);
            focus.as_deref().is_none_or(matches)
                && !ignore.as_deref().is_some_and(matches)
                && lines().any(|line| hide.as_deref().is_none_or(|flags| !flags[line]))
        };
        let samples = profile.samples.iter().enumerate().map(|(at, sample)| {
            tag_focus.as_ref().is_none_or(|samples| samples[at])
                && !tag_ignore.as_ref().is_some_and(|samples| samples[at])
                && (!is_filtered || has_frames(sample.location_id))
        });
        selection.samples = samples.collect();
        selection.hide = hide;
        selection
    }
}

impl Selection<'_> {
    /// Returns the locations of a stack that are not dropped.
    pub(super) fn locations<'s>(&self, stack: &'s [u32]) -> &'s [u32] {
        self.dropped.map_or(stack, |dropped| dropped.shown(stack))
    }

    /// Returns the positions of the lines of a location.
    pub(super) fn lines(&self, location: u32) -> Range<usize> {
        self.line_ranges[location as usize - 1].clone()
    }

    /// Returns whether the sample with this index is shown.
    pub(super) fn has(&self, sample: usize) -> bool {
        self.samples[sample]
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
    let mut samples = selection.samples.into_iter();
    profile.samples.retain(|sample| samples.next().unwrap_or_default() || sample.location_id.is_empty());
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
