//! Suggestions for misspelled names.

/// The least Jaro similarity of a suggestion, from 0 to 1. Clap has the same limit for options and
/// commands.
const MIN_SIMILARITY: f64 = 0.7;

/// Returns the name that is most similar to `given`, if one is similar enough.
pub(crate) fn nearest<'n>(given: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    // One or two letters are similar to too many names.
    if given.chars().count() < 3 {
        return None;
    }
    names
        .into_iter()
        .map(|name| (strsim::jaro(given, name), name))
        .filter(|(similarity, _)| *similarity > MIN_SIMILARITY)
        .max_by(|(one, _), (other, _)| one.total_cmp(other))
        .map(|(_, name)| name)
}

/// Returns the end of an error message: `; did you mean 'NAME'?`, or an empty string if no name is
/// similar to `given`.
pub(crate) fn did_you_mean<'n>(given: &str, names: impl IntoIterator<Item = &'n str>) -> String {
    nearest(given, names).map(|name| format!("; did you mean '{name}'?")).unwrap_or_default()
}
