// SPDX-License-Identifier: BSD-3-Clause
//! Private arrays that threads fill together, as if they were shared: each thread has its own array
//! (UPC 1.3 §3.4.2), and a thread that reads the whole finds there only what it has itself stored.

use crate::diag::{codes, Diagnostic};
use crate::sema::analyser::Analyser;
use crate::sema::ObjectId;
use crate::syntax::ast::*;
use crate::syntax::visit::{all_in_expr, all_in_stmt, all_stmts, for_head};
use rustc_hash::{FxHashMap, FxHashSet};

/// Elements of private arrays that a function uses: one expression for each array.
#[derive(Default)]
struct Uses {
    /// Stored in a `upc_forall`, with an index that its iterations choose.
    dealt: FxHashMap<ObjectId, ExprId>,
    /// Stored with the index MYTHREAD.
    numbered: FxHashMap<ObjectId, ExprId>,
    /// All stores of these two kinds.
    stores: FxHashSet<ExprId>,
    /// Read in a loop of one thread alone.
    read_by_one: FxHashMap<ObjectId, ExprId>,
    /// Read in a loop over all elements.
    read_by_each: FxHashMap<ObjectId, ExprId>,
}

impl Analyser<'_> {
    /// `body` is that of a function. Nothing is said of arrays that are assigned in other ways too,
    /// or used as a whole: these may have got the other threads' elements.
    pub(in crate::sema) fn check_own_copies(&mut self, body: StmtId) {
        let mut uses = Uses::default();
        self.find_stores(body, &mut uses);
        if uses.stores.is_empty() {
            return;
        }
        self.find_reads(body, &mut uses);
        let dealt = uses.dealt.iter().map(|(id, store)| (id, store, uses.read_by_one.get(id)));
        let numbered =
            uses.numbered.iter().map(|(id, store)| (id, store, uses.read_by_each.get(id)));
        let mut found: Vec<_> = dealt
            .chain(numbered)
            .filter_map(|(&id, &store, read)| Some((id, store, *read?)))
            .filter(|&(id, ..)| self.has_no_other_use(body, id, &uses.stores))
            .collect();
        found.sort_by_key(|&(_, store, _)| self.span(store).lo);
        found.dedup_by_key(|&mut (id, ..)| id);
        found.into_iter().for_each(|(id, store, read)| self.own_copy(id, store, read));
    }

    fn find_stores(&self, body: StmtId, uses: &mut Uses) {
        all_in_stmt(self.ast, body, &mut |e| {
            if let Some((id, lhs)) = self.store(e, &|index| self.is_mine(index)) {
                uses.numbered.entry(id).or_insert(lhs);
                uses.stores.insert(lhs);
            }
        });
        all_stmts(self.ast, body, &mut |id| {
            let StmtKind::UpcForall(forall) = &self.ast.stmt(id).kind else { return };
            let Affinity::Expr(_) = forall.affinity else { return };
            let control = self.control(&forall.loop_);
            all_in_stmt(self.ast, forall.loop_.body, &mut |e| {
                let is_chosen = |index| self.variable(index).is_some_and(|i| control.contains(&i));
                if let Some((id, lhs)) = self.store(e, &is_chosen) {
                    uses.dealt.entry(id).or_insert(lhs);
                    uses.stores.insert(lhs);
                }
            });
        });
    }

    /// An assignment to an element, an index of which is as wanted.
    fn store(&self, e: ExprId, wanted: &dyn Fn(ExprId) -> bool) -> Option<(ObjectId, ExprId)> {
        let ExprKind::Assign { lhs, .. } = self.ast.expr(e).kind else { return None };
        let (id, indices) = self.private_element(lhs)?;
        indices.into_iter().any(wanted).then_some((id, lhs))
    }

    fn find_reads(&mut self, body: StmtId, uses: &mut Uses) {
        let (mut branches, mut loops) = (Vec::new(), Vec::new());
        all_stmts(self.ast, body, &mut |id| match &self.ast.stmt(id).kind {
            StmtKind::If { cond, then, .. } => branches.push((*cond, *then)),
            StmtKind::For(head) if self.is_of_all(head) => loops.push(head),
            _ => {}
        });
        for (cond, then) in branches {
            if self.is_one_thread(cond) {
                all_stmts(self.ast, then, &mut |id| self.find_reads_by_one(id, uses));
            }
        }
        for head in loops {
            let control = self.control(head);
            all_in_stmt(self.ast, head.body, &mut |e| {
                let Some((id, indices)) = self.private_element(e) else { return };
                let is_control = |index| self.variable(index).is_some_and(|i| control.contains(&i));
                if indices.into_iter().any(is_control) {
                    uses.read_by_each.entry(id).or_insert(e);
                }
            });
        }
    }

    fn find_reads_by_one(&self, id: StmtId, uses: &mut Uses) {
        use StmtKind::{DoWhile, For, While};
        if let For(_) | While { .. } | DoWhile { .. } = self.ast.stmt(id).kind {
            all_in_stmt(self.ast, id, &mut |e| {
                if let Some((id, _)) = self.private_element(e) {
                    uses.read_by_one.entry(id).or_insert(e);
                }
            });
        }
    }

    /// The variables that a loop's step changes.
    fn control(&self, head: &For) -> Vec<ObjectId> {
        let mut control = Vec::new();
        if let Some(step) = head.step {
            all_in_expr(self.ast, step, &mut |e| control.extend(self.variable(e)));
        }
        control
    }

    /// No loop that begins at the thread's number, or ends there.
    fn is_of_all(&self, head: &For) -> bool {
        let mut is_of_all = true;
        for_head(self.ast, head, &mut |e| is_of_all &= !self.names_thread(e));
        is_of_all
    }

    fn has_no_other_use(&self, body: StmtId, of: ObjectId, stores: &FxHashSet<ExprId>) -> bool {
        let (mut named, mut elements, mut others) = (0, 0, 0);
        let is_its = |e| self.private_element(e).is_some_and(|(id, _)| id == of);
        all_in_stmt(self.ast, body, &mut |e| match self.ast.expr(e).kind {
            ExprKind::Ident(_) if self.variable(e) == Some(of) => named += 1,
            ExprKind::Index { base, .. } if self.variable(base) == Some(of) => elements += 1,
            ExprKind::Assign { lhs, .. } if is_its(lhs) && !stores.contains(&lhs) => others += 1,
            ExprKind::Unary { op: UnaryOp::AddrOf, operand } if is_its(operand) => others += 1,
            _ => {}
        });
        named == elements && others == 0
    }

    /// `a[i]`, `a[i][j]` of a private array, and its indices.
    fn private_element(&self, e: ExprId) -> Option<(ObjectId, Vec<ExprId>)> {
        let (mut e, mut indices) = (self.ast.strip_parens(e), Vec::new());
        while let ExprKind::Index { base, index } = self.ast.expr(e).kind {
            indices.push(index);
            e = self.ast.strip_parens(base);
        }
        let id = self.variable(e)?;
        let ty = self.sema.object(id).ty;
        let is_private_array = self.types().is_array(ty) && !self.types().is_shared(ty);
        (is_private_array && !indices.is_empty()).then_some((id, indices))
    }

    fn variable(&self, e: ExprId) -> Option<ObjectId> {
        self.sema.object_of(self.ast.strip_parens(e)).map(|(id, _)| id)
    }

    fn own_copy(&mut self, id: ObjectId, store: ExprId, read: ExprId) {
        let object = self.sema.object(id);
        let (name, declared) = (self.name(object.name), object.span);
        let title = format!("each thread fills its own `{name}`, which is private");
        self.error(
            Diagnostic::warning(codes::W0512, self.span(store), title)
                .label("stored in this thread's own copy")
                .at(self.span(read), "where the other threads' elements are not")
                .at(declared, "declared without `shared`")
                .note("UPC 1.3 §3.4.2: each thread has its own private objects, which no other thread can access")
                .help(format!("declare `{name}` as `shared`, at file scope or `static`")),
        );
    }
}
