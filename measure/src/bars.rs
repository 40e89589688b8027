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

/// Bars that are so many times as high as others hide them.
const HIDES: f64 = 50.0;

/// How high a value stands, from the axis on.
enum Scale {
    Linear {
        most: f64,
    },
    /// In decades above the least, where the largest would hide others.
    Logarithmic {
        least: f64,
    },
}

impl Scale {
    fn of(figure: &Bars) -> Scale {
        let values = || figure.series.iter().flat_map(|(_, values)| values).flatten().copied();
        let low = values().fold(f64::INFINITY, f64::min);
        match figure.most.is_infinite() && low > 0.0 && values().any(|v| v > HIDES * low) {
            true => Scale::Logarithmic { least: 10f64.powf(low.log10().ceil() - 1.0) },
            false => Scale::Linear { most: figure.most },
        }
    }

    fn height(&self, value: f64) -> f64 {
        match self {
            Scale::Linear { most } => value.min(*most),
            Scale::Logarithmic { least } => (value / least).log10(),
        }
    }

    fn label(&self, height: f64) -> String {
        match self {
            Scale::Linear { .. } => format!("{height:.1}"),
            Scale::Logarithmic { least } if height.fract() == 0.0 => {
                format!("{}", (least * 10f64.powf(height)) as f32)
            }
            Scale::Logarithmic { .. } => String::new(),
        }
    }
}

pub fn draw(file: &Path, figure: &Bars) -> Result<(), String> {
    try_draw(file, figure).map_err(|e| format!("{}: {e}", file.display()))
}

fn try_draw(file: &Path, figure: &Bars) -> Result<(), Box<dyn std::error::Error>> {
    let scale = Scale::of(figure);
    let values = figure.series.iter().flat_map(|(_, values)| values).flatten();
    let highest = scale.height(values.copied().fold(1.0, f64::max)) * 1.1;
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
        .y_label_formatter(&|height| scale.label(*height))
        .light_line_style(TRANSPARENT)
        .draw()?;
    let width = FILLED / figure.series.len() as f64;
    for (i, (title, values)) in figure.series.iter().enumerate() {
        let colour = COLOURS[i % COLOURS.len()];
        let left = |group: usize| group as f64 + (1.0 - FILLED) / 2.0 + i as f64 * width;
        let present = || values.iter().enumerate().filter_map(|(g, v)| Some((g, (*v)?)));
        let bars = present().map(|(group, value)| {
            let corner = (left(group) + width, scale.height(value));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_that_would_be_hidden_are_drawn_by_logarithms() {
        let figure = |values: [f64; 2], most| Bars {
            title: "t".into(),
            names: vec!["a".into(), "b".into()],
            series: vec![("s".into(), values.map(Some).to_vec())],
            most,
        };
        let heights = |figure: &Bars| {
            let scale = Scale::of(figure);
            [0.25, 20.0].map(|value| (scale.height(value) * 100.0).round() / 100.0)
        };
        assert_eq!(heights(&figure([0.25, 20.0], f64::INFINITY)), [0.4, 2.3]);
        assert_eq!(heights(&figure([0.25, 2.0], f64::INFINITY)), [0.25, 20.0]);
        assert_eq!(heights(&figure([0.25, 20.0], 3.0)), [0.25, 3.0]);
        let scale = Scale::Logarithmic { least: 0.1 };
        assert_eq!([0.0, 0.5, 2.0].map(|at| scale.label(at)), ["0.1", "", "10"]);
    }
}
