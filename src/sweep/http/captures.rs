//! Profiles of the running sweep: one at a time, cut short when the sweep ends, given up when nobody waits any more.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::query::Query;

/// What a profile is made into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// pprof's format, packed.
    Profile,
    /// An SVG picture.
    Flamegraph,
}

/// Why there is no profile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    /// Another one is being taken, for so many seconds yet.
    Busy(u64),
    /// Someone else takes one, for nobody knows how long.
    Elsewhere,
    /// Not in this build, or not on this system.
    Unsupported(String),
    /// It went wrong.
    Failed(String),
    /// Nobody waits for it.
    GivenUp,
}

/// Takes a profile at so many hertz for as long as the function takes that it calls: false means that nobody waits.
pub(super) type Take = fn(u32, Form, &dyn Fn() -> bool) -> Result<Vec<u8>, Refusal>;

/// Takes profiles, one at a time.
pub(super) struct Captures {
    take: Take,
    place: Mutex<Place>,
}

enum Place {
    Free,
    /// Whoever has it can be told to come to an end; when it will by itself.
    Taken(Sender<End>, Instant),
    /// The sweep is over.
    Closed,
}

/// Why a profile ends early.
enum End {
    /// With the sweep: it is still wanted.
    Sweep,
    /// Nobody waits for it.
    GivenUp,
}

impl Captures {
    pub(super) fn new(take: Take) -> Arc<Self> {
        Arc::new(Self { take, place: Mutex::new(Place::Free) })
    }

    /// Takes a profile, which takes the seconds that are asked for and a little more.
    pub(super) async fn capture(self: &Arc<Self>, query: Query, form: Form) -> Result<Vec<u8>, Refusal> {
        let (end, ended) = channel();
        let claim = self.claim(query.seconds, end.clone())?;
        let wait = OnDrop(end);
        let task = tokio::task::spawn_blocking(move || claim.take(query, form, &ended));
        let taken = task.await.unwrap_or_else(|_| Err(Refusal::Failed("the profile could not be taken".into())));
        drop(wait); // lives as long as the client does
        taken
    }

    /// Ends the profile that is being taken, if one is, and lets no other begin.
    pub(super) fn close(&self) {
        if let Place::Taken(end, _) = std::mem::replace(&mut *self.place(), Place::Closed) {
            let _ = end.send(End::Sweep); // it may have ended just now
        }
    }

    fn claim(self: &Arc<Self>, seconds: u64, end: Sender<End>) -> Result<Claim, Refusal> {
        let mut place = self.place();
        match &*place {
            Place::Free => {
                *place = Place::Taken(end, Instant::now() + Duration::from_secs(seconds));
                Ok(Claim(Arc::clone(self)))
            }
            Place::Taken(_, until) => {
                let left = until.saturating_duration_since(Instant::now());
                Err(Refusal::Busy(left.as_secs() + 1))
            }
            Place::Closed => Err(Refusal::Failed("the sweep is over".into())),
        }
    }

    fn place(&self) -> MutexGuard<'_, Place> {
        self.place.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Has the place until it is dropped.
struct Claim(Arc<Captures>);

impl Claim {
    fn take(self, query: Query, form: Form, ended: &Receiver<End>) -> Result<Vec<u8>, Refusal> {
        let wait = || {
            let end = ended.recv_timeout(Duration::from_secs(query.seconds));
            !matches!(end, Ok(End::GivenUp))
        };
        (self.0.take)(query.hertz, form, &wait)
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        let mut place = self.0.place();
        if let Place::Taken(..) = *place {
            *place = Place::Free;
        }
    }
}

/// A client that goes away takes its request along.
struct OnDrop(Sender<End>);

impl Drop for OnDrop {
    fn drop(&mut self) {
        let _ = self.0.send(End::GivenUp); // nobody listens any more where the profile is done
    }
}
