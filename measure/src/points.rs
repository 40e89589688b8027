// SPDX-License-Identifier: BSD-3-Clause
//! What programs measure point by point: lines over an axis, and matrices. All of it goes to
//! `build/bench/points.json`, and a picture of each figure to `build/bench/figures`.

use crate::config::Config;
use crate::papers::{self, Papers};
use crate::{bars, plot};
use serde_json::{json, Value};
use std::path::Path;

#[derive(Clone, PartialEq)]
pub enum Place {
    /// Of a line, the value of x.
    Line { series: String, x: f64 },
    /// Of a matrix in a mapping.
    Cell { mapping: String, row: f64, column: f64 },
}

#[derive(Clone)]
pub struct Point {
    pub figure: String,
    pub place: Place,
    pub unit: String,
    pub value: f64,
}

/// The best value of each point so far.
#[derive(Default)]
pub struct Points {
    list: Vec<Point>,
}

impl Point {
    /// `mapping` says whose it is, where a program has several; it is in the text of an earlier run.
    fn of_json(json: &Value, mapping: &str, is_only: bool) -> Option<Point> {
        let figure = json["figure"].as_str()?.to_string();
        let number = |key: &str| json[key].as_f64();
        let place = match json["series"].as_str() {
            Some(series) if is_only => Place::Line { series: series.to_string(), x: number("x")? },
            Some(series) => Place::Line { series: format!("{series}, {mapping}"), x: number("x")? },
            None => Place::Cell {
                mapping: json["mapping"].as_str().unwrap_or(mapping).to_string(),
                row: number("row")?,
                column: number("column")?,
            },
        };
        let unit = json["unit"].as_str().unwrap_or_default().to_string();
        Some(Point { figure, place, unit, value: number("value")? })
    }

    fn as_json(&self) -> Value {
        let mut json = match &self.place {
            Place::Line { series, x } => json!({ "series": series, "x": x }),
            Place::Cell { mapping, row, column } => {
                json!({ "mapping": mapping, "row": row, "column": column })
            }
        };
        json["figure"] = self.figure.clone().into();
        json["unit"] = self.unit.clone().into();
        json["value"] = self.value.into();
        json
    }
}

impl Points {
    /// The points among the lines of a program's output.
    pub fn add_all(&mut self, stdout: &str, mapping: &str, is_only: bool) {
        let lines = stdout.lines().filter(|line| line.starts_with('{'));
        let values = lines.filter_map(|line| serde_json::from_str::<Value>(line).ok());
        for point in values.filter_map(|json| Point::of_json(&json, mapping, is_only)) {
            match self.same(&point) {
                Some(old) if point.unit.contains("/s") => old.value = old.value.max(point.value),
                Some(old) => old.value = old.value.min(point.value),
                None => self.list.push(point),
            }
        }
    }

    fn same(&mut self, point: &Point) -> Option<&mut Point> {
        self.list.iter_mut().find(|p| p.figure == point.figure && p.place == point.place)
    }

    /// Those of an earlier run, replaced by what this one has measured too.
    fn merged(&self, earlier: &str) -> Points {
        let values: Vec<Value> = serde_json::from_str(earlier).unwrap_or_default();
        let list = values.iter().filter_map(|json| Point::of_json(json, "", true)).collect();
        let mut merged = Points { list };
        for point in &self.list {
            match merged.same(point) {
                Some(old) => *old = point.clone(),
                None => merged.list.push(point.clone()),
            }
        }
        merged
    }

    fn figures(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.list.iter().map(|p| p.figure.as_str()).collect();
        names.sort();
        names.dedup();
        names
    }

    /// A filtered run keeps the points of earlier ones, in the same figures.
    pub fn write(&self, config: &Config) -> Result<(), String> {
        if self.list.is_empty() {
            return Ok(());
        }
        let file = config.results().join("points.json");
        let all = match config.filters.is_empty() {
            true => self.merged(""),
            false => self.merged(&std::fs::read_to_string(&file).unwrap_or_default()),
        };
        let list: Vec<Value> = all.list.iter().map(Point::as_json).collect();
        let text = serde_json::to_string_pretty(&list).map_err(|e| e.to_string())?;
        let figures = config.results().join("figures");
        std::fs::create_dir_all(&figures).map_err(|e| format!("{}: {e}", figures.display()))?;
        std::fs::write(&file, text + "\n").map_err(|e| format!("{}: {e}", file.display()))?;
        let papers = papers::load(config)?;
        self.figures().iter().try_for_each(|name| all.draw(name, &papers, &figures))
    }

