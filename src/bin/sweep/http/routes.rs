//! The answers of the server: the page, the status, metrics and profiles.
//!
//! A web page on any site can let its own host name resolve to this machine. Its script could then read
//! the answers, which have the same origin. Browsers always send the host name that they requested, so
//! requests with a foreign name are refused.

use std::fmt::Write as _;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};

use axum::Router;
use axum::extract::{RawQuery, Request, State};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HOST, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use every_input::{Ending, Status, Watch};
use tokio::sync::watch;

/// What the server shows, and where it is.
pub(super) struct Shown {
    pub(super) watch: Mutex<Arc<Watch>>,
    /// The host as the user has named it.
    pub(super) host: String,
    pub(super) local: SocketAddr,
}

impl Shown {
    pub(super) fn set(&self, watch: &Arc<Watch>) {
        *self.watch.lock().unwrap_or_else(PoisonError::into_inner) = Arc::clone(watch);
    }

    fn status(&self) -> Status {
        let watch = Arc::clone(&self.watch.lock().unwrap_or_else(PoisonError::into_inner));
        Status::of(&watch)
    }

    /// Returns whether a name of a host is one of this server: an address, localhost, the name that the
    /// user has given, or, if other machines can reach the server, the name of this machine.
    fn is_own(&self, name: &str) -> bool {
        let name = match name.rsplit_once(':') {
            Some((name, port)) if !port.contains(']') => name,
            _ => name,
        };
        let is_address = name.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>().is_ok();
        let is_name = ["localhost", &self.host].iter().any(|own| name.eq_ignore_ascii_case(own));
        is_address || is_name || (!self.local.ip().to_canonical().is_loopback() && is_this_machine(name))
    }
}

/// Returns whether a name is that of this machine, with or without its domain. Only Linux tells it.
fn is_this_machine(name: &str) -> bool {
    let first = |name: &str| name.trim().split('.').next().unwrap_or_default().to_ascii_lowercase();
    let machine = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    !first(&machine).is_empty() && first(name) == first(&machine)
}

pub(super) fn routes(shown: &Arc<Shown>, ended: watch::Receiver<bool>) -> Router {
    let end = move || {
        let mut ended = ended.clone();
        async move { drop(ended.wait_for(|ended| *ended).await) }
    };
    let profiles = pprof_views::http::router_until(end.clone());
    let status = async move |State(shown): State<Arc<Shown>>, RawQuery(query): RawQuery| {
        if query.as_deref() == Some("end") {
            end().await;
        }
        match serde_json::to_vec(&shown.status()) {
            Ok(json) => answer("application/json", json),
            Err(error) => (StatusCode::INTERNAL_SERVER_ERROR, error.to_string()).into_response(),
        }
    };
    Router::new()
        .route("/", get(async || answer("text/html; charset=utf-8", include_str!("page.html"))))
        .route("/status.json", get(status))
        .route("/metrics", get(metrics))
        .with_state(Arc::clone(shown))
        .nest_service("/debug/pprof", profiles)
        .fallback(async || (StatusCode::NOT_FOUND, "not found; / has links to all pages\n"))
        .layer(from_fn_with_state(Arc::clone(shown), refuse_foreign_hosts))
}

async fn refuse_foreign_hosts(State(shown): State<Arc<Shown>>, request: Request, next: Next) -> Response {
    if is_for(&shown, request.headers(), request.uri()) {
        return next.run(request).await;
    }
    let line = "unknown host name; use the address of this machine, or name this host in --http HOST:PORT\n";
    (StatusCode::MISDIRECTED_REQUEST, line).into_response()
}

/// Returns whether all hosts that a request names are this one. A request without any is not one of a
/// browser.
fn is_for(shown: &Shown, headers: &HeaderMap, uri: &Uri) -> bool {
    headers.get_all(HOST).iter().all(|host| host.to_str().is_ok_and(|host| shown.is_own(host)))
        && uri.authority().is_none_or(|authority| shown.is_own(authority.as_str()))
}

fn answer(content_type: &'static str, body: impl IntoResponse) -> Response {
    let policy = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; \
                  connect-src 'self'; img-src data:";
    let headers = [
        (CONTENT_TYPE, content_type),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (CACHE_CONTROL, "no-store"),
        (CONTENT_SECURITY_POLICY, policy),
    ];
    (headers, body).into_response()
}

