//! The draws from a stratum in a report.

use serde::{Deserialize, Serialize};

use crate::plan::space::ErasedClass;
use crate::report::decimal;

/// The draws from one stratum, and the bound on failures that follows from them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct StratumReport {
    /// Encoded length in bytes.
    pub length: usize,
    /// Whether the values are negative.
    pub negative: bool,
    /// The name of the class, if length and sign are none. Then `length` is its index.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<String>,
    /// The number of values in the stratum.
    #[serde(with = "decimal")]
    pub values: u128,
    /// The number of values drawn from it, uniformly and with replacement.
    #[serde(with = "decimal")]
    pub sampled: u64,
    /// The number of draws from it that failed. They include those of a block in which the sweep was
    /// stopped, which are not among `sampled`.
    #[serde(with = "decimal")]
    pub failures: u64,
    /// An upper bound on the fraction of the stratum that fails; `None` if nothing was drawn, or if a
    /// draw failed. The bounds of all strata hold together with 95 % confidence.
    ///
    /// Each bound holds with a confidence of 1 - 0.05 / k, where k is the number of strata with
    /// draws: it is ln(k / 0.05) / n after n draws.
    pub fails_at_most: Option<f64>,
}

impl StratumReport {
    /// Returns the encoded length and the number of draws.
    pub(crate) fn drawn(&self) -> (usize, u64) {
        (self.length, self.sampled)
    }

    pub(crate) fn new(stratum: &ErasedClass, sampled: u64, failures: u64) -> Self {
        let (length, negative, values) = (stratum.length, stratum.negative, stratum.count());
        let class = stratum.name.clone();
        Self { length, negative, class, values, sampled, failures, fails_at_most: None }
    }

    /// Sets the bounds that follow from the numbers of values drawn, for strata without failing draws.
    ///
    /// If more than a fraction p of a stratum failed, n draws would all pass with a probability
    /// below (1 - p)^n <= exp(-p n), which is 0.05 / k for the bound. That any of the k bounds is
    /// wrong has at most the sum of these probabilities.
    pub(crate) fn set_bounds(strata: &mut [Self]) {
        const RISK: f64 = 0.05;
        let drawn = strata.iter().filter(|stratum| stratum.sampled > 0).count();
        let needed = (drawn as f64 / RISK).ln();
        for stratum in strata {
            let has_bound = stratum.sampled > 0 && stratum.failures == 0;
            stratum.fails_at_most = has_bound.then(|| (needed / stratum.sampled as f64).min(1.0));
        }
    }
}
