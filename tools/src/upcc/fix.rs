// SPDX-License-Identifier: BSD-3-Clause
//! `upcc -fix`: makes the changes that are right whenever their diagnostic is, in the user's files.
//!
//! A fix is made whole or not at all. One that touches what another changes waits for the next run,
//! which sees the text as it is then.

use super::diagnostics::{Change, Fix};
use super::{fail, say, Failed};
use crate::exit;
use std::collections::BTreeMap;
use std::ops::Range;

/// Bytes of a file, and what stands in their place.
type Piece = (Range<usize>, String);

/// A file as it is, and what becomes of it.
struct Target {
    text: String,
    /// Where each line begins.
    starts: Vec<usize>,
    pieces: Vec<Piece>,
    /// Where the file changes, by line and byte, with what is done.
    titles: Vec<(u32, usize, String)>,
}

impl Target {
    fn read(path: &str) -> Result<Target, String> {
        let metadata = std::fs::metadata(path).map_err(|e| e.to_string())?;
        if !metadata.is_file() {
            return Err("it is not a file".into());
        }
        if metadata.permissions().readonly() {
            return Err("it is write-protected".into());
        }
        let bytes = std::fs::read(path).map_err(|e| e.to_string())?;
        let text = String::from_utf8(bytes).map_err(|_| "it is not UTF-8")?;
        let ends = text.match_indices('\n').map(|(at, _)| at + 1);
        let starts = std::iter::once(0).chain(ends).collect();
        Ok(Target { text, starts, pieces: Vec::new(), titles: Vec::new() })
    }

    fn piece(&self, change: &Change) -> Option<Piece> {
        let edit = &change.edit;
        let start = *self.starts.get((edit.line as usize).checked_sub(1)?)?;
        let range = start + edit.start..start + edit.end;
        self.text.get(range.clone()).map(|_| (range, edit.text.clone()))
    }

    fn collides(&self, (range, text): &Piece) -> bool {
        self.pieces.iter().any(|(other, other_text)| {
            let apart = range.end < other.start || other.end < range.start;
            let beside = (range.end == other.start || other.end == range.start)
                && !(range.is_empty() && other.is_empty());
            let is_line = |text: &str| text.ends_with('\n');
            let beside = beside || range == other && is_line(text) && is_line(other_text);
            !(apart || beside || range == other && text == other_text)
        })
    }

    fn fixed(&mut self) -> String {
        self.pieces.sort_by_key(|(range, _)| (range.start, range.end));
        self.pieces.dedup();
        let (mut out, mut at) = (String::with_capacity(self.text.len()), 0);
        for (range, text) in &self.pieces {
            out += &self.text[at..range.start];
            out += text;
            at = range.end;
        }
        out + &self.text[at..]
    }
}

/// Makes the certain ones of `fixes`, and says what was changed.
pub fn apply(fixes: &[Fix]) -> Result<(), Failed> {
    let mut targets: BTreeMap<&str, Result<Target, String>> = BTreeMap::new();
    let mut left = 0;
    for fix in fixes.iter().filter(|fix| fix.is_certain) {
        for change in &fix.changes {
            targets.entry(&change.file).or_insert_with(|| Target::read(&change.file));
        }
        left += usize::from(!add(&mut targets, fix));
    }
    let mut result = Ok(());
    for (path, target) in targets {
        let written = target.and_then(|mut target| {
            if target.pieces.is_empty() {
                return Ok(target);
            }
            target.titles.sort();
            std::fs::write(path, target.fixed()).map_err(|e| e.to_string())?;
            Ok(target)
        });
        match written {
            Ok(target) => target
                .titles
                .iter()
                .for_each(|(line, _, title)| say(format_args!("fixed {path}:{line}: {title}"))),
            Err(why) => {
                result = Err(fail(
                    exit::SYSTEM,
                    format_args!("error: `{path}` is not changed by -fix: {why}"),
                ));
            }
        }
    }
    if left > 0 && result.is_ok() {
        say(format_args!("note: {left} more fixes are left: run `upcc -fix` again"));
    }
    result
}

/// Takes all changes of `fix`, or none; false if one is in the way of another.
fn add(targets: &mut BTreeMap<&str, Result<Target, String>>, fix: &Fix) -> bool {
    let mut pieces = Vec::new();
    for change in &fix.changes {
        let Some(Ok(target)) = targets.get(change.file.as_str()) else { return true };
        match target.piece(change) {
            Some(piece) if !target.collides(&piece) => pieces.push((change, piece)),
            _ => return false,
        }
    }
    for (n, (change, piece)) in pieces.into_iter().enumerate() {
        let Some(Ok(target)) = targets.get_mut(change.file.as_str()) else { return true };
        let is_new = !target.pieces.contains(&piece);
        target.pieces.push(piece);
        if n == 0 && is_new {
            target.titles.push((change.edit.line, change.edit.start, fix.title.clone()));
        }
    }
    true
}
