// SPDX-License-Identifier: BSD-3-Clause
//! Diagnostics as text, shown in the user's own file rather than in preprocessed text.
//!
//! Does not read files: the caller hands in what it could read. The form is rustc's, drawn by
//! `annotate-snippets`; the short form is one line per message, as editors expect from compilers.

use super::place::{Place, Places};
use super::{Diagnostic, Diagnostics, Severity};
use crate::span::{FileId, LineMap};
use annotate_snippets::{Level, Renderer, Snippet};
use std::fmt::Write;

#[derive(Clone, Copy, Debug)]
pub struct RenderOptions {
    pub color: bool,
    /// Errors beyond this number are only counted; 0 shows all.
    pub max_errors: usize,
    /// `file:line:column: error: title [E0312]`
    pub short: bool,
    /// The last line says how many of the diagnostics have a fix that `upcc -fix` applies.
    pub counts_fixes: bool,
}

impl Default for RenderOptions {
    fn default() -> RenderOptions {
        RenderOptions { color: false, max_errors: 50, short: false, counts_fixes: false }
    }
}

/// All of `diags`, and a last line that counts them; empty if there are none. `text` is the
/// preprocessed text; `source_of` gives a file as the user wrote it, by its name in `lines`.
pub fn render(
    diags: &Diagnostics,
    lines: &LineMap,
    text: &str,
    options: &RenderOptions,
    source_of: &dyn Fn(&str) -> Option<String>,
) -> String {
    let mut places = Places::new(lines, text, source_of);
    let mut out = String::new();
    let (mut n_errors, mut n_warnings, mut n_fixes) = (0, 0, 0);
    for diagnostic in &diags.0 {
        match diagnostic.severity {
            Severity::Error => n_errors += 1,
            Severity::Warning => n_warnings += 1,
        }
        let is_error = diagnostic.severity == Severity::Error;
        if is_error && options.max_errors != 0 && n_errors > options.max_errors {
            continue;
        }
        if options.short {
            short(&mut out, diagnostic, &mut places);
        } else {
            full(&mut out, diagnostic, &mut places, options.color);
        }
        n_fixes +=
            usize::from(options.counts_fixes && diagnostic.fix_to_apply(&mut places).is_some());
    }
    if !options.short && n_errors + n_warnings > 0 {
        count(&mut out, n_errors, n_warnings, options.max_errors);
        if n_fixes > 0 {
            let _ = write!(out, "; `upcc -fix` fixes {n_fixes}");
        }
        out.push('\n');
    }
    out
}

/// `3 errors, 1 warning`
fn count(out: &mut String, n_errors: usize, n_warnings: usize, max_errors: usize) {
    let counted = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
    let mut parts = Vec::new();
    if n_errors > 0 {
        parts.push(counted(n_errors, "error"));
    }
    if n_warnings > 0 {
        parts.push(counted(n_warnings, "warning"));
    }
    out.push_str(&parts.join(", "));
    if max_errors != 0 && n_errors > max_errors {
        let _ = write!(out, " (the first {max_errors} are shown)");
    }
}

fn word(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    }
}

fn short(out: &mut String, diagnostic: &Diagnostic, places: &mut Places) {
    let Diagnostic { code, severity, title, .. } = diagnostic;
    let _ = match places.find(diagnostic.span) {
        None => writeln!(out, "{}: {title} [{code}]", word(*severity)),
        Some(place) => {
            let (file, line, column) = (places.file_name(place.file), place.line, place.start + 1);
            writeln!(out, "{file}:{line}:{column}: {}: {title} [{code}]", word(*severity))
        }
    };
}

/// A `#line` may put any number of lines between two marks; a drawing has at most so many.
const MAX_WINDOW_LINES: u32 = 10_000;

/// Annotated lines that one drawing shows; the first annotation of the first group is the
/// primary one.
struct Group<'a> {
    file: FileId,
    first_line: u32,
    last_line: u32,
    marks: Vec<(Place, Level, &'a str)>,
}

