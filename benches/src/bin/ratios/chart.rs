//! A bar chart of the ratios of the kernels in SVG, with one panel for each group.

use std::error::Error;
use std::path::Path;

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use varint_sweep::OutputFile;
use zigzag_varint_benches::name::is_kernel;

use crate::results::Group;

/// The width of the chart, as of a README on a web page, and the height of a panel.
const WIDTH: u32 = 830;
const HEIGHT: u32 = 250;
/// The height of a panel's title.
const HEAD: u32 = 36;

const FONT: &str = "sans-serif";
const GREY: RGBColor = RGBColor(90, 90, 90);
/// From the slowest kernel to the fastest. They differ in brightness as well as in hue.
const COLOURS: [RGBColor; 5] = [
    RGBColor(189, 201, 225),
    RGBColor(116, 169, 207),
    RGBColor(43, 140, 190),
    RGBColor(4, 90, 141),
    RGBColor(2, 42, 77),
];

/// Draws the groups to `path`. If this fails, an existing file stays unchanged.
pub(crate) fn write(groups: &[Group], path: &Path) -> Result<(), Box<dyn Error>> {
    let mut svg = String::new();
    draw(groups, &mut svg)?;

    OutputFile::create(path)?.finish(svg.as_bytes())?;
    Ok(())
}

fn draw(groups: &[Group], svg: &mut String) -> Result<(), Box<dyn Error>> {
    let area = SVGBackend::with_string(svg, (WIDTH, HEIGHT * groups.len() as u32)).into_drawing_area();
    area.fill(&WHITE)?;
    for (panel, group) in area.split_evenly((groups.len(), 1)).iter().zip(groups) {
        draw_group(panel, group)?;
    }
    area.present()?;
    Ok(())
}

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

fn draw_group(panel: &Area<'_>, group: &Group) -> Result<(), Box<dyn Error>> {
    let mut kernels = group.contenders(is_kernel);
    kernels.reverse(); // slowest first
    let ratio = |set: usize, kernel: &str| {
        let set = &group.sets[set];
        Some(set.best_peer()?.nanoseconds / set.time(kernel)?.nanoseconds)
    };
    let sets = 0..group.sets.len();
    let ratios = sets.clone().flat_map(|set| kernels.iter().filter_map(move |kernel| ratio(set, kernel)));
    let top = 1.1 * ratios.fold(1.0, f64::max);
    let decimals = usize::from(top < 5.0);

    let mut chart = ChartBuilder::on(panel)
        .margin(8)
        .margin_top(HEAD)
        .x_label_area_size(24)
        .y_label_area_size(36)
        .build_cartesian_2d(0.0..sets.len() as f64, 0.0..top)?;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .x_labels(0)
        .y_labels(6)
        .y_label_formatter(&|ratio| format!("{ratio:.decimals$}×"))
        .label_style((FONT, 12))
        .light_line_style(TRANSPARENT)
        .draw()?;

    let width = 0.84 / kernels.len().max(1) as f64;
    for (index, &kernel) in kernels.iter().enumerate() {
        let left = |set| set as f64 + 0.08 + width * index as f64;
        let bars: Vec<(f64, f64)> =
            sets.clone().filter_map(|set| Some((left(set), ratio(set, kernel)?))).collect();
        chart.draw_series(bars.iter().map(|&(left, ratio)| {
            Rectangle::new([(left, 0.0), (left + width * 0.94, ratio)], colour(index, kernels.len()).filled())
        }))?;
        chart.draw_series(bars.iter().map(|&(left, ratio)| {
            Text::new(
                format!("{ratio:.1}"),
                (left + width * 0.47, ratio),
                text(10, HPos::Center, VPos::Bottom),
            )
        }))?;
    }
    chart.draw_series([PathElement::new([(0.0, 1.0), (sets.len() as f64, 1.0)], GREY)])?;

    // The names are centred below their bars, where the axis has no tick.
    for set in sets {
        let (x, y) = chart.plotting_area().map_coordinate(&(set as f64 + 0.5, 0.0));
        let (left, up) = panel.get_base_pixel();
        let name = group.sets[set].name.clone();
        panel.draw(&Text::new(name, (x - left, y - up + 6), text(13, HPos::Center, VPos::Top)))?;
    }
    draw_head(panel, group, &kernels)
}

/// Draws the title and the legend, in one line.
fn draw_head(panel: &Area<'_>, group: &Group, kernels: &[&str]) -> Result<(), Box<dyn Error>> {
    let middle = HEAD as i32 / 2;
    let title = format!("{} {}: speed relative to the best peer", group.operation, group.kind);
    panel.draw(&Text::new(title, (44, middle), text(16, HPos::Left, VPos::Center)))?;

    let mut x = WIDTH as i32 - 84 * kernels.len() as i32;
    for (index, kernel) in kernels.iter().enumerate() {
        let square = [(x, middle - 5), (x + 10, middle + 5)];
        panel.draw(&Rectangle::new(square, colour(index, kernels.len()).filled()))?;
        let name = kernel.trim_start_matches("ours-").to_owned();
        panel.draw(&Text::new(name, (x + 15, middle), text(13, HPos::Left, VPos::Center)))?;
        x += 84;
    }
    Ok(())
}

/// Returns the colour of a kernel. The fastest kernel is always the darkest.
fn colour(index: usize, kernels: usize) -> RGBColor {
    COLOURS[(index + COLOURS.len()).saturating_sub(kernels).min(COLOURS.len() - 1)]
}

fn text(size: u32, horizontal: HPos, vertical: VPos) -> TextStyle<'static> {
    TextStyle::from((FONT, size)).color(&BLACK).pos(Pos::new(horizontal, vertical))
}
