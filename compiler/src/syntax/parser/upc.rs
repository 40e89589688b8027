// SPDX-License-Identifier: BSD-3-Clause
//! What UPC adds to C's grammar. UPC 1.3 §6.4 to §6.7.

use super::names::Meaning;
use super::*;
use crate::syntax::token::old_statement;

impl Parser<'_> {
    /// layout-qualifier = "[" (constant-expression | "*")? "]"        UPC 1.3 §6.5.1.1
    pub(super) fn opt_layout(&mut self) -> Parse<Layout> {
        if !self.at(Tok::LBracket) || self.at_c2x_attribute() {
            return Ok(Layout::None);
        }
        let open = self.bump();
        let layout = match self.kind() {
            Tok::RBracket => Layout::Indefinite,
            Tok::Star if self.peek(1) == Tok::RBracket => {
                self.bump();
                Layout::Star
            }
            _ => Layout::Size(self.conditional()?),
        };
        self.expect_close(Tok::RBracket, open)?;
        Ok(layout)
    }

    /// `shared const [4] int`: a layout that does not follow `shared` directly.
    pub(super) fn is_late_layout(&self, quals: &[Qualifier]) -> bool {
        let is_shared = |q: &Qualifier| matches!(q.kind, QualifierKind::Shared(_));
        // After a qualifier no declarator can begin with `[`.
        quals.last().is_some_and(|q| q.span.hi == self.prev_hi()) && quals.iter().any(is_shared)
    }

    pub(super) fn late_layout(&mut self) -> Parse<()> {
        let place = self.span();
        let title = "the block size does not stand directly after `shared`";
        let diagnostic = Diagnostic::error(codes::E0102, place, title)
            .label("belongs to `shared`")
            .note("UPC 1.3 §6.5.1.1p1: shared-type-qualifier is `shared [...]`")
            .help("move it: `shared [n] const int`, not `shared const [n] int`");
        self.report(diagnostic);
        self.opt_layout().map(|_| ())
    }

    /// upc-forall = "upc_forall" "(" (declaration | expr? ";") expr? ";" expr? ";" affinity? ")"
    ///     statement        UPC 1.3 §6.6.2; affinity = expr | "continue"
    pub(super) fn upc_forall(&mut self) -> Parse<StmtId> {
        let keyword = self.bump();
        self.names.enter();
        let result = self.forall_rest(keyword);
        self.names.leave();
        result
    }

    fn forall_rest(&mut self, keyword: Span) -> Parse<StmtId> {
        let (clauses, head) = self.in_parens(Self::forall_clauses)?;
        let body = self.substatement()?;
        let Some((init, cond, step, affinity)) = clauses else {
            // What is wrong has been said; without an affinity it would seem to have none.
            let loop_ = For { init: ForInit::None, cond: None, step: None, body, head };
            return Ok(self.stmt(keyword.lo, StmtKind::For(Box::new(loop_))));
        };
        let loop_ = For { init, cond, step, body, head };
        let forall = Box::new(Forall { loop_, affinity, keyword });
        Ok(self.stmt(keyword.lo, StmtKind::UpcForall(forall)))
    }

    #[allow(clippy::type_complexity)]
    fn forall_clauses(&mut self) -> Parse<(ForInit, Option<ExprId>, Option<ExprId>, Affinity)> {
        if !self.has_clauses(self.pos - 1) {
            return Err(self.lacks_clauses());
        }
        let init = self.for_init()?;
        let cond = self.opt_expression(Tok::Semi)?;
        self.expect_semi("the loop's condition")?;
        let step = self.opt_expression(Tok::Semi)?;
        if self.at(Tok::RParen) {
            let title = "this `upc_forall` has no affinity clause";
            let diagnostic = Diagnostic::error(codes::E0102, self.span(), title)
                .label("expected `;` and the affinity")
                .note("UPC 1.3 §6.6.2: upc_forall (init; condition; step; affinity)")
                .help("add `; &a[i]` or `; i`, or write `for` if every thread is to run all of it");
            return Err(self.report(diagnostic));
        }
        self.expect_semi("the loop's step")?;
        let affinity = match self.kind() {
            Tok::RParen => Affinity::Every,
            Tok::Continue => {
                self.bump();
                Affinity::Every
            }
            _ => Affinity::Expr(self.expression()?),
        };
        Ok((init, cond, step, affinity))
    }

    /// `upc_forall (i = 0, i < n, i++, i)`; the first clause begins here.
    fn lacks_clauses(&mut self) -> Reported {
        let (mut depth, mut commas) = (0usize, Vec::new());
        for token in &self.tokens[self.pos..] {
            match token.kind {
                Tok::RParen | Tok::Eof if depth == 0 => break,
                Tok::LParen | Tok::LBracket => depth += 1,
                Tok::RParen | Tok::RBracket => depth = depth.saturating_sub(1),
                Tok::Comma if depth == 0 => commas.push(Span::new(token.lo, token.hi)),
                _ => {}
            }
        }
        let place = commas.first().copied().unwrap_or(self.span());
        let diagnostic =
            Diagnostic::error(codes::E0102, place, "the clauses of `upc_forall` end in `;`")
                .label("expected `;`")
                .note("UPC 1.3 §6.6.2: upc_forall (init; condition; step; affinity)");
        let edits = commas.iter().map(|&comma| Edit::replace(comma, ";")).collect();
        let diagnostic = match commas.len() {
            3 => diagnostic.fix("write `;` for each `,`", edits),
            _ => diagnostic.help("write `upc_forall (i = 0; i < n; i++; &a[i])`"),
        };
        self.report(diagnostic)
    }

    /// synchronization-statement = ("upc_notify" | "upc_wait" | "upc_barrier") expr? ";"
    ///     | "upc_fence" ";"        UPC 1.3 §6.6.1
    pub(super) fn synchronization(&mut self, kind: Tok) -> Parse<StmtId> {
        let lo = self.lo();
        let name = self.bump().text(self.text).to_string();
        if self.at(Tok::LParen) && self.peek(1) == Tok::RParen {
            self.called_statement(&name);
        }
        let value = match kind {
            Tok::Fence => None,
            _ if self.at_statement() => None,
            _ => self.opt_expression(Tok::Semi)?,
        };
        self.expect_semi(&format!("`{name}`"))?;
        let kind = match kind {
            Tok::Notify => StmtKind::UpcNotify(value),
            Tok::Wait => StmtKind::UpcWait(value),
            Tok::Barrier => StmtKind::UpcBarrier(value),
            _ => StmtKind::UpcFence,
        };
        Ok(self.stmt(lo, kind))
    }

    /// At a word that begins another statement, or at the end of this one's block.
    fn at_statement(&self) -> bool {
        use Tok::*;
        let kind = self.kind();
        let is_loop = matches!(kind, For | While | Do | Forall);
        let is_jump = matches!(kind, Return | Break | Continue | Goto);
        let is_sync = matches!(kind, Notify | Wait | Barrier | Fence);
        is_loop || is_jump || is_sync || matches!(kind, If | Switch | RBrace | Eof)
    }

    /// `upc_barrier();`, as if it were a function; the current token is the parenthesis.
    fn called_statement(&mut self, name: &str) {
        let parens = Span::new(self.span().lo, self.tokens[self.pos + 1].hi);
        let title = format!("`{name}` is a statement, not a function");
        let diagnostic = Diagnostic::error(codes::E0102, parens, title)
            .label("takes no parentheses")
            .note(format!("UPC 1.3 §6.6.1p1: synchronization-statement is `{name}` and `;`, without arguments"))
            .fix(format!("write `{name};`"), vec![Edit::remove(parens)]);
        self.report(diagnostic);
        self.bump();
        self.bump();
    }

    /// `upc_for_all (;;;)`, `for_each (;;;)` and the like: an undeclared name before clauses.
    fn opt_misspelt_forall(&mut self) -> Option<Parse<StmtId>> {
        let token = self.token();
        let name = self.ast.names.name(token.sym);
        let is_it = token.kind == Tok::Ident
            && ["upc", "for_", "foreach"].iter().any(|s| name.to_ascii_lowercase().starts_with(s))
            && self.names.get(token.sym) == Meaning::Unknown
            && self.peek(1) == Tok::LParen
            && self.has_clauses(self.pos + 1);
        if !is_it {
            return None;
        }
        let diagnostic =
            Diagnostic::error(codes::E0420, self.span(), format!("`{name}` is not declared"))
                .label("the only loop of UPC's own is `upc_forall`")
                .fix("write `upc_forall`", vec![Edit::replace(self.span(), "upc_forall")]);
        self.report(diagnostic);
        Some(self.upc_forall())
    }

    /// `barrier;`, `forall (;;;)` and the like, of which UPC 1.1 changed the names. Only a name
    /// that is not declared, in a place where nothing else fits, is taken for one of them.
    pub(super) fn opt_old_statement(&mut self) -> Option<Parse<StmtId>> {
        if let Some(result) = self.opt_misspelt_forall() {
            return Some(result);
        }
        let token = self.token();
        let new = old_statement(token.sym).filter(|_| token.kind == Tok::Ident)?;
        if self.names.get(token.sym) != Meaning::Unknown {
            return None;
        }
        let fits = match self.peek(1) {
            Tok::Semi => new != Tok::Forall,
            Tok::Ident | Tok::Number | Tok::Threads | Tok::MyThread => {
                !matches!(new, Tok::Forall | Tok::Fence)
            }
            Tok::LParen => new == Tok::Forall && self.has_clauses(self.pos + 1),
            _ => false,
        };
        if !fits {
            return None;
        }
        let name = self.ast.names.name(token.sym).to_string();
        let title = format!("`{name}` is called `upc_{name}`");
        let diagnostic = Diagnostic::error(codes::E0106, self.span(), title)
            .label("an old name of UPC before version 1.1")
            .fix(format!("write `upc_{name}`"), vec![Edit::before(self.span(), "upc_")]);
        self.report(diagnostic);
        Some(if new == Tok::Forall { self.upc_forall() } else { self.synchronization(new) })
    }

    /// Whether a semicolon stands between the parentheses that open at `open`, not counting those
    /// between braces. Braces that begin no initialiser, literal or statement expression are the body's.
    fn has_clauses(&self, open: usize) -> bool {
        let (mut depth, mut braces, mut before) = (0usize, 0usize, Tok::LParen);
        for token in &self.tokens[open..] {
            match token.kind {
                Tok::Eof => return false,
                Tok::LBrace if braces > 0 => braces += 1,
                Tok::RBrace if braces > 0 => braces -= 1,
                _ if braces > 0 => {}
                Tok::LBrace if matches!(before, Tok::Eq | Tok::LParen | Tok::RParen) => {
                    braces += 1;
                }
                Tok::LParen => depth += 1,
                Tok::RParen => depth -= 1,
                Tok::Semi => return true,
                Tok::LBrace | Tok::RBrace => return false,
                _ => {}
            }
            if depth == 0 {
                return false;
            }
            before = token.kind;
        }
        false
    }

    /// Pragmas that stand exactly here, which must be a place where they count.
    pub(super) fn take_pragmas(&mut self) -> Vec<(Span, Consistency)> {
        self.misplaced_pragmas();
        let mut taken = Vec::new();
        while let Some(pragma) = self.pragmas.get(self.next_pragma) {
            if pragma.before > self.pos {
                break;
            }
            taken.push((pragma.span, pragma.consistency));
            self.next_pragma += 1;
        }
        taken
    }

    /// Warns of pragmas before this place that nobody took.
    pub(super) fn misplaced_pragmas(&mut self) {
        while let Some(pragma) = self.pragmas.get(self.next_pragma) {
            if pragma.before >= self.pos {
                return;
            }
            let title = "this `#pragma upc` has no effect here";
            self.diags.push(
                Diagnostic::warning(codes::W0105, pragma.span, title)
                    .label("ignored")
                    .note(
                        "UPC 1.3 §6.7.1p4: it stands outside all functions, or before every \
                         declaration and statement of a `{...}`",
                    )
                    .help("move it to the start of the block"),
            );
            self.ast.obeyed_pragmas.push(pragma.span);
            self.next_pragma += 1;
        }
    }
}
