// SPDX-License-Identifier: BSD-3-Clause
//! Which strict accesses can do without a full fence.
//!
//! UPC orders a strict read after the relaxed writes before it (UPC 1.3 §5.1.2.3), and processors
//! let loads overtake stores. The fence is needed only if such a write may have happened since the
//! thread's last fence; every strict access leaves none behind. This is a forward analysis over
//! the tree of each function: a place is *clean* if no write to memory that may be shared can have
//! happened on any way to it since a fence. Functions begin unclean, and every call leaves
//! unclean. A loop without such writes gets one fence before it, if it has strict reads at all.
//!
//! What is not understood is unclean: a read that this pass does not mention keeps its fence.

use super::effects;
use crate::sema::pure;
use crate::sema::Sema;
use crate::span::Span;
use crate::syntax::ast::{
    Affinity, Ast, BinaryOp, DeclId, ExprId, ExprKind, For, ForInit, Item, StmtId, StmtKind,
    UnaryOp,
};
use crate::syntax::visit;
use rustc_hash::FxHashSet;

#[derive(Debug, Default)]
pub struct Fences {
    unfenced: FxHashSet<ExprId>,
    fenced_loops: FxHashSet<StmtId>,
}

impl Fences {
    /// `canonical`: loops before which nothing may stand.
    pub fn of(ast: &Ast, sema: &Sema, canonical: &FxHashSet<StmtId>) -> Fences {
        let mut all = Fences::default();
        if sema.strict.is_empty() {
            return all;
        }
        let (writes, reads) = (writes(ast, sema), reads(ast, sema));
        for item in &ast.items {
            let Item::Function(function) = item else { continue };
            let mut walk = Walk {
                ast,
                sema,
                canonical,
                writes: &writes,
                reads: &reads,
                is_clean: false,
                jumps: Jumps::default(),
                is_irregular: false,
                found: Fences::default(),
            };
            walk.stmt(function.body);
            if !walk.is_irregular {
                all.unfenced.extend(walk.found.unfenced);
                all.fenced_loops.extend(walk.found.fenced_loops);
            }
        }
        all
    }

    /// Must a fence stand before the strict access to the lvalue `id`? Relaxed writes may not have
    /// ended there. A write by the processor waits for those to this host by itself.
    pub fn is_before(&self, id: ExprId) -> bool {
        !self.unfenced.contains(&id)
    }

    /// Must a fence stand before the loop `id`, because none stands before the reads in it?
    pub fn is_before_loop(&self, id: StmtId) -> bool {
        self.fenced_loops.contains(&id)
    }
}

/// Where memory that may be shared is written relaxedly, or may be: ascending places. Taken from
/// all there is, not from a walk, so that sizes in types are not forgotten.
fn writes(ast: &Ast, sema: &Sema) -> Vec<u32> {
    let is_relaxed_write = |lhs: ExprId| {
        let lhs = ast.strip_parens(lhs);
        !sema.strict.contains(&lhs) && effects::written_variable(ast, sema, lhs).is_none()
    };
    let exprs = ast.exprs.iter().filter(|expr| match expr.kind {
        ExprKind::Call { callee, .. } => !pure::changes_nothing(ast, sema, callee),
        ExprKind::Assign { lhs, .. } => is_relaxed_write(lhs),
        ExprKind::Unary { op, operand } => is_step(op) && is_relaxed_write(operand),
        ExprKind::VaArg { .. } | ExprKind::Error => true,
        _ => false,
    });
    let is_way_in = |kind: &StmtKind| {
        matches!(kind, StmtKind::Label { .. } | StmtKind::Asm { .. } | StmtKind::Function(_))
    };
    let stmts = ast.stmts.iter().filter(|stmt| is_way_in(&stmt.kind));
    sorted(exprs.map(|e| e.span.lo).chain(stmts.map(|s| s.span.lo)))
}

/// Where something is accessed strictly.
fn reads(ast: &Ast, sema: &Sema) -> Vec<u32> {
    sorted(sema.strict.iter().map(|&id| ast.expr(id).span.lo))
}

