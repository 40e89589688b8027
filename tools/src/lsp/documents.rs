// SPDX-License-Identifier: BSD-3-Clause
//! The texts that the client has open, and what is known of them. A text is analysed when something
//! is asked of it, and preprocessed by the C compiler only when its directives have changed.

use super::flags::{self, Flags};
use crate::upcc::editor::Setting;
use furlong_compiler::diag::Diagnostic;
use furlong_language::cpp::{self, Answer};
use furlong_language::pieces;
use furlong_language::text::Lines;
use furlong_language::unit::Unit;
use std::path::{Path, PathBuf};

/// Larger texts are not analysed.
pub const MAX_BYTES: usize = 32 << 20;

/// A missing header is left out, and the rest preprocessed again, so often.
const MAX_MISSING_FILES: usize = 20;

pub struct Document {
    pub path: PathBuf,
    pub version: i32,
    pub text: String,
    /// Of the text; nothing after a change.
    unit: Option<Analysed>,
    cache: Option<Cache>,
    /// The text has changed since diagnostics were sent.
    pub is_dirty: bool,
}

pub struct Analysed {
    pub unit: Unit,
    /// About headers of C that are used and not included.
    pub remarks: Vec<Diagnostic>,
    /// What the C compiler has to say, each with its place in the source.
    pub complaints: Vec<(u32, bool, String)>,
    /// Why nothing is known.
    pub trouble: Option<String>,
}

/// The C compiler's answers to a skeleton: as it is, and with the headers that are missing.
struct Cache {
    skeleton: String,
    setting: Setting,
    flags: Flags,
    answer: Answer,
    with_headers: Option<(Vec<&'static str>, Answer)>,
    trouble: Option<String>,
}

impl Document {
    pub fn new(path: PathBuf, version: i32, text: String) -> Document {
        Document { path, version, text, unit: None, cache: None, is_dirty: true }
    }

    pub fn set_text(&mut self, version: i32, text: String) {
        (self.version, self.text) = (version, text);
        (self.unit, self.is_dirty) = (None, true);
    }

    /// Replaces what is between two places (line and column in UTF-16).
    pub fn edit(&mut self, from: (u32, u32), to: (u32, u32), text: &str) {
        let lines = Lines::new(&self.text);
        let lo = lines.offset(&self.text, from.0, from.1) as usize;
        let hi = (lines.offset(&self.text, to.0, to.1) as usize).max(lo);
        self.text.replace_range(lo..hi, text);
        (self.unit, self.is_dirty) = (None, true);
    }

    /// Headers or flags may have changed.
    pub fn forget(&mut self) {
        (self.unit, self.cache, self.is_dirty) = (None, None, true);
    }

    pub fn unit(&mut self, otherwise: &[String]) -> &Analysed {
        if self.unit.is_none() {
            let text = self.text.clone();
            self.unit = Some(self.analyse(text, otherwise));
        }
        self.unit.as_ref().expect("it has just been analysed")
    }

    /// The analysis of another text in the place of the document's.
    pub fn analyse(&mut self, text: String, otherwise: &[String]) -> Analysed {
        let (text, too_long) = match text.len() > MAX_BYTES {
            true => (String::new(), Some("the text is too long to be analysed".to_string())),
            false => (text, None),
        };
        let pieces = pieces::split(&text);
        let (skeleton, piece_of_line) = pieces::skeleton(&text, &pieces);
        self.preprocess(skeleton, otherwise);
        let path = self.path.display().to_string();
        let Some(cache) = &mut self.cache else { unreachable!("it has just been filled") };
        let options = cache.setting.options(&path, &cache.flags.folder);
        let unit = |text, pieces, answer: &Answer| Unit::new(&path, text, pieces, answer, &options);
        let first = unit(text, pieces, &cache.answer);
        let complaints: Vec<(u32, bool, String)> = cache
            .answer
            .complaints
            .iter()
            .filter_map(|complaint| {
                let line = complaint.line.checked_sub(1)? as usize;
                let piece = *piece_of_line.get(line)?;
                let n = piece_of_line[..line].iter().rev().take_while(|p| **p == piece).count();
                let start = first.pieces[piece].span.lo;
                let first_line = first.lines.place(&first.source, start).0;
                let at = first.lines.start(first_line + n as u32)? + complaint.column - 1;
                Some((at, complaint.is_error, complaint.text.clone()))
            })
            .collect();
        let trouble = too_long.or(cache.trouble.clone());
        let remarks: Vec<Diagnostic> = first.missing.iter().map(|m| m.remark.clone()).collect();
        let headers: Vec<&'static str> = first.missing.iter().map(|m| m.header).collect();
        if headers.is_empty() {
            return Analysed { unit: first, remarks, complaints, trouble };
        }
        cache.include(headers, &self.path);
        let answer = cache.with_headers.as_ref().map_or(&cache.answer, |(_, answer)| answer);
        // The remarks' places are those of the first text; they are kept as places of the source.
        let placed = remarks.into_iter().filter_map(|mut remark| {
            remark.span = first.text.source_span(remark.span)?;
            Some(remark)
        });
        let remarks = placed.collect();
        let unit = unit(first.source, first.pieces, answer);
        Analysed { unit, remarks, complaints, trouble }
    }

