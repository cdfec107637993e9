//! Answers with their headers.

use http_body_util::Full;
use hyper::body::Bytes;
use hyper::header::{
    ALLOW, CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderName, HeaderValue, REFERRER_POLICY,
    X_CONTENT_TYPE_OPTIONS,
};
use hyper::{Response, StatusCode};

pub(super) type Answer = Response<Full<Bytes>>;

/// Scripts, styles and data are loaded from this server only, and pages cannot be framed.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
    form-action 'none'; base-uri 'none'; frame-ancestors 'none'";
const TEXT: &str = "text/plain; charset=utf-8";

pub(super) fn found(content_type: &'static str, body: impl Into<Bytes>) -> Answer {
    answer(StatusCode::OK, content_type, body.into())
}

pub(super) fn refused(code: StatusCode, line: &str) -> Answer {
    answer(code, TEXT, format!("{line}\n").into())
}

pub(super) fn not_allowed() -> Answer {
    let mut answer = refused(StatusCode::METHOD_NOT_ALLOWED, "method not allowed; use GET or HEAD");
    answer.headers_mut().insert(ALLOW, HeaderValue::from_static("GET, HEAD"));
    answer
}

fn answer(code: StatusCode, content_type: &'static str, body: Bytes) -> Answer {
    let mut answer = Response::new(Full::new(body));
    *answer.status_mut() = code;
    let resource_policy = HeaderName::from_static("cross-origin-resource-policy");
    for (name, value) in [
        (CONTENT_TYPE, content_type),
        (CONTENT_SECURITY_POLICY, POLICY),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (CACHE_CONTROL, "no-store"),
        (REFERRER_POLICY, "no-referrer"),
        (resource_policy, "same-origin"),
    ] {
        answer.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    answer
}
