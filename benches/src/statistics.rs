//! Comparison of two sets of measurements: Welch's t-test, the confidence interval of a ratio, and
//! the adjustment for multiple tests.

use statrs::distribution::{ContinuousCDF, StudentsT};

/// The confidence of intervals. A result is significant if its p-value is below `1 - CONFIDENCE`.
pub const CONFIDENCE: f64 = 0.95;

/// The statistics of a set of measurements.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    /// The number of measurements: at least one.
    pub count: usize,
    /// The mean.
    pub mean: f64,
    /// The standard deviation, with `count - 1` in the denominator; 0 for a single measurement.
    pub deviation: f64,
}

impl Summary {
    /// Returns the statistics of `measurements`, or `None` if there are none.
    pub fn of(measurements: &[f64]) -> Option<Self> {
        let count = measurements.len();
        if count == 0 {
            return None;
        }
        let mean = measurements.iter().sum::<f64>() / count as f64;
        let squares: f64 = measurements.iter().map(|measurement| (measurement - mean).powi(2)).sum();
        let deviation = if count > 1 { (squares / (count - 1) as f64).sqrt() } else { 0.0 };
        Some(Self { count, mean, deviation })
    }

    /// Returns the standard error of the mean, or `None` for a single measurement.
    pub fn standard_error(&self) -> Option<f64> {
        (self.count > 1).then(|| self.deviation / (self.count as f64).sqrt())
    }
}

/// The comparison of a second set of positive measurements with a first one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Comparison {
    /// The second mean divided by the first.
    pub ratio: f64,
    /// The interval that contains the true ratio with [`CONFIDENCE`], or `None` if the first mean
    /// is too uncertain to divide by.
    pub interval: Option<(f64, f64)>,
    /// The two-sided p-value: the probability of means at least as far apart if the true means are
    /// equal.
    pub p: f64,
}

/// Compares two sets by Welch's t-test, which does not assume equal variances, and by Fieller's
/// interval of the ratio with the same degrees of freedom. The interval contains 1 if and only if
/// `p` is above `1 - CONFIDENCE`. Returns `None` if either side has fewer than two measurements.
///
/// B. L. Welch, "The generalization of 'Student's' problem when several different population
/// variances are involved", Biometrika 34 (1947); E. C. Fieller, "Some problems in interval
/// estimation", J. R. Stat. Soc. B 16 (1954).
pub fn welch(first: &Summary, second: &Summary) -> Option<Comparison> {
    let (error_1, error_2) = (first.standard_error()?.powi(2), second.standard_error()?.powi(2));
    let (mean_1, mean_2) = (first.mean, second.mean);
    let ratio = mean_2 / mean_1;
    if error_1 + error_2 <= 0.0 {
        let p = if mean_1 == mean_2 { 1.0 } else { 0.0 };
        return Some(Comparison { ratio, interval: Some((ratio, ratio)), p });
    }

    let share = |error: f64, count: usize| error.powi(2) / (count - 1) as f64;
    let freedom = (error_1 + error_2).powi(2) / (share(error_1, first.count) + share(error_2, second.count));
    let student = StudentsT::new(0.0, 1.0, freedom).ok()?;
    let p = 2.0 * student.sf((mean_2 - mean_1).abs() / (error_1 + error_2).sqrt());

    // The ratios r for which mean_2 - r mean_1 is within t standard errors of 0: the roots of a
    // quadratic in r.
    let t = student.inverse_cdf(0.5 + CONFIDENCE / 2.0).powi(2);
    let (a, b, c) = (mean_1.powi(2) - t * error_1, mean_1 * mean_2, mean_2.powi(2) - t * error_2);
    let root = (b * b - a * c).max(0.0).sqrt();
    let interval = (a > 0.0).then(|| (((b - root) / a).max(0.0), (b + root) / a));
    Some(Comparison { ratio, interval, p })
}

/// Adjusts p-values by Holm's method. If all true means are equal, the probability that any
/// adjusted p-value is below a level is at most that level, for any number of tests.
///
/// S. Holm, "A simple sequentially rejective multiple test procedure", Scand. J. Stat. 6 (1979).
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|&a, &b| p_values[a].total_cmp(&p_values[b]));
    let mut adjusted = vec![0.0; p_values.len()];
    let mut floor: f64 = 0.0;
    for (rank, &index) in order.iter().enumerate() {
        floor = floor.max(p_values[index] * (p_values.len() - rank) as f64).min(1.0);
        adjusted[index] = floor;
    }
    adjusted
}

