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
    /// Parses a query. Unknown parameters are ignored.
    ///
    /// # Errors
    ///
    /// Returns a message if a parameter is not a whole number within its limits.
    pub(in crate::http) fn parse(query: &str) -> Result<Self, String> {
        Ok(Self {
            seconds: number(query, "seconds", DEFAULT_SECONDS, MAX_SECONDS)?,
            hertz: number(query, "hz", DEFAULT_HERTZ, MAX_HERTZ)? as u32,
        })
    }
}

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
    fn numbers_within_the_limits_are_accepted() {
        let parsed = |query| Query::parse(query).map(|query| (query.seconds, query.hertz));
        assert_eq!(parsed(""), Ok((30, 99)));
        assert_eq!(parsed("seconds=10"), Ok((10, 99)));
        assert_eq!(parsed("debug=1&seconds=1&hz=1"), Ok((1, 1)));
        assert_eq!(parsed("seconds=300&hz=1000"), Ok((300, 1000)));
        assert_eq!(parsed("seconds=5&seconds=x"), Ok((5, 99)), "the first counts, as in Go");
    }

    #[test]
    fn numbers_outside_the_limits_are_refused() {
        for (query, limits) in [
            ("seconds=0", "seconds: out of range; choose a number from 1 to 300"),
            ("seconds=301", "from 1 to 300"),
            ("seconds=99999999999999999999999", "from 1 to 300"),
            ("hz=0", "hz: out of range; choose a number from 1 to 1000"),
            ("hz=100000", "from 1 to 1000"),
        ] {
            let error = Query::parse(query).expect_err(query);
            assert!(error.contains(limits), "{query}: {error}");
        }
    }

    #[test]
    fn values_that_are_not_whole_numbers_are_refused() {
        for query in ["seconds", "seconds=", "seconds=x", "seconds=-1", "seconds=1.5", "seconds=%31", "hz=+1"]
        {
            assert!(Query::parse(query).is_err(), "{query}");
        }
    }
}
