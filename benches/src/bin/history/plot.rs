//! `plot`: results over commits, with a panel for each group and a line for each contender.

use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use varint_sweep::OutputFile;
use zigzag_varint_benches::failure::Failure;
use zigzag_varint_benches::name::Group;
use zigzag_varint_benches::statistics::Summary;

use crate::history::{History, Machine, Metric, Name, Series, codes};
use crate::page::page;

const WIDTH: u32 = 830;
/// The width of the legend, right of the panel.
const LEGEND: u32 = 200;
const HEAD: u32 = 30;
const ROW: u32 = 18;
/// The minimum height of a panel.
const HEIGHT: u32 = 190;
/// The number of commits whose names fit below a panel.
const NAMES: usize = 10;

const FONT: &str = "sans-serif";
const GREY: RGBColor = RGBColor(90, 90, 90);
/// The dark colours of Okabe and Ito's palette, which colour-blind readers can tell apart, then
/// others. They repeat after the last.
const COLOURS: [RGBColor; 10] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(0, 0, 0),
    RGBColor(230, 159, 0),
    RGBColor(153, 153, 153),
    RGBColor(122, 62, 30),
    RGBColor(106, 76, 175),
];

#[derive(Clone, Copy)]
pub(crate) enum Format {
    Svg,
    Html,
}

impl Format {
    /// Returns the format for the extension of the file's name.
    pub(crate) fn of(path: &Path) -> Result<Self, Failure> {
        let extension = path.extension().map(|extension| extension.to_ascii_lowercase());
        match extension.as_deref().and_then(|extension| extension.to_str()) {
            Some("svg") => Ok(Self::Svg),
            Some("html" | "htm") => Ok(Self::Html),
            _ => Err(Failure::Usage(format!(
                "{}: unknown format; the name of the file must end in .svg or .html",
                path.display()
            ))),
        }
    }
}

/// Draws `history` to `path`. If this fails, an existing file stays unchanged.
pub(crate) fn write(history: &History, metric: Metric, format: Format, path: &Path) -> Result<(), Failure> {
    let file = OutputFile::create(path).map_err(|error| Failure::cannot_write(path, error))?;
    let mut svg = String::new();
    draw(history, metric, &mut svg).map_err(|error| Failure::cannot_write(path, error))?;
    let content = match format {
        Format::Svg => svg,
        Format::Html => page(history, metric, &svg),
    };
    file.finish(content.as_bytes()).map_err(|error| Failure::cannot_write(path, error))
}

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// A group of benchmarks and its lines.
type Panel<'a> = (&'a Group, Vec<Line<'a>>);

/// One contender in a panel: its mean over the runs, at each commit.
struct Line<'a> {
    contender: &'a str,
    /// The same for a contender in every panel.
    colour: RGBColor,
    points: Vec<(usize, Summary)>,
}

fn draw(history: &History, metric: Metric, svg: &mut String) -> Result<(), Box<dyn Error>> {
    let mut machines: Vec<(&Machine, Vec<usize>, Vec<Panel<'_>>)> = Vec::new();
    for (machine, benchmarks) in &history.machines {
        let columns = codes(benchmarks);
        let panels = panels(benchmarks, &columns, metric);
        machines.push((machine, columns, panels));
    }
    let height: u32 = machines
        .iter()
        .map(|(_, _, panels)| 2 * HEAD + panels.iter().map(|(_, lines)| panel_height(lines)).sum::<u32>())
        .sum();

    let mut area = SVGBackend::with_string(svg, (WIDTH, height)).into_drawing_area();
    area.fill(&WHITE)?;
    for (machine, columns, panels) in &machines {
        let (head, rest) = area.split_vertically(2 * HEAD);
        // The host's name is left out, because pictures may be published.
        let title = format!("{}; {}", machine.cpu, machine.rustc);
        head.draw(&Text::new(title, (12, 14), text(15, HPos::Left, VPos::Center)))?;
        let legend = format!(
            "Time relative to the oldest commit: mean of the runs' {} ± standard error; less is faster. Right: ns per value, newest commit.",
            metric.plural()
        );
        head.draw(&Text::new(legend, (12, 38), text(12, HPos::Left, VPos::Center)))?;
        area = rest;
        for (group, lines) in panels {
            let (panel, rest) = area.split_vertically(panel_height(lines));
            draw_panel(&panel, history, columns, group, lines)?;
            area = rest;
        }
    }
    area.present()?;
    drop(area);
    Ok(())
}

fn panel_height(lines: &[Line<'_>]) -> u32 {
    HEIGHT.max(HEAD + ROW * (lines.len() as u32 + 1))
}

fn panels<'a>(benchmarks: &'a BTreeMap<Name, Series>, columns: &[usize], metric: Metric) -> Vec<Panel<'a>> {
    let mut contenders: Vec<&str> = benchmarks.keys().map(|name| name.contender.as_str()).collect();
    contenders.sort_unstable();
    contenders.dedup();
    let mut panels: Vec<Panel<'_>> = Vec::new();
    for (name, series) in benchmarks {
        let summaries = columns.iter().enumerate();
        let points =
            summaries.filter_map(|(place, code)| Some((place, metric.over(series.get(code)?)?))).collect();
        let place = contenders.iter().position(|contender| *contender == name.contender).unwrap_or(0);
        let line = Line { contender: &name.contender, colour: COLOURS[place % COLOURS.len()], points };
        match panels.last_mut() {
            Some((group, lines)) if **group == name.group => lines.push(line),
            _ => panels.push((&name.group, vec![line])),
        }
    }
    panels
}

