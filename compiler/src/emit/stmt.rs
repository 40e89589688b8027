// SPDX-License-Identifier: BSD-3-Clause
//! Statements.

use super::decl::Scope;
use super::Emitter;
use crate::marker::c_string;
use crate::sema::PragmaName;
use crate::span::Span;
use crate::syntax::ast::{ExprId, For, ForInit, StmtId, StmtKind};

impl Emitter<'_> {
    pub(super) fn stmt(&mut self, id: StmtId) {
        self.pragma_names(id);
        if self.is_loop(id)
            && !self.canonical.contains(&id)
            && (self.versions(id) || self.assuming(id) || self.swept(id))
        {
            return;
        }
        self.stmt_itself(id);
    }

    /// In one version.
    pub(super) fn stmt_itself(&mut self, id: StmtId) {
        if !self.is_loop(id) {
            return self.stmt_by_kind(id);
        }
        let outer = self.outer_loop.replace(id);
        self.keeping_blocks(id, |e| e.stmt_by_kind(id));
        self.outer_loop = outer;
    }

    fn stmt_by_kind(&mut self, id: StmtId) {
        let stmt = self.ast.stmt(id);
        if self.fences.is_before_loop(id) {
            self.edit(Span::new(stmt.span.lo, stmt.span.lo), "{ upcr_fence(); ");
            self.edit(Span::new(stmt.span.hi, stmt.span.hi), " }");
        }
        match &stmt.kind {
            StmtKind::Compound(stmts) => self.stmts(stmts),
            StmtKind::Declaration(decl) => self.declaration(*decl, Scope::Block),
            StmtKind::Function(function) => self.function(function),
            StmtKind::StaticAssert { condition } => self.edit_value(*condition),
            StmtKind::Expr(expr) if self.value_stmt == Some(id) => self.edit_value(*expr),
            StmtKind::Expr(expr) => self.edit_effect(*expr),
            StmtKind::Label { body, .. } | StmtKind::Default { body } => {
                if self.value_stmt == Some(id) {
                    self.value_stmt = Some(*body);
                }
                self.stmt(*body);
            }
            StmtKind::Case { lo, hi, body } => {
                self.edit_value(*lo);
                hi.iter().for_each(|&hi| self.edit_value(hi));
                self.stmt(*body);
            }
            // All iterations that come here are this thread's.
            StmtKind::If { .. } if self.split.as_ref().is_some_and(|s| s.filter == Some(id)) => {
                self.edit(stmt.span, ";");
            }
            StmtKind::If { cond, then, els } => {
                self.edit_value(*cond);
                self.stmt(*then);
                els.iter().for_each(|&els| self.stmt(els));
            }
            StmtKind::Switch { cond, body } => {
                self.edit_value(*cond);
                self.stmt(*body);
            }
            StmtKind::While { cond, body } | StmtKind::DoWhile { body, cond } => {
                let is_doubled = self.by_blocks(id);
                self.edit_value(*cond);
                self.loop_body(*body, None);
                self.end_by_blocks(id, is_doubled);
            }
            StmtKind::For(head) => {
                let is_doubled = self.by_blocks(id);
                self.for_head(stmt.span, head);
                let n_found = self.n_found;
                self.body_of(head, |e| e.loop_body(head.body, Some(head)));
                self.end_by_blocks(id, is_doubled);
                if !is_doubled {
                    self.unroll(id, head, n_found);
                }
            }
            StmtKind::UpcForall(forall) => self.forall(stmt.span, forall),
            StmtKind::GotoComputed(expr) | StmtKind::Return(Some(expr)) => self.edit_value(*expr),
            StmtKind::Asm { operands } => operands.iter().for_each(|&o| self.asm_operand(o)),
            StmtKind::UpcNotify(value) => self.barrier("upcr_notify", stmt.span, *value),
            StmtKind::UpcWait(value) => self.barrier("upcr_wait", stmt.span, *value),
            StmtKind::UpcBarrier(value) => self.barrier("upcr_barrier", stmt.span, *value),
            StmtKind::UpcFence => self.edit(stmt.span, self.fence_statement(stmt.span.lo)),
            // C would warn that it does not know the pragma.
            StmtKind::PragmaUpc(_) => self.edit(stmt.span, ""),
            StmtKind::Empty
            | StmtKind::Goto(_)
            | StmtKind::Continue
            | StmtKind::Break
            | StmtKind::Return(None)
            | StmtKind::Verbatim => {}
        }
    }

    /// Names that have others in emitted C, in the pragmas before the statement `id`.
    fn pragma_names(&mut self, id: StmtId) {
        let Some(pragmas) = self.ast.pragmas.get(&id) else { return };
        for &(span, name) in &self.sema.pragma_names {
            if pragmas.iter().any(|pragma| pragma.lo <= span.lo && span.hi <= pragma.hi) {
                let text = match name {
                    PragmaName::MyThread => self.mythread().to_string(),
                    PragmaName::Threads => "((int)upcr_threads())".to_string(),
                    PragmaName::Shared(object) => self.cell_name(object),
                };
                self.edit(span, text);
            }
        }
    }

    pub(super) fn edit_effect(&mut self, id: ExprId) {
        if let Some(text) = self.effect(id) {
            self.edit(self.ast.expr(id).span, text);
        }
    }

    /// An operand may be an output, which must stay an lvalue.
    fn asm_operand(&mut self, id: ExprId) {
        let text = match self.sema.flags(id).is_lvalue {
            true => self.lvalue(id),
            false => self.value(id),
        };
        if let Some(text) = text {
            self.edit(self.ast.expr(id).span, text);
        }
    }

    /// The three expressions of a `for` or `upc_forall`.
    pub(super) fn for_head(&mut self, stmt: Span, head: &For) {
        match head.init {
            ForInit::None => {}
            ForInit::Expr(expr) => self.edit_effect(expr),
            ForInit::Declaration(decl) => {
                let many = self.ast.decl(decl).declarators.len() > 1 || self.has_lengths(decl);
                if many && self.is_rewritten(decl, Scope::Block) {
                    // Several declarations do not fit into the head.
                    let text = self.rewritten(decl, Scope::Block);
                    self.edit(Span::new(stmt.lo, stmt.lo), format!("{{ {text} "));
                    self.edit(self.ast.decl(decl).span, ";");
                    self.edit(Span::new(stmt.hi, stmt.hi), " }");
                } else {
                    self.declaration(decl, Scope::Block);
                }
            }
        }
        head.cond.into_iter().for_each(|cond| self.edit_value(cond));
        head.step.into_iter().for_each(|step| self.edit_effect(step));
    }

    fn barrier(&mut self, function: &str, span: Span, value: Option<ExprId>) {
        let (file, line) = self.file_and_line(span.lo);
        let file = c_string(&file);
        let value = match value {
            Some(value) => format!("1, (int)({})", self.value_text(value)),
            None => "0, 0".into(),
        };
        self.edit(span, format!("{function}({value}, {file}, {line});"));
    }

    /// The user's file and line at `offset`.
    pub(super) fn file_and_line(&self, offset: u32) -> (String, u32) {
        let lines = &self.ast.lines;
        match lines.regions.is_empty() {
            true => (self.options.file.clone(), 1),
            false => {
                let place = lines.locate(offset);
                (lines.file(place.file).name.clone(), place.line)
            }
        }
    }
}