    fn draw(&self, name: &str, papers: &Papers, dir: &Path) -> Result<(), String> {
        let of_figure: Vec<&Point> = self.list.iter().filter(|p| p.figure == name).collect();
        let unit = of_figure.first().map_or("", |p| p.unit.as_str());
        let paper = papers.drawn_as(name);
        let title = paper.map_or(name.to_string(), |f| f.shows.clone());
        let x_title = paper.map_or(String::new(), |f| f.x.clone());
        let mut lines: Vec<plot::Line> = Vec::new();
        let mut matrices: Vec<(&str, Vec<plot::Cell>)> = Vec::new();
        for point in &of_figure {
            match &point.place {
                Place::Line { series, x } => group(&mut lines, series.clone(), (*x, point.value)),
                Place::Cell { mapping, row, column } => {
                    let cell = (*row as usize, *column as usize, point.value);
                    group(&mut matrices, mapping.as_str(), cell);
                }
            }
        }
        if plot::is_for_bars(&lines) {
            let bars = plot::as_bars(title.clone() + ", " + unit, &lines);
            bars::draw(&dir.join(format!("{name}.svg")), &bars)?;
        } else if !lines.is_empty() {
            let y_title = unit.to_string();
            let figure = plot::Figure { title: title.clone(), x_title, y_title, lines };
            plot::draw(&dir.join(format!("{name}.svg")), &figure)?;
        }
        for (mapping, cells) in matrices {
            let file = dir.join(format!("{name}-{mapping}.svg").replace([':', ' '], "h"));
            plot::draw_matrix(&file, &format!("{title}: {mapping}, {unit}"), &cells)?;
        }
        Ok(())
    }
}

/// Puts an item to those of its key, in the order of the first of each.
fn group<K: PartialEq, T>(groups: &mut Vec<(K, Vec<T>)>, key: K, item: T) {
    match groups.iter_mut().find(|(k, _)| *k == key) {
        Some((_, list)) => list.push(item),
        None => groups.push((key, vec![item])),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_of_each_point_is_kept() {
        let time = |x, value| {
            let fixed = r#"{"figure": "f", "series": "s", "unit": "ms","#;
            format!("{fixed} \"x\": {x}, \"value\": {value}}}\n")
        };
        let mut points = Points::default();
        points.add_all(&(time(1, 5) + "text\n" + &time(2, 6)), "2x1", false);
        points.add_all(&time(1, 4), "2x1", false);
        points.add_all(&time(1, 7), "1x2", false);
        let all: Vec<f64> = points.list.iter().map(|p| p.value).collect();
        assert_eq!(all, [4.0, 6.0, 7.0]);
        assert_eq!(points.figures(), ["f"]);
        let series =
            |p: &Point| matches!(&p.place, Place::Line { series, .. } if series == "s, 1x2");
        assert!(series(&points.list[2]));
    }

    #[test]
    fn points_of_earlier_runs_stay() {
        let line = |series: &str, value| {
            let fixed = r#"{"figure": "f", "unit": "ms", "x": 1,"#;
            format!("{fixed} \"series\": \"{series}\", \"value\": {value}}}\n")
        };
        let (mut first, mut second) = (Points::default(), Points::default());
        first.add_all(&(line("a", 1) + &line("b", 2)), "2x1", false);
        second.add_all(&line("b", 9), "2x1", false);
        let earlier = Value::Array(first.list.iter().map(Point::as_json).collect()).to_string();
        let merged: Vec<f64> = second.merged(&earlier).list.iter().map(|p| p.value).collect();
        assert_eq!(merged, [1.0, 9.0]);
    }

    #[test]
    fn a_matrix_is_cells_of_a_mapping() {
        let mut points = Points::default();
        let line = r#"{"figure": "m", "row": 1, "column": 0, "unit": "ns", "value": 3}"#;
        points.add_all(line, "4x1", false);
        let cell = Place::Cell { mapping: "4x1".into(), row: 1.0, column: 0.0 };
        assert!(points.list[0].place == cell);
    }
}
