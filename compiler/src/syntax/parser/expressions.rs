// SPDX-License-Identifier: BSD-3-Clause
//! Expressions from the comma down to unary operators. C17 §6.5.
//!
//! Chains of operators of one rank are read in loops: generated programs have them a hundred
//! thousand long.

use super::*;

/// How tightly a binary operator binds, from 1 (`||`) to 10 (`*`).
fn binary_operator(kind: Tok) -> Option<(u8, BinaryOp)> {
    use BinaryOp::*;
    Some(match kind {
        Tok::PipePipe => (1, LogOr),
        Tok::AmpAmp => (2, LogAnd),
        Tok::Pipe => (3, Or),
        Tok::Caret => (4, Xor),
        Tok::Amp => (5, And),
        Tok::EqEq => (6, Eq),
        Tok::BangEq => (6, Ne),
        Tok::Lt => (7, Lt),
        Tok::Gt => (7, Gt),
        Tok::Le => (7, Le),
        Tok::Ge => (7, Ge),
        Tok::Shl => (8, Shl),
        Tok::Shr => (8, Shr),
        Tok::Plus => (9, Add),
        Tok::Minus => (9, Sub),
        Tok::Star => (10, Mul),
        Tok::Slash => (10, Div),
        Tok::Percent => (10, Rem),
        _ => return None,
    })
}

/// `Some(None)` for `=`.
fn assignment_operator(kind: Tok) -> Option<Option<BinaryOp>> {
    use BinaryOp::*;
    Some(match kind {
        Tok::Eq => None,
        Tok::StarEq => Some(Mul),
        Tok::SlashEq => Some(Div),
        Tok::PercentEq => Some(Rem),
        Tok::PlusEq => Some(Add),
        Tok::MinusEq => Some(Sub),
        Tok::ShlEq => Some(Shl),
        Tok::ShrEq => Some(Shr),
        Tok::AmpEq => Some(And),
        Tok::CaretEq => Some(Xor),
        Tok::PipeEq => Some(Or),
        _ => return None,
    })
}

fn prefix_operator(kind: Tok) -> Option<UnaryOp> {
    Some(match kind {
        Tok::Amp => UnaryOp::AddrOf,
        Tok::Star => UnaryOp::Deref,
        Tok::Plus => UnaryOp::Plus,
        Tok::Minus => UnaryOp::Minus,
        Tok::Tilde => UnaryOp::BitNot,
        Tok::Bang => UnaryOp::Not,
        Tok::PlusPlus => UnaryOp::PreInc,
        Tok::MinusMinus => UnaryOp::PreDec,
        Tok::Real => UnaryOp::Real,
        Tok::Imag => UnaryOp::Imag,
        Tok::Extension => UnaryOp::Extension,
        _ => return None,
    })
}

