//! Saves the progress of a running sweep to its checkpoint at regular intervals.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;

use crate::error::FileError;
use crate::state::checkpoint::Checkpoint;
use crate::state::envelope::Saved;
use crate::watch::handle::Watch;

/// Runs `work` and saves the progress, which `content` returns, before it begins and at regular
/// intervals, but not at its end.
///
/// After a failure to save, the sweep continues and tries again. Of several such failures in a row,
/// only the first is reported.
///
/// # Errors
///
/// Returns an error if the checkpoint cannot be written before the work begins.
pub(crate) fn autosaved(
    checkpoint: &Checkpoint,
    watch: &Watch,
    content: impl Fn() -> Result<Saved, FileError> + Sync,
    work: impl FnOnce(),
) -> Result<(), FileError> {
    let save = || checkpoint.save(&content()?).inspect(|()| watch.saved_now());
    save()?;
    let ended = AtomicBool::new(false);
    thread::scope(|scope| {
        let saving = scope.spawn(|| {
            let mut reported = false;
            loop {
                thread::park_timeout(checkpoint.save_every);
                if ended.load(Relaxed) {
                    return;
                }
                let saved = save();
                if let Some(error) = saved.as_ref().err().filter(|_| !reported) {
                    (checkpoint.on_save_error)(error);
                }
                reported = saved.is_err();
            }
        });
        work();
        ended.store(true, Relaxed);
        saving.thread().unpark();
    });
    Ok(())
}
