//! The parameters of a profile: `?seconds=N&hz=N`.

/// The default duration of a profile, as in Go's net/http/pprof.
const DEFAULT_SECONDS: u64 = 30;
pub(in crate::http) const MAX_SECONDS: u64 = 300;
/// The default number of samples per second of CPU time. It is not 100, to avoid sampling in step
/// with periodic work.
const DEFAULT_HERTZ: u64 = 99;
const MAX_HERTZ: u64 = 1000;

/// The parameters, within the limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::http) struct Query {
    pub(in crate::http) seconds: u64,
    pub(in crate::http) hertz: u32,
}

impl Query {
    /// Parses a query. Numbers outside the limits are clamped, and unknown parameters are ignored.
    pub(in crate::http) fn parse(query: &str) -> Result<Self, String> {
        Ok(Self {
            seconds: number(query, "seconds", DEFAULT_SECONDS)?.clamp(1, MAX_SECONDS),
            hertz: number(query, "hz", DEFAULT_HERTZ)?.clamp(1, MAX_HERTZ) as u32,
        })
    }
}

fn number(query: &str, name: &str, default: u64) -> Result<u64, String> {
    let mut pairs = query.split('&').map(|pair| pair.split_once('=').unwrap_or((pair, "")));
    match pairs.find(|&(key, _)| key == name) {
        None => Ok(default),
        Some((_, value)) if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) => {
            Ok(value.parse().unwrap_or(u64::MAX)) // too large for 64 bits
        }
        Some(_) => Err(format!("{name}: not a whole number; write for example {name}={default}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_clamped_to_the_limits() {
        let parsed = |query| Query::parse(query).map(|query| (query.seconds, query.hertz));
        assert_eq!(parsed(""), Ok((30, 99)));
        assert_eq!(parsed("seconds=10"), Ok((10, 99)));
        assert_eq!(parsed("debug=1&seconds=0&hz=0"), Ok((1, 1)));
        assert_eq!(parsed("seconds=99999999999999999999999&hz=5000"), Ok((300, 1000)));
        assert_eq!(parsed("seconds=5&seconds=x"), Ok((5, 99)), "the first counts, as in Go");
    }

    #[test]
    fn values_that_are_not_whole_numbers_are_refused() {
        for query in ["seconds", "seconds=", "seconds=x", "seconds=-1", "seconds=1.5", "seconds=%31", "hz=+1"]
        {
            assert!(Query::parse(query).is_err(), "{query}");
        }
    }
}