impl<'a> Group<'a> {
    fn new(place: Place, level: Level, text: &'a str) -> Group<'a> {
        let Place { file, line, .. } = place;
        Group { file, first_line: line, last_line: line, marks: vec![(place, level, text)] }
    }

    /// Can `place` be marked in the same drawing? By `#line`, two lines may have one number.
    fn has_room_for(&self, place: &Place) -> bool {
        let (first, last) = (self.first_line.min(place.line), self.last_line.max(place.line));
        self.file == place.file
            && last - first < MAX_WINDOW_LINES
            && self
                .marks
                .iter()
                .all(|(other, ..)| other.line != place.line || other.text == place.text)
    }

    fn add(&mut self, place: Place, level: Level, text: &'a str) {
        self.first_line = self.first_line.min(place.line);
        self.last_line = self.last_line.max(place.line);
        self.marks.push((place, level, text));
    }
}

fn full(out: &mut String, diagnostic: &Diagnostic, places: &mut Places, color: bool) {
    let level = match diagnostic.severity {
        Severity::Error => Level::Error,
        Severity::Warning => Level::Warning,
    };
    let mut groups: Vec<Group> = Vec::new();
    let primary = (diagnostic.span, level, diagnostic.label.as_str());
    let others = diagnostic.notes_at.iter().map(|(span, text)| (*span, Level::Note, text.as_str()));
    for (span, level, text) in std::iter::once(primary).chain(others) {
        let Some(place) = places.find(span) else { continue };
        match groups.iter_mut().find(|group| group.has_room_for(&place)) {
            Some(group) => group.add(place, level, text),
            None => groups.push(Group::new(place, level, text)),
        }
    }
    let windows: Vec<Window> = groups.iter().map(|group| Window::new(group, places)).collect();
    let names: Vec<&str> = groups.iter().map(|g| places.file_name(g.file)).collect();
    let snippets = groups.iter().zip(&windows).zip(names).map(|((group, window), name)| {
        let marks = group.marks.iter().map(|(place, level, text)| {
            let mark = level.span(window.range(place));
            if text.is_empty() {
                mark
            } else {
                mark.label(text)
            }
        });
        Snippet::source(&window.text)
            .line_start(window.first_line as usize)
            .origin(name)
            .fold(true)
            .annotations(marks)
    });
    let notes = diagnostic.notes.iter().map(|n| Level::Note.title(n));
    let help = diagnostic.helps().map(|h| Level::Help.title(h));
    let message = level
        .title(&diagnostic.title)
        .id(diagnostic.code)
        .snippets(snippets)
        .footers(notes.chain(help));
    let renderer = if color { Renderer::styled() } else { Renderer::plain() };
    let drawn = renderer.render(message).to_string();
    let _ = writeln!(out, "{}\n", without_empty_margin(&drawn));
}

/// Without the bare `|` that ends a drawing which no note follows.
fn without_empty_margin(drawn: &str) -> &str {
    match drawn.rsplit_once('\n') {
        Some((rest, last)) if last.contains('|') && is_margin(last) => rest,
        _ => drawn,
    }
}

/// Nothing but blanks, a bar, and colours.
fn is_margin(line: &str) -> bool {
    let mut in_escape = false;
    line.chars().all(|c| {
        let was_escape = in_escape;
        in_escape = c == '\x1b' || in_escape && c != 'm';
        was_escape || in_escape || matches!(c, ' ' | '|')
    })
}

/// The lines of a group from the first that is annotated to the last.
struct Window {
    text: String,
    first_line: u32,
    /// Where each line starts in `text`.
    starts: Vec<usize>,
}

impl Window {
    fn new(group: &Group, places: &mut Places) -> Window {
        let mut window =
            Window { text: String::new(), first_line: group.first_line, starts: Vec::new() };
        for line in group.first_line..=group.last_line {
            window.starts.push(window.text.len());
            // An annotated line shows the text its columns were counted in.
            let annotated = group.marks.iter().find(|(place, ..)| place.line == line);
            match annotated {
                Some((place, ..)) => window.text.push_str(&place.text),
                None => window.text.push_str(&places.source_line(group.file, line)),
            }
            window.text.push('\n');
        }
        window
    }

    fn range(&self, place: &Place) -> std::ops::Range<usize> {
        let base = self.starts[(place.line - self.first_line) as usize];
        base + place.start..base + place.end
    }
}
