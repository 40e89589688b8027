// SPDX-License-Identifier: BSD-3-Clause
//! `__attribute__((...))` and `[[...]]`. GCC manual, "Attribute Syntax"; C23 §6.7.13.

use super::*;

impl Parser<'_> {
    pub(super) fn at_c2x_attribute(&self) -> bool {
        self.at(Tok::LBracket) && self.peek(1) == Tok::LBracket
    }

    pub(super) fn at_attribute(&self) -> bool {
        self.at(Tok::Attribute) || self.at_c2x_attribute()
    }

    /// attribute-specifier*
    pub(super) fn attributes(&mut self, list: &mut Vec<Attribute>) -> Parse<()> {
        while self.at_attribute() {
            self.attribute_specifier(list)?;
        }
        Ok(())
    }

    /// attribute-specifier = "__attribute__" "(" "(" attribute-list ")" ")" | "[" "[" ... "]" "]"
    pub(super) fn attribute_specifier(&mut self, list: &mut Vec<Attribute>) -> Parse<()> {
        let lo = self.lo();
        let first = list.len();
        let (outer, inner, end) = if self.eat(Tok::Attribute) {
            let outer = self.expect(Tok::LParen, "`((` after `__attribute__`")?;
            (outer, self.expect(Tok::LParen, "`((` after `__attribute__`")?, Tok::RParen)
        } else {
            (self.bump(), self.bump(), Tok::RBracket)
        };
        loop {
            if self.kind().is_word() {
                let attribute = self.attribute()?;
                list.push(attribute);
            }
            if !self.eat(Tok::Comma) {
                break;
            }
        }
        self.expect_close(end, inner)?;
        self.expect_close(end, outer)?;
        let whole = self.since(lo);
        for attribute in &mut list[first..] {
            attribute.whole = whole;
        }
        Ok(())
    }

    /// attribute = word ("::" word)? ("(" anything ")")?
    fn attribute(&mut self) -> Parse<Attribute> {
        let mut word = self.bump().text(self.text);
        let mut space = None;
        if self.at(Tok::Colon) && self.peek(1) == Tok::Colon && self.peek(2).is_word() {
            self.bump();
            self.bump();
            space = Some(word.trim_matches('_')).filter(|s| *s != "gnu");
            word = self.bump().text(self.text);
        }
        let plain = strip_underscores(word);
        let name = match space {
            None => self.ast.names.intern(plain),
            Some(space) => self.ast.names.intern(&format!("{space}::{plain}")),
        };
        let args = if self.at(Tok::LParen) { self.attribute_args() } else { Vec::new() };
        Ok(Attribute { whole: Span::default(), name, args })
    }

    /// The arguments if all of them are expressions; whatever they are, they are passed over.
    fn attribute_args(&mut self) -> Vec<ExprId> {
        let open = self.pos;
        let was_quiet = std::mem::replace(&mut self.quiet, true);
        let result = self.expression_list();
        if self.quiet {
            self.quiet = was_quiet;
        }
        match result {
            Ok(args) => args,
            Err(Reported) => {
                // At the end the limit of nesting was met, or nothing closes the list.
                if !self.at(Tok::Eof) {
                    self.pos = open;
                    self.skip_group();
                }
                Vec::new()
            }
        }
    }

    /// "(" (assignment ("," assignment)*)? ")"
    pub(super) fn expression_list(&mut self) -> Parse<Vec<ExprId>> {
        let open = self.bump();
        let mut list = Vec::new();
        if !self.at(Tok::RParen) {
            loop {
                list.push(self.assignment()?);
                if !self.eat(Tok::Comma) {
                    break;
                }
            }
        }
        self.expect_close(Tok::RParen, open)?;
        Ok(list)
    }

    /// asm-label = "asm" "(" string+ ")"
    pub(super) fn opt_asm_label(&mut self) -> Parse<Option<Span>> {
        if !self.at(Tok::Asm) {
            return Ok(None);
        }
        let lo = self.bump().lo;
        let open = self.expect(Tok::LParen, "`(` after `asm`")?;
        self.expect(Tok::StrLit, "the name in the assembler, a string")?;
        while self.eat(Tok::StrLit) {}
        self.expect_close(Tok::RParen, open)?;
        Ok(Some(self.since(lo)))
    }
}

/// `__packed__` is `packed`.
fn strip_underscores(word: &str) -> &str {
    let inner = word.strip_prefix("__").and_then(|w| w.strip_suffix("__"));
    inner.filter(|w| !w.is_empty()).unwrap_or(word)
}