fn sorted(places: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut places: Vec<u32> = places.collect();
    places.sort_unstable();
    places
}

fn has_any(places: &[u32], span: Span) -> bool {
    let first = places.partition_point(|&at| at < span.lo);
    places.get(first).is_some_and(|&at| at < span.hi)
}

fn is_step(op: UnaryOp) -> bool {
    matches!(op, UnaryOp::PreInc | UnaryOp::PreDec | UnaryOp::PostInc | UnaryOp::PostDec)
}

/// Whether every jump seen so far started clean; `None` where such a jump leads out of what the
/// walk understands.
#[derive(Clone, Copy, Debug, Default)]
struct Jumps {
    breaks: Option<bool>,
    continues: Option<bool>,
    /// From the head of the `switch`.
    cases: Option<bool>,
}

/// The parts of any loop.
struct Loop {
    init: ForInit,
    cond: Option<ExprId>,
    affinity: Option<ExprId>,
    body: StmtId,
    step: Option<ExprId>,
    is_cond_last: bool,
}

impl Loop {
    fn over(body: StmtId) -> Loop {
        let (init, cond, affinity, step) = (ForInit::None, None, None, None);
        Loop { init, cond, affinity, body, step, is_cond_last: false }
    }

    fn with_head(head: &For) -> Loop {
        Loop { init: head.init, cond: head.cond, step: head.step, ..Loop::over(head.body) }
    }
}

struct Walk<'a> {
    ast: &'a Ast,
    sema: &'a Sema,
    canonical: &'a FxHashSet<StmtId>,
    writes: &'a [u32],
    reads: &'a [u32],
    /// Of the place reached. Places that nothing reaches are clean.
    is_clean: bool,
    jumps: Jumps,
    /// The function has jumps that the walk does not follow; nothing is known of it.
    is_irregular: bool,
    found: Fences,
}

