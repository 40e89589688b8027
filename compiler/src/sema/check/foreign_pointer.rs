// SPDX-License-Identifier: BSD-3-Clause
//! Private pointers that threads find in shared memory where another thread has put them: what they
//! point to is that thread's alone (UPC 1.3 §3.4.2, §6.4.3p4).

use crate::diag::{codes, Diagnostic};
use crate::sema::analyser::Analyser;
use crate::sema::{ObjectId, ObjectKind};
use crate::syntax::ast::{BinaryOp, ExprId, ExprKind, StmtId, StmtKind, UnaryOp};
use crate::syntax::visit::{all_in_expr, all_in_stmt};

impl Analyser<'_> {
    /// `body` is that of a function. Nothing is said where some threads alone may come.
    pub(in crate::sema) fn check_foreign_pointers(&mut self, body: StmtId) {
        let mut found = Vec::new();
        all_in_stmt(self.ast, body, &mut |e| {
            if let Some((pointer, root)) = self.shared_pointer(e) {
                found.push((e, pointer, root));
            }
        });
        if found.is_empty() {
            return;
        }
        let chosen = self.exprs_within(body, &|kind| {
            let cond = match kind {
                StmtKind::If { cond, .. }
                | StmtKind::Switch { cond, .. }
                | StmtKind::While { cond, .. } => Some(*cond),
                StmtKind::For(head) => head.cond,
                StmtKind::UpcForall(_) => return true,
                _ => None,
            };
            cond.is_some_and(|cond| self.names_thread(cond))
        });
        for (e, pointer, root) in found {
            if !chosen.contains(&e) && self.is_of_another(pointer) {
                self.foreign_pointer(pointer, root);
            }
        }
    }

    /// The private pointer that `e` dereferences, if that is in a shared object, and the object.
    fn shared_pointer(&self, e: ExprId) -> Option<(ExprId, ObjectId)> {
        let mut pointer = match self.ast.expr(e).kind {
            ExprKind::Unary { op: UnaryOp::Deref, operand } => operand,
            ExprKind::Index { base, .. } | ExprKind::Member { base, arrow: true, .. } => base,
            _ => return None,
        };
        pointer = self.ast.strip_parens(pointer);
        let (types, ty) = (self.types(), self.sema.expr_type(pointer));
        let is_private = types.is_pointer(ty) && !types.is_pts(ty);
        if !is_private || !types.is_shared(ty) || !self.sema.flags(pointer).is_lvalue {
            return None;
        }
        let mut root = pointer;
        while let ExprKind::Index { base, .. } | ExprKind::Member { base, .. } =
            self.ast.expr(root).kind
        {
            root = self.ast.strip_parens(base);
        }
        let (id, object) = self.sema.object_of(root)?;
        let is_shared = object.kind == ObjectKind::Variable && types.is_shared(object.ty);
        is_shared.then_some((pointer, id))
    }

    /// All indices are constants, or one is that of a neighbour.
    fn is_of_another(&mut self, pointer: ExprId) -> bool {
        let (mut indices, mut e) = (Vec::new(), pointer);
        while let ExprKind::Index { base, .. } | ExprKind::Member { base, .. } =
            self.ast.expr(e).kind
        {
            if let ExprKind::Index { index, .. } = self.ast.expr(e).kind {
                indices.push(index);
            }
            e = self.ast.strip_parens(base);
        }
        indices.iter().any(|&index| self.is_neighbour(index))
            || indices.iter().all(|&index| self.fold(index).is_some())
    }

    /// `(MYTHREAD + 1) % THREADS`
    fn is_neighbour(&self, index: ExprId) -> bool {
        let mut is_neighbour = false;
        all_in_expr(self.ast, index, &mut |e| {
            if let ExprKind::Binary { op: BinaryOp::Add | BinaryOp::Sub, lhs, rhs } =
                self.ast.expr(e).kind
            {
                let is_step = |e| {
                    let e = self.ast.strip_parens(e);
                    self.sema.flags(e).is_constant
                        || matches!(self.ast.expr(e).kind, ExprKind::Threads)
                };
                is_neighbour |=
                    (self.is_mine(lhs) && is_step(rhs)) || (self.is_mine(rhs) && is_step(lhs));
            }
        });
        is_neighbour
    }

    fn foreign_pointer(&mut self, pointer: ExprId, root: ObjectId) {
        let text = self.quote(pointer);
        let (ty, declared) = (self.sema.expr_type(pointer), self.sema.object(root).span);
        let target = self.types().pointee(ty).map_or(String::new(), |target| self.show(target));
        let title = format!("{text} may point to another thread's private memory");
        self.error(
            Diagnostic::warning(codes::W0518, self.span(pointer), title)
                .label("means something to the thread alone that has stored it")
                .at(declared, "shared, but what it points to is private")
                .note("UPC 1.3 §3.4.2: no other thread can access a thread's private objects")
                .help(format!(
                    "let it point to shared memory: `shared {target} *`, from `upc_alloc`"
                )),
        );
    }
}
