//! Locks of files that one sweep at a time writes.

use std::fs::{File, TryLockError};
use std::thread;
use std::time::Duration;

/// Locks a file, unless another process holds its lock for longer than a moment.
///
/// A process that is being started has copies of all open files until its program begins, and with them
/// a lock that was just released.
pub(crate) fn lock(file: &File) -> Result<(), TryLockError> {
    for _ in 0..20 {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => thread::sleep(Duration::from_millis(10)),
            locked => return locked,
        }
    }
    file.try_lock()
}
