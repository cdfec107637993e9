//! `--replay`: reads the failures of an earlier sweep.

use std::path::Path;

use varint_sweep::replay::Replay;

use super::console::warn;
use super::error::Error;

/// Reads the failures to check again, and warns about those that the file does not list.
pub(crate) fn read_replay(path: &Path) -> Result<Replay, Error> {
    let replay = Replay::read(path)
        .map_err(|problem| Error::file(format_args!("--replay '{}': {problem}", path.display())))?;
    if replay.unlisted > 0 {
        warn(format_args!(
            "--replay: the report does not list {} of its failures; run the sweep again with --failures to get all",
            replay.unlisted
        ));
    }
    Ok(replay)
}
