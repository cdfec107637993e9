//! Whether chance explains the difference of two means.

use statrs::distribution::{ContinuousCDF, StudentsT};

/// A change with a smaller p-value is not explained by chance.
pub(crate) const LEVEL: f64 = 0.01;

/// Returns the mean of one or more numbers.
pub(crate) fn mean(numbers: &[f64]) -> f64 {
    numbers.iter().sum::<f64>() / numbers.len() as f64
}

/// Returns the p-value of Welch's t-test, which does not assume equal variances: the probability that
/// samples with the same true mean have means at least as far apart as these. Returns `None` if either
/// side has fewer than two numbers.
///
/// B. L. Welch, "The generalization of 'Student's' problem when several different population variances
/// are involved", Biometrika 34 (1947).
pub(crate) fn p_value(first: &[f64], second: &[f64]) -> Option<f64> {
    // The variance of the mean, and the degrees of freedom of its estimate.
    let estimate = |numbers: &[f64]| {
        let (mean, freedom) = (mean(numbers), numbers.len() as f64 - 1.0);
        let squares: f64 = numbers.iter().map(|number| (number - mean).powi(2)).sum();
        (numbers.len() > 1).then(|| (squares / freedom / numbers.len() as f64, freedom))
    };
    let ((variance_1, freedom_1), (variance_2, freedom_2)) = (estimate(first)?, estimate(second)?);
    let (difference, variance) = ((mean(first) - mean(second)).abs(), variance_1 + variance_2);
    if variance == 0.0 {
        return Some(if difference == 0.0 { 1.0 } else { 0.0 });
    }
    let freedom = variance.powi(2) / (variance_1.powi(2) / freedom_1 + variance_2.powi(2) / freedom_2);
    Some(2.0 * StudentsT::new(0.0, 1.0, freedom).ok()?.sf(difference / variance.sqrt()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The samples of the first two examples of Wikipedia's "Welch's t-test", with their p-values.
    #[test]
    fn p_values_match_published_ones() {
        let equal_sizes = (
            [27.5, 21.0, 19.0, 23.6, 17.0, 17.9, 16.9, 20.1, 21.9, 22.6, 23.1, 19.6, 19.0, 21.7, 21.4],
            [27.1, 22.0, 20.8, 23.4, 23.4, 23.5, 25.8, 22.0, 24.8, 20.2, 21.9, 22.1, 22.9, 20.5, 24.4],
        );
        let p = p_value(&equal_sizes.0, &equal_sizes.1).unwrap();
        assert!((p - 0.021).abs() < 0.0005, "{p}");
        assert_eq!(p_value(&equal_sizes.1, &equal_sizes.0).unwrap(), p);
        let unequal_sizes = (
            [17.2, 20.9, 22.6, 18.1, 21.7, 21.4, 23.5, 24.2, 14.7, 21.8],
            [
                21.5, 22.8, 21.0, 23.0, 21.6, 23.6, 22.5, 20.7, 23.4, 21.8, 20.7, 21.7, 21.5, 22.5, 23.6,
                21.5, 22.5, 23.5, 21.5, 21.8,
            ],
        );
        let p = p_value(&unequal_sizes.0, &unequal_sizes.1).unwrap();
        assert!((p - 0.149).abs() < 0.0005, "{p}");
    }

    #[test]
    fn numbers_without_variance_differ_or_are_equal() {
        assert_eq!(p_value(&[2.0; 3], &[2.0; 5]), Some(1.0));
        assert_eq!(p_value(&[2.0; 3], &[2.5; 5]), Some(0.0));
        assert_eq!(p_value(&[2.0], &[2.5; 5]), None);
    }
}
