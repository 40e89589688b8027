// SPDX-License-Identifier: BSD-3-Clause
//! Primary expressions, and the built-in functions whose operands are types. C17 §6.5.1.

use super::*;
use crate::syntax::literal;

impl Parser<'_> {
    /// primary = identifier | constant | string+ | "THREADS" | "MYTHREAD" | "(" expression ")"
    ///     | "(" compound-statement ")" | generic-selection | built-in
    pub(super) fn primary(&mut self) -> Parse<ExprId> {
        let token = self.token();
        match token.kind {
            Tok::Ident => {
                self.note_use();
                self.bump();
                Ok(self.expr(token.lo, ExprKind::Ident(token.sym)))
            }
            Tok::Number => self.number(),
            Tok::CharLit => {
                let kind = literal::char_constant(self.bump().text(self.text), self.ast.target);
                Ok(self.expr(token.lo, kind))
            }
            Tok::StrLit => Ok(self.string()),
            Tok::Threads => {
                self.bump();
                Ok(self.expr(token.lo, ExprKind::Threads))
            }
            Tok::MyThread => {
                self.bump();
                Ok(self.expr(token.lo, ExprKind::MyThread))
            }
            Tok::LParen => self.nested(Self::parenthesized),
            Tok::Generic => self.generic(),
            Tok::VaArg | Tok::ConvertVector => self.va_arg(),
            Tok::Offsetof => self.offsetof(),
            Tok::TypesCompatible => self.types_compatible(),
            Tok::ChooseExpr => self.choose_expr(),
            _ => Err(self.expected("an expression")),
        }
    }

    fn number(&mut self) -> Parse<ExprId> {
        let span = self.span();
        let kind = literal::number(span.text(self.text)).map_err(|title| {
            let diagnostic = Diagnostic::error(codes::E0101, span, title);
            self.report(diagnostic.label("not a number of C"))
        });
        // The rest of the expression can still be read.
        self.bump();
        Ok(self.expr(span.lo, kind.unwrap_or(ExprKind::Error)))
    }

    fn string(&mut self) -> ExprId {
        let first = self.pos;
        let lo = self.lo();
        while self.eat(Tok::StrLit) {}
        let text = self.text;
        let parts =
            self.tokens[first..self.pos].iter().map(|t| &text[t.lo as usize..t.hi as usize]);
        let kind = literal::string(parts, self.ast.target);
        self.expr(lo, kind)
    }

    /// "(" expression ")" | "(" compound-statement ")"
    fn parenthesized(&mut self) -> Parse<ExprId> {
        let open = self.bump();
        let kind = if self.at(Tok::LBrace) {
            ExprKind::StmtExpr(self.compound()?)
        } else {
            ExprKind::Paren(self.expression()?)
        };
        self.expect_close(Tok::RParen, open)?;
        Ok(self.expr(open.lo, kind))
    }

    /// generic-selection = "_Generic" "(" assignment ("," (type-name | "default") ":" assignment)+ ")"
    fn generic(&mut self) -> Parse<ExprId> {
        self.nested(|p| {
            let lo = p.bump().lo;
            let open = p.expect(Tok::LParen, "`(` after `_Generic`")?;
            let control = p.assignment()?;
            let mut assocs = Vec::new();
            while p.eat(Tok::Comma) {
                let assoc_lo = p.lo();
                let ty = if p.eat(Tok::Default) { None } else { Some(p.type_name()?) };
                p.expect(Tok::Colon, "`:`")?;
                let value = p.assignment()?;
                assocs.push(GenericAssoc { span: p.since(assoc_lo), ty, value });
            }
            p.expect_close(Tok::RParen, open)?;
            Ok(p.expr(lo, ExprKind::Generic { control, assocs }))
        })
    }

    /// `__builtin_va_arg (list, type)`; `__builtin_convertvector (vector, type)` has the same
    /// form, and its value the same type.
    fn va_arg(&mut self) -> Parse<ExprId> {
        let lo = self.bump().lo;
        let open = self.expect(Tok::LParen, "`(`")?;
        let list = self.nested(Self::assignment)?;
        self.expect(Tok::Comma, "`,`")?;
        let ty = self.type_name()?;
        self.expect_close(Tok::RParen, open)?;
        Ok(self.expr(lo, ExprKind::VaArg { list, ty }))
    }

    /// `__builtin_types_compatible_p (type, type)`
    fn types_compatible(&mut self) -> Parse<ExprId> {
        let lo = self.bump().lo;
        let open = self.expect(Tok::LParen, "`(`")?;
        let a = self.type_name()?;
        self.expect(Tok::Comma, "`,`")?;
        let b = self.type_name()?;
        self.expect_close(Tok::RParen, open)?;
        Ok(self.expr(lo, ExprKind::TypesCompatible { a, b }))
    }

    /// `__builtin_choose_expr (constant, expression, expression)`
    fn choose_expr(&mut self) -> Parse<ExprId> {
        self.nested(|p| {
            let lo = p.bump().lo;
            let open = p.expect(Tok::LParen, "`(`")?;
            let cond = p.assignment()?;
            p.expect(Tok::Comma, "`,`")?;
            let then = p.assignment()?;
            p.expect(Tok::Comma, "`,`")?;
            let els = p.assignment()?;
            p.expect_close(Tok::RParen, open)?;
            Ok(p.expr(lo, ExprKind::ChooseExpr { cond, then, els }))
        })
    }
}
