// SPDX-License-Identifier: BSD-3-Clause
//! Where the words of UPC are keywords, and where they are ordinary names of C.
//!
//! UPC reserves `shared`, `strict`, `THREADS` and others (UPC 1.3 §6.2), which C programs use
//! as names, and `CC=upcc make` must build those. So the words are names in system headers and in
//! a `.c` unit without any sign of UPC; in all else they are keywords.

use super::Lexer;
use crate::syntax::token::{keyword, Tok};

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

    /// The words were taken for names in system headers; where that cannot be, they are not.
    fn reserve_words_in_system_headers(&mut self) {
        for i in 0..self.tokens.len() - 1 {
            let token = self.tokens[i];
            let Some(word) = keyword(token.sym).filter(|w| w.is_upc()) else { continue };
            let is_keyword = match word {
                Tok::Shared => self.is_qualifier(i),
                Tok::Strict | Tok::Relaxed => keyword(self.tokens[i + 1].sym) == Some(Tok::Shared),
                _ => false,
            };
            if token.kind == Tok::Ident && is_keyword && self.c_tokens.binary_search(&i).is_err() {
                self.tokens[i].kind = word;
            }
        }
    }
}
