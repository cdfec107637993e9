//! Takes profiles of the running sweep, one at a time. A profile ends early when the sweep ends,
//! and is abandoned when its client disconnects.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::http::profiles::query::Query;

/// Why no profile was taken.
#[cfg_attr(not(feature = "profile"), allow(dead_code))] // without a profiler there is only one reason
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::http) enum Refusal {
    /// Another request is taking a profile, for this number of seconds.
    Busy(u64),
    /// The program is taking a profile of the whole sweep.
    WholeSweep,
    /// This build or this system cannot take profiles.
    Unsupported(String),
    /// Taking the profile failed.
    Failed(String),
    /// The client disconnected.
    Abandoned,
}

/// A function that takes a profile with a frequency in hertz. It profiles until the function that
/// it calls returns, and then abandons the profile if the result is `false`.
pub(in crate::http) type Take = fn(u32, &dyn Fn() -> bool) -> Result<Vec<u8>, Refusal>;

/// Takes profiles, one at a time.
pub(in crate::http) struct Captures {
    take: Take,
    slot: Mutex<Slot>,
    /// Its permit is taken while a profile is being taken or formatted.
    idle: Arc<Semaphore>,
}

enum Slot {
    Free,
    /// A profile is being taken until this time. The sender can end it earlier.
    Taken(Sender<End>, Instant),
    /// The sweep has ended.
    Closed,
}

/// Why a profile ends early.
enum End {
    /// The sweep ended; the profile is delivered.
    Sweep,
    /// The client disconnected; the profile is abandoned.
    Abandoned,
}

impl Captures {
    pub(in crate::http) fn new(take: Take) -> Arc<Self> {
        Arc::new(Self { take, slot: Mutex::new(Slot::Free), idle: Arc::new(Semaphore::new(1)) })
    }

    /// Takes a profile. It lasts as many seconds as the query says, plus the time to encode it.
    pub(in crate::http) async fn capture(self: &Arc<Self>, query: Query) -> Result<Vec<u8>, Refusal> {
        let (end, ended) = channel();
        let claim = self.claim(query.seconds, end.clone())?;
        let abandon = AbandonOnDrop(end);
        let task = tokio::task::spawn_blocking(move || claim.take(query, &ended));
        let taken =
            task.await.unwrap_or_else(|_| Err(Refusal::Failed("the profile could not be taken".into())));
        drop(abandon); // or earlier, with this future, when the client disconnects
        taken
    }

    /// Ends the profile that is being taken, if there is one, and refuses further ones.
    pub(in crate::http) fn close(&self) {
        if let Slot::Taken(end, _) = std::mem::replace(&mut *self.slot(), Slot::Closed) {
            let _ = end.send(End::Sweep); // the profile may have ended just now
        }
    }

    /// Waits until the profile that is being taken is ready.
    pub(in crate::http) async fn finished(&self) {
        let _ = self.idle.acquire().await; // the semaphore is never closed
    }

    fn claim(self: &Arc<Self>, seconds: u64, end: Sender<End>) -> Result<Claim, Refusal> {
        let mut slot = self.slot();
        match &*slot {
            Slot::Free => {
                *slot = Slot::Taken(end, Instant::now() + Duration::from_secs(seconds));
                let busy = Arc::clone(&self.idle).try_acquire_owned().ok();
                Ok(Claim { captures: Arc::clone(self), busy })
            }
            Slot::Taken(_, until) => {
                let left = until.saturating_duration_since(Instant::now());
                Err(Refusal::Busy(left.as_secs() + 1))
            }
            Slot::Closed => Err(Refusal::Failed("the sweep has ended".into())),
        }
    }

    fn slot(&self) -> MutexGuard<'_, Slot> {
        self.slot.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Holds the slot until it is dropped.
struct Claim {
    captures: Arc<Captures>,
    busy: Option<OwnedSemaphorePermit>,
}

impl Claim {
    fn take(self, query: Query, ended: &Receiver<End>) -> Result<Vec<u8>, Refusal> {
        let wait = || {
            let end = ended.recv_timeout(Duration::from_secs(query.seconds));
            !matches!(end, Ok(End::Abandoned))
        };
        (self.captures.take)(query.hertz, &wait)
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        let mut slot = self.captures.slot();
        if let Slot::Taken(..) = *slot {
            *slot = Slot::Free;
        }
        self.busy.take(); // while the slot is locked, so that the next claim finds the permit
    }
}

/// Abandons the profile when the future of its request is dropped, because the client disconnected.
struct AbandonOnDrop(Sender<End>);

impl Drop for AbandonOnDrop {
    fn drop(&mut self) {
        let _ = self.0.send(End::Abandoned); // the receiver is gone if the profile is done
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const QUERY: Query = Query { seconds: 300, hertz: 99 };

    /// Takes no profile, but waits and returns as if it had taken one.
    fn take(_: u32, wait: &dyn Fn() -> bool) -> Result<Vec<u8>, Refusal> {
        if wait() { Ok(b"profile".to_vec()) } else { Err(Refusal::Abandoned) }
    }

    fn run<T>(future: impl Future<Output = T>) -> T {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        runtime.expect("a runtime of one thread").block_on(future)
    }

    #[test]
    fn a_second_profile_is_refused_until_the_first_is_done() {
        let captures = Captures::new(take);
        let claim = captures.claim(10, channel().0);
        let Err(Refusal::Busy(seconds)) = run(captures.capture(QUERY)) else {
            panic!("two at a time");
        };
        assert!((1..=10).contains(&seconds));
        drop(claim);
        let short = Query { seconds: 0, ..QUERY };
        assert_eq!(run(captures.capture(short)), Ok(b"profile".to_vec()));
    }

    #[test]
    fn a_profile_ends_with_the_sweep_and_is_delivered() {
        let captures = Captures::new(take);
        let taken = run(async {
            let capturing = Arc::clone(&captures);
            let capture = tokio::spawn(async move { capturing.capture(QUERY).await });
            while matches!(*captures.slot(), Slot::Free) {
                tokio::task::yield_now().await;
            }
            captures.close();
            capture.await.expect("it does not panic")
        });
        assert_eq!(taken, Ok(b"profile".to_vec()));
        assert!(matches!(run(captures.capture(QUERY)), Err(Refusal::Failed(_))));
    }

    #[test]
    fn the_end_waits_until_the_profile_is_ready() {
        let captures = Captures::new(take);
        run(captures.finished());
        let claim = captures.claim(10, channel().0);
        captures.close();
        let short = Duration::from_millis(1);
        assert!(run(async { tokio::time::timeout(short, captures.finished()).await }).is_err());
        drop(claim);
        run(captures.finished());
    }

    #[test]
    fn a_disconnected_client_frees_the_slot() {
        let captures = Captures::new(take);
        run(async {
            let begun = captures.capture(QUERY);
            // Once it was polled, it holds the slot.
            assert!(tokio::time::timeout(Duration::from_millis(1), begun).await.is_err());
        });
        // The runtime above waited for its threads, so the slot is free now.
        assert!(captures.claim(1, channel().0).is_ok());
    }
}