#[cfg(test)]
mod tests {
    use rand_core::{Rng, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;

    fn close(got: f64, expected: f64, within: f64) {
        assert!((got - expected).abs() <= within, "{got} is not {expected}");
    }

    #[test]
    fn welch_matches_a_published_result() {
        // The first example of Wikipedia's "Welch's t-test": t = -2.46, 25.0 degrees of freedom, p
        // = 0.021.
        let first =
            [27.5, 21.0, 19.0, 23.6, 17.0, 17.9, 16.9, 20.1, 21.9, 22.6, 23.1, 19.6, 19.0, 21.7, 21.4];
        let second =
            [27.1, 22.0, 20.8, 23.4, 23.4, 23.5, 25.8, 22.0, 24.8, 20.2, 21.9, 22.1, 22.9, 20.5, 24.4];
        let (first, second) = (Summary::of(&first).unwrap(), Summary::of(&second).unwrap());
        let result = welch(&first, &second).unwrap();
        close(result.p, 0.021, 0.0005);
        close(result.ratio, 22.99 / 20.82, 0.001);
        let (low, high) = result.interval.unwrap();
        assert!(1.0 < low && low < result.ratio && result.ratio < high, "{result:?}");
        assert_eq!(welch(&second, &first).unwrap().p, result.p);
    }

    #[test]
    fn the_interval_contains_1_if_and_only_if_p_is_above_the_level() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut apart = 0;
        for _ in 0..2000 {
            let mut draw = |mean: f64, count: usize| {
                let values: Vec<f64> = (0..count).map(|_| mean + normal(&mut rng)).collect();
                Summary::of(&values).unwrap()
            };
            let result = welch(&draw(20.0, 4), &draw(21.5, 6)).unwrap();
            let (low, high) = result.interval.unwrap();
            assert_eq!(low > 1.0 || high < 1.0, result.p < 1.0 - CONFIDENCE, "{result:?}");
            apart += usize::from(low > 1.0);
        }
        assert!((200..1800).contains(&apart), "{apart}");
    }

    #[test]
    fn false_positives_of_single_tests_and_of_families_are_as_rare_as_the_level() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(2);
        let (mut positives, mut families) = (0, 0);
        for _ in 0..500 {
            let p_values: Vec<f64> = (0..20)
                .map(|_| {
                    let mut draw = || Summary::of(&[(); 5].map(|()| 100.0 + normal(&mut rng))).unwrap();
                    welch(&draw(), &draw()).unwrap().p
                })
                .collect();
            positives += p_values.iter().filter(|p| **p < 0.05).count();
            families += usize::from(holm(&p_values).iter().any(|p| *p < 0.05));
        }
        assert!((400..=560).contains(&positives), "{positives} of 10,000 single tests, 500 expected");
        assert!((5..=37).contains(&families), "{families} of 500 families, at most 25 expected");
    }

    /// Returns a nearly normal number of mean 0 and deviation 1: the sum of twelve uniform numbers
    /// minus 6.
    fn normal(rng: &mut impl Rng) -> f64 {
        (0..12).map(|_| rng.next_u64() as f64 / u64::MAX as f64).sum::<f64>() - 6.0
    }

    #[test]
    fn holm_matches_a_calculation_by_hand() {
        let adjusted = holm(&[0.01, 0.04, 0.03, 0.005]);
        for (got, expected) in adjusted.into_iter().zip([0.03, 0.06, 0.06, 0.02]) {
            close(got, expected, 1e-12);
        }
        assert_eq!(holm(&[0.9, 0.8]), [1.0, 1.0]);
        assert!(holm(&[]).is_empty());
    }

    #[test]
    fn too_few_measurements_give_no_result_and_no_spread_gives_p_of_0_or_1() {
        let one = Summary::of(&[1.0]).unwrap();
        let two = Summary::of(&[1.0, 1.0]).unwrap();
        let other = Summary::of(&[2.0, 2.0]).unwrap();
        assert_eq!(Summary::of(&[]), None);
        assert_eq!(welch(&one, &two), None);
        assert_eq!(welch(&two, &two).unwrap().p, 1.0);
        assert_eq!(welch(&two, &other), Some(Comparison { ratio: 2.0, interval: Some((2.0, 2.0)), p: 0.0 }));
        let wild = welch(&Summary::of(&[1.0, 100.0]).unwrap(), &other).unwrap();
        assert_eq!(wild.interval, None);
    }
}
