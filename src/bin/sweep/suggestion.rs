//! Suggestions for names that are nearly right.

/// How alike two names must be, from 0 to 1: clap's own measure for options and commands.
const ALIKE: f64 = 0.7;

/// Returns the one of `names` that is most like `given`, if one is like it.
pub(crate) fn nearest<'n>(given: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    // One or two letters are like any name.
    if given.chars().count() < 3 {
        return None;
    }
    names
        .into_iter()
        .map(|name| (strsim::jaro(given, name), name))
        .filter(|(likeness, _)| *likeness > ALIKE)
        .max_by(|(one, _), (other, _)| one.total_cmp(other))
        .map(|(_, name)| name)
}

/// Returns the end of an error message: `; did you mean 'NAME'?`, or nothing if no name is like `given`.
pub(crate) fn did_you_mean<'n>(given: &str, names: impl IntoIterator<Item = &'n str>) -> String {
    nearest(given, names).map(|name| format!("; did you mean '{name}'?")).unwrap_or_default()
}
