// SPDX-License-Identifier: BSD-3-Clause
//! Figures of bars: a group for each name, in it a bar for each series.

use crate::plot::{COLOURS, SIZE};
use plotters::prelude::*;
use std::path::Path;

pub struct Bars {
    pub title: String,
    pub names: Vec<String>,
    /// A value for each name, if there is one.
    pub series: Vec<(String, Vec<Option<f64>>)>,
    /// What is more is cut off here, with its value above.
    pub most: f64,
}

/// Of the space of a group, what its bars take.
const FILLED: f64 = 0.8;

pub fn draw(file: &Path, figure: &Bars) -> Result<(), String> {
    try_draw(file, figure).map_err(|e| format!("{}: {e}", file.display()))
}

fn try_draw(file: &Path, figure: &Bars) -> Result<(), Box<dyn std::error::Error>> {
    let values = || figure.series.iter().flat_map(|(_, values)| values).flatten();
    let highest = values().copied().fold(1.0, f64::max).min(figure.most) * 1.1;
    let groups = figure.names.len();
    let root = SVGBackend::new(file, (SIZE.0 + 40 * groups as u32, SIZE.1)).into_drawing_area();
    root.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&root)
        .caption(&figure.title, ("sans-serif", 18))
        .margin(12)
        .x_label_area_size(30)
        .y_label_area_size(50)
        .build_cartesian_2d(0.0..groups as f64, 0.0..highest)?;
    let name = |at: &f64| match at.fract() {
        0.5 => figure.names.get(*at as usize).cloned().unwrap_or_default(),
        _ => String::new(),
    };
    chart
        .configure_mesh()
        .disable_x_mesh()
        .x_labels(2 * groups + 1)
        .x_label_formatter(&name)
        .light_line_style(TRANSPARENT)
        .draw()?;
    let width = FILLED / figure.series.len() as f64;
    for (i, (title, values)) in figure.series.iter().enumerate() {
        let colour = COLOURS[i % COLOURS.len()];
        let left = |group: usize| group as f64 + (1.0 - FILLED) / 2.0 + i as f64 * width;
        let present = || values.iter().enumerate().filter_map(|(g, v)| Some((g, (*v)?)));
        let bars = present().map(|(group, value)| {
            let corner = (left(group) + width, value.min(figure.most));
            Rectangle::new([(left(group), 0.0), corner], colour.filled())
        });
        chart
            .draw_series(bars)?
            .label(title)
            .legend(move |(x, y)| Rectangle::new([(x, y - 5), (x + 12, y + 5)], colour.filled()));
        let cut = present().filter(|(_, value)| *value > figure.most).map(|(group, value)| {
            let at = (left(group), figure.most * 1.05);
            Text::new(format!("{value:.1}"), at, ("sans-serif", 10))
        });
        chart.draw_series(cut)?;
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperRight)
        .background_style(WHITE.mix(0.8))
        .border_style(BLACK.mix(0.3))
        .draw()?;
    root.present()?;
    Ok(())
}
