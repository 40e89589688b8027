// SPDX-License-Identifier: BSD-3-Clause
//! The testbed's figures, after those of its paper: collective and overall time against the size,
//! one figure for each operation, mapping and skew; and against the number of threads.

use crate::bars::Bars;
use crate::testbed::{best, groups, ways, Point};
use plotters::prelude::*;
use std::ops::Range;
use std::path::Path;

/// A figure: a line of points for each way, both axes logarithmic.
pub struct Figure {
    pub title: String,
    pub x_title: String,
    pub y_title: String,
    pub lines: Vec<Line>,
}

/// Row, column and value.
pub type Cell = (usize, usize, f64);

/// Its title, and its points.
pub type Line = (String, Vec<(f64, f64)>);

pub const SIZE: (u32, u32) = (720, 480);
pub const COLOURS: [RGBColor; 9] = [
    RGBColor(0, 90, 181),
    RGBColor(220, 50, 32),
    RGBColor(120, 120, 120),
    RGBColor(26, 133, 90),
    RGBColor(200, 130, 0),
    RGBColor(120, 60, 160),
    RGBColor(0, 160, 190),
    RGBColor(230, 110, 170),
    RGBColor(90, 70, 40),
];

type Measure = (&'static str, fn(&Point) -> f64);
const MEASURES: [Measure; 2] =
    [("collective", |p| best(&p.collective)), ("overall", |p| best(&p.overall))];

/// Writes all figures to a folder, and says how many there are.
pub fn write(dir: &Path, points: &[Point]) -> Result<usize, String> {
    std::fs::create_dir_all(dir).map_err(|e| format!("{}: {e}", dir.display()))?;
    let mut written = 0;
    for (name, time) in MEASURES {
        let key = |p: &Point| (p.operation.clone(), p.mapping, p.skew.to_bits());
        for ((operation, mapping, skew), list) in groups(points, key) {
            let skew = f64::from_bits(skew);
            let title = format!("{name} time: {operation}, {mapping}, skew {skew}");
            let lines = lines(&list, |p| p.bytes as f64, time);
            let file = format!("{operation}-{mapping}-skew{skew}-{name}.svg").replace(':', "h");
            draw(&dir.join(file), &microseconds(title, "bytes", lines))?;
            written += 1;
        }
        let key = |p: &Point| (p.operation.clone(), p.bytes, p.skew.to_bits());
        for ((operation, bytes, skew), list) in groups(points, key) {
            let skew = f64::from_bits(skew);
            let title = format!("{name} time: {operation} of {bytes} bytes, skew {skew}");
            let lines = lines(&list, |p| f64::from(p.mapping.threads()), time);
            if lines.iter().any(|(_, points)| points.len() > 1) {
                let file = format!("{operation}-{bytes}-skew{skew}-{name}-threads.svg");
                draw(&dir.join(file), &microseconds(title, "threads", lines))?;
                written += 1;
            }
        }
    }
    Ok(written)
}

fn microseconds(title: String, x_title: &str, lines: Vec<Line>) -> Figure {
    Figure { title, x_title: x_title.into(), y_title: "µs".into(), lines }
}

/// A line for each way; where several points have the same x, as processes and pthreads do, the
/// first.
fn lines(points: &[&Point], x: fn(&Point) -> f64, time: fn(&Point) -> f64) -> Vec<Line> {
    let line = |way: &str| {
        let mut line: Vec<(f64, f64)> = Vec::new();
        for p in points.iter().filter(|p| p.way == way) {
            if !line.iter().any(|(at, _)| *at == x(p)) {
                line.push((x(p), time(p) / 1e3));
            }
        }
        line.sort_by(|a, b| a.0.total_cmp(&b.0));
        line
    };
    ways(points).into_iter().map(|way| (way.to_string(), line(way))).collect()
}

/// What no line can show: an x of 0, or so few that they are rather names.
pub fn is_for_bars(lines: &[Line]) -> bool {
    let all = values_of_x(lines);
    all.first() == Some(&0.0) || (!all.is_empty() && all.len() < 3)
}

/// A group for each x.
pub fn as_bars(title: String, lines: &[Line]) -> Bars {
    let all = values_of_x(lines);
    let value = |line: &Line, x: f64| line.1.iter().find(|(at, _)| *at == x).map(|(_, y)| *y);
    let series = |line: &Line| (line.0.clone(), all.iter().map(|&x| value(line, x)).collect());
    Bars {
        title,
        names: all.iter().map(|x| binary(*x)).collect(),
        series: lines.iter().map(series).collect(),
        most: f64::INFINITY,
    }
}

fn values_of_x(lines: &[Line]) -> Vec<f64> {
    let mut all: Vec<f64> = lines.iter().flat_map(|(_, points)| points).map(|p| p.0).collect();
    all.sort_by(f64::total_cmp);
    all.dedup();
    all
}

/// `16K` for 16384.
fn binary(value: f64) -> String {
    let (kib, mib) = (1024.0, 1048576.0);
    match value {
        v if v >= mib => format!("{}M", v / mib),
        v if v >= kib => format!("{}K", v / kib),
        v => v.to_string(),
    }
}

pub fn draw(file: &Path, figure: &Figure) -> Result<(), String> {
    try_draw(file, figure).map_err(|e| format!("{}: {e}", file.display()))
}

fn try_draw(file: &Path, figure: &Figure) -> Result<(), Box<dyn std::error::Error>> {
    let all = || figure.lines.iter().flat_map(|(_, points)| points);
    let range = |of: fn(&(f64, f64)) -> f64| {
        let (low, high) = all()
            .map(of)
            .fold((f64::INFINITY, 0.0), |(low, high), v: f64| (v.min(low), v.max(high)));
        low * 0.8..high * 1.25
    };
    let mut measured: Vec<f64> = all().map(|p| p.0).collect();
    measured.sort_by(f64::total_cmp);
    measured.dedup();
    let root = SVGBackend::new(file, SIZE).into_drawing_area();
    root.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&root)
        .caption(&figure.title, ("sans-serif", 20))
        .margin(12)
        .x_label_area_size(44)
        .y_label_area_size(70)
        .build_cartesian_2d(
            range(|p| p.0).log_scale().with_key_points(measured),
            range(|p| p.1).log_scale(),
        )?;
    chart
        .configure_mesh()
        .x_desc(&figure.x_title)
        .y_desc(&figure.y_title)
        .x_label_formatter(&|x| binary(*x))
        .y_label_formatter(&|y| y.to_string())
        .light_line_style(TRANSPARENT)
        .draw()?;
    for ((way, points), colour) in figure.lines.iter().zip(COLOURS.iter().cycle()) {
        let dots = points.iter().map(|&at| Circle::new(at, 3, colour.filled()));
        chart
            .draw_series(LineSeries::new(points.iter().copied(), colour.stroke_width(2)))?
            .label(way)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], colour.stroke_width(2)));
        chart.draw_series(dots)?;
    }
    chart
        .configure_series_labels()
        .position(emptiest_corner(figure, &range(|p| p.0), &range(|p| p.1)))
        .background_style(WHITE.mix(0.8))
        .border_style(BLACK.mix(0.3))
        .draw()?;
    root.present()?;
    Ok(())
}