impl Walk<'_> {
    fn stmt(&mut self, id: StmtId) {
        let stmt = self.ast.stmt(id);
        match &stmt.kind {
            StmtKind::Compound(stmts) => stmts.iter().for_each(|&s| self.stmt(s)),
            StmtKind::Declaration(decl) => self.declaration(*decl),
            StmtKind::Expr(e) => self.expr(*e),
            StmtKind::Label { body, .. } => {
                self.is_clean = false;
                self.stmt(*body);
            }
            StmtKind::Case { body, .. } | StmtKind::Default { body } => {
                self.is_clean &= self.jumps.cases.unwrap_or(false);
                self.is_irregular |= self.jumps.cases.is_none();
                self.stmt(*body);
            }
            StmtKind::If { cond, then, els } => {
                self.expr(*cond);
                let before = self.is_clean;
                self.stmt(*then);
                let after = std::mem::replace(&mut self.is_clean, before);
                els.iter().for_each(|&s| self.stmt(s));
                self.is_clean &= after;
            }
            StmtKind::Switch { cond, body } => self.switch(*cond, *body),
            &StmtKind::While { cond, body } => {
                self.looped(id, &Loop { cond: Some(cond), ..Loop::over(body) });
            }
            &StmtKind::DoWhile { body, cond } => {
                let is_cond_last = true;
                self.looped(id, &Loop { cond: Some(cond), is_cond_last, ..Loop::over(body) });
            }
            StmtKind::For(head) => self.looped(id, &Loop::with_head(head)),
            StmtKind::UpcForall(forall) => {
                let mut parts = Loop::with_head(&forall.loop_);
                if let Affinity::Expr(e) = forall.affinity {
                    parts.affinity = Some(e);
                }
                self.looped(id, &parts);
            }
            StmtKind::Goto(_) | StmtKind::Return(None) => self.is_clean = true,
            StmtKind::GotoComputed(e) | StmtKind::Return(Some(e)) => {
                self.expr(*e);
                self.is_clean = true;
            }
            StmtKind::Break => self.jump(|jumps| &mut jumps.breaks),
            StmtKind::Continue => self.jump(|jumps| &mut jumps.continues),
            StmtKind::Asm { operands } => {
                operands.iter().for_each(|&e| self.expr(e));
                self.is_clean = false;
            }
            // All of them are fences, or as good as one (6.6.1p7).
            StmtKind::UpcNotify(value) | StmtKind::UpcWait(value) | StmtKind::UpcBarrier(value) => {
                value.iter().for_each(|&e| self.expr(e));
                self.is_clean = true;
            }
            StmtKind::UpcFence => self.is_clean = true,
            StmtKind::Function(_)
            | StmtKind::StaticAssert { .. }
            | StmtKind::Empty
            | StmtKind::PragmaUpc(_)
            | StmtKind::Verbatim => {}
        }
    }

    fn jump(&mut self, of_kind: impl FnOnce(&mut Jumps) -> &mut Option<bool>) {
        self.may_jump(of_kind);
        self.is_clean = true;
    }

    fn may_jump(&mut self, of_kind: impl FnOnce(&mut Jumps) -> &mut Option<bool>) {
        match of_kind(&mut self.jumps) {
            Some(all_clean) => *all_clean &= self.is_clean,
            None => self.is_irregular = true,
        }
    }

    fn switch(&mut self, cond: ExprId, body: StmtId) {
        self.expr(cond);
        let head = self.is_clean;
        let inner = Jumps { breaks: Some(true), cases: Some(head), ..self.jumps };
        let outer = std::mem::replace(&mut self.jumps, inner);
        self.is_clean = true;
        self.stmt(body);
        // No case may fit.
        self.is_clean &= head && self.jumps.breaks.unwrap_or(false);
        self.jumps = Jumps { continues: self.jumps.continues, ..outer };
    }

    fn looped(&mut self, id: StmtId, parts: &Loop) {
        let span = self.ast.stmt(id).span;
        let has_writes = has_any(self.writes, span);
        if !has_writes && !self.is_clean {
            if !has_any(self.reads, span) {
                return;
            }
            if !self.canonical.contains(&id) {
                self.found.fenced_loops.insert(id);
                self.is_clean = true;
            }
        }
        let inner = Jumps { breaks: Some(true), continues: Some(true), cases: None };
        let outer = std::mem::replace(&mut self.jumps, inner);
        match parts.init {
            ForInit::None => {}
            ForInit::Expr(e) => self.expr(e),
            ForInit::Declaration(decl) => self.declaration(decl),
        }
        // The head is reached from an earlier turn, too.
        self.is_clean &= !has_writes;
        self.turn(parts);
        self.is_clean = self.jumps.breaks.unwrap_or(false);
        self.jumps = outer;
    }

    /// One turn of the loop. It ends by `cond`, which is as good as a `break`.
    fn turn(&mut self, parts: &Loop) {
        let Loop { cond, affinity, body, step, is_cond_last, .. } = *parts;
        if let (Some(cond), false) = (cond, is_cond_last) {
            self.expr(cond);
            self.may_jump(|jumps| &mut jumps.breaks);
        }
        if let Some(affinity) = affinity {
            self.expr(affinity);
            self.may_jump(|jumps| &mut jumps.continues);
        }
        self.stmt(body);
        self.is_clean &= self.jumps.continues.unwrap_or(false);
        step.into_iter().for_each(|e| self.expr(e));
        if let (Some(cond), true) = (cond, is_cond_last) {
            self.expr(cond);
            self.may_jump(|jumps| &mut jumps.breaks);
        }
    }

    fn declaration(&mut self, id: DeclId) {
        let decl = self.ast.decl(id);
        self.opaque(decl.specs.span);
        for item in &decl.declarators {
            let cleanup = self.ast.names.get("cleanup");
            let attributes = decl.specs.attributes.iter().chain(&item.attributes);
            // A call at every way out of the block.
            self.is_irregular |= attributes.into_iter().any(|a| Some(a.name) == cleanup);
            self.opaque(item.declarator.span);
            let mut values = Vec::new();
            item.init
                .iter()
                .for_each(|&init| visit::in_init(self.ast, init, &mut |e| values.push(e)));
            self.unsequenced(&values, None);
        }
    }

    /// What is in `span` may be executed or not.
    fn opaque(&mut self, span: Span) {
        self.is_clean &= !has_any(self.writes, span);
    }

    fn expr(&mut self, id: ExprId) {
        self.parts(id);
        if self.sema.strict.contains(&id) {
            self.strict(id);
        }
    }

    fn strict(&mut self, id: ExprId) {
        if self.is_clean {
            self.found.unfenced.insert(id);
        }
        self.is_clean = true;
    }

    /// The expression but for the access to `id` itself.
    fn parts(&mut self, id: ExprId) {
        let expr = self.ast.expr(id);
        match expr.kind {
            ExprKind::Comma { lhs, rhs } => {
                self.expr(lhs);
                self.expr(rhs);
            }
            ExprKind::Binary { op: BinaryOp::LogAnd | BinaryOp::LogOr, lhs, rhs } => {
                self.expr(lhs);
                let without = self.is_clean;
                self.expr(rhs);
                self.is_clean &= without;
            }
            ExprKind::Cond { cond, then, els } => {
                self.expr(cond);
                let before = self.is_clean;
                then.into_iter().for_each(|e| self.expr(e));
                let after = std::mem::replace(&mut self.is_clean, before);
                self.expr(els);
                self.is_clean &= after;
            }
            ExprKind::StmtExpr(body) => {
                let outer = std::mem::take(&mut self.jumps);
                self.stmt(body);
                self.jumps = outer;
            }
            ExprKind::Cast { ty, .. } | ExprKind::CompoundLit { ty, .. }
                if has_any(self.writes, self.ast.type_name(ty).span) =>
            {
                self.is_clean = false;
            }
            ExprKind::SizeOf { .. }
            | ExprKind::Generic { .. }
            | ExprKind::ChooseExpr { .. }
            | ExprKind::VaArg { .. }
            | ExprKind::Offsetof { .. }
            | ExprKind::TypesCompatible { .. } => self.opaque(expr.span),
            ExprKind::Assign { lhs, .. } => self.change(id, lhs),
            ExprKind::Unary { op, operand } if is_step(op) => self.change(id, operand),
            ExprKind::Call { callee, .. } => {
                self.operands(id, None);
                self.is_clean &= pure::changes_nothing(self.ast, self.sema, callee);
            }
            _ => self.operands(id, None),
        }
    }

    /// An assignment, or a step, that changes `lhs`.
    fn change(&mut self, id: ExprId, lhs: ExprId) {
        self.operands(id, Some(lhs));
        let place = self.ast.strip_parens(lhs);
        if self.sema.strict.contains(&place) {
            self.strict(place);
        } else if effects::written_variable(self.ast, self.sema, place).is_none() {
            self.is_clean = false;
        }
    }

    fn operands(&mut self, id: ExprId, place: Option<ExprId>) {
        let mut operands = Vec::new();
        visit::children(self.ast, id, &mut |child| operands.push(child));
        self.unsequenced(&operands, place);
    }

    /// `operands` in any order; of `place`, only where it is matters.
    fn unsequenced(&mut self, operands: &[ExprId], place: Option<ExprId>) {
        let writes = |e: ExprId| has_any(self.writes, self.ast.expr(e).span);
        let reads = |e: ExprId| has_any(self.reads, self.ast.expr(e).span);
        let writing: Vec<bool> = operands.iter().map(|&e| writes(e)).collect();
        let count = writing.iter().filter(|&&writes| writes).count();
        let is_alone = operands.iter().filter(|&&e| writes(e) || reads(e)).count() == 1;
        let (before, mut any_clean) = (self.is_clean, self.is_clean);
        let mut after = before && count == 0;
        for (&e, writes) in operands.iter().zip(writing) {
            let others = count - usize::from(writes);
            self.is_clean = before && others == 0;
            match place == Some(e) {
                true => self.parts(self.ast.strip_parens(e)),
                false => self.expr(e),
            }
            any_clean |= self.is_clean;
            if is_alone && writes {
                after = self.is_clean;
            }
        }
        self.is_clean = if count == 0 { any_clean } else { after };
    }
}
