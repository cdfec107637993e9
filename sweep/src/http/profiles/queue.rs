//! Profiles of the running sweep: one at a time, cut short when the sweep ends, given up when nobody waits any more.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::http::profiles::query::Query;

/// What a profile is made into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::http) enum Form {
    /// pprof's format, packed.
    Profile,
    /// An SVG picture.
    Flamegraph,
}

/// Why there is no profile.
#[cfg_attr(not(feature = "profile"), allow(dead_code))] // builds without a profiler have one reason only
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::http) enum Refusal {
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
pub(in crate::http) type Take = fn(u32, Form, &dyn Fn() -> bool) -> Result<Vec<u8>, Refusal>;

/// Takes profiles, one at a time.
pub(in crate::http) struct Captures {
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
    pub(in crate::http) fn new(take: Take) -> Arc<Self> {
        Arc::new(Self { take, place: Mutex::new(Place::Free) })
    }

    /// Takes a profile, which takes the seconds that are asked for and a little more.
    pub(in crate::http) async fn capture(
        self: &Arc<Self>,
        query: Query,
        form: Form,
    ) -> Result<Vec<u8>, Refusal> {
        let (end, ended) = channel();
        let claim = self.claim(query.seconds, end.clone())?;
        let wait = OnDrop(end);
        let task = tokio::task::spawn_blocking(move || claim.take(query, form, &ended));
        let taken =
            task.await.unwrap_or_else(|_| Err(Refusal::Failed("the profile could not be taken".into())));
        drop(wait); // lives as long as the client does
        taken
    }

    /// Ends the profile that is being taken, if one is, and lets no other begin.
    pub(in crate::http) fn close(&self) {
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

#[cfg(test)]
mod tests {
    use super::*;

    const QUERY: Query = Query { seconds: 300, hertz: 99 };

    /// A profile of nothing, which says whether it was waited for.
    fn take(_: u32, _: Form, wait: &dyn Fn() -> bool) -> Result<Vec<u8>, Refusal> {
        if wait() { Ok(b"profile".to_vec()) } else { Err(Refusal::GivenUp) }
    }

    fn run<T>(future: impl Future<Output = T>) -> T {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        runtime.expect("a runtime of one thread").block_on(future)
    }

    #[test]
    fn one_at_a_time_and_the_next_one_when_it_is_done() {
        let captures = Captures::new(take);
        let claim = captures.claim(10, channel().0);
        let Err(Refusal::Busy(seconds)) = run(captures.capture(QUERY, Form::Profile)) else {
            panic!("two at a time");
        };
        assert!((1..=10).contains(&seconds));
        drop(claim);
        let short = Query { seconds: 0, ..QUERY };
        assert_eq!(run(captures.capture(short, Form::Profile)), Ok(b"profile".to_vec()));
        assert_eq!(run(captures.capture(short, Form::Flamegraph)), Ok(b"profile".to_vec()));
    }

    #[test]
    fn the_end_of_the_sweep_ends_a_profile_that_is_then_delivered() {
        let captures = Captures::new(take);
        let taken = run(async {
            let capturing = Arc::clone(&captures);
            let capture = tokio::spawn(async move { capturing.capture(QUERY, Form::Profile).await });
            while matches!(*captures.place(), Place::Free) {
                tokio::task::yield_now().await;
            }
            captures.close();
            capture.await.expect("it does not panic")
        });
        assert_eq!(taken, Ok(b"profile".to_vec()));
        assert!(matches!(run(captures.capture(QUERY, Form::Profile)), Err(Refusal::Failed(_))));
    }

    #[test]
    fn a_client_that_goes_away_frees_the_place() {
        let captures = Captures::new(take);
        run(async {
            let begun = captures.capture(QUERY, Form::Profile);
            // Once polled it has the place.
            assert!(tokio::time::timeout(Duration::from_millis(1), begun).await.is_err());
        });
        // The runtime above waited for its threads: nothing is left to wait for.
        assert!(captures.claim(1, channel().0).is_ok());
    }
}