/// Where the names of the lines hide the fewest points, of which some lie between two measured ones.
fn emptiest_corner(figure: &Figure, x: &Range<f64>, y: &Range<f64>) -> SeriesLabelPosition {
    const BETWEEN: u32 = 8;
    let share = |value: f64, of: &Range<f64>| (value / of.start).ln() / (of.end / of.start).ln();
    let places = |points: &[(f64, f64)]| -> Vec<(f64, f64)> {
        points.iter().map(|p| (share(p.0, x), share(p.1, y))).collect()
    };
    let mut all: Vec<(f64, f64)> = Vec::new();
    for (_, points) in &figure.lines {
        let places = places(points);
        all.extend(places.first());
        for ends in places.windows(2) {
            let along = (1..=BETWEEN).map(|i| f64::from(i) / f64::from(BETWEEN));
            let between = |t: f64, from: f64, to: f64| from + t * (to - from);
            all.extend(
                along.map(|t| (between(t, ends[0].0, ends[1].0), between(t, ends[0].1, ends[1].1))),
            );
        }
    }
    let (wide, high) = (0.35, 0.04 * figure.lines.len() as f64 + 0.05);
    let hidden = |left: bool, upper: bool| {
        let is_hidden = |&&(x, y): &&(f64, f64)| {
            (if left { x } else { 1.0 - x }) < wide && (if upper { 1.0 - y } else { y }) < high
        };
        all.iter().filter(is_hidden).count()
    };
    let corners = [
        (SeriesLabelPosition::UpperLeft, hidden(true, true)),
        (SeriesLabelPosition::LowerRight, hidden(false, false)),
        (SeriesLabelPosition::UpperRight, hidden(false, true)),
        (SeriesLabelPosition::LowerLeft, hidden(true, false)),
    ];
    let emptiest = corners.into_iter().min_by_key(|(_, hidden)| *hidden);
    emptiest.map_or(SeriesLabelPosition::UpperLeft, |(corner, _)| corner)
}

