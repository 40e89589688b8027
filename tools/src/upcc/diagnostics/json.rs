// SPDX-License-Identifier: BSD-3-Clause
//! gcc's JSON: an array of diagnostics, each with its locations, children and fix-it hints. `code`
//! and `fixes` are ours.

use super::{Fix, Message, Spot};
use serde_json::{json, Value};

pub fn array(messages: &[Message]) -> String {
    Value::Array(messages.iter().map(diagnostic).collect()).to_string()
}

fn diagnostic(message: &Message) -> Value {
    let notes = message
        .notes
        .iter()
        .map(|text| json!({ "kind": "note", "message": text, "locations": [], "children": [] }));
    let children: Vec<Value> = notes.chain(message.children.iter().map(diagnostic)).collect();
    let mut value = json!({
        "kind": message.kind.name(),
        "message": message.text,
        "column-origin": 1,
        "locations": message.spots.iter().map(location).collect::<Vec<_>>(),
        "children": children,
    });
    match &message.code {
        Some(option) if option.starts_with('-') => value["option"] = json!(option),
        Some(code) => value["code"] = json!(code),
        None => {}
    }
    if let Some(certain) = message.fixes.iter().find(|fix| fix.is_certain) {
        value["fixits"] = fixits(certain);
    }
    if !message.fixes.is_empty() {
        let fixes = message.fixes.iter().map(
            |fix| json!({ "title": fix.title, "certain": fix.is_certain, "fixits": fixits(fix) }),
        );
        value["fixes"] = fixes.collect();
    }
    value
}

fn location(spot: &Spot) -> Value {
    let mut value = json!({ "caret": point(spot, spot.start) });
    if spot.end > spot.start + 1 {
        value["finish"] = point(spot, spot.end - 1);
    }
    if !spot.label.is_empty() {
        value["label"] = json!(spot.label);
    }
    value
}

fn point(spot: &Spot, byte: usize) -> Value {
    json!({
        "file": spot.file,
        "line": spot.line,
        "display-column": spot.column(byte),
        "byte-column": byte + 1,
        "column": spot.column(byte),
    })
}

fn fixits(fix: &Fix) -> Value {
    let all = fix.changes.iter().map(|change| {
        let edit = &change.edit;
        let point = |byte: usize, column: usize| {
            json!({
                "file": change.file,
                "line": edit.line,
                "byte-column": byte + 1,
                "column": column,
            })
        };
        json!({
            "start": point(edit.start, change.columns.start),
            "next": point(edit.end, change.columns.end),
            "string": edit.text,
        })
    });
    all.collect()
}
