//! The ratio of two speeds over several rounds.

use std::fmt;

/// The median of the ratios of all rounds, and their quartiles.
#[derive(Debug, PartialEq)]
pub(crate) struct Ratio {
    lower: f64,
    median: f64,
    upper: f64,
}

impl Ratio {
    /// Returns the speed of the second relative to the first, from their times in each round, or
    /// `None` without rounds. The times of a round are compared with each other, so that a change
    /// between rounds has no effect.
    pub(crate) fn of_speeds(first: &[f64], second: &[f64]) -> Option<Self> {
        let mut ratios: Vec<f64> = first.iter().zip(second).map(|(first, second)| first / second).collect();
        ratios.sort_by(f64::total_cmp);
        let quantile = |part: usize| ratios.get((ratios.len().checked_sub(1)? * part + 2) / 4).copied();
        Some(Self { lower: quantile(1)?, median: median(&mut ratios.clone())?, upper: quantile(3)? })
    }
}

impl fmt::Display for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.3} ({:.3}–{:.3})", self.median, self.lower, self.upper)
    }
}

/// Returns the median, or `None` if there are no numbers.
pub(crate) fn median(numbers: &mut [f64]) -> Option<f64> {
    numbers.sort_by(f64::total_cmp);
    let middle = numbers.len() / 2;
    let upper = *numbers.get(middle)?;
    Some(if numbers.len() % 2 == 1 { upper } else { (numbers[middle - 1] + upper) / 2.0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_the_time_is_twice_the_speed() {
        let ratio = Ratio::of_speeds(&[10.0, 20.0, 30.0], &[5.0, 10.0, 15.0]);
        assert_eq!(ratio, Some(Ratio { lower: 2.0, median: 2.0, upper: 2.0 }));
    }

    #[test]
    fn quartiles_enclose_the_median() {
        let ratio = Ratio::of_speeds(&[1.0; 5], &[1.0, 1.0 / 2.0, 1.0 / 3.0, 1.0 / 4.0, 1.0 / 5.0]).unwrap();
        assert_eq!(ratio.to_string(), "3.000 (2.000–4.000)");
    }

    #[test]
    fn no_rounds_give_no_ratio() {
        assert_eq!(Ratio::of_speeds(&[], &[]), None);
    }
}
