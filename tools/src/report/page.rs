// SPDX-License-Identifier: BSD-3-Clause
//! index.html: one file that needs nothing else, with the data in it.

use super::summary::Summary;
use super::timeline::Timeline;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPTS: [&str; 4] = [
    include_str!("data.js"),
    include_str!("tables.js"),
    include_str!("timeline.js"),
    include_str!("page.js"),
];
/// A source file of more bytes is left out.
const MOST_SOURCE: u64 = 1 << 20;

#[derive(Serialize)]
struct Data<'a> {
    summary: &'a Summary,
    timeline: &'a Timeline,
    /// The lines of files that have something to show.
    sources: BTreeMap<&'a str, String>,
}

pub fn html(summary: &Summary, timeline: &Timeline) -> String {
    let data = Data { summary, timeline, sources: sources(summary) };
    let json = serde_json::to_string(&data).unwrap_or_default();
    // Within a script, only this could end it.
    let json = json.replace("</", "<\\/").replace("<!--", "<\\u0021--");
    let name = Path::new(&summary.program).file_name().map(|name| name.to_string_lossy());
    let title = escaped(&name.unwrap_or_default());
    let mut out = String::with_capacity(json.len() + (64 << 10));
    let mut rest = PAGE;
    for (mark, text) in [
        ("{{title}}", title.as_str()),
        ("{{style}}", STYLE),
        ("{{title}}", title.as_str()),
        ("{{data}}", json.as_str()),
        ("{{script}}", &SCRIPTS.concat()),
    ] {
        let (before, after) = rest.split_once(mark).unwrap_or((rest, ""));
        out += before;
        out += text;
        rest = after;
    }
    out + rest
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

fn sources(summary: &Summary) -> BTreeMap<&str, String> {
    let mut sources = BTreeMap::new();
    for line in summary.lines.iter().filter(|line| !line.file.is_empty() && line.line > 0) {
        if !sources.contains_key(line.file.as_str()) {
            if let Some(text) = source(&line.file, &summary.program) {
                sources.insert(line.file.as_str(), text);
            }
        }
    }
    sources
}

/// Names are those that upcc was called with: they are looked for here, and beside the program.
fn source(name: &str, program: &str) -> Option<String> {
    let beside = Path::new(program).parent().map(|dir| dir.join(name));
    let candidates = [Some(PathBuf::from(name)), beside];
    let read = |path: PathBuf| {
        let small = std::fs::metadata(&path).is_ok_and(|m| m.is_file() && m.len() <= MOST_SOURCE);
        small.then(|| std::fs::read(&path).ok())?
    };
    let bytes = candidates.into_iter().flatten().find_map(read)?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_cannot_end_its_script() {
        let summary = Summary {
            program: "/x/<b>".into(),
            notes: vec!["</script><!--".into()],
            ..Summary::default()
        };
        let html = html(&summary, &Timeline::default());
        assert!(html.contains("<title>&lt;b>"), "{}", &html[..200]);
        assert!(!html.contains("</script><!--") && html.contains("<\\/script><\\u0021--"));
        assert!(!html.contains("{{"));
        assert!(!html.contains("http://") && !html.contains("https://"), "no network");
    }
}
