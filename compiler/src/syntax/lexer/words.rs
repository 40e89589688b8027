// SPDX-License-Identifier: BSD-3-Clause
//! Where the words of UPC are keywords, and where they are ordinary names of C.
//!
//! UPC reserves `shared`, `strict`, `THREADS` and others (UPC 1.3 §6.2), which C programs use
//! as names, and `CC=upcc make` must build those. So the words are names in a system header and in
//! a `.c` unit without any sign of UPC; in all else they are keywords. Build systems make system
//! headers of those of libraries, so the sign has to be in the header itself. Others name the folders
//! of libraries by `-I`: in such a header the words are names if one of them can be nothing else.

use super::Lexer;
use crate::span::FileId;
use crate::syntax::token::{keyword, Tok};
use rustc_hash::FxHashSet;

impl Lexer<'_> {
    pub(super) fn settle_words(&mut self) {
        if !self.upc {
            return;
        }
        let is_upc = self.files.is_certain() || self.shows_upc();
        self.files.settle(is_upc);
        if !self.files.is_upc_unit() {
            for token in self.tokens.iter_mut().filter(|t| t.kind.is_upc()) {
                token.kind = Tok::Ident;
            }
        }
        self.settle_words_in_headers();
    }

    /// Whether some word can only be one of UPC.
    fn shows_upc(&self) -> bool {
        let mut names_threads = false;
        let mut is_threads_assigned = false;
        for (i, token) in self.tokens.iter().enumerate().filter(|(_, t)| t.kind.is_upc()) {
            match token.kind {
                Tok::Shared if self.is_qualifier(i) => return true,
                Tok::Shared | Tok::Strict | Tok::Relaxed => {}
                Tok::Threads => {
                    names_threads = true;
                    is_threads_assigned |= self.tokens[i + 1].kind == Tok::Eq;
                }
                _ => return true,
            }
        }
        names_threads && !is_threads_assigned
    }

    /// Whether what follows `shared` can only be read as UPC: `shared int x`, `shared [4] int x`.
    fn is_qualifier(&self, idx: usize) -> bool {
        let next = self.tokens[idx + 1].kind;
        let after = match next {
            Tok::LBracket => self.after_bracket(idx + 1),
            _ => next,
        };
        after.is_word() && !matches!(after, Tok::Attribute | Tok::Asm)
    }

    fn after_bracket(&self, open: usize) -> Tok {
        let close = self.tokens[open..].iter().take(64).position(|t| t.kind == Tok::RBracket);
        close.and_then(|n| self.tokens.get(open + n + 1)).map_or(Tok::Eof, |t| t.kind)
    }

    /// The words were taken for names in system headers, for keywords in others: now for what each
    /// header shows.
    fn settle_words_in_headers(&mut self) {
        let is_upc = self.files.is_upc_unit();
        let words: Vec<(usize, Tok, FileId)> = (0..self.tokens.len() - 1)
            .filter_map(|i| Some((i, self.word_of_upc(i)?)))
            .filter(|(i, _)| self.c_tokens.binary_search(i).is_err())
            .map(|(i, word)| (i, word, self.files.file_of(self.tokens[i].lo)))
            .filter(|(.., file)| {
                self.files.is_system(*file) || is_upc && self.files.is_header(*file)
            })
            .collect();
        let mut of_upc = FxHashSet::default();
        let mut of_c = FxHashSet::default();
        let mut naming_threads = FxHashSet::default();
        for &(i, word, file) in &words {
            match word {
                Tok::Shared if self.is_qualifier(i) => of_upc.insert(file),
                Tok::Shared | Tok::Strict | Tok::Relaxed if self.is_declared(i) => {
                    of_c.insert(file)
                }
                Tok::Shared | Tok::Strict | Tok::Relaxed => false,
                Tok::Threads | Tok::MyThread if self.is_name(i) => naming_threads.insert(file),
                Tok::Threads | Tok::MyThread => false,
                _ => of_upc.insert(file),
            };
        }
        for &(_, word, file) in &words {
            if matches!(word, Tok::Threads | Tok::MyThread) && !naming_threads.contains(&file) {
                of_upc.insert(file);
            }
        }
        for (i, word, file) in words {
            let is_system = self.files.is_system(file);
            if of_upc.contains(&file) || !is_system && !of_c.contains(&file) {
                self.tokens[i].kind = word;
            } else {
                self.tokens[i].kind = Tok::Ident;
            }
        }
    }

    /// The word of UPC that a token is written as, whatever it has been taken for.
    fn word_of_upc(&self, idx: usize) -> Option<Tok> {
        let token = &self.tokens[idx];
        match token.kind {
            Tok::Ident => keyword(token.sym),
            kind => Some(kind),
        }
        .filter(|word| word.is_upc())
    }

    /// Whether the word is what is declared: `int shared;`, where a qualifier declares nothing.
    fn is_declared(&self, idx: usize) -> bool {
        let before = idx.checked_sub(1).map_or(Tok::Eof, |i| self.tokens[i].kind);
        let is_declarator = before == Tok::Star || before.is_word();
        is_declarator && matches!(self.tokens[idx + 1].kind, Tok::Semi | Tok::Comma | Tok::Eq)
    }

    /// Whether the word is rather declared here, or a member, than used as a value.
    fn is_name(&self, idx: usize) -> bool {
        use Tok::*;
        let next = self.tokens[idx + 1].kind;
        let before = idx.checked_sub(1).map_or(Eof, |i| self.tokens[i].kind);
        match before {
            _ if next == Eq => true,
            Dot | Arrow => true,
            Star | Comma | LBrace => {
                matches!(next, Semi | Comma | LBracket | Colon | RParen | RBrace)
            }
            Return => false,
            _ => before.is_word(),
        }
    }
}