/// Returns metrics in Prometheus' text format 0.0.4. Unknown values are left out.
async fn metrics(State(shown): State<Arc<Shown>>) -> Response {
    let Status { report, of, part, eta_seconds, threads, .. } = shown.status();
    let (report, mut text) = (report.as_ref(), String::new());
    let mut add = |name: &str, help: &str, value: Option<f64>| {
        let kind = if name.ends_with("_total") { "counter" } else { "gauge" };
        if let Some(value) = value {
            let _ = write!(text, "# HELP {name} {help}\n# TYPE {name} {kind}\n{name} {value}\n"); // cannot fail
        }
    };
    let is_running = report.map(|report| f64::from(u8::from(report.ending == Ending::Running)));
    add("sweep_running", "1 while the sweep runs.", is_running);
    add("sweep_values_total", "Inputs checked.", report.map(|report| report.values as f64));
    add("sweep_failures_total", "Inputs that failed.", report.map(|report| report.failures as f64));
    add("sweep_planned_values", "Inputs to check in all.", of.map(|values| values as f64));
    add("sweep_completed_ratio", "Fraction of the work that is done, from 0 to 1.", Some(part));
    add("sweep_remaining_seconds", "Estimated time remaining, at the rate of this run.", eta_seconds);
    add("sweep_elapsed_seconds", "Time since the first input.", report.map(|report| report.seconds));
    add("sweep_threads", "Worker threads.", report.map(|report| report.threads as f64));
    add(
        "sweep_cpu_seconds_total",
        "CPU time of the process and its children.",
        report.and_then(|report| report.cpu_seconds),
    );
    if !threads.is_empty() {
        const NAME: &str = "sweep_thread_cpu_seconds_total";
        let _ = write!(text, "# HELP {NAME} CPU time by thread.\n# TYPE {NAME} counter\n");
        for thread in threads {
            let (name, seconds) = (label(&thread.name), thread.cpu_seconds);
            let _ = writeln!(text, "{NAME}{{thread=\"{name}\",worker=\"{}\"}} {seconds}", thread.worker);
        }
    }
    if let Some(report) = report {
        let [kind, codec] = [&report.value_type, &report.codec].map(|text| label(text));
        let _ = write!(text, "# HELP sweep_info What is checked.\n# TYPE sweep_info gauge\n");
        let _ = writeln!(text, "sweep_info{{type=\"{kind}\",codec=\"{codec}\"}} 1");
    }
    answer("text/plain; version=0.0.4; charset=utf-8", text)
}

/// Returns the value of a label with its special characters escaped.
fn label(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(host: &str, local: &str) -> Shown {
        Shown { watch: Mutex::default(), host: host.into(), local: local.parse().expect("an address") }
    }

    #[test]
    fn foreign_host_names_are_not_own() {
        let local = shown("127.0.0.1", "127.0.0.1:80");
        for own in ["localhost:80", "LOCALHOST", "127.0.0.1", "127.0.0.1:80", "[::1]:80", "10.0.0.1:9"] {
            assert!(local.is_own(own), "{own}");
        }
        for foreign in
            ["evil.example", "evil.example:80", "localhost.evil.example", "", "127.0.0.1.evil.example"]
        {
            assert!(!local.is_own(foreign), "{foreign}");
        }
        assert!(shown("node7", "10.0.0.7:80").is_own("Node7:80"));
    }

    #[test]
    fn the_name_of_this_machine_is_own_if_others_can_reach_it() {
        let Ok(machine) = std::fs::read_to_string("/proc/sys/kernel/hostname") else { return };
        let with_domain = format!("{}.cluster.example:80", machine.trim());
        assert!(shown("0.0.0.0", "0.0.0.0:80").is_own(&with_domain));
        assert!(!shown("127.0.0.1", "127.0.0.1:80").is_own(&with_domain));
    }

    #[test]
    fn labels_have_their_special_characters_escaped() {
        assert_eq!(label("a\\b\"c\nd"), "a\\\\b\\\"c\\nd");
    }
}
