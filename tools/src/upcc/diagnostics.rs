// SPDX-License-Identifier: BSD-3-Clause
//! Messages as values, for forms that programs read: the translator's diagnostics and what the C
//! compiler said, of one source after the other.

mod json;
mod sarif;

use super::messages::{self, CMessage};
use super::{fail, Context, Failed};
use crate::exit;
use furlong_compiler::diag::fix::{Applicability, SourceEdit};
use furlong_compiler::diag::place::{Place, Places};
use furlong_compiler::diag::{Diagnostic, Severity};
use std::io::Write;
use std::ops::Range;

/// What `-fdiagnostics-format` says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    Text,
    Json,
    SarifStderr,
    SarifFile,
}

impl Format {
    /// gcc's names.
    pub fn by_name(name: &str) -> Option<Format> {
        match name {
            "text" => Some(Format::Text),
            "json" | "json-stderr" => Some(Format::Json),
            "sarif" | "sarif-stderr" => Some(Format::SarifStderr),
            "sarif-file" => Some(Format::SarifFile),
            _ => None,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Error,
    Warning,
    Note,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Error => "error",
            Kind::Warning => "warning",
            Kind::Note => "note",
        }
    }
}

/// Bytes `start..end` of a line, counted from 0.
#[derive(Clone, Debug)]
pub struct Spot {
    pub file: String,
    pub line: u32,
    pub start: usize,
    pub end: usize,
    pub text: String,
    pub label: String,
}

impl Spot {
    fn new(places: &Places, place: Place, label: &str) -> Spot {
        Spot {
            file: places.file_name(place.file).into(),
            line: place.line,
            start: place.start,
            end: place.end,
            text: place.text.to_string(),
            label: label.into(),
        }
    }

    fn column(&self, byte: usize) -> usize {
        column(&self.text, byte)
    }
}

/// The column of a byte of a line in characters, counted from 1.
fn column(line: &str, byte: usize) -> usize {
    1 + line.get(..byte).map_or(byte, |before| before.chars().count())
}

#[derive(Clone, Debug)]
pub struct Change {
    pub file: String,
    pub edit: SourceEdit,
    /// What is replaced, in characters of the line, counted from 1.
    pub columns: Range<usize>,
}

#[derive(Clone, Debug)]
pub struct Fix {
    pub title: String,
    pub is_certain: bool,
    pub changes: Vec<Change>,
}

#[derive(Clone, Debug)]
pub struct Message {
    pub kind: Kind,
    /// `E0310`, or the C compiler's option, such as `-Wformat`.
    pub code: Option<String>,
    pub text: String,
    pub spots: Vec<Spot>,
    pub notes: Vec<String>,
    pub fixes: Vec<Fix>,
    /// Notes of the C compiler's that belong to this message.
    pub children: Vec<Message>,
}

/// A diagnostic of the translator's.
pub fn message(diagnostic: &Diagnostic, places: &mut Places) -> Message {
    let primary = (diagnostic.span, diagnostic.label.as_str());
    let others = diagnostic.notes_at.iter().map(|(span, text)| (*span, text.as_str()));
    let mut spots = Vec::new();
    for (span, label) in std::iter::once(primary).chain(others) {
        spots.extend(places.find(span).map(|place| Spot::new(places, place, label)));
    }
    Message {
        kind: match diagnostic.severity {
            Severity::Error => Kind::Error,
            Severity::Warning => Kind::Warning,
        },
        code: Some(diagnostic.code.into()),
        text: diagnostic.title.clone(),
        spots,
        notes: diagnostic.notes.iter().cloned().chain(diagnostic.help.clone()).collect(),
        fixes: fixes(diagnostic, places),
        children: Vec::new(),
    }
}

/// The fixes that can be made in the user's files.
pub fn fixes(diagnostic: &Diagnostic, places: &mut Places) -> Vec<Fix> {
    let mut found = Vec::new();
    for fix in &diagnostic.fixes {
        let Some(edits) = fix.resolve(places) else { continue };
        let change = |edit: SourceEdit| {
            let line = places.source_line(edit.file, edit.line);
            let columns = column(&line, edit.start)..column(&line, edit.end);
            Change { file: places.file_name(edit.file).into(), edit, columns }
        };
        found.push(Fix {
            title: fix.title.clone(),
            is_certain: fix.applicability == Applicability::Certain,
            changes: edits.into_iter().map(change).collect(),
        });
    }
    found
}

/// What the C compiler said, with the notes under what they are about.
pub fn of_c(text: &str) -> Vec<Message> {
    let mut found: Vec<Message> = Vec::new();
    for c in text.lines().filter_map(messages::parse) {
        let message = of_c_message(c);
        match (message.kind, found.last_mut()) {
            (Kind::Note, Some(last)) => last.children.push(message),
            _ => found.push(message),
        }
    }
    found
}

fn of_c_message(c: CMessage) -> Message {
    let line = std::fs::read_to_string(&c.file)
        .ok()
        .and_then(|text| text.lines().nth((c.line as usize).checked_sub(1)?).map(String::from));
    let start = c.column.map_or(0, |column| column as usize - 1);
    let spot = Spot {
        file: c.file,
        line: c.line,
        start,
        end: start,
        text: line.unwrap_or_default(),
        label: String::new(),
    };
    Message {
        kind: match c.severity.as_str() {
            "warning" => Kind::Warning,
            "note" => Kind::Note,
            _ => Kind::Error,
        },
        code: c.option,
        text: c.text,
        spots: vec![spot],
        notes: Vec::new(),
        fixes: Vec::new(),
        children: Vec::new(),
    }
}

/// Writes what was collected about `source`, in the form that was asked for.
pub fn write(context: &Context, source: &str) -> Result<(), Failed> {
    let messages = std::mem::take(&mut *context.messages.borrow_mut());
    let text = match context.command.format {
        Format::Text => return Ok(()),
        Format::Json => json::array(&messages),
        Format::SarifStderr | Format::SarifFile => sarif::log(&messages),
    };
    if context.command.format == Format::SarifFile {
        let name = source.rsplit('/').next().unwrap_or(source);
        let path = format!("{name}.sarif");
        return std::fs::write(&path, text + "\n")
            .map_err(|e| fail(exit::SYSTEM, format_args!("error: cannot write `{path}`: {e}")));
    }
    // A closed stderr must not change the verdict.
    let _ = writeln!(std::io::stderr(), "{text}");
    Ok(())
}
