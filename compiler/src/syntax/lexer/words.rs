// SPDX-License-Identifier: BSD-3-Clause
//! Where the words of UPC are keywords, and where they are ordinary names of C.
//!
//! UPC reserves `shared`, `strict`, `THREADS` and others (UPC 1.3 §6.2), which C programs use
//! as names, and `CC=upcc make` must build those. So the words are names in a system header and in
//! a `.c` unit without any sign of UPC; in all else they are keywords. Build systems make system
//! headers of those of libraries, so the sign has to be in the header itself.

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
        self.reserve_words_in_system_headers();
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

    /// The words were taken for names in system headers; in one that shows UPC they are keywords.
    fn reserve_words_in_system_headers(&mut self) {
        let words: Vec<(usize, Tok, FileId)> = (0..self.tokens.len() - 1)
            .filter(|i| self.tokens[*i].kind == Tok::Ident)
            .filter_map(|i| Some((i, keyword(self.tokens[i].sym).filter(|w| w.is_upc())?)))
            .filter(|(i, _)| self.c_tokens.binary_search(i).is_err())
            .map(|(i, word)| (i, word, self.files.file_of(self.tokens[i].lo)))
            .filter(|(.., file)| self.files.is_system(*file))
            .collect();
        let mut of_upc = FxHashSet::default();
        let mut naming_threads = FxHashSet::default();
        for &(i, word, file) in &words {
            match word {
                Tok::Shared if self.is_qualifier(i) => of_upc.insert(file),
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
        for (i, word, _) in words.into_iter().filter(|(.., file)| of_upc.contains(file)) {
            self.tokens[i].kind = word;
        }
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
