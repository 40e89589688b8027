// SPDX-License-Identifier: BSD-3-Clause
//! What `furlong info` prints: sections of rows, as columns or as JSON. Knows nothing of what they
//! are about.

use serde_json::{json, Map, Value};

pub struct Section {
    pub name: &'static str,
    pub rows: Vec<Row>,
}

pub struct Row {
    pub name: String,
    pub value: String,
    /// Further columns, by their names in JSON.
    pub details: Vec<(&'static str, String)>,
    /// For JSON alone: what the row means.
    pub meaning: String,
}

pub fn row(name: impl Into<String>, value: impl Into<String>) -> Row {
    let (name, value) = (name.into(), value.into());
    Row { name, value, details: Vec::new(), meaning: String::new() }
}

impl Row {
    pub fn with(mut self, key: &'static str, value: impl Into<String>) -> Row {
        self.details.push((key, value.into()));
        self
    }
}

pub fn text(sections: &[Section]) -> String {
    let mut out = String::new();
    for (i, section) in sections.iter().enumerate() {
        let gap = if i > 0 { "\n" } else { "" };
        out += &format!("{gap}{}\n", section.name);
        let width = |column: fn(&Row) -> &str| {
            section.rows.iter().map(|row| column(row).chars().count()).max().unwrap_or(0)
        };
        let (names, values) = (width(|row| &row.name), width(|row| &row.value).min(24));
        for row in &section.rows {
            let details: Vec<&str> = row.details.iter().map(|(_, text)| text.as_str()).collect();
            let line =
                format!("  {:names$}  {:values$}  {}", row.name, row.value, details.join("  "),);
            out += &format!("{}\n", line.trim_end());
        }
    }
    out
}

/// An object of sections, which are objects of rows; each row an object with its `value`.
pub fn json(sections: &[Section]) -> String {
    let mut all = Map::new();
    for section in sections {
        let rows = section.rows.iter().map(|row| {
            let mut object = Map::new();
            object.insert("value".into(), json!(row.value));
            for (key, text) in &row.details {
                object.insert((*key).into(), json!(text));
            }
            if !row.meaning.is_empty() {
                object.insert("meaning".into(), json!(row.meaning));
            }
            (row.name.clone(), Value::Object(object))
        });
        all.insert(section.name.into(), Value::Object(rows.collect()));
    }
    format!("{:#}\n", Value::Object(all))
}
