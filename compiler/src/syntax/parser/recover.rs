// SPDX-License-Identifier: BSD-3-Clause
//! Saying what is wrong, and finding a place to go on from.

use super::*;
use crate::diag::similar::most_similar;

impl Parser<'_> {
    /// Reports unless this token was complained about before.
    pub(super) fn report(&mut self, diagnostic: Diagnostic) -> Reported {
        if !self.quiet && self.last_error != self.pos && !self.is_after_open_literal() {
            self.last_error = self.pos;
            self.n_errors += 1;
            self.diags.push(diagnostic);
            if self.n_errors >= MAX_ERRORS {
                self.give_up();
            }
        }
        Reported
    }

    /// A literal that does not end has swallowed the rest of its line, and was reported.
    fn is_after_open_literal(&self) -> bool {
        let Some(token) = self.pos.checked_sub(1).map(|i| self.tokens[i]) else { return false };
        let quote = match token.kind {
            Tok::StrLit => '"',
            Tok::CharLit => '\'',
            _ => return false,
        };
        let text = &self.text[token.lo as usize..token.hi as usize];
        !text.ends_with(quote) || text.find(quote) == Some(text.len() - 1)
    }

    /// Nothing after this place is looked at or complained about.
    fn give_up(&mut self) {
        self.pos = self.tokens.len() - 1;
        self.last_error = self.pos;
    }

    pub(super) fn too_deep(&mut self) -> Reported {
        self.beyond_limit(format!("nested more than {MAX_DEPTH} levels deep"))
    }

    pub(super) fn too_long(&mut self) -> Reported {
        self.beyond_limit(format!("a chain of more than {MAX_LINKS} operators, branches or labels"))
    }

    fn beyond_limit(&mut self, title: String) -> Reported {
        let diagnostic = Diagnostic::error(codes::E0103, self.span(), title)
            .help("split the expression or the block; the text after this place is not checked");
        // Even what is only tried is reported, for nothing after it is read.
        self.quiet = false;
        let reported = self.report(diagnostic);
        self.give_up();
        reported
    }

    /// The current token as the user should read it.
    pub(super) fn found(&self) -> String {
        let text = self.span().text(self.text);
        match self.kind() {
            Tok::Eof => "the end of the file".to_string(),
            _ if text.len() > 40 => {
                let start: String = text.chars().take(30).collect();
                format!("`{start}...`")
            }
            _ => format!("`{text}`"),
        }
    }

    /// "expected `what`, found ..." at the current token.
    pub(super) fn expected(&mut self, what: &str) -> Reported {
        let title = format!("expected {what}, found {}", self.found());
        let diagnostic = Diagnostic::error(codes::E0102, self.span(), title);
        let diagnostic = self.explain_word(diagnostic.label(format!("expected {what}")));
        self.report(diagnostic)
    }

    /// Adds what to know if this token or the one before is a word that UPC reserves: it may have
    /// been meant as a name.
    fn explain_word(&self, diagnostic: Diagnostic) -> Diagnostic {
        let before = self.pos.saturating_sub(1);
        let Some(token) =
            [self.pos, before].iter().map(|&i| self.tokens[i]).find(|t| t.kind.is_upc())
        else {
            return diagnostic;
        };
        let word = self.ast.names.name(token.sym);
        diagnostic
            .note(format!("UPC 1.3 §6.2p3: `{word}` is a keyword of UPC"))
            .help(format!("if `{word}` is meant as a name, choose another one"))
    }

    /// `share int a[THREADS];`: a name before a type, as it stands after a qualifier.
    fn misspelt_qualifier(&mut self) -> Option<Reported> {
        let before = self.tokens[self.pos.checked_sub(1)?];
        if before.kind != Tok::Ident || !self.at_declaration() {
            return None;
        }
        let name = self.ast.names.name(before.sym).to_string();
        let (near, _) = most_similar(&name, ["shared", "strict", "relaxed"].into_iter())?;
        let span = Span::new(before.lo, before.hi);
        let diagnostic = Diagnostic::error(codes::E0420, span, format!("`{name}` is not declared"))
            .label("nothing has this name here")
            .suggest(format!("did you mean `{near}`?"), vec![Edit::replace(span, near)]);
        Some(self.report(diagnostic))
    }

    pub(super) fn expect(&mut self, kind: Tok, what: &str) -> Parse<Span> {
        if self.at(kind) {
            return Ok(self.bump());
        }
        Err(self.expected(what))
    }

    pub(super) fn expect_ident(&mut self, what: &str) -> Parse<Ident> {
        self.opt_ident().ok_or(()).map_err(|()| self.expected(what))
    }

    /// The bracket that closes the one at `open`.
    pub(super) fn expect_close(&mut self, kind: Tok, open: Span) -> Parse<Span> {
        if self.at(kind) {
            return Ok(self.bump());
        }
        let mark = match kind {
            Tok::RParen => ")",
            Tok::RBracket => "]",
            _ => "}",
        };
        let opening = open.text(self.text);
        if self.at(Tok::Eof) {
            let title = format!("this `{opening}` is never closed");
            let help = format!("add the missing `{mark}`");
            let diagnostic = Diagnostic::error(codes::E0104, open, title).help(help);
            return Err(self.report(diagnostic));
        }
        let title = format!("expected `{mark}`, found {}", self.found());
        let diagnostic = Diagnostic::error(codes::E0102, self.span(), title)
            .label(format!("expected `{mark}`"))
            .at(open, format!("to close this `{opening}`"));
        let diagnostic = self.explain_word(diagnostic);
        Err(self.report(diagnostic))
    }

    /// The semicolon after `what`: the place of the fix is the end of the token before.
    pub(super) fn expect_semi(&mut self, what: &str) -> Parse<()> {
        if self.eat(Tok::Semi) {
            return Ok(());
        }
        if let Some(reported) = self.misspelt_qualifier() {
            return Err(reported);
        }
        let place = Span::new(self.prev_hi(), self.prev_hi());
        let title = format!("expected `;` after {what}, found {}", self.found());
        let diagnostic = Diagnostic::error(codes::E0102, place, title).label("expected `;`");
        let edits = vec![Edit::after(place, ";")];
        // On the same line something else may be missing, but not where its block ends.
        let next = self.text.get(place.hi as usize..self.lo() as usize);
        let ends = self.at(Tok::RBrace) || next.is_some_and(|between| between.contains('\n'));
        let diagnostic = match ends {
            true => diagnostic.fix("add `;`", edits),
            false => self.explain_word(diagnostic.suggest("add `;`", edits)),
        };
        Err(self.report(diagnostic))
    }

    /// Skips to the end of a statement, member or declaration: past a `;` or a `{...}`, or
    /// before the `}` that closes what surrounds it.
    pub(super) fn skip_to_end(&mut self) {
        loop {
            match self.kind() {
                Tok::Eof | Tok::RBrace => return,
                Tok::Semi => {
                    self.bump();
                    return;
                }
                Tok::LBrace => {
                    self.skip_group();
                    if !matches!(self.kind(), Tok::Semi | Tok::Comma | Tok::Eq | Tok::RParen) {
                        return;
                    }
                }
                _ => self.skip(),
            }
        }
    }

    /// Skips a token, which may be the undeclared name that the mistake is about: `"%" PRId64`.
    fn skip(&mut self) {
        let before = self.tokens[self.pos.saturating_sub(1)].kind;
        if self.at(Tok::Ident) && !matches!(before, Tok::Dot | Tok::Arrow) {
            self.note_use();
        }
        self.bump();
    }

    /// Skips a bracketed group; the opening bracket is the current token.
    pub(super) fn skip_group(&mut self) {
        let mut depth = 0usize;
        loop {
            match self.kind() {
                Tok::LParen | Tok::LBracket | Tok::LBrace => depth += 1,
                Tok::RParen | Tok::RBracket | Tok::RBrace => depth = depth.saturating_sub(1),
                Tok::Eof => return,
                _ => {}
            }
            self.bump();
            if depth == 0 {
                return;
            }
        }
    }

    /// Runs `parse` for what stands in parentheses, from `(` to `)`. If it fails, skips to the
    /// `)`, so that what follows (the body of a loop) is still understood.
    pub(super) fn in_parens<T>(
        &mut self,
        parse: impl FnOnce(&mut Self) -> Parse<T>,
    ) -> Parse<(Option<T>, Span)> {
        let open = self.expect(Tok::LParen, "`(`")?;
        let first = self.pos;
        let result = parse(self).and_then(|value| {
            let close = self.expect_close(Tok::RParen, open)?;
            Ok((value, Span::new(open.hi, close.lo)))
        });
        match result {
            Ok((value, inside)) => Ok((Some(value), inside)),
            Err(Reported) => {
                self.skip_to_close(first)?;
                Ok((None, Span::new(open.hi, self.prev_hi() - 1)))
            }
        }
    }

    /// Skips past the `)` of a group whose first token is `first`; fails before a brace, since
    /// then the `)` is missing.
    fn skip_to_close(&mut self, first: usize) -> Parse<()> {
        let mut depth = 1usize;
        for token in &self.tokens[first..self.pos] {
            match token.kind {
                Tok::LParen => depth += 1,
                Tok::RParen => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        while depth > 0 {
            match self.kind() {
                Tok::LParen => depth += 1,
                Tok::RParen => depth -= 1,
                Tok::LBrace | Tok::RBrace | Tok::Eof => return Err(Reported),
                _ => {}
            }
            self.skip();
        }
        Ok(())
    }
}
