// SPDX-License-Identifier: BSD-3-Clause
//! Initialisers. C17 §6.7.9; GCC manual, "Designated Initializers".

use super::*;

impl Parser<'_> {
    /// initializer = assignment | braced-list
    pub(super) fn initializer(&mut self) -> Parse<InitId> {
        if self.at(Tok::LBrace) {
            return self.braced_list();
        }
        let lo = self.lo();
        let expr = self.assignment()?;
        Ok(self.init(lo, InitKind::Expr(expr)))
    }

    /// braced-list = "{" (designation? initializer ("," designation? initializer)* ","?)? "}"
    pub(super) fn braced_list(&mut self) -> Parse<InitId> {
        self.nested(|p| {
            let open = p.bump();
            let mut items = Vec::new();
            while !p.at(Tok::RBrace) {
                let designators = p.designation()?;
                let init = p.initializer()?;
                items.push(InitItem { designators, init });
                if !p.eat(Tok::Comma) {
                    break;
                }
            }
            p.expect_close(Tok::RBrace, open)?;
            Ok(p.init(open.lo, InitKind::List(items)))
        })
    }

    /// designation = ("." identifier | "[" constant ("..." constant)? "]")+ "="
    ///     | identifier ":"
    ///
    /// GNU C lets the `=` after a single `[i]` go.
    fn designation(&mut self) -> Parse<Vec<Designator>> {
        if self.at(Tok::Ident) && self.peek(1) == Tok::Colon {
            let field = self.expect_ident("a member")?;
            self.bump();
            return Ok(vec![Designator::Field(field)]);
        }
        if !matches!(self.kind(), Tok::Dot | Tok::LBracket) {
            return Ok(Vec::new());
        }
        let designators = self.designators()?;
        let is_old = matches!(designators[..], [Designator::Index(_) | Designator::Range(..)]);
        if !self.eat(Tok::Eq) && !is_old {
            return Err(self.expected("`=`"));
        }
        Ok(designators)
    }

    fn designators(&mut self) -> Parse<Vec<Designator>> {
        let mut list = Vec::new();
        loop {
            match self.kind() {
                Tok::Dot => {
                    self.bump();
                    list.push(Designator::Field(self.expect_ident("the name of a member")?));
                }
                Tok::LBracket => {
                    let open = self.bump();
                    let lo = self.conditional()?;
                    list.push(match self.eat(Tok::Ellipsis) {
                        true => Designator::Range(lo, self.conditional()?),
                        false => Designator::Index(lo),
                    });
                    self.expect_close(Tok::RBracket, open)?;
                }
                _ => return Ok(list),
            }
        }
    }

    /// `__builtin_offsetof (type, member.member[i])`
    pub(super) fn offsetof(&mut self) -> Parse<ExprId> {
        let lo = self.bump().lo;
        let open = self.expect(Tok::LParen, "`(`")?;
        let ty = self.type_name()?;
        self.expect(Tok::Comma, "`,`")?;
        let mut designators = vec![Designator::Field(self.expect_ident("the name of a member")?)];
        loop {
            designators.append(&mut self.designators()?);
            // GCC also takes `a->b` for `a[0].b`.
            if !self.eat(Tok::Arrow) {
                break;
            }
            designators.push(Designator::Field(self.expect_ident("the name of a member")?));
        }
        self.expect_close(Tok::RParen, open)?;
        Ok(self.expr(lo, ExprKind::Offsetof { ty, designators }))
    }
}
