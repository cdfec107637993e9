//! The name that was meant, where one is nearly right.

/// How alike two names must be, from 0 to 1: clap's own measure for options and commands.
const ALIKE: f64 = 0.7;

/// The one of `names` that is most like `given`, if any is.
pub(crate) fn nearest<'n>(given: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    // A letter or two are like anything.
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

/// `; did you mean 'that'?`, or nothing.
pub(crate) fn did_you_mean<'n>(given: &str, names: impl IntoIterator<Item = &'n str>) -> String {
    nearest(given, names).map(|name| format!("; did you mean '{name}'?")).unwrap_or_default()
}
