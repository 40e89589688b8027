// SPDX-License-Identifier: BSD-3-Clause
//! gcc's JSON: an array of diagnostics, each with its locations, children and fix-it hints. `code`
//! and `fixes` are ours.

use super::{Mend, Message, Spot};
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
    if let Some(certain) = message.mends.iter().find(|mend| mend.is_certain) {
        value["fixits"] = fixits(certain);
    }
    if !message.mends.is_empty() {
        let fixes = message.mends.iter().map(|mend| {
            json!({ "title": mend.title, "certain": mend.is_certain, "fixits": fixits(mend) })
        });
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

fn fixits(mend: &Mend) -> Value {
    let point = |file: &str, line: u32, byte: usize| json!({ "file": file, "line": line, "byte-column": byte + 1, "column": byte + 1 });
    let all = mend.changes.iter().map(|change| {
        let edit = &change.edit;
        json!({
            "start": point(&change.file, edit.line, edit.start),
            "next": point(&change.file, edit.line, edit.end),
            "string": edit.text,
        })
    });
    all.collect()
}
