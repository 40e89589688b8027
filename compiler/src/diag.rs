// SPDX-License-Identifier: BSD-3-Clause
//! What the compiler has to say: values here, text only in [`render`].
//!
//! Every message has a code, declared once in [`codes`], with its page in `docs/errors/`.

pub mod codes;
pub mod fix;
pub mod place;
pub mod render;
pub mod similar;

use crate::span::Span;
use fix::{Applicability, Edit, Fix, SourceEdit};
use place::Places;

#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum Severity {
    Warning,
    Error,
}

/// One thing to tell the user. `title` is lower case, without a full stop, and names the user's
/// things in backquotes.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    pub code: &'static str,
    pub severity: Severity,
    pub title: String,
    pub span: Span,
    /// Text under the primary span; may be empty.
    pub label: String,
    /// Other places that matter, each with its text.
    pub notes_at: Vec<(Span, String)>,
    /// The rule, with its source: `UPC 1.3 §6.5.2.1p3: ...`.
    pub notes: Vec<String>,
    /// What to do.
    pub help: Option<String>,
    /// What would remove its cause, the likeliest first; each is also said as help.
    pub fixes: Vec<Fix>,
}

impl Diagnostic {
    pub fn error(code: &'static str, span: Span, title: impl Into<String>) -> Diagnostic {
        Diagnostic {
            code,
            severity: Severity::Error,
            title: readable(title),
            span,
            label: String::new(),
            notes_at: Vec::new(),
            notes: Vec::new(),
            help: None,
            fixes: Vec::new(),
        }
    }

    pub fn warning(code: &'static str, span: Span, title: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(code, span, title) }
    }

    pub fn label(mut self, text: impl Into<String>) -> Diagnostic {
        self.label = readable(text);
        self
    }

    pub fn at(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.notes_at.push((span, readable(text)));
        self
    }

    pub fn note(mut self, text: impl Into<String>) -> Diagnostic {
        self.notes.push(text.into());
        self
    }

    pub fn help(mut self, text: impl Into<String>) -> Diagnostic {
        self.help = Some(readable(text));
        self
    }

    /// A change that is right whenever the diagnostic is: `upcc -fix` makes it.
    pub fn fix(self, title: impl Into<String>, edits: Vec<Edit>) -> Diagnostic {
        self.with_fix(readable(title), edits, Applicability::Certain)
    }

    /// A change that may be what was meant: an editor offers it.
    pub fn suggest(self, title: impl Into<String>, edits: Vec<Edit>) -> Diagnostic {
        self.with_fix(readable(title), edits, Applicability::Possible)
    }

    fn with_fix(mut self, title: String, edits: Vec<Edit>, how: Applicability) -> Diagnostic {
        self.fixes.push(Fix { title, edits, applicability: how });
        self
    }

    /// What to do, in one sentence each: what fixes would do, and the help.
    pub fn helps(&self) -> impl Iterator<Item = &str> {
        let fixes = self.fixes.iter().map(|fix| fix.title.as_str());
        fixes.chain(self.help.as_deref())
    }

    /// The changes of the user's files that may be made without asking.
    pub fn fix_to_apply(&self, places: &mut Places) -> Option<Vec<SourceEdit>> {
        let certain = |fix: &&Fix| fix.applicability == Applicability::Certain;
        self.fixes.iter().filter(certain).find_map(|fix| fix.resolve(places))
    }
}

/// Names as the user writes them: gcc's preprocessor makes `\U000000f6` of `ö`.
fn readable(text: impl Into<String>) -> String {
    let text = text.into();
    if !text.contains("\\U") {
        return text;
    }
    let mut parts = text.split("\\U");
    let mut out = parts.next().unwrap_or_default().to_string();
    for part in parts {
        let code = part.get(..8).and_then(|code| u32::from_str_radix(code, 16).ok());
        match code.and_then(char::from_u32) {
            Some(c) => out.extend([&c.to_string(), &part[8..]]),
            None => out.extend(["\\U", part]),
        }
    }
    out
}

/// Diagnostics in the order in which they were found.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics(pub Vec<Diagnostic>);

impl Diagnostics {
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.0.push(diagnostic);
    }

    pub fn has_errors(&self) -> bool {
        self.0.iter().any(|d| d.severity == Severity::Error)
    }
}
