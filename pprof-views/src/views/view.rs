//! The selection of what to show of a profile.

use std::iter::once;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use regex_lite::Regex;

use super::dropped_frames::{DroppedFrames, DroppedLines};
use super::error::ViewError;
use super::filters::Filters;
use super::flamegraph::Style;
use super::labels::{has_key, with_roots};
use super::sample_types::{Column, SampleType, SampleTypes};
use super::sources::Sources;
use crate::format::Profile;
use crate::names;

/// A view of a profile: one sample type, all samples or some of them, and optionally a base profile
/// to compare with.
///
/// [`sample_index`](Self::sample_index), [`focus`](Self::focus), [`diff`](Self::diff) and others
/// select what to show. [`top`](Self::top), [`peek`](Self::peek), [`list`](Self::list),
/// [`tags`](Self::tags) and [`flamegraph`](Self::flamegraph) show it. Tables have the columns, units and order of `go tool
/// pprof`, and omit the same rows:
///
/// | column | content |
/// |---|---|
/// | `flat` | the samples in the function or line itself, in the unit of the sample type or a multiple (`10ms`, `512kB`) |
/// | `flat%` | `flat` as a percentage of all samples, or of those of the base in a comparison |
/// | `sum%` | the sum of `flat%` up to this row |
/// | `cum`, `cum%` | the samples in the function and in its callees |
///
/// Inlined functions are shown as separate functions.
///
/// # Examples
///
/// ```
/// use pprof_views::{Profile, View};
///
/// let bytes = b"\x0a\x04\x08\x01\x10\x02\x12\x03\x12\x01\x07\x32\x00\x32\x03cpu\x32\x0bnanoseconds";
/// let profile = Profile::from_bytes(bytes)?;
/// let table = View::new(&profile).sort_by_cum().node_count(10).top();
/// assert!(table.contains("      flat  flat%   sum%        cum   cum%"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct View<'p> {
    pub(super) profile: &'p Profile,
    pub(super) base: Option<&'p Profile>,
    types: SampleTypes<'p>,
    /// The index of the sample type, if one is selected.
    selected: Option<usize>,
    pub(super) filters: Filters,
    /// Whether frames are shown that the profile says are of no interest.
    all_frames: bool,
    /// What is dropped otherwise, once it is needed.
    dropped: OnceLock<DroppedFrames>,
    pub(super) sources: Sources,
    /// The keys of the labels that are frames of the stacks, from the outermost one inwards.
    tag_roots: Vec<String>,
    /// The profile and the base with these frames, if there are any.
    rooted: Vec<Arc<Profile>>,
    /// Whether tables are sorted by `cum` instead of `flat`.
    pub(super) by_cum: bool,
    /// The maximum number of functions in a table, or 0.
    pub(super) node_count: usize,
    pub(super) style: Style,
}

impl<'p> View<'p> {
    /// Creates a view of all samples with the default sample type of the profile. If the profile
    /// names no default, it is the last sample type.
    pub fn new(profile: &'p Profile) -> Self {
        Self {
            profile,
            base: None,
            types: SampleTypes::of(profile, 1),
            selected: None,
            filters: Filters::default(),
            all_frames: false,
            dropped: OnceLock::new(),
            sources: Sources::default(),
            tag_roots: vec![],
            rooted: vec![],
            by_cum: false,
            node_count: 0,
            style: Style::default(),
        }
    }

    /// Selects the sample type with this name or index.
    ///
    /// As in `go tool pprof`, `inuse_space` also selects `space`, and in a comparison indices count the
    /// sample types that both profiles have.
    ///
    /// # Errors
    ///
    /// [`ViewError::UnknownSampleType`] if the profile has no such sample type.
    pub fn sample_index(self, name: &str) -> Result<Self, ViewError> {
        let kinds = || self.types.all.iter().map(|it| it.kind);
        let by_index = name.parse().ok().filter(|&index: &usize| index < self.types.all.len());
        let short = name.strip_prefix("inuse_").unwrap_or(name); // the name in old heap profiles
        match by_index.or_else(|| kinds().position(|kind| kind == name || kind == short)) {
            Some(selected) => Ok(Self { selected: Some(selected), ..self }),
            None => Err(ViewError::UnknownSampleType {
                name: name.into(),
                available: kinds().map(names::printable).collect(),
            }),
        }
    }

