//! Items that have not arrived completely.

use std::io;

/// Turns an incomplete item into `None`: more input may arrive.
pub(super) fn or_wait<T, E: Into<io::Error>>(
    decoded: Result<T, E>,
    incomplete: fn(&E) -> bool,
) -> io::Result<Option<T>> {
    match decoded {
        Ok(item) => Ok(Some(item)),
        Err(error) if incomplete(&error) => Ok(None),
        Err(error) => Err(error.into()),
    }
}
