//! Flamegraphs.

mod stacks;
mod style;

use inferno::flamegraph::{Direction, Options, Palette, from_lines};

use super::error::ViewError;
use super::units::scale;
use super::view::View;
use crate::names;
use stacks::stacks;
pub(super) use style::Style;

/// Frames of less than this share of all are part of their callers. inferno leaves out those of 0.01 %.
const MIN_SHARE: f64 = 0.00009;

/// The work that a flamegraph shows, if it is only a part of the program.
#[cfg_attr(not(feature = "program"), allow(dead_code))] // only benchmarks are such parts
pub(crate) struct Work<'w> {
    pub(crate) name: &'w str,
    /// Its time and samples.
    pub(crate) amount: &'w str,
    /// A regular expression for functions between the caller of the work and its first function,
    /// which are left out.
    pub(crate) wrappers: &'w str,
}

impl View<'_> {
    /// The names of the palettes of flamegraphs.
    pub const PALETTES: &'static [&'static str] = Palette::VARIANTS;

    /// Sets the title of flamegraphs.
    pub fn title(mut self, title: &str) -> Self {
        self.style.title = Some(title.into());
        self
    }

    /// Draws flamegraphs from top to bottom, with the outermost frames at the top.
    pub fn icicle(mut self) -> Self {
        self.style.is_icicle = true;
        self
    }

    /// Draws flamegraphs of the callers of each function: stacks start with the innermost frame, so that
    /// a function that is called from many places is one frame.
    pub fn reverse(mut self) -> Self {
        self.style.is_reversed = true;
        self
    }

    /// Selects the colours of flamegraphs by the name of a palette, such as `rust` or `mem`. The colours of
    /// a comparison show the difference instead.
    ///
    /// # Errors
    ///
    /// [`ViewError::UnknownPalette`] if it is none of [`PALETTES`](Self::PALETTES).
    pub fn palette(mut self, name: &str) -> Result<Self, ViewError> {
        self.style.palette = name.parse().map_err(|_| ViewError::UnknownPalette(name.into()))?;
        Ok(self)
    }

    /// Returns a flamegraph as an interactive SVG for browsers.
    ///
    /// In a comparison the widths are those of the profile and the colours show the difference: the
    /// value of a red frame has increased from the base, that of a blue frame has decreased.
    ///
    /// # Errors
    ///
    /// - [`ViewError::NoSamples`] if no sample has a positive value.
    /// - [`ViewError::Flamegraph`] if the values are too large.
    pub fn flamegraph(&self) -> Result<Vec<u8>, ViewError> {
        self.flamegraph_of(None)
    }

    /// Returns a flamegraph. With `work`, its outermost frame is the work with this name. Samples of
    /// which all other frames are hidden belong to that frame.
    pub(crate) fn flamegraph_of(&self, work: Option<&Work<'_>>) -> Result<Vec<u8>, ViewError> {
        let root = work.map(|work| names::printable(work.name));
        let root = root.as_deref().zip(work.map(|work| work.wrappers));
        let stacks = stacks(self, root, MIN_SHARE)?;
        let mut options = self.options();
        let first: String = match work {
            Some(work) => {
                options.title = names::printable(work.name);
                work.amount.into() // the filters of such a part are not those of a user
            }
            None => self.active_filters().collect(),
        };
        let subtitle: Vec<_> =
            Some(first).filter(|it| !it.is_empty()).into_iter().chain(self.notes()).collect();
        options.subtitle = (!subtitle.is_empty()).then(|| names::printable(&subtitle.join("; ")));
        let sum: f64 = stacks.iter().map(|&(_, before, after)| before as f64 + after as f64).sum();
        // inferno calculates percentages in `usize`.
        let max = (usize::MAX / 200) as f64;
        let unit = 1 + (sum / max) as i64;
        options.factor *= unit as f64;
        if sum / unit as f64 * options.factor > max {
            return Err(ViewError::Flamegraph("the values are too large".into()));
        }
        let lines: Vec<String> = (stacks.into_iter())
            .map(|(stack, before, after)| match self.base {
                Some(_) => stack + &format!(" {} {}", before / unit, after / unit),
                None => stack + &format!(" {}", after / unit),
            })
            .collect();
        if lines.is_empty() {
            let filters: Vec<_> = self.filters.active().collect();
            return Err(ViewError::NoSamples(match filters.is_empty() {
                true => "the profile has no samples; profile for a longer time".into(),
                false => format!("no sample is left by {}; change the filters", filters.join(" ")),
            }));
        }
        let mut svg = vec![];
        from_lines(&mut options, lines.iter().map(String::as_str), &mut svg)
            .map_err(|error| ViewError::Flamegraph(error.to_string()))?;
        Ok(svg)
    }

    fn options(&self) -> Options<'static> {
        let mut options = Options::default();
        let (kind, unit) = (names::printable(self.kind()), self.unit());
        // Times are shown in milliseconds.
        let (name, factor) = match scale(1_000_000_000, unit, "ms") {
            (milliseconds, "ms") => ("ms".to_owned(), milliseconds / 1e9),
            _ => (names::printable(unit), 1.0),
        };
        options.title = match (&self.style.title, self.base) {
            (Some(title), _) => names::printable(title),
            (_, Some(_)) => {
                format!("Flamegraph of {kind}, compared with the base: red increased, blue decreased")
            }
            _ => format!("Flamegraph of {kind}"),
        };
        options.colors = self.style.palette;
        if self.style.is_icicle {
            options.direction = Direction::Inverted;
        }
        options.count_name = name;
        options.factor = factor;
        options.deterministic = true;
        options
    }
}
