//! A chart of the rate over time.

use maud::{Markup, html};

/// The coordinates of the chart, which is stretched to the available width.
const WIDTH: f64 = 1000.0;
const HEIGHT: f64 = 100.0;

/// Returns the chart as SVG, with the labels of the axes outside it, so that they are not
/// stretched.
pub(in crate::http) fn chart(rates: &[(f64, f64)]) -> Markup {
    let end = rates.last().map_or(1.0, |last| last.0).max(1e-9);
    let start = rates.first().map_or(0.0, |first| first.0).min(end);
    let top = nice(rates.iter().map(|&(_, rate)| rate).fold(0.0, f64::max));
    let at = |&(seconds, rate): &(f64, f64)| {
        let x = WIDTH * (seconds - start) / (end - start).max(1e-9);
        (x, HEIGHT * (1.0 - rate / top))
    };
    let line: Vec<String> = rates.iter().map(at).map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    let line = line.join(" ");
    html! {
        @if rates.len() < 2 {
            p.muted { "The chart appears after a few seconds." }
        } @else {
            div.chart {
                div.y { span { (short(top)) "/s" } span { (short(top / 2.0)) "/s" } span { "0" } }
                svg viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } preserveAspectRatio="none" role="img"
                    aria-label={ "values per second, from 0 to " (short(top)) } {
                    path.grid d={ "M0 0H" (WIDTH) "M0 " (HEIGHT / 2.0) "H" (WIDTH) "M0 " (HEIGHT) "H" (WIDTH) } {}
                    polygon points={ "0," (HEIGHT) " " (line) " " (WIDTH) "," (HEIGHT) } {}
                    polyline points=(line) {}
                }
                div.x { span { (time(start)) } span { (time((start + end) / 2.0)) } span { (time(end)) } }
            }
        }
    }
}

/// Returns the end of an axis: the next of 1, 2, 3, 4, 5, 6, 8 or 10 times a power of ten.
fn nice(number: f64) -> f64 {
    let power = 10f64.powf(number.max(1.0).log10().floor());
    let steps = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0];
    steps.into_iter().map(|step| step * power).find(|&end| end >= number).unwrap_or(10.0 * power)
}

/// Returns a number with at most three digits and an SI prefix.
pub(in crate::http) fn short(number: f64) -> String {
    const PREFIXES: [(f64, &str); 5] = [(1e12, " T"), (1e9, " G"), (1e6, " M"), (1e3, " k"), (1.0, "")];
    let (unit, prefix) = PREFIXES.into_iter().find(|&(unit, _)| number >= unit).unwrap_or(PREFIXES[4]);
    let amount = number / unit;
    let digits = if amount < 9.995 { 2 } else { usize::from(amount < 99.95) };
    let amount = format!("{amount:.digits$}");
    let amount = if digits > 0 { amount.trim_end_matches('0').trim_end_matches('.') } else { &amount };
    format!("{amount}{prefix}")
}

/// Returns a duration in its two largest units.
fn time(seconds: f64) -> String {
    let seconds = seconds.clamp(0.0, 1e15) as u64;
    let unit = match seconds {
        0..3600 => 1,
        3600..86_400 => 60,
        _ => 3600,
    };
    let text = humantime::format_duration(std::time::Duration::from_secs(seconds / unit * unit)).to_string();
    text.split(' ').take(2).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_at_most_three_digits() {
        assert_eq!(
            [0.0, 5.0, 999.0, 1000.0, 1234.0, 431_100_866.0].map(short),
            ["0", "5", "999", "1 k", "1.23 k", "431 M"]
        );
        assert_eq!(short(1.18e9), "1.18 G");
        assert_eq!(short(20e6), "20 M");
    }

    #[test]
    fn axes_end_between_the_largest_number_and_its_double() {
        for number in [0.0, 0.5, 1.0, 7.0, 431e6, 1e9, 9.99e11] {
            assert!(nice(number) >= number && nice(number) <= 2.0 * number.max(1.0), "{number}");
        }
    }

    #[test]
    fn durations_have_at_most_two_units() {
        assert_eq!([0.4, 61.0, 3700.0, 90_000.0].map(time), ["0s", "1m 1s", "1h 1m", "1day 1h"]);
    }
}
