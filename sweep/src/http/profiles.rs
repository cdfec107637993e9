//! CPU profiles of the running sweep, taken on request, one at a time.

use std::sync::Arc;
use std::time::Duration;

use hyper::StatusCode;
use tokio::sync::{Semaphore, watch};

use crate::http::responses::{Answer, refused};

/// The default duration of a profile, as in Go's net/http/pprof.
const DEFAULT_SECONDS: u64 = 30;
pub(super) const MAX_SECONDS: u64 = 300;
/// The default number of samples per second of CPU time. It is not 100, to avoid sampling in step
/// with periodic work.
const DEFAULT_HERTZ: u64 = 99;
const MAX_HERTZ: u64 = 1000;

pub(super) struct Profiles {
    /// Its permit is taken while a profile is being taken or formatted.
    idle: Arc<Semaphore>,
    /// Whether the sweep has ended.
    ended: watch::Sender<bool>,
}

impl Profiles {
    pub(super) fn new() -> Arc<Self> {
        Arc::new(Self { idle: Arc::new(Semaphore::new(1)), ended: watch::Sender::new(false) })
    }

    /// Takes a profile with the parameters `?seconds=N&hz=N`, and returns it or the reason why none
    /// was taken.
    pub(super) async fn answer(&self, query: &str) -> Answer {
        let parsed = number(query, "seconds", DEFAULT_SECONDS, MAX_SECONDS)
            .and_then(|seconds| Ok((seconds, number(query, "hz", DEFAULT_HERTZ, MAX_HERTZ)?)));
        match parsed {
            Ok((seconds, hertz)) => self.take(Duration::from_secs(seconds), hertz as u32).await,
            Err(line) => refused(StatusCode::BAD_REQUEST, &line),
        }
    }

    /// Ends the profile that is being taken, if there is one, and refuses further ones.
    pub(super) fn close(&self) {
        self.ended.send_replace(true);
    }

    /// Waits until the profile that is being taken is ready.
    pub(super) async fn finished(&self) {
        let _ = self.idle.acquire().await; // the semaphore is never closed
    }

    #[cfg(not(feature = "profile"))]
    async fn take(&self, _length: Duration, _hertz: u32) -> Answer {
        let line = "no profiler in this build; build it with --features http,profile";
        refused(StatusCode::NOT_IMPLEMENTED, line)
    }

    /// Takes a profile. It ends early with the sweep, and is abandoned with the future of its request
    /// if the client disconnects.
    #[cfg(feature = "profile")]
    async fn take(&self, length: Duration, hertz: u32) -> Answer {
        use hyper::header::{CONTENT_DISPOSITION, RETRY_AFTER};
        use pprof_views::{Capture, CaptureError};

        use crate::http::responses::{found, with};

        let busy = |line: &str| with(refused(StatusCode::SERVICE_UNAVAILABLE, line), RETRY_AFTER, "30");
        let failed =
            |error: &dyn std::fmt::Display| refused(StatusCode::INTERNAL_SERVER_ERROR, &error.to_string());
        let mut ended = self.ended.subscribe();
        if *ended.borrow() {
            return failed(&"the sweep has ended");
        }
        let Ok(permit) = Arc::clone(&self.idle).try_acquire_owned() else {
            return busy("another profile is being taken; try again later");
        };
        let capture = match Capture::start(hertz) {
            Ok(capture) => capture,
            Err(CaptureError::AlreadyRunning) => {
                return busy(
                    "the whole sweep is being profiled (--cpuprofile); that profile is written at its end",
                );
            }
            Err(error @ CaptureError::Unsupported) => {
                return refused(StatusCode::NOT_IMPLEMENTED, &error.to_string());
            }
            Err(error) => return failed(&error),
        };
        let _ = tokio::time::timeout(length, ended.wait_for(|ended| *ended)).await; // both end the profile
        let taken = tokio::task::spawn_blocking(move || {
            let taken = capture.finish().map_err(|error| error.to_string());
            let taken = taken.and_then(|profile| profile.to_gzip().map_err(|error| error.to_string()));
            drop(permit);
            taken
        });
        match taken.await {
            Ok(Ok(compressed)) => {
                let answer = found("application/octet-stream", compressed);
                with(answer, CONTENT_DISPOSITION, "attachment; filename=\"profile\"") // as Go names it
            }
            Ok(Err(error)) => failed(&error),
            Err(error) => failed(&error),
        }
    }
}

/// Returns a number of the query, within its limits. Unknown parameters are ignored.
fn number(query: &str, name: &str, default: u64, max: u64) -> Result<u64, String> {
    let mut pairs = query.split('&').map(|pair| pair.split_once('=').unwrap_or((pair, "")));
    let Some((_, value)) = pairs.find(|&(key, _)| key == name) else { return Ok(default) };
    if value.is_empty() || !value.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(format!("{name}: not a whole number; write for example {name}={default}"));
    }
    match value.parse() {
        Ok(number) if (1..=max).contains(&number) => Ok(number),
        _ => Err(format!("{name}: out of range; choose a number from 1 to {max}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_within_their_limits() {
        let seconds = |query| number(query, "seconds", 30, 300);
        assert_eq!((seconds(""), seconds("debug=1&seconds=300&hz=1")), (Ok(30), Ok(300)));
        assert_eq!(seconds("seconds=5&seconds=x"), Ok(5), "the first counts, as in Go");
        for query in ["seconds=0", "seconds=301", "seconds=99999999999999999999999"] {
            assert!(seconds(query).is_err_and(|error| error.contains("from 1 to 300")), "{query}");
        }
        for query in ["seconds", "seconds=", "seconds=x", "seconds=-1", "seconds=1.5", "seconds=%31"] {
            assert!(seconds(query).is_err_and(|error| error.contains("not a whole number")), "{query}");
        }
    }
}
