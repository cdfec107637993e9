//! One benchmark, as it was measured at one time.

/// The samples of one benchmark at one commit.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Measurement {
    /// The benchmark's name without its last part, such as `decode/u64/mix`.
    pub(crate) group: String,
    /// The last part, such as `ours-avx2`. It is empty if the benchmark has no group.
    pub(crate) contender: String,
    /// The name of criterion's baseline: a commit, maybe with `-dirty`, or anything else.
    pub(crate) baseline: String,
    /// Seconds since 1970.
    pub(crate) date: i64,
    /// Where it was measured, if that was recorded.
    pub(crate) environment: Option<Environment>,
    /// Elements per iteration, if criterion knows them.
    pub(crate) elements: Option<u32>,
    /// Nanoseconds per iteration: at least one number.
    pub(crate) samples: Vec<f64>,
}

/// A machine and a compiler. Only results that have both in common are compared.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Deserialize)]
pub(crate) struct Environment {
    pub(crate) machine: String,
    pub(crate) compiler: String,
}

impl Measurement {
    /// Returns the name by which a user chooses the benchmark.
    pub(crate) fn name(&self) -> String {
        [&*self.group, &*self.contender].join("/").trim_end_matches('/').to_owned()
    }

    /// Returns the samples as nanoseconds per element, or per iteration if the number of elements is unknown.
    pub(crate) fn times(&self) -> Vec<f64> {
        let elements = f64::from(self.elements.unwrap_or(1));
        self.samples.iter().map(|time| time / elements).collect()
    }
}
