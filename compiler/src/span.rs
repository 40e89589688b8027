// SPDX-License-Identifier: BSD-3-Clause
//! Places in the preprocessed text, and the user's files and lines they came from.
//!
//! A [`Span`] counts bytes of the preprocessed text. The [`LineMap`] is built by the lexer from
//! the line markers that `cc -E` leaves (`# 12 "file.c" 1 3`) and answers where a byte came from.

/// Half-open range of bytes of the preprocessed text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Span {
    pub lo: u32,
    pub hi: u32,
}

impl Span {
    pub fn new(lo: u32, hi: u32) -> Span {
        Span { lo, hi }
    }

    /// The smallest span that covers both.
    pub fn to(self, end: Span) -> Span {
        Span { lo: self.lo.min(end.lo), hi: self.hi.max(end.hi) }
    }

    pub fn text(self, source: &str) -> &str {
        &source[self.lo as usize..self.hi as usize]
    }
}

/// Index into [`LineMap::files`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct FileId(pub u32);

/// A file named by a line marker.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// The name as the line marker gives it, unescaped.
    pub name: String,
    /// The line marker that entered it carried flag 3. (Later ones also carry it where a macro of
    /// a system header is expanded in the user's file.)
    pub is_system: bool,
}

/// A run of physical lines that a line marker introduces.
#[derive(Clone, Copy, Debug)]
pub struct Region {
    /// First byte after the marker's newline.
    pub start: u32,
    pub file: FileId,
    /// Line number, in `file`, of the line that starts at `start`.
    pub line: u32,
    /// C gives no warnings for them.
    pub is_quiet: bool,
}

/// A place in the user's file. Lines and columns count from 1; columns count bytes of the
/// preprocessed line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Location {
    pub file: FileId,
    pub line: u32,
    pub column: u32,
}

/// Maps bytes of the preprocessed text to the user's lines.
#[derive(Clone, Debug, Default)]
pub struct LineMap {
    pub files: Vec<SourceFile>,
    /// Ascending by `start`; the first starts at 0.
    pub regions: Vec<Region>,
    /// Byte offsets at which physical lines start, ascending; the first is 0.
    pub line_starts: Vec<u32>,
}

impl LineMap {
    /// Where `offset` came from. Costs two binary searches.
    pub fn locate(&self, offset: u32) -> Location {
        let region = self.region(offset);
        let line_idx = self.physical_line(offset);
        let first = self.physical_line(region.start);
        Location {
            file: region.file,
            line: region.line.saturating_add((line_idx - first) as u32),
            column: offset - self.line_starts.get(line_idx).copied().unwrap_or(0) + 1,
        }
    }

    pub fn file_at(&self, offset: u32) -> &SourceFile {
        &self.files[self.region(offset).file.0 as usize]
    }

    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id.0 as usize]
    }

    pub fn region(&self, offset: u32) -> Region {
        let after = self.regions.partition_point(|r| r.start <= offset);
        self.regions[after.saturating_sub(1)]
    }

    fn physical_line(&self, offset: u32) -> usize {
        self.line_starts.partition_point(|&s| s <= offset).saturating_sub(1)
    }
}
