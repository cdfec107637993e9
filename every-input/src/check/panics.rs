//! Catches panics without printing them, and ignores them where they do no harm.

use std::any::Any;
use std::cell::Cell;
use std::mem;
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

thread_local! {
    static GUARDED: Cell<bool> = const { Cell::new(false) };
}

static HOOK: Once = Once::new();

/// The start of the message of a panic.
pub(crate) const PANIC: &str = "panic: ";

/// Calls `call` and returns its result, or the message of a panic in it. Panics outside of such
/// calls are printed as usual.
pub(crate) fn guarded<R>(call: impl FnOnce() -> R) -> Result<R, String> {
    let (mut call, mut result) = (Some(call), None);
    catch(&mut || result = call.take().map(|call| call()))?;
    Ok(result.expect("a call without a panic returns"))
}

// A function of its own is compiled once for all calls.
fn catch(call: &mut dyn FnMut()) -> Result<(), String> {
    HOOK.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !GUARDED.get() {
                before(info);
            }
        }));
    });
    let outer = GUARDED.replace(true);
    let result = panic::catch_unwind(AssertUnwindSafe(call)).map_err(message);
    GUARDED.set(outer);
    result
}

#[cold]
fn message(payload: Box<dyn Any + Send>) -> String {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| payload.downcast_ref::<&str>().copied());
    let message = format!("{PANIC}{}", text.unwrap_or("(no message)"));
    // The payload may panic in `drop`, and the payload of that panic too, which is leaked.
    let dropped = panic::catch_unwind(AssertUnwindSafe(|| drop(payload)));
    dropped.unwrap_or_else(mem::forget);
    message
}

/// Locks a mutex and ignores poisoning: what it protects is changed in one step, so a panic leaves no
/// partial change.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
