//! The colours of nodes and edges.

/// How far colours are shifted away from grey, so that small values can be told apart.
const SHIFT: f64 = 0.7;
/// Ratios below this have a lower saturation.
const GREY: f64 = 0.2;

/// Returns the colour for a ratio: red for 1, grey for 0 and green for -1. The background of a node
/// is lighter.
pub(super) fn color(ratio: f64, is_background: bool) -> String {
    let (saturation, value) = if is_background { (0.1, 0.93) } else { (1.0, 0.7) };
    let ratio = ratio.clamp(-1.0, 1.0);
    let saturation = saturation * (ratio.abs() / GREY).min(1.0);
    let other = value * (1.0 - saturation * ratio.abs().powf(1.0 - SHIFT));
    let (red, green) = if ratio < 0.0 { (other, value) } else { (value, other) };
    let [red, green, blue] = [red, green, value * (1.0 - saturation)].map(|part| (part * 255.0) as u8);
    format!("#{red:02x}{green:02x}{blue:02x}")
}

#[cfg(test)]
mod tests {
    use super::color;

    #[test]
    fn colors_are_those_of_pprof() {
        assert_eq!([1.0, 0.0, -1.0].map(|ratio| color(ratio, false)), ["#b20000", "#b2b2b2", "#00b200"]);
        assert_eq!([1.0, 0.0].map(|ratio| color(ratio, true)), ["#edd5d5", "#ededed"]);
    }
}