fn draw_panel(
    panel: &Area<'_>,
    history: &History,
    columns: &[usize],
    group: &Group,
    lines: &[Line<'_>],
) -> Result<(), Box<dyn Error>> {
    // The points of each line relative to its first: position, ratio, standard error of the ratio.
    let ratios: Vec<Vec<(f64, f64, f64)>> = lines
        .iter()
        .map(|line| {
            let first = line.points.first().map_or(1.0, |(_, summary)| summary.mean);
            let ratio = |(place, summary): &(usize, Summary)| {
                (*place as f64, summary.mean / first, summary.standard_error().unwrap_or(0.0) / first)
            };
            line.points.iter().map(ratio).collect()
        })
        .collect();
    let ends = ratios.iter().flatten().flat_map(|(_, ratio, error)| [ratio - error, ratio + error]);
    let (low, high) = ends.fold((0.95, 1.05), |(low, high): (f64, f64), end| (low.min(end), high.max(end)));
    let margin = (high - low) * 0.06;

    let (left, legend) = panel.split_horizontally(WIDTH - LEGEND);
    let last = columns.len().saturating_sub(1) as f64;
    let mut chart = ChartBuilder::on(&left)
        .margin(8)
        .margin_top(HEAD)
        .x_label_area_size(22)
        .y_label_area_size(44)
        .build_cartesian_2d(-0.4..last + 0.4, low - margin..high + margin)?;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .x_labels(0)
        .y_labels(6)
        .y_label_formatter(&|ratio| format!("{ratio:.2}"))
        .label_style((FONT, 12))
        .bold_line_style(RGBColor(225, 225, 225))
        .light_line_style(TRANSPARENT)
        .draw()?;
    chart.draw_series([PathElement::new([(-0.4, 1.0), (last + 0.4, 1.0)], GREY)])?;

    for (Line { colour, .. }, line) in lines.iter().zip(&ratios) {
        chart.draw_series([PathElement::new(
            line.iter().map(|&(x, y, _)| (x, y)).collect::<Vec<_>>(),
            colour.stroke_width(2),
        )])?;
        chart.draw_series(line.iter().map(|&(x, y, _)| Circle::new((x, y), 3, colour.filled())))?;
        chart.draw_series(
            line.iter().map(|&(x, y, error)| PathElement::new([(x, y - error), (x, y + error)], colour)),
        )?;
    }

    // All names, or every n-th if there are too many.
    let step = columns.len().div_ceil(NAMES).max(1);
    let (base_x, base_y) = left.get_base_pixel();
    for (place, &code) in columns.iter().enumerate().filter(|(place, _)| place % step == 0) {
        let (x, y) = chart.plotting_area().map_coordinate(&(place as f64, low - margin));
        let label = history.codes[code].label();
        let label = label.rsplit_once("dirty-").map_or(label.as_str(), |(commit, _)| commit);
        let label = label.replace('-', "+"); // the full label is too long; the page and the table have it
        left.draw(&Text::new(label, (x - base_x, y - base_y + 6), text(11, HPos::Center, VPos::Top)))?;
    }
    left.draw(&Text::new(group.to_string(), (52, HEAD as i32 / 2 + 2), text(15, HPos::Left, VPos::Center)))?;
    draw_legend(&legend, lines)
}

/// Draws the names of the lines and their times at the newest commit.
fn draw_legend(area: &Area<'_>, lines: &[Line<'_>]) -> Result<(), Box<dyn Error>> {
    for (index, line) in lines.iter().enumerate() {
        let y = (HEAD + ROW * index as u32 + ROW / 2) as i32;
        let square = [(0, y - 5), (10, y + 5)];
        area.draw(&Rectangle::new(square, line.colour.filled()))?;
        let now = line.points.last().map_or(String::new(), |(_, summary)| format!(" {:.2} ns", summary.mean));
        let name = line.contender.trim_start_matches("ours-");
        area.draw(&Text::new(format!("{name}{now}"), (16, y), text(13, HPos::Left, VPos::Center)))?;
    }
    Ok(())
}

fn text(size: u32, horizontal: HPos, vertical: VPos) -> TextStyle<'static> {
    TextStyle::from((FONT, size)).color(&BLACK).pos(Pos::new(horizontal, vertical))
}
