//! Why a profile cannot be shown.

use std::fmt;

/// An error that occurs while a profile is shown.
#[derive(Debug)]
#[non_exhaustive]
pub enum ViewError {
    /// A pattern is not a regular expression.
    Pattern(regex::Error),
    /// No function that has samples matches this regular expression.
    NoMatch(String),
    /// The profile has no sample type of this name or number; the names that it has follow.
    SampleIndex(String, Vec<String>),
    /// The base of a comparison has other sample types.
    Base(String),
    /// The result has more functions, calls or text than a table can show.
    TooLarge(String),
    /// The profile has no samples to draw.
    NoSamples,
    /// The flamegraph cannot be drawn.
    Drawing(String),
}

impl fmt::Display for ViewError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pattern(error) => write!(f, "{error}"),
            Self::NoMatch(pattern) => {
                write!(f, "no function in the profile matches '{pattern}': the top view shows their names")
            }
            Self::SampleIndex(name, kinds) => {
                write!(f, "no sample type '{name}' in the profile: choose one of {}", kinds.join(", "))
            }
            Self::Base(why) => write!(f, "the two profiles cannot be compared: {why}"),
            Self::TooLarge(what) => write!(f, "there is too much to show: {what}"),
            Self::NoSamples => f.write_str("the profile has no samples to draw: measure for longer"),
            Self::Drawing(why) => write!(f, "cannot draw the flamegraph: {why}"),
        }
    }
}

impl std::error::Error for ViewError {}

impl From<regex::Error> for ViewError {
    fn from(error: regex::Error) -> Self {
        Self::Pattern(error)
    }
}