/// A square for each row and column, darker where the value is larger, with the value in it.
pub fn draw_matrix(file: &Path, title: &str, cells: &[Cell]) -> Result<(), String> {
    try_draw_matrix(file, title, cells).map_err(|e| format!("{}: {e}", file.display()))
}

fn try_draw_matrix(
    file: &Path,
    title: &str,
    cells: &[Cell],
) -> Result<(), Box<dyn std::error::Error>> {
    const CELL: u32 = 60;
    let side = 1 + cells.iter().map(|(row, column, _)| *row.max(column)).max().unwrap_or(0);
    let high = cells.iter().map(|(_, _, value)| *value).fold(f64::MIN_POSITIVE, f64::max);
    let pixels = 140 + CELL * side as u32;
    let root = SVGBackend::new(file, (pixels.max(SIZE.1), pixels)).into_drawing_area();
    root.fill(&WHITE)?;
    let middle = |at: &SegmentValue<usize>| match at {
        SegmentValue::CenterOf(thread) => thread.to_string(),
        _ => String::new(),
    };
    let mut chart = ChartBuilder::on(&root)
        .caption(title, ("sans-serif", 16))
        .margin(12)
        .x_label_area_size(40)
        .y_label_area_size(50)
        .build_cartesian_2d((0..side - 1).into_segmented(), (0..side - 1).into_segmented())?;
    chart
        .configure_mesh()
        .disable_mesh()
        .x_desc("of thread")
        .y_desc("by thread")
        .x_label_formatter(&middle)
        .y_label_formatter(&middle)
        .draw()?;
    let exact = SegmentValue::Exact;
    chart.draw_series(cells.iter().map(|&(row, column, value)| {
        let share = value / high;
        let corners = [(exact(column), exact(row)), (exact(column + 1), exact(row + 1))];
        Rectangle::new(corners, COLOURS[0].mix(0.1 + 0.6 * share).filled())
    }))?;
    chart.draw_series(cells.iter().map(|&(row, column, value)| {
        let at = (SegmentValue::CenterOf(column), SegmentValue::CenterOf(row));
        let shown = if value < 100.0 { format!("{value:.2}") } else { format!("{value:.0}") };
        Text::new(shown, at, ("sans-serif", 13))
    }))?;
    root.present()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mapping::Mapping;

    #[test]
    fn a_figure_for_each_operation_and_for_each_size() {
        let point = |way: &str, bytes, processes| Point {
            operation: "broadcast".to_string(),
            bytes,
            way: way.to_string(),
            mapping: Mapping { hosts: 1, processes, pthreads: 1 },
            skew: 2.0,
            computation: 1e3,
            collective: vec![5e3, 2e3],
            overall: vec![3e3, 4e3],
        };
        let ways = ["allsync", "mysync"];
        let points: Vec<_> = ways
            .iter()
            .flat_map(|way| [(8, 2), (16384, 2), (8, 4)].map(|(b, p)| point(way, b, p)))
            .collect();
        let dir = std::env::temp_dir().join(format!("furlong-figures-{}", std::process::id()));
        // By size for 2x1 and 4x1, by threads for 8 bytes; of collective and overall times.
        assert_eq!(write(&dir, &points), Ok(6));
        let text = std::fs::read_to_string(dir.join("broadcast-2x1-skew2-overall.svg")).unwrap();
        std::fs::remove_dir_all(&dir).unwrap();
        assert!(["16K", "bytes", "allsync", "mysync"].iter().all(|word| text.contains(word)));
    }
}
