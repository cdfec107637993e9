//! The charts of README.md and docs/speed.md: the time of the fastest other crate or plain loop over the time
//! of this crate.

use std::fmt::Write;

use crate::results;

/// A picture of a row of the tables.
pub(crate) struct Chart {
    /// The file, relative to the root.
    pub(crate) file: &'static str,
    title: &'static str,
    /// The row with the ratios.
    row: &'static str,
}

pub(crate) const CHARTS: [Chart; 2] = [
    Chart {
        file: "docs/speed.svg",
        title: "Times as fast as the best other crate or plain loop, slices of u64",
        row: "best other / ours",
    },
    Chart {
        file: "docs/speed-avx2.svg",
        title: "The same with the kernel for AVX2, which most CPUs have",
        row: "best other / ours-avx2",
    },
];

/// The tables and their colours, which differ in brightness as well as in hue.
const SERIES: [(&str, &str); 2] = [("encode u64", "#74a9cf"), ("decode u64", "#045a8d")];

const WIDTH: f64 = 830.0;
const HEIGHT: f64 = 270.0;
/// The y coordinates of the greatest bar's end and of all bars' beginning.
const TOP: f64 = 60.0;
const BOTTOM: f64 = 240.0;
/// The width of a bar. Each set has one more beside its bars.
const BAR: f64 = 28.0;

/// Returns the picture of the results of the check `speed`.
pub(crate) fn chart(&Chart { title, row: name, .. }: &Chart, file: &str) -> Result<String, String> {
    let run = results::run(file, "speed")?;
    let ratios = SERIES.map(|(table, _)| {
        let row = run.figures.iter().find(|row| row.get(table).is_some_and(|head| head == name));
        row.ok_or_else(|| format!("no row '{name}' of {table} in 'speed'"))
    });
    let mut bars = Vec::new();
    for (series, row) in ratios.into_iter().enumerate() {
        for (set, (name, ratio)) in row?.iter().skip(1).enumerate() {
            let ratio = results::cell(ratio);
            let value = ratio.parse().map_err(|_| format!("'{ratio}' of {name} in 'speed' is no ratio"))?;
            bars.push((series, set, name, value));
        }
    }
    let greatest = bars.iter().map(|bar| bar.3).fold(1.0, f64::max);
    let y = |ratio: f64| BOTTOM - (BOTTOM - TOP) * ratio / greatest;

    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" \
         font-family=\"sans-serif\" font-size=\"13\" text-anchor=\"middle\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"20\" y=\"26\" font-size=\"16\" text-anchor=\"start\">\
         {title}</text>\n\
         <text x=\"20\" y=\"41\" font-size=\"11\" text-anchor=\"start\">{}</text>\n",
        run.origin().replace('&', "&amp;").replace('<', "&lt;")
    );
    for (series, (table, colour)) in (0..).zip(SERIES) {
        let x = WIDTH - 200.0 + 100.0 * f64::from(series);
        let name = table.trim_end_matches(" u64");
        let _ = write!(
            svg,
            "<rect x=\"{x}\" y=\"15\" width=\"12\" height=\"12\" fill=\"{colour}\"/>\n\
             <text x=\"{}\" y=\"26\" text-anchor=\"start\">{name}</text>\n",
            x + 18.0
        ); // a String
    }
    for (series, set, name, ratio) in bars {
        let x = 20.0 + BAR * (3 * set + series) as f64;
        let (y, middle, colour) = (y(ratio), x + BAR / 2.0, SERIES[series].1);
        let _ = write!(
            svg,
            "<rect x=\"{x}\" y=\"{y:.1}\" width=\"{}\" height=\"{:.1}\" fill=\"{colour}\"/>\n\
             <text x=\"{middle}\" y=\"{:.1}\" font-size=\"11\">{ratio:.1}</text>\n",
            BAR - 2.0,
            BOTTOM - y,
            y - 5.0
        );
        if series == 0 {
            let _ = writeln!(svg, "<text x=\"{}\" y=\"{}\">{name}</text>", x + BAR, BOTTOM + 18.0);
        }
    }
    let (end, one) = (WIDTH - 20.0, y(1.0));
    let _ = writeln!(
        svg,
        "<path d=\"M20 {one:.1}H{end}\" stroke=\"#5a5a5a\"/>\n\
         <text x=\"{}\" y=\"{:.1}\" font-size=\"11\">1</text>\n</svg>",
        end + 8.0,
        one + 4.0
    );
    Ok(svg)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bars_have_the_heights_of_the_ratios() {
        let file = |figures: &str| {
            format!(
                r#"{{"speed": {{"date": "", "commit": "abc", "machine": "A&B (family 1, model 2)", "compiler": "rustc 1", "seconds": 1, "cpu_seconds": 1, "exit": 0,
                "figures": [{{"encode u64": "plain", "mix": "2.00"}},
                {{"encode u64": "best other", "mix": "plain"}},
                {{"encode u64": "best other / ours", "mix": "2.50"}}{figures}]}}}}"#
            )
        };
        let chart = |file: &str| chart(&CHARTS[0], file);
        let svg = chart(&file(r#", {"decode u64": "best other / ours", "mix": "10.0"}"#)).unwrap();
        assert!(svg.contains(">A&amp;B (family 1, model 2), rustc 1, commit abc<"), "{svg}");
        assert!(svg.contains("height=\"45.0\"") && svg.contains(">2.5<") && svg.contains(">mix<"), "{svg}");
        assert!(svg.contains("height=\"180.0\"") && svg.contains(">10.0<"), "{svg}");
        let error = "no row 'best other / ours' of decode u64 in 'speed'";
        assert_eq!(chart(&file("")).unwrap_err(), error);
        let error = chart(&file(r#", {"decode u64": "best other / ours", "mix": "-"}"#)).unwrap_err();
        assert_eq!(error, "'-' of mix in 'speed' is no ratio");
    }
}