    /// Shows the difference from `base`, like `go tool pprof -diff_base`.
    ///
    /// The values of `base` are subtracted. Percentages are relative to the total of `base`.
    ///
    /// Only the sample types that both profiles have, by their names, can be shown. Values are converted
    /// to the finer one of two units.
    ///
    /// # Errors
    ///
    /// [`ViewError::IncompatibleBase`] if there is no such sample type, if `base` does not have the selected
    /// one, or if units are of different quantities.
    pub fn diff(self, base: &'p Profile) -> Result<Self, ViewError> {
        let types = SampleTypes::common(&[self.profile, base]).map_err(ViewError::IncompatibleBase)?;
        let find = |at: usize| {
            let kind = self.types.all[at].kind;
            let missing = || format!("the sample type {} is not in both", names::printable(kind));
            types.find(kind).ok_or_else(|| ViewError::IncompatibleBase(missing()))
        };
        let selected = self.selected.map(find).transpose()?;
        let roots = self.tag_roots.clone();
        let compared = Self { base: Some(base), types, selected, dropped: OnceLock::new(), ..self };
        Ok(compared.with_roots(roots))
    }

    /// Adds frames with the labels of these keys to all stacks, from the outermost one inwards.
    pub(super) fn with_roots(mut self, keys: Vec<String>) -> Self {
        let originals = self.originals().filter(|_| !keys.is_empty());
        self.rooted = originals.map(|(profile, _)| Arc::new(with_roots(profile, &keys))).collect();
        self.tag_roots = keys;
        self
    }

    /// Shows only the samples with a function or file in their stack that matches the regular
    /// expression `pattern`.
    ///
    /// Percentages are still relative to all samples. If nothing matches, no sample is shown, and
    /// [`unmatched`](Self::unmatched) names the filter.
    ///
    /// # Errors
    ///
    /// [`ViewError::Pattern`] if `pattern` is not a regular expression.
    pub fn focus(self, pattern: &str) -> Result<Self, ViewError> {
        let focus = Some(Regex::new(pattern)?);
        Ok(Self { filters: Filters { focus, ..self.filters }, ..self })
    }

    /// Omits the samples with a function or file in their stack that matches the regular expression
    /// `pattern`, like `go tool pprof -ignore`.
    ///
    /// Percentages are still relative to all samples.
    ///
    /// # Errors
    ///
    /// Those of [`focus`](Self::focus).
    pub fn ignore(self, pattern: &str) -> Result<Self, ViewError> {
        let ignore = Some(Regex::new(pattern)?);
        Ok(Self { filters: Filters { ignore, ..self.filters }, ..self })
    }

    /// Omits the frames whose function or file matches the regular expression `pattern`, like
    /// `go tool pprof -hide`. Their samples are shown in their callers.
    ///
    /// A sample without another frame is omitted. Percentages are still relative to all samples.
    ///
    /// # Errors
    ///
    /// Those of [`focus`](Self::focus).
    pub fn hide(self, pattern: &str) -> Result<Self, ViewError> {
        let hide = Some(Regex::new(pattern)?);
        Ok(Self { filters: Filters { hide, ..self.filters }, ..self })
    }

    /// Returns the filters that match no function, file or label of a sample, as tables list them:
    /// `focus=main`. A root of which no sample has the label is among them.
    pub fn unmatched(&self) -> Vec<String> {
        let mut is_matched = vec![false; self.filters.active().count()];
        for (profile, is_base) in self.parts() {
            let matches = self.filters.matches(profile, self.dropped_lines(is_base));
            is_matched.iter_mut().zip(matches).for_each(|(all, one)| *all |= one);
        }
        let filters = self.filters.active().zip(is_matched).filter(|(_, is_matched)| !is_matched);
        let has_root = |key: &&String| self.originals().any(|(profile, _)| has_key(profile, key));
        let roots = self.tag_roots.iter().filter(|key| !has_root(key)).map(|key| format!("tagroot={key}"));
        filters.map(|(filter, _)| filter).chain(roots).collect()
    }

