// SPDX-License-Identifier: BSD-3-Clause
//! Statements. C17 §6.8.

use super::declarations::Declared;
use super::*;

/// Labels that stand before a statement, the first one outermost.
enum LabelKind {
    Name(Ident),
    Case { lo: ExprId, hi: Option<ExprId> },
    Default,
}

impl Parser<'_> {
    /// compound-statement with a scope of its own
    pub(super) fn compound(&mut self) -> Parse<StmtId> {
        self.names.enter();
        let result = self.nested(Self::block);
        self.names.leave();
        result
    }

    /// compound-statement = "{" pragma-upc* (declaration | statement)* "}"
    pub(super) fn block(&mut self) -> Parse<StmtId> {
        let open = self.bump();
        let mut list = Vec::new();
        for (span, consistency) in self.take_pragmas() {
            list.push(self.stmt_at(span, StmtKind::PragmaUpc(consistency)));
        }
        while !matches!(self.kind(), Tok::RBrace | Tok::Eof) {
            list.push(self.block_item());
        }
        self.misplaced_pragmas_before_close();
        self.expect_close(Tok::RBrace, open)?;
        Ok(self.stmt(open.lo, StmtKind::Compound(list)))
    }

    fn misplaced_pragmas_before_close(&mut self) {
        // Those directly before the `}` are inside this block, after its statements.
        if self.at(Tok::RBrace) {
            self.pos += 1;
            self.misplaced_pragmas();
            self.pos -= 1;
        }
    }

    /// A declaration or statement; what cannot be understood becomes verbatim text.
    fn block_item(&mut self) -> StmtId {
        let first = self.pos;
        let lo = self.lo();
        self.block_item_strict().unwrap_or_else(|Reported| {
            self.skip_to_end();
            if self.pos == first && !matches!(self.kind(), Tok::RBrace | Tok::Eof) {
                self.bump();
            }
            self.stmt(lo, StmtKind::Verbatim)
        })
    }

    fn block_item_strict(&mut self) -> Parse<StmtId> {
        let lo = self.lo();
        let is_label = self.at(Tok::Ident) && self.peek(1) == Tok::Colon;
        if is_label {
            return self.statement();
        }
        match self.kind() {
            Tok::StaticAssert => {
                let (span, condition) = self.static_assert()?;
                Ok(self.stmt_at(span, StmtKind::StaticAssert { condition }))
            }
            Tok::Label => {
                self.bump();
                while self.opt_ident().is_some() && self.eat(Tok::Comma) {}
                self.expect_semi("`__label__`")?;
                Ok(self.stmt(lo, StmtKind::Verbatim))
            }
            _ if self.at_attribute_statement() => {
                self.attributes(&mut Vec::new())?;
                self.statement()
            }
            Tok::LBracket if self.at_c2x_attribute() => self.declaration_statement(),
            Tok::Ident => match self.opt_old_statement() {
                Some(result) => result,
                None if self.at_declaration() => self.declaration_statement(),
                None => self.statement(),
            },
            _ if self.at_declaration() => self.declaration_statement(),
            _ => self.statement(),
        }
    }

    fn declaration_statement(&mut self) -> Parse<StmtId> {
        let lo = self.lo();
        let kind = match self.declaration()? {
            Declared::Declaration(id) => StmtKind::Declaration(id),
            Declared::Function(function) => StmtKind::Function(function),
        };
        Ok(self.stmt(lo, kind))
    }

    /// `__attribute__((fallthrough));` and attributes before other statements.
    fn at_attribute_statement(&self) -> bool {
        use Tok::*;
        let after = self.after_attributes();
        let kind = |idx: usize| self.tokens.get(idx).map_or(Eof, |token| token.kind);
        // C23 §6.8.2 has them before labels too.
        let is_label = self.at(LBracket) && kind(after) == Ident && kind(after + 1) == Colon;
        self.at_attribute()
            && (is_label
                || matches!(
                    kind(after),
                    Semi | If
                        | For
                        | While
                        | Do
                        | Switch
                        | Return
                        | Goto
                        | Break
                        | Continue
                        | Case
                        | Default
                        | LBrace
                        | RBrace
                        | Forall
                ))
    }

    /// The number of the token after the attributes that start here.
    fn after_attributes(&self) -> usize {
        let mut idx = self.pos;
        let mut depth = 0usize;
        while let Some(token) = self.tokens.get(idx) {
            match token.kind {
                Tok::LParen | Tok::LBracket => depth += 1,
                Tok::RParen | Tok::RBracket => depth = depth.saturating_sub(1),
                Tok::Attribute => {}
                _ if depth == 0 => return idx,
                _ => {}
            }
            idx += 1;
        }
        idx
    }

    /// The body of a loop or a branch: a statement one level deeper.
    pub(super) fn substatement(&mut self) -> Parse<StmtId> {
        self.nested(|p| match p.opt_old_statement() {
            Some(result) => result,
            None if p.at_attribute_statement() => {
                p.attributes(&mut Vec::new())?;
                p.statement()
            }
            None => p.statement(),
        })
    }

    /// statement = labeled | compound | expression? ";" | selection | iteration | jump | asm
    ///     | upc-forall | upc-synchronization
    fn statement(&mut self) -> Parse<StmtId> {
        let first = self.pos;
        let id = self.statement_itself()?;
        let from = self.other_pragmas.partition_point(|(before, _)| *before < first);
        let here = self.other_pragmas[from..].iter().take_while(|(before, _)| *before == first);
        let spans: Vec<Span> = here.map(|(_, span)| *span).collect();
        if !spans.is_empty() {
            self.ast.pragmas.insert(id, spans);
        }
        Ok(id)
    }

    fn statement_itself(&mut self) -> Parse<StmtId> {
        let lo = self.lo();
        match self.kind() {
            Tok::LBrace => self.compound(),
            Tok::Semi => {
                let span = self.bump();
                Ok(self.stmt_at(span, StmtKind::Empty))
            }
            Tok::Case | Tok::Default => self.labeled(),
            Tok::Ident if self.peek(1) == Tok::Colon => self.labeled(),
            Tok::If => self.if_chain(),
            Tok::Switch => {
                self.bump();
                let cond = self.condition()?;
                let body = self.substatement()?;
                Ok(self.stmt(lo, StmtKind::Switch { cond, body }))
            }
            Tok::While => {
                self.bump();
                let cond = self.condition()?;
                let body = self.substatement()?;
                Ok(self.stmt(lo, StmtKind::While { cond, body }))
            }
            Tok::Do => self.do_while(),
            Tok::For => self.for_loop(),
            Tok::Forall => self.upc_forall(),
            kind @ (Tok::Notify | Tok::Wait | Tok::Barrier | Tok::Fence) => {
                self.synchronization(kind)
            }
            Tok::Goto | Tok::Continue | Tok::Break | Tok::Return => self.jump(),
            Tok::Asm => self.asm(),
            Tok::Else => {
                let diagnostic =
                    Diagnostic::error(codes::E0102, self.span(), "`else` without `if`")
                        .label("no `if` ends just before")
                        .help("put the statements between `if (...)` and `else` in braces");
                Err(self.report(diagnostic))
            }
            _ => {
                let expr = match self.kind() {
                    kind if is_statement_start(kind) => self.expression()?,
                    _ => return Err(self.expected("a statement")),
                };
                self.expect_semi("this statement")?;
                Ok(self.stmt(lo, StmtKind::Expr(expr)))
            }
        }
    }

    /// labeled = (identifier ":" attribute* | "case" constant ("..." constant)? ":" | "default" ":")+
    ///     (statement | declaration)?
    fn labeled(&mut self) -> Parse<StmtId> {
        let mut labels = Vec::new();
        loop {
            let lo = self.lo();
            let label = match self.kind() {
                Tok::Case => {
                    self.bump();
                    let lo = self.conditional()?;
                    let hi = if self.eat(Tok::Ellipsis) { Some(self.conditional()?) } else { None };
                    LabelKind::Case { lo, hi }
                }
                Tok::Default => {
                    self.bump();
                    LabelKind::Default
                }
                Tok::Ident if self.peek(1) == Tok::Colon => {
                    LabelKind::Name(self.expect_ident("a label")?)
                }
                _ => break,
            };
            self.expect(Tok::Colon, "`:`")?;
            labels.push((lo, label));
            self.check_links(labels.len())?;
            // `label: __attribute__((unused)) x = 1;`: GNU C gives it to the label.
            if self.at_attribute() && !self.at_attribute_statement() {
                self.attributes(&mut Vec::new())?;
            }
        }
        // A label before `}` or a declaration is C23, and GNU C before that.
        let mut body = match self.kind() {
            Tok::RBrace => {
                let place = Span::new(self.prev_hi(), self.prev_hi());
                self.stmt_at(place, StmtKind::Empty)
            }
            _ => self.nested(Self::block_item_strict)?,
        };
        let hi = self.stmt_span(body).hi;
        for (lo, label) in labels.into_iter().rev() {
            let kind = match label {
                LabelKind::Name(name) => StmtKind::Label { name, body },
                LabelKind::Case { lo, hi } => StmtKind::Case { lo, hi, body },
                LabelKind::Default => StmtKind::Default { body },
            };
            body = self.stmt_at(Span::new(lo, hi), kind);
        }
        Ok(body)
    }

    /// "(" expression ")"; a bad one is an error node, and what follows is still read.
    fn condition(&mut self) -> Parse<ExprId> {
        let (cond, inside) = self.in_parens(Self::expression)?;
        Ok(cond.unwrap_or_else(|| self.expr_at(inside, ExprKind::Error)))
    }

    /// selection = "if" "(" expression ")" statement ("else" statement)?
    fn if_chain(&mut self) -> Parse<StmtId> {
        let mut branches = Vec::new();
        let mut last = None;
        while self.at(Tok::If) {
            let lo = self.bump().lo;
            let cond = self.condition()?;
            let then = self.substatement()?;
            branches.push((lo, cond, then));
            self.check_links(branches.len())?;
            if !self.eat(Tok::Else) {
                break;
            }
            if !self.at(Tok::If) {
                last = Some(self.substatement()?);
                break;
            }
        }
        let hi = self.prev_hi();
        for (lo, cond, then) in branches.into_iter().rev() {
            let kind = StmtKind::If { cond, then, els: last };
            last = Some(self.stmt_at(Span::new(lo, hi), kind));
        }
        last.ok_or(Reported)
    }

    /// "do" statement "while" "(" expression ")" ";"
    fn do_while(&mut self) -> Parse<StmtId> {
        let lo = self.bump().lo;
        let body = self.substatement()?;
        self.expect(Tok::While, "`while` after the body of `do`")?;
        let cond = self.condition()?;
        self.expect_semi("`do ... while (...)`")?;
        Ok(self.stmt(lo, StmtKind::DoWhile { body, cond }))
    }

    /// "for" "(" (declaration | expression? ";") expression? ";" expression? ")" statement
    fn for_loop(&mut self) -> Parse<StmtId> {
        let keyword = self.bump();
        self.names.enter();
        let result = self.in_parens(|p| p.for_clauses(keyword)).and_then(|(clauses, head)| {
            let body = self.substatement()?;
            let (init, cond, step) = clauses.unwrap_or((ForInit::None, None, None));
            Ok(For { init, cond, step, body, head })
        });
        self.names.leave();
        Ok(self.stmt(keyword.lo, StmtKind::For(Box::new(result?))))
    }

    fn for_clauses(&mut self, keyword: Span) -> Parse<(ForInit, Option<ExprId>, Option<ExprId>)> {
        let init = self.for_init()?;
        let cond = self.opt_expression(Tok::Semi)?;
        self.expect_semi("the loop's condition")?;
        // Up to the `;` of an affinity, too.
        let step = match self.at(Tok::Semi) {
            true => None,
            false => self.opt_expression(Tok::RParen)?,
        };
        if self.at(Tok::Semi) {
            self.for_with_affinity(keyword)?;
        }
        Ok((init, cond, step))
    }

    /// `for (i = 0; i < n; i++; &a[i])`
    fn for_with_affinity(&mut self, keyword: Span) -> Parse<()> {
        let diagnostic = Diagnostic::error(codes::E0102, self.span(), "a `for` with four clauses")
            .label("the fourth is an affinity, as `upc_forall` has")
            .note("UPC 1.3 §6.6.2: upc_forall (init; condition; step; affinity)")
            .suggest("write `upc_forall`", vec![Edit::replace(keyword, "upc_forall")]);
        self.report(diagnostic);
        self.bump();
        self.opt_expression(Tok::RParen)?;
        Ok(())
    }

    /// The first clause with its semicolon.
    pub(super) fn for_init(&mut self) -> Parse<ForInit> {
        if self.at_declaration() {
            return match self.declaration()? {
                Declared::Declaration(id) => Ok(ForInit::Declaration(id)),
                Declared::Function(_) => Err(self.expected("`;`")),
            };
        }
        let init = self.opt_expression(Tok::Semi)?;
        self.expect_semi("the loop's first clause")?;
        Ok(init.map_or(ForInit::None, ForInit::Expr))
    }

    /// "goto" (identifier | "*" expression) ";" | "continue" ";" | "break" ";"
    ///     | "return" expression? ";"
    fn jump(&mut self) -> Parse<StmtId> {
        let lo = self.lo();
        let keyword = self.kind();
        let name = self.bump().text(self.text);
        let kind = match keyword {
            Tok::Goto if self.eat(Tok::Star) => StmtKind::GotoComputed(self.expression()?),
            Tok::Goto => StmtKind::Goto(self.expect_ident("the name of a label")?),
            Tok::Continue => StmtKind::Continue,
            Tok::Break => StmtKind::Break,
            _ => StmtKind::Return(self.opt_expression(Tok::Semi)?),
        };
        self.expect_semi(&format!("the `{name}` statement"))?;
        Ok(self.stmt(lo, kind))
    }

    /// asm = "asm" ("volatile" | "inline" | "goto")* "(" string+ (":" operands)* ")" ";"
    fn asm(&mut self) -> Parse<StmtId> {
        let lo = self.bump().lo;
        while matches!(self.kind(), Tok::Volatile | Tok::Inline | Tok::Goto | Tok::Const) {
            self.bump();
        }
        let open = self.expect(Tok::LParen, "`(` after `asm`")?;
        let mut operands = Vec::new();
        loop {
            match self.kind() {
                Tok::StrLit | Tok::Comma | Tok::Colon | Tok::Ident => {
                    self.bump();
                }
                // `[name] "r" (value)`
                Tok::LBracket => self.skip_group(),
                Tok::LParen => {
                    let open = self.bump();
                    operands.push(self.nested(Self::expression)?);
                    self.expect_close(Tok::RParen, open)?;
                }
                _ => break,
            }
        }
        self.expect_close(Tok::RParen, open)?;
        self.expect_semi("`asm (...)`")?;
        Ok(self.stmt(lo, StmtKind::Asm { operands }))
    }
}

fn is_statement_start(kind: Tok) -> bool {
    use Tok::*;
    matches!(
        kind,
        Ident
            | Number
            | CharLit
            | StrLit
            | LParen
            | Star
            | Amp
            | AmpAmp
            | Plus
            | PlusPlus
            | Minus
            | MinusMinus
            | Tilde
            | Bang
            | Sizeof
            | Alignof
            | Generic
            | Real
            | Imag
            | Extension
            | VaArg
            | Offsetof
            | TypesCompatible
            | ChooseExpr
            | ConvertVector
            | LocalSizeof
            | BlockSizeof
            | ElemSizeof
            | Threads
            | MyThread
    )
}
