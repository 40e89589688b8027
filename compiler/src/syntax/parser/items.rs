// SPDX-License-Identifier: BSD-3-Clause
//! The translation unit. C17 §6.9.

use super::declarations::Declared;
use super::*;

impl Parser<'_> {
    /// translation-unit = (declaration | function-definition | static-assert | asm | ";")*
    pub(super) fn translation_unit(&mut self) {
        loop {
            let pragmas = self.take_pragmas();
            self.ast.file_pragmas.extend(pragmas);
            if self.at(Tok::Eof) {
                return;
            }
            let first = self.pos;
            let lo = self.lo();
            let item = match self.item() {
                Ok(item) => item,
                Err(Reported) => {
                    self.skip_to_end();
                    if self.at(Tok::RBrace) && self.pos == first {
                        self.bump();
                    }
                    Item::Verbatim(self.since(lo))
                }
            };
            self.ast.items.push(item);
        }
    }

    fn item(&mut self) -> Parse<Item> {
        let lo = self.lo();
        match self.kind() {
            Tok::Semi => Ok(Item::Verbatim(self.bump())),
            Tok::Asm => {
                self.bump();
                if !self.at(Tok::LParen) {
                    return Err(self.expected("`(` after `asm`"));
                }
                self.skip_group();
                self.expect_semi("`asm (...)`")?;
                Ok(Item::Verbatim(self.since(lo)))
            }
            Tok::StaticAssert => {
                let (span, condition) = self.static_assert()?;
                Ok(Item::StaticAssert { span, condition })
            }
            Tok::RBrace => {
                let diagnostic = Diagnostic::error(codes::E0102, self.span(), "unexpected `}`")
                    .label("closes nothing")
                    .help("remove it, or look for a `{` that is missing before it");
                Err(self.report(diagnostic))
            }
            Tok::Extension if self.peek(1) == Tok::Asm => {
                self.bump();
                self.item()
            }
            kind if self.at_declaration()
                || self.at_c2x_attribute()
                || self.may_be_implicit_int(kind) =>
            {
                Ok(match self.declaration()? {
                    Declared::Declaration(id) => Item::Declaration(id),
                    Declared::Function(function) => Item::Function(function),
                })
            }
            _ => Err(self.expected("a declaration")),
        }
    }

    /// `main() {...}`, `*f() {...}`: C89, which C compilers still take with a warning.
    fn may_be_implicit_int(&self, kind: Tok) -> bool {
        matches!(kind, Tok::Ident | Tok::Star | Tok::LParen)
    }
}
