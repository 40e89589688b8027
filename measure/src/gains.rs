// SPDX-License-Identifier: BSD-3-Clause
//! A picture of how measurements stand to their references: a bar for each, to the right where it is
//! better, on a logarithmic axis; and a mark where it must reach.

use plotters::prelude::*;

/// A measurement that has a reference.
pub struct Gain {
    pub name: String,
    /// How many times better than the reference.
    pub value: f64,
    /// The bar.
    pub least: Option<f64>,
    pub reached: Option<bool>,
}

const WIDTH: u32 = 720;
const ROW: i32 = 18;
/// Where the axis begins: names stand before it.
const NAMES: u32 = 320;
/// What is further from 1 is cut off.
const MOST: f64 = 20.0;

const GOOD: RGBColor = RGBColor(26, 133, 90);
const BAD: RGBColor = RGBColor(220, 50, 32);
const FREE: RGBColor = RGBColor(0, 90, 181);

/// The picture as SVG.
pub fn draw(gains: &[Gain]) -> Result<String, String> {
    let mut svg = String::new();
    try_draw(&mut svg, gains).map_err(|e| e.to_string())?;
    Ok(svg)
}

/// Twice what is needed at least, the same on both sides.
fn reach(gains: &[Gain]) -> f64 {
    let ends = gains.iter().flat_map(|gain| [Some(gain.value), gain.least]).flatten();
    ends.map(|at| at.max(1.0 / at)).fold(2.0, f64::max).min(MOST) * 1.1
}

fn try_draw(svg: &mut String, gains: &[Gain]) -> Result<(), Box<dyn std::error::Error>> {
    let (reach, rows) = (reach(gains), gains.len() as i32);
    let root = SVGBackend::with_string(svg, (WIDTH, (rows * ROW + 50) as u32)).into_drawing_area();
    root.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&root)
        .margin(8)
        .x_label_area_size(34)
        .y_label_area_size(NAMES)
        .build_cartesian_2d((1.0 / reach..reach).log_scale(), 0.0..f64::from(rows))?;
    chart
        .configure_mesh()
        .disable_y_axis()
        .disable_y_mesh()
        .x_desc("times the reference, to the right better")
        .x_label_formatter(&|x| format!("{x:.1}"))
        .light_line_style(TRANSPARENT)
        .draw()?;
    for (row, gain) in (0..rows).rev().map(f64::from).zip(gains) {
        let end = gain.value.clamp(1.0 / reach, reach);
        let colour = match gain.reached {
            Some(true) => GOOD,
            Some(false) => BAD,
            None => FREE,
        };
        let bar = Rectangle::new([(1.0, row + 0.2), (end, row + 0.8)], colour.filled());
        let least = gain.least.map(|at| at.clamp(1.0 / reach, reach));
        let mark =
            least.map(|at| PathElement::new([(at, row), (at, row + 1.0)], BLACK.stroke_width(2)));
        chart.draw_series([bar])?;
        chart.draw_series(mark)?;
    }
    let one = PathElement::new([(1.0, 0.0), (1.0, f64::from(rows))], BLACK.mix(0.5));
    chart.draw_series([one])?;
    for (at, gain) in gains.iter().enumerate() {
        let place = (10, 10 + at as i32 * ROW);
        let text = format!("{}  {:.2}", gain.name, gain.value);
        root.draw(&Text::new(text, place, ("sans-serif", 12)))?;
    }
    root.present()?;
    drop(chart);
    drop(root);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_measurement_has_its_bar_and_its_name() {
        let gain = |name: &str, value, reached| Gain {
            name: name.into(),
            value,
            least: Some(0.95),
            reached,
        };
        let svg = draw(&[gain("near", 1.2, Some(true)), gain("far", 0.01, Some(false))]).unwrap();
        assert!(svg.contains("near  1.20") && svg.contains("far  0.01"), "{svg}");
        assert!(svg.contains("#1A855A") && svg.contains("#DC3220"), "{svg}");
    }

    #[test]
    fn the_axis_reaches_as_far_on_both_sides() {
        let gain = |value| Gain { name: String::new(), value, least: None, reached: None };
        assert_eq!(reach(&[gain(1.0)]), 2.2);
        assert_eq!(reach(&[gain(0.25)]), 4.4);
        assert_eq!(reach(&[gain(1e6)]), 22.0);
    }
}
