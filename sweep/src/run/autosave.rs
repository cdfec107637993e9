//! Saves the progress of a running sweep to its checkpoint at regular intervals.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;

use crate::report::sweep_report::Ending;
use crate::state::checkpoint::Checkpoint;
use crate::state::checkpoint_format::{Saved, SavedUnits};
use crate::watch::handle::Watch;
use crate::watch::running::Running;

/// Runs `work` and saves the progress before it begins and at regular intervals, but not at its
/// end.
///
/// After a failure to save, the sweep continues and tries again. Of several such failures in a row,
/// only the first is reported.
///
/// # Errors
///
/// Returns an error if the checkpoint cannot be written before the work begins.
pub(super) fn autosaved(
    checkpoint: &Checkpoint,
    running: &Running,
    watch: &Watch,
    work: impl FnOnce(),
) -> Result<(), String> {
    let save = || {
        let totals = running.totals.collect().clone();
        let report = running.report(&totals, Ending::Running);
        checkpoint.save(&Saved { report, state: SavedUnits::of(&totals) }).inspect(|()| watch.saved_now())
    };
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
                if let Some(message) = saved.as_ref().err().filter(|_| !reported) {
                    (checkpoint.on_save_error)(message);
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