    fn preprocess(&mut self, skeleton: String, otherwise: &[String]) {
        if self.cache.as_ref().is_some_and(|cache| cache.skeleton == skeleton) {
            return;
        }
        let flags = match self.cache.take() {
            Some(cache) => cache.flags,
            None => flags::find(&self.path, otherwise),
        };
        let (setting, trouble) = match Setting::new(&flags.words) {
            Ok(setting) => (Some(setting), None),
            Err(refusal) => (None, Some(format!("upcc would refuse the flags: {refusal}"))),
        };
        let Some(setting) = setting.or_else(|| Setting::new(&[]).ok()) else { return };
        let mut cache = Cache {
            skeleton,
            setting,
            flags,
            answer: Answer::default(),
            with_headers: None,
            trouble,
        };
        cache.answer = cache.ask(&self.path, &[]);
        self.cache = Some(cache);
    }
}

impl Cache {
    fn include(&mut self, headers: Vec<&'static str>, path: &Path) {
        if self.with_headers.as_ref().is_none_or(|(known, _)| *known != headers) {
            let answer = self.ask(path, &headers);
            self.with_headers = Some((headers, answer));
        }
    }

    fn ask(&mut self, path: &Path, missing: &[&str]) -> Answer {
        let name = path.display().to_string();
        let beside = flags::folder_of(path);
        let mut skeleton = self.skeleton.clone();
        let mut complaints = Vec::new();
        for _ in 0..MAX_MISSING_FILES {
            let folder =
                if self.flags.folder.is_dir() { &self.flags.folder } else { Path::new("/") };
            let asked = self.setting.preprocess(&skeleton, folder, beside, missing);
            let (stdout, stderr) = match asked {
                Ok(texts) => texts,
                Err(e) => {
                    self.trouble = Some(format!("the C compiler cannot run: {e}"));
                    break;
                }
            };
            let mut answer = cpp::read(&stdout, &stderr, &name);
            complaints.append(&mut answer.complaints);
            // The C compiler ends at a header that is not there: without it, it reads on.
            let Some(line) = stderr.lines().find_map(fatal_line) else {
                answer.complaints = complaints;
                answer.complaints.dedup();
                return answer;
            };
            skeleton = blank_line(&skeleton, line);
        }
        let marker = format!("# 1 \"{}\"\n", cpp::escaped(&name));
        Answer { chunks: vec![cpp::Chunk::Text(marker)], complaints }
    }
}

/// The line of the skeleton whose include directive came to a fatal error.
fn fatal_line(line: &str) -> Option<usize> {
    let rest = line.strip_prefix(cpp::SKELETON)?.strip_prefix(':')?;
    line.contains(": fatal error: ").then(|| rest.split(':').next()?.parse().ok())?
}

fn blank_line(text: &str, number: usize) -> String {
    let lines = text.lines().enumerate();
    lines.map(|(n, line)| if n + 1 == number { "\n".into() } else { format!("{line}\n") }).collect()
}
