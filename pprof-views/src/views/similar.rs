//! The functions that a pattern without a match may mean.

/// The greatest number of names to suggest.
const MOST: usize = 3;
/// The greatest length of a word to compare, so that the time is bounded.
const MAX_WORD: usize = 64;

/// Returns the names of which a word is similar to the last word of a pattern, the most similar first.
/// The words may differ in case and in a third of their characters, as in the suggestions of rustc.
pub(super) fn similar<'n>(pattern: &str, names: impl Iterator<Item = &'n str>) -> Vec<String> {
    let meant = words(pattern).next_back().filter(|word| word.len() <= MAX_WORD);
    let Some(meant) = meant else { return Vec::new() };
    let most = meant.len() / 3;
    let distance = |word: String| {
        let can_be = word.len().abs_diff(meant.len()) <= most;
        let distance = can_be.then(|| strsim::damerau_levenshtein(&word, &meant));
        distance.filter(|&distance| distance <= most)
    };
    let mut found: Vec<_> =
        names.filter_map(|name| Some((words(name).filter_map(distance).min()?, name))).collect();
    found.sort_unstable();
    found.dedup();
    found.into_iter().take(MOST).map(|(_, name)| name.to_owned()).collect()
}

/// Returns the words of a name or pattern in lower case.
fn words(text: &str) -> impl DoubleEndedIterator<Item = String> {
    let parts = text.split(|char: char| !char.is_alphanumeric() && char != '_');
    parts.filter(|word| !word.is_empty()).map(str::to_lowercase)
}
