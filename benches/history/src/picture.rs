//! A picture of the times over commits: a panel for each group on each machine, with a line for each
//! contender.

use std::collections::BTreeMap;
use std::error::Error;

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use crate::history::{Entry, History, describe};
use crate::measurement::Environment;
use crate::table::nanoseconds;
use crate::welch::mean;

const FONT: &str = "sans-serif";
const WIDTH: u32 = 960;
/// The width of the names of the lines, right of a panel.
const LEGEND: u32 = 220;
/// The height of the text above a panel.
const HEAD: u32 = 48;
/// The height of a line of the legend.
const ROW: u32 = 18;
/// The minimum height of a panel.
const HEIGHT: u32 = 260;
/// The number of commits whose names fit below a panel.
const NAMES: usize = 9;
/// Dark colours of Okabe and Ito's palette, which colour-blind readers can tell apart. They repeat.
const COLOURS: [RGBColor; 8] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(0, 0, 0),
    RGBColor(86, 180, 233),
    RGBColor(230, 159, 0),
    RGBColor(140, 140, 140),
];

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// The lines of one group on one machine.
struct Panel<'a> {
    head: [String; 2],
    /// The baseline at each place, from left to right.
    baselines: BTreeMap<usize, &'a str>,
    lines: Vec<Line<'a>>,
}

/// One contender: the places where it was measured, with its mean time at each.
struct Line<'a> {
    contender: &'a str,
    colour: RGBColor,
    points: Vec<(usize, f64)>,
}

/// Returns the picture in SVG.
pub(crate) fn picture(history: &History) -> Result<String, Box<dyn Error>> {
    let panels: Vec<Panel<'_>> = history
        .groups
        .iter()
        .flat_map(|(group, contenders)| {
            let of = move |environment| Panel::new(group, contenders, environment);
            history.environments.iter().map(of).filter(|panel| !panel.lines.is_empty())
        })
        .collect();
    let mut svg = String::new();
    let size = (WIDTH, panels.iter().map(Panel::height).sum());
    let mut area = SVGBackend::with_string(&mut svg, size).into_drawing_area();
    area.fill(&WHITE)?;
    for panel in &panels {
        let (upper, rest) = area.split_vertically(panel.height());
        panel.draw(&upper)?;
        area = rest;
    }
    area.present()?;
    drop(area);
    Ok(svg)
}

impl<'a> Panel<'a> {
    fn new(
        group: &str,
        contenders: &'a BTreeMap<String, Vec<Entry>>,
        environment: &Option<Environment>,
    ) -> Self {
        let scale = "mean time in percent of the first; less is faster";
        let head = [format!("{group}: {scale}"), describe(environment.as_ref())];
        let mut panel = Self { head, baselines: BTreeMap::new(), lines: Vec::new() };
        for ((contender, entries), colour) in contenders.iter().zip(COLOURS.into_iter().cycle()) {
            let mut points = Vec::new();
            for Entry { place, fastest, .. } in entries {
                if fastest.environment == *environment {
                    points.push((*place, mean(&fastest.times())));
                    panel.baselines.insert(*place, &fastest.baseline);
                }
            }
            if !points.is_empty() {
                panel.lines.push(Line { contender, colour, points });
            }
        }
        panel
    }

    fn height(&self) -> u32 {
        HEIGHT.max(HEAD + ROW * (self.lines.len() as u32 + 1))
    }

    fn draw(&self, area: &Area<'_>) -> Result<(), Box<dyn Error>> {
        for (line, size, y) in [(&self.head[0], 15, 16), (&self.head[1], 11, 34)] {
            area.draw(&Text::new(line.clone(), (14, y), text(size, HPos::Left, VPos::Center)))?;
        }
        let (left, legend) = area.split_horizontally(WIDTH - LEGEND);
        // The lines relative to their first points: so they have the same scale.
        let lines: Vec<Vec<(f64, f64)>> = self.lines.iter().map(|line| self.relative(line)).collect();
        let times = lines.iter().flatten().map(|(_, time)| *time);
        let (low, high) = times.fold((95.0, 105.0), |(low, high): (f64, f64), y| (low.min(y), high.max(y)));
        let margin = (high - low) * 0.06;
        let last = self.baselines.len() as f64 - 1.0;
        let mut chart = ChartBuilder::on(&left)
            .margin(8)
            .margin_top(HEAD)
            .x_label_area_size(22)
            .y_label_area_size(48)
            .build_cartesian_2d(-0.4..last + 0.4, low - margin..high + margin)?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .x_labels(0)
            .y_labels(6)
            .y_label_formatter(&|time| format!("{time:.0} %"))
            .label_style((FONT, 12))
            .bold_line_style(RGBColor(225, 225, 225))
            .light_line_style(TRANSPARENT)
            .draw()?;
        for (Line { colour, .. }, points) in self.lines.iter().zip(lines) {
            chart.draw_series([PathElement::new(points.clone(), colour.stroke_width(2))])?;
            chart.draw_series(points.iter().map(|point| Circle::new(*point, 3, colour.filled())))?;
        }
        // All names, or every n-th if there are too many.
        let step = self.baselines.len().div_ceil(NAMES);
        let (base_x, base_y) = left.get_base_pixel();
        for (place, baseline) in self.baselines.values().enumerate().step_by(step) {
            let (x, y) = chart.plotting_area().map_coordinate(&(place as f64, low - margin));
            let style = text(11, HPos::Center, VPos::Top);
            left.draw(&Text::new((*baseline).to_owned(), (x - base_x, y - base_y + 6), style))?;
        }
        self.draw_legend(&legend)
    }

    /// Returns the points of a line: the place among those of the panel, and the time in percent of the first.
    fn relative(&self, line: &Line<'_>) -> Vec<(f64, f64)> {
        let first = line.points[0].1;
        let x = |place| self.baselines.range(..place).count() as f64;
        line.points.iter().map(|(place, time)| (x(place), time / first * 100.0)).collect()
    }

    /// Draws the names of the lines, with their first and last times.
    fn draw_legend(&self, area: &Area<'_>) -> Result<(), Box<dyn Error>> {
        for (y, Line { contender, colour, points }) in (HEAD as i32..).step_by(ROW as usize).zip(&self.lines)
        {
            area.draw(&Rectangle::new([(0, y - 5), (10, y + 5)], colour.filled()))?;
            let [first, last] = [points[0], points[points.len() - 1]].map(|(_, time)| nanoseconds(time));
            let name = format!("{contender} {first} → {last} ns");
            area.draw(&Text::new(name, (16, y), text(12, HPos::Left, VPos::Center)))?;
        }
        Ok(())
    }
}

fn text(size: u32, horizontal: HPos, vertical: VPos) -> TextStyle<'static> {
    TextStyle::from((FONT, size)).color(&BLACK).pos(Pos::new(horizontal, vertical))
}
