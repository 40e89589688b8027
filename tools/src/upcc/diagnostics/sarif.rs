// SPDX-License-Identifier: BSD-3-Clause
//! SARIF 2.1.0, the form in which tools exchange what analyses found.

use super::{Fix, Message, Spot};
use furlong_compiler::diag::codes;
use serde_json::{json, Value};

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

pub fn log(messages: &[Message]) -> String {
    let mut rules: Vec<&str> = messages.iter().filter_map(|m| m.code.as_deref()).collect();
    rules.sort_unstable();
    rules.dedup();
    let is_success = messages.iter().all(|m| m.kind != super::Kind::Error);
    let folder = std::env::current_dir().unwrap_or_default();
    let log = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "upcc",
                "fullName": "upcc, the compiler of Furlong",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules.iter().map(|id| rule(id)).collect::<Vec<_>>(),
            } },
            "columnKind": "unicodeCodePoints",
            "originalUriBaseIds": { "PWD": { "uri": format!("{}/", uri(&folder.to_string_lossy())) } },
            "invocations": [{ "executionSuccessful": is_success }],
            "results": messages.iter().map(|message| result(message, &rules)).collect::<Vec<_>>(),
        }],
    });
    log.to_string()
}

fn rule(id: &str) -> Value {
    let mut value = json!({ "id": id });
    if let Some((_, summary)) = codes::ALL.iter().find(|(code, _)| *code == id) {
        value["shortDescription"] = json!({ "text": summary });
        if let Some(page) = codes::explain(id) {
            value["help"] = json!({ "text": page, "markdown": page });
        }
    }
    value
}

fn result(message: &Message, rules: &[&str]) -> Value {
    let mut text = message.text.clone();
    for note in &message.notes {
        text += &format!("\n{note}");
    }
    let mut value = json!({
        "level": message.kind.name(),
        "message": { "text": text },
        "locations": message.spots.iter().take(1).map(|s| location(s, None)).collect::<Vec<_>>(),
    });
    if let Some(code) = &message.code {
        value["ruleId"] = json!(code);
        if let Some(idx) = rules.iter().position(|rule| rule == code) {
            value["ruleIndex"] = json!(idx);
        }
    }
    let others = message.spots.iter().skip(1).map(|spot| location(spot, Some(&spot.label)));
    let children = message.children.iter();
    let children =
        children.flat_map(|child| child.spots.iter().map(|spot| location(spot, Some(&child.text))));
    let related: Vec<Value> = others.chain(children).collect();
    if !related.is_empty() {
        value["relatedLocations"] = related.into();
    }
    if !message.fixes.is_empty() {
        value["fixes"] = message.fixes.iter().map(fix).collect();
    }
    value
}

fn location(spot: &Spot, text: Option<&str>) -> Value {
    let mut value = json!({
        "physicalLocation": {
            "artifactLocation": artifact(&spot.file),
            "region": {
                "startLine": spot.line.max(1),
                "startColumn": spot.column(spot.start),
                "endColumn": spot.column(spot.end),
            },
        },
    });
    if let Some(text) = text.filter(|text| !text.is_empty()) {
        value["message"] = json!({ "text": text });
    }
    value
}

fn fix(fix: &Fix) -> Value {
    let mut files: Vec<&str> = fix.changes.iter().map(|change| change.file.as_str()).collect();
    files.sort_unstable();
    files.dedup();
    let changes = files.iter().map(|file| {
        let own = fix.changes.iter().filter(|change| change.file == *file);
        let replacements = own.map(|change| {
            let edit = &change.edit;
            json!({
                "deletedRegion": {
                    "startLine": edit.line,
                    "startColumn": change.columns.start,
                    "endLine": edit.line,
                    "endColumn": change.columns.end,
                },
                "insertedContent": { "text": edit.text },
            })
        });
        json!({
            "artifactLocation": artifact(file),
            "replacements": replacements.collect::<Vec<_>>(),
        })
    });
    json!({
        "description": { "text": fix.title },
        "artifactChanges": changes.collect::<Vec<_>>(),
    })
}

fn artifact(file: &str) -> Value {
    match file.starts_with('/') {
        true => json!({ "uri": uri(file) }),
        false => json!({ "uri": encoded(file), "uriBaseId": "PWD" }),
    }
}

fn uri(path: &str) -> String {
    format!("file://{}", encoded(path))
}

/// What stands for itself in the path of a URI, and the rest by number.
fn encoded(path: &str) -> String {
    let mut out = String::new();
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'.' | b'_' | b'~' => {
                out.push(char::from(byte))
            }
            _ => out += &format!("%{byte:02X}"),
        }
    }
    out
}
