//! Fetches a profile from a running program over HTTP.

use std::time::Duration;

use pprof_views::{Limits, Profile, ProfileError};
use ureq::http::header::{CONTENT_TYPE, LOCATION};
use ureq::http::{Response, Uri};
use ureq::{Agent, Body};

use crate::output::console::note;
use crate::output::error::Error;

/// The maximum number of redirects, as in Go.
const MAX_REDIRECTS: usize = 10;
/// The time for everything but taking the profile.
const PATIENCE: Duration = Duration::from_secs(60);
/// The default number of seconds of a CPU profile, of Go and of this project.
const DEFAULT_SECONDS: u64 = 30;
/// The maximum number of characters of what a server says in an error.
const MAX_LINE: usize = 200;

/// Fetches the profile of a URL of `http`, which takes a minute at most, and the time of a CPU profile.
/// Redirects to another host are not followed.
pub(super) fn fetch(url: &str, limits: Limits) -> Result<Profile, Error> {
    let failed = |problem: String| Error::file(format_args!("cannot fetch the profile '{url}': {problem}"));
    let mut uri: Uri = url.parse().map_err(|error| {
        Error::usage(format_args!("invalid URL '{url}': {error}; write http://HOST:PORT/debug/pprof/profile"))
    })?;
    note(format_args!("fetching the profile {url}{}", duration(&uri)));
    let agent: Agent = Agent::config_builder()
        .http_status_as_error(false)
        .max_redirects(0) // those of this module are of one host
        .max_redirects_will_error(false)
        .proxy(None) // profiles are those of hosts nearby
        .timeout_global(Some(PATIENCE + seconds(&uri)))
        .build()
        .into();
    for _ in 0..=MAX_REDIRECTS {
        let response = agent.get(&uri).call().map_err(|error| failed(problem(error)))?;
        match redirect(&uri, &response).map_err(failed)? {
            Some(next) => uri = next,
            None => return profile(response, limits).map_err(failed),
        }
    }
    Err(failed(format!("more than {MAX_REDIRECTS} redirects; name the URL that they should lead to")))
}

/// Returns where an answer redirects to, if it does. The error is the problem.
fn redirect(from: &Uri, response: &Response<Body>) -> Result<Option<Uri>, String> {
    let location = response.headers().get(LOCATION).filter(|_| response.status().is_redirection());
    let Some(location) = location else { return Ok(None) };
    let location = printable(&String::from_utf8_lossy(location.as_bytes()));
    let next = join(from, &location)
        .ok_or_else(|| format!("redirected to '{location}', which is no URL of http"))?;
    if next.authority() != from.authority() {
        return Err(format!("redirected to another host, '{location}'; name that URL if you trust it"));
    }
    Ok(Some(next))
}

/// Returns the URL of a location relative to another URL, if it is one of `http`.
fn join(from: &Uri, location: &str) -> Option<Uri> {
    let authority = from.authority()?;
    let absolute = match location {
        _ if location.contains("://") => location.to_owned(),
        _ if location.starts_with("//") => format!("http:{location}"),
        _ if location.starts_with('/') => format!("http://{authority}{location}"),
        _ => {
            let (path, query) = location.split_at(location.find('?').unwrap_or(location.len()));
            let mut parts: Vec<_> = from.path().split('/').collect();
            parts.pop();
            for part in path.split('/') {
                match part {
                    ".." if parts.len() > 1 => drop(parts.pop()),
                    "." | ".." => {}
                    part => parts.push(part),
                }
            }
            format!("http://{authority}{}{query}", parts.join("/"))
        }
    };
    absolute.parse().ok().filter(|uri: &Uri| uri.scheme_str() == Some("http"))
}

/// Returns the profile of an answer. The error is the problem.
fn profile(mut response: Response<Body>, limits: Limits) -> Result<Profile, String> {
    let status = response.status();
    let kind = response
        .headers()
        .get(CONTENT_TYPE)
        .map(|kind| String::from_utf8_lossy(kind.as_bytes()).into_owned());
    let body = response.body_mut().with_config().limit(limits.bytes).read_to_vec().map_err(problem)?;
    if !status.is_success() {
        let text = String::from_utf8_lossy(&body);
        let line = text.lines().map(str::trim).find(|line| !line.is_empty());
        let line = printable(line.unwrap_or("no reason"));
        return Err(format!("the server answered {status}: {line}"));
    }
    if kind.is_some_and(|kind| kind.starts_with("text/")) || body.trim_ascii_start().starts_with(b"<") {
        return Err(
            "the server answered with a page or text, not with a profile; profiles of most programs are at \
                    /debug/pprof/profile and /debug/pprof/heap"
                .into(),
        );
    }
    Profile::from_reader(&*body, limits).map_err(|error| error.to_string())
}

/// Describes why there is no answer, with a remedy.
fn problem(error: ureq::Error) -> String {
    match error {
        ureq::Error::Timeout(_) => {
            "no complete answer in time; ask for fewer seconds, or check the server".into()
        }
        ureq::Error::BodyExceedsLimit(limit) => ProfileError::TooLarge(limit).to_string(),
        ureq::Error::Io(error) => {
            format!("{error}; check the name of the host and the port, and that the program runs")
        }
        error => printable(&error.to_string()),
    }
}

/// Returns the time in which the server takes a profile.
fn seconds(uri: &Uri) -> Duration {
    let default = if uri.path().ends_with("/profile") { DEFAULT_SECONDS } else { 0 };
    let query = uri.query().unwrap_or_default();
    let value = query.split('&').find_map(|pair| pair.strip_prefix("seconds="));
    Duration::from_secs(value.and_then(|value| value.parse().ok()).unwrap_or(default).min(86_400))
}

fn duration(uri: &Uri) -> String {
    match seconds(uri).as_secs() {
        0 => String::new(),
        seconds => format!(", which takes {seconds} s"),
    }
}

/// Returns the start of a text from elsewhere, without control characters.
fn printable(text: &str) -> String {
    text.chars()
        .take(MAX_LINE)
        .map(|char| if char.is_control() { char::REPLACEMENT_CHARACTER } else { char })
        .collect()
}