impl Parser<'_> {
    /// expression = assignment ("," assignment)*
    pub(super) fn expression(&mut self) -> Parse<ExprId> {
        let mut lhs = self.assignment()?;
        let mut n_links = 0;
        while self.eat(Tok::Comma) {
            n_links += 1;
            self.check_links(n_links)?;
            let rhs = self.assignment()?;
            let span = self.expr_span(lhs).to(self.expr_span(rhs));
            lhs = self.expr_at(span, ExprKind::Comma { lhs, rhs });
        }
        Ok(lhs)
    }

    /// An expression unless `end` follows at once.
    pub(super) fn opt_expression(&mut self, end: Tok) -> Parse<Option<ExprId>> {
        if self.at(end) {
            return Ok(None);
        }
        self.expression().map(Some)
    }

    /// assignment = conditional | unary assignment-operator assignment
    ///
    /// What may stand on the left is a question of types, which the C compiler answers.
    pub(super) fn assignment(&mut self) -> Parse<ExprId> {
        let mut right = self.conditional()?;
        if assignment_operator(self.kind()).is_none() {
            return Ok(right);
        }
        let mut pending = Vec::new();
        while let Some(op) = assignment_operator(self.kind()) {
            self.bump();
            pending.push((right, op));
            self.check_links(pending.len())?;
            right = self.conditional()?;
        }
        for (lhs, op) in pending.into_iter().rev() {
            let span = self.expr_span(lhs).to(self.expr_span(right));
            right = self.expr_at(span, ExprKind::Assign { op, lhs, rhs: right });
        }
        Ok(right)
    }

    /// conditional = binary ("?" expression? ":" conditional)?
    pub(super) fn conditional(&mut self) -> Parse<ExprId> {
        let mut last = self.binary(1)?;
        if !self.at(Tok::Question) {
            return Ok(last);
        }
        let mut pending = Vec::new();
        while self.at(Tok::Question) {
            let then = self.nested(|p| {
                p.bump();
                p.opt_expression(Tok::Colon)
            })?;
            self.expect(Tok::Colon, "`:` and the other value of `?:`")?;
            pending.push((last, then));
            self.check_links(pending.len())?;
            last = self.binary(1)?;
        }
        for (cond, then) in pending.into_iter().rev() {
            let span = self.expr_span(cond).to(self.expr_span(last));
            last = self.expr_at(span, ExprKind::Cond { cond, then, els: last });
        }
        Ok(last)
    }

    /// binary = cast (operator cast)*, by precedence; recursion is bounded by the ranks.
    fn binary(&mut self, min_rank: u8) -> Parse<ExprId> {
        let mut lhs = self.cast()?;
        let mut n_links = 0;
        while let Some((rank, op)) = binary_operator(self.kind()) {
            if rank < min_rank {
                break;
            }
            self.bump();
            n_links += 1;
            self.check_links(n_links)?;
            let rhs = self.binary(rank + 1)?;
            let span = self.expr_span(lhs).to(self.expr_span(rhs));
            lhs = self.expr_at(span, ExprKind::Binary { op, lhs, rhs });
        }
        Ok(lhs)
    }

    /// cast = unary | "(" type-name ")" cast | "(" type-name ")" braced-list postfix*
    pub(super) fn cast(&mut self) -> Parse<ExprId> {
        if !self.at(Tok::LParen) || !self.at_type_name(1) {
            return self.unary();
        }
        let lo = self.lo();
        let (ty, _) = self.parenthesized_type()?;
        if self.at(Tok::LBrace) {
            return self.compound_literal(lo, ty);
        }
        let operand = self.nested(Self::cast)?;
        Ok(self.expr(lo, ExprKind::Cast { ty, operand }))
    }

    fn compound_literal(&mut self, lo: u32, ty: TypeNameId) -> Parse<ExprId> {
        let init = self.braced_list()?;
        let literal = self.expr(lo, ExprKind::CompoundLit { ty, init });
        self.postfix_operators(literal)
    }

    /// unary = postfix | prefix-operator cast | ("++" | "--") unary | size-operator
    ///     | "&&" identifier
    fn unary(&mut self) -> Parse<ExprId> {
        let lo = self.lo();
        let kind = self.kind();
        if let Some(op) = prefix_operator(kind) {
            self.bump();
            let operand = self.nested(Self::cast)?;
            return Ok(self.expr(lo, ExprKind::Unary { op, operand }));
        }
        let op = match kind {
            Tok::Sizeof => SizeOp::Sizeof,
            Tok::Alignof => SizeOp::Alignof,
            Tok::LocalSizeof => SizeOp::UpcLocalsizeof,
            Tok::BlockSizeof => SizeOp::UpcBlocksizeof,
            Tok::ElemSizeof => SizeOp::UpcElemsizeof,
            Tok::AmpAmp => {
                self.bump();
                let label = self.expect_ident("the name of a label")?;
                return Ok(self.expr(lo, ExprKind::LabelAddr(label)));
            }
            _ => {
                let primary = self.primary()?;
                return self.postfix_operators(primary);
            }
        };
        self.bump();
        let operand = self.nested(Self::size_operand)?;
        Ok(self.expr(lo, ExprKind::SizeOf { op, operand }))
    }

    /// size-operator = ("sizeof" | "_Alignof" | "upc_localsizeof" | "upc_blocksizeof"
    ///     | "upc_elemsizeof") (unary | "(" type-name ")")        UPC 1.3 §6.4.1
    fn size_operand(&mut self) -> Parse<ExprOrType> {
        if !self.at(Tok::LParen) || !self.at_type_name(1) {
            return self.unary().map(ExprOrType::Expr);
        }
        let lo = self.lo();
        let (ty, _) = self.parenthesized_type()?;
        if self.at(Tok::LBrace) {
            return self.compound_literal(lo, ty).map(ExprOrType::Expr);
        }
        Ok(ExprOrType::Type(ty))
    }

    /// postfix = primary ("[" expression "]" | "(" arguments ")" | ("." | "->") identifier
    ///     | "++" | "--")*
    fn postfix_operators(&mut self, mut base: ExprId) -> Parse<ExprId> {
        let lo = self.expr_span(base).lo;
        let mut n_links = 0;
        loop {
            let kind = match self.kind() {
                Tok::LBracket => {
                    let open = self.bump();
                    let index = self.nested(Self::expression)?;
                    self.expect_close(Tok::RBracket, open)?;
                    ExprKind::Index { base, index }
                }
                Tok::LParen => {
                    let args = self.nested(Self::expression_list)?;
                    ExprKind::Call { callee: base, args }
                }
                kind @ (Tok::Dot | Tok::Arrow) => {
                    self.bump();
                    let field = self.expect_ident("the name of a member")?;
                    ExprKind::Member { base, field, arrow: kind == Tok::Arrow }
                }
                Tok::PlusPlus => {
                    self.bump();
                    ExprKind::Unary { op: UnaryOp::PostInc, operand: base }
                }
                Tok::MinusMinus => {
                    self.bump();
                    ExprKind::Unary { op: UnaryOp::PostDec, operand: base }
                }
                _ => return Ok(base),
            };
            n_links += 1;
            self.check_links(n_links)?;
            base = self.expr(lo, kind);
        }
    }
}
