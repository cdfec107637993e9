//! The errors of showing a profile.

use std::fmt;
use std::io;
use std::path::PathBuf;

use inferno::flamegraph::Palette;

use super::similar::similar;

/// An error that occurs while a profile is shown.
#[derive(Debug)]
#[non_exhaustive]
pub enum ViewError {
    /// The pattern is not a regular expression.
    Pattern(regex_lite::Error),
    /// No function with samples matches the pattern.
    NoMatch {
        /// The pattern.
        pattern: String,
        /// The names of functions that are similar to it, the most similar first.
        similar: Vec<String>,
    },
    /// This pattern matches no function, because none in the profile has a name.
    NoNames(String),
    /// The profile has no sample type with this name or index.
    UnknownSampleType {
        /// The name or index that was requested.
        name: String,
        /// The names of the sample types of the profile.
        available: Vec<String>,
    },
    /// The base profile has no sample type in common. The text names those of both.
    IncompatibleBase(String),
    /// This folder of sources cannot be read.
    SourceFolder(PathBuf, io::Error),
    /// No palette has this name.
    UnknownPalette(String),
    /// There are no samples to draw a flamegraph of. The text is the reason.
    NoSamples(String),
    /// The flamegraph cannot be drawn. The text is the reason.
    Flamegraph(String),
}

impl ViewError {
    /// Returns the error of a pattern that matches none of these functions.
    pub(super) fn no_match<'n>(pattern: &str, names: impl Iterator<Item = &'n str>) -> Self {
        Self::NoMatch { pattern: pattern.into(), similar: similar(pattern, names) }
    }
}

impl fmt::Display for ViewError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pattern(error) => write!(f, "invalid regular expression: {error}"),
            Self::NoMatch { pattern, similar } => {
                write!(f, "no function in the profile matches '{pattern}'; ")?;
                match &similar[..] {
                    [] => write!(f, "see the top table for their names"),
                    [name] => write!(f, "a similar name is '{name}'"),
                    names => write!(f, "similar names are '{}'", names.join("', '")),
                }
            }
            Self::NoNames(pattern) => write!(
                f,
                "no function in the profile matches '{pattern}': they have no names; profile a program that is \
                 not stripped"
            ),
            Self::UnknownSampleType { name, available } => {
                write!(f, "unknown sample type '{name}'; choose one of {}", available.join(", "))
            }
            Self::IncompatibleBase(reason) => {
                write!(f, "cannot compare the profiles: {reason}; compare profiles of the same kind")
            }
            Self::SourceFolder(folder, error) => write!(
                f,
                "cannot read the source folder '{}': {error}; name the folder of the source code",
                folder.display()
            ),
            Self::UnknownPalette(name) => {
                write!(f, "unknown palette '{name}'; choose one of {}", Palette::VARIANTS.join(", "))
            }
            Self::NoSamples(reason) => write!(f, "no flamegraph: {reason}"),
            Self::Flamegraph(reason) => write!(f, "cannot draw the flamegraph: {reason}"),
        }
    }
}

impl std::error::Error for ViewError {}

impl From<regex_lite::Error> for ViewError {
    fn from(error: regex_lite::Error) -> Self {
        Self::Pattern(error)
    }
}
