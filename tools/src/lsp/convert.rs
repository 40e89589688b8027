// SPDX-License-Identifier: BSD-3-Clause
//! Places, diagnostics and the like in the protocol's form.

use super::documents::Analysed;
use furlong_compiler::diag::{self, Severity};
use furlong_compiler::span::Span;
use furlong_language::text::Lines;
use furlong_language::unit::{Origin, Unit};
use lsp_types::{
    CodeDescription, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, Location,
    NumberOrString, Position, Range, Uri,
};
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// The file that a URI names. A text that no file has yet, as `untitled:1`, has its URI for a name.
pub fn path_of(uri: &Uri) -> Option<PathBuf> {
    let Some(rest) = uri.as_str().strip_prefix("file://") else {
        return Some(PathBuf::from(uri.as_str()));
    };
    let path = rest.find('/').map(|at| &rest[at..])?;
    let (mut out, mut bytes) = (Vec::new(), path.bytes());
    while let Some(b) = bytes.next() {
        match b {
            b'%' => {
                let digits = [bytes.next()?, bytes.next()?];
                out.push(u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?);
            }
            b'?' | b'#' => break,
            b => out.push(b),
        }
    }
    Some(PathBuf::from(String::from_utf8_lossy(&out).into_owned()))
}

pub fn uri_of(path: &Path) -> Option<Uri> {
    use std::os::unix::ffi::OsStrExt;
    if !path.is_absolute() {
        return Uri::from_str(path.to_str()?).ok();
    }
    let mut out = String::from("file://");
    for &b in path.as_os_str().as_bytes() {
        match b.is_ascii_alphanumeric() || b"/-._~".contains(&b) {
            true => out.push(char::from(b)),
            false => out += &format!("%{b:02X}"),
        }
    }
    Uri::from_str(&out).ok()
}

pub fn position(lines: &Lines, source: &str, offset: u32) -> Position {
    let (line, column) = lines.place(source, offset);
    Position::new(line, column)
}

pub fn range(unit: &Unit, span: Span) -> Range {
    let at = |offset| position(&unit.lines, &unit.source, offset);
    Range::new(at(span.lo), at(span.hi))
}

/// Where `span` of the preprocessed text is. In other files a line is known, and the word in it is
/// looked for.
pub fn location(unit: &Unit, span: Span) -> Option<Location> {
    match unit.origin(span)? {
        Origin::Source(span) => {
            Some(Location::new(uri_of(Path::new(&unit.path))?, range(unit, span)))
        }
        Origin::File { name, line } => word_in_file(&name, line, span.text(&unit.text.text)),
    }
}

/// The first `word` in a line, from 1, of a file.
pub fn word_in_file(name: &Path, line: u32, word: &str) -> Option<Location> {
    let line = line.checked_sub(1)?;
    let bytes = std::fs::read(name).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    let shown = text.lines().nth(line as usize).unwrap_or("");
    let units = |text: &str| text.encode_utf16().count() as u32;
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let found = shown.match_indices(word).find(|(at, _)| {
        !shown[..*at].ends_with(is_word) && !shown[at + word.len()..].starts_with(is_word)
    });
    let start = found.map_or(0, |(at, _)| units(&shown[..at]));
    let end = start + found.map_or(0, |_| units(word));
    let range = Range::new(Position::new(line, start), Position::new(line, end));
    Some(Location::new(uri_of(name)?, range))
}

/// All that there is to say about a source.
pub fn diagnostics(analysed: &Analysed) -> Vec<Diagnostic> {
    let unit = &analysed.unit;
    let mut out: Vec<Diagnostic> = Vec::new();
    if let Some(text) = &analysed.trouble {
        out.push(plain(Range::default(), DiagnosticSeverity::ERROR, text.clone()));
    }
    for (at, is_error, text) in &analysed.complaints {
        let severity =
            if *is_error { DiagnosticSeverity::ERROR } else { DiagnosticSeverity::WARNING };
        let span = unit.word(*at);
        let span = if span.lo == span.hi { Span::new(*at, at + 1) } else { span };
        out.push(plain(range(unit, span), severity, text.clone()));
    }
    out.extend(analysed.remarks.iter().map(|d| {
        let place = Some(Origin::Source(d.span));
        diagnostic(unit, d, place)
    }));
    out.extend(unit.errors().map(|d| diagnostic(unit, d, unit.origin(d.span))));
    let told: Vec<Range> = out.iter().map(|d| d.range).collect();
    out.extend(undeclared(unit).filter(|d| !told.contains(&d.range)));
    out
}

/// Names that nothing declares, of which the C compiler is to say so.
fn undeclared(unit: &Unit) -> impl Iterator<Item = Diagnostic> + '_ {
    let names = unit.ast.undeclared.iter().filter_map(|used| {
        let name = unit.ast.names.name(used.name);
        let span = unit.text.source_span(used.span)?;
        (!name.starts_with("__")).then(|| (range(unit, span), name))
    });
    names.map(|(range, name)| {
        plain(range, DiagnosticSeverity::ERROR, format!("`{name}` is not declared"))
    })
}

fn plain(range: Range, severity: DiagnosticSeverity, message: String) -> Diagnostic {
    let source = Some("upcc".to_string());
    Diagnostic { range, severity: Some(severity), source, message, ..Default::default() }
}

/// `place` is that of `d.span`.
fn diagnostic(unit: &Unit, d: &diag::Diagnostic, place: Option<Origin>) -> Diagnostic {
    let mut message = d.title.clone();
    if !d.label.is_empty() {
        message += &format!(" ({})", d.label);
    }
    let notes = d.notes.iter().map(|note| format!("\nnote: {note}"));
    let helps = d.helps().map(|help| format!("\nhelp: {help}"));
    message.extend(notes.chain(helps));
    let shown = match place {
        Some(Origin::Source(span)) => range(unit, span),
        Some(Origin::File { name, line }) => {
            message = format!("in {}:{line}: {message}", name.display());
            Range::default()
        }
        None => Range::default(),
    };
    let severity = match d.severity {
        Severity::Error => DiagnosticSeverity::ERROR,
        Severity::Warning => DiagnosticSeverity::WARNING,
    };
    let related: Vec<DiagnosticRelatedInformation> = d
        .notes_at
        .iter()
        .filter_map(|(span, text)| {
            let location = location(unit, *span)?;
            Some(DiagnosticRelatedInformation { location, message: text.clone() })
        })
        .collect();
    Diagnostic {
        code: Some(NumberOrString::String(d.code.to_string())),
        code_description: page(d.code),
        related_information: (!related.is_empty()).then_some(related),
        ..plain(shown, severity, message)
    }
}

/// The code's page, where it is installed.
fn page(code: &str) -> Option<CodeDescription> {
    let path = crate::install::error_pages().join(format!("{code}.md"));
    let href = uri_of(&path).filter(|_| path.exists())?;
    Some(CodeDescription { href })
}
