//! A self-contained HTML page with the picture, its figures and the commits.

use std::fmt::Write;

use crate::history::{History, Metric, codes, day, runs};
use crate::table::figure;

const STYLE: &str = "body{font:14px sans-serif;max-width:1100px;margin:2em auto;padding:0 1em}\
svg{max-width:100%;height:auto}div{overflow-x:auto}table{border-collapse:collapse}\
th,td{padding:.2em .6em;border-bottom:1px solid #ddd;text-align:right;white-space:nowrap}\
th:first-child,td:first-child,td.text{text-align:left}";

pub(crate) fn page(history: &History, metric: Metric, svg: &str) -> String {
    let mut tables = String::new();
    for (machine, benchmarks) in &history.machines {
        let columns = codes(benchmarks);
        tables += &format!("<h2>{}; {}</h2>\n", escape(&machine.cpu), escape(&machine.rustc));

        tables += "<div><table>\n<tr><th>commit</th><th>day</th><th>runs</th><td class=\"text\"></td></tr>\n";
        for &place in &columns {
            let code = &history.codes[place];
            tables += &row(
                "td",
                [code.label(), day(code), runs(benchmarks, place).to_string()],
                &format!("<td class=\"text\">{}</td>", escape(&code.subject)),
            );
        }
        tables += "</table></div>\n<p>Nanoseconds per value.</p>\n<div><table>\n";

        let labels = columns.iter().map(|&code| history.codes[code].label());
        tables += &row("th", ["benchmark".to_owned()].into_iter().chain(labels), "");
        for (name, series) in benchmarks {
            let cells = columns.iter().map(|code| {
                let summary = series.get(code).and_then(|runs| metric.over(runs));
                summary.map_or(String::new(), |summary| figure(&summary))
            });
            tables += &row("td", [name.to_string()].into_iter().chain(cells), "");
        }
        tables += "</table></div>\n";
    }
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <title>zigzag-varint over commits</title><style>{STYLE}</style></head>\n<body>\n\
         <h1>zigzag-varint over commits</h1>\n{svg}\n{tables}</body></html>\n"
    )
}

/// Returns a table row: cells of text, which are escaped, and then `html`, which is not.
fn row(tag: &str, cells: impl IntoIterator<Item = String>, html: &str) -> String {
    let mut row = "<tr>".to_owned();
    for cell in cells {
        let _ = write!(row, "<{tag}>{}</{tag}>", escape(&cell)); // writing to a String cannot fail
    }
    row + html + "</tr>\n"
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