    /// Shows all frames.
    ///
    /// Otherwise functions that the profile says are of no interest are omitted, with the functions that
    /// they call, as in `go tool pprof`. Their samples are shown in their callers. Heap profiles name the
    /// functions of their allocator so, for instance. The base of a comparison omits the same functions.
    pub fn all_frames(self) -> Self {
        Self { all_frames: true, dropped: OnceLock::new(), ..self }
    }

    fn dropped(&self) -> &DroppedFrames {
        let profiles = || self.originals().filter(|_| !self.all_frames).map(|(profile, _)| profile);
        self.dropped.get_or_init(|| DroppedFrames::find(&profiles().collect::<Vec<_>>()))
    }

    /// Returns the lines that are dropped in the profile or in the base.
    pub(super) fn dropped_lines(&self, is_base: bool) -> Option<&DroppedLines> {
        self.dropped().parts.get(usize::from(is_base))
    }

    /// Returns a line that says why frames are shown although the profile asks for dropping them.
    pub(super) fn not_dropped(&self) -> Option<String> {
        self.dropped().problem.as_ref().map(|problem| format!("All frames are shown: {problem}"))
    }

    /// Reads the sources of [`list`](Self::list) from `folder`, like `go tool pprof -source_path`. Several
    /// calls name several folders. Without a call it is the current folder, unless that is the root folder.
    ///
    /// A source file is looked for at its path in the profile, if that is in a folder, and in each folder
    /// at the path without the prefix of [`trim_path`](Self::trim_path). Files outside of the folders are
    /// never opened, whatever the profile says: neither by `..` nor through a symbolic link.
    ///
    /// # Errors
    ///
    /// [`ViewError::SourceFolder`] if there is no such folder.
    pub fn source(mut self, folder: &Path) -> Result<Self, ViewError> {
        self.sources.add_folder(folder).map_err(|error| ViewError::SourceFolder(folder.into(), error))?;
        Ok(self)
    }

    /// Removes a prefix from the paths of sources before they are looked for in the folders, like
    /// `go tool pprof -trim_path`. Several calls name several prefixes, of which the first that matches is
    /// removed.
    ///
    /// Without a call, a path that contains the name of a source folder is taken to be in that folder:
    /// `/build/project/src/lib.rs` is `src/lib.rs` in a folder `project`.
    pub fn trim_path(mut self, prefix: &str) -> Self {
        self.sources.trim(prefix);
        self
    }

    /// Sorts tables by `cum` instead of `flat`, like `go tool pprof -cum`.
    pub fn sort_by_cum(self) -> Self {
        Self { by_cum: true, ..self }
    }

    /// Limits [`top`](Self::top) to `count` functions, like `go tool pprof -nodecount`. A count of 0 is
    /// no limit.
    pub fn node_count(self, count: usize) -> Self {
        Self { node_count: count, ..self }
    }

    /// Returns the profile and the base, each with whether it is the base and must be subtracted. Their
    /// stacks have the labels as outermost frames, if there are any.
    pub(super) fn parts(&self) -> impl Iterator<Item = (&Profile, bool)> {
        let rooted = self.rooted.iter().map(|it| Some(&**it)).chain(std::iter::repeat(None));
        self.originals().zip(rooted).map(|((profile, is_base), rooted)| (rooted.unwrap_or(profile), is_base))
    }

    /// Returns [`parts`](Self::parts) as they are in their files.
    pub(super) fn originals(&self) -> impl Iterator<Item = (&'p Profile, bool)> + use<'p> {
        once((self.profile, false)).chain(self.base.map(|base| (base, true)))
    }

    fn sample_type(&self) -> &SampleType<'p> {
        &self.types.all[self.selected.unwrap_or_else(|| self.types.default())]
    }

    pub(super) fn kind(&self) -> &'p str {
        self.sample_type().kind
    }

    pub(super) fn unit(&self) -> &'p str {
        self.sample_type().unit
    }

    /// Returns where the profile or the base has the values to show.
    pub(super) fn column(&self, is_base: bool) -> Column {
        self.sample_type().columns[usize::from(is_base)]
    }

    /// Returns the total that percentages are relative to: of all samples or, in a comparison, of
    /// those of the base.
    pub(super) fn total(&self) -> i64 {
        let base = self.base.map_or(0, |base| self.column(true).total(base));
        if base > 0 { base } else { self.column(false).total(self.profile) }
    }
}
