// SPDX-License-Identifier: BSD-3-Clause
//! Private variables that one thread alone gives a value, and all threads then use: each thread has
//! its own variable (UPC 1.3 §3.4.2).

use crate::diag::{codes, Diagnostic};
use crate::sema::analyser::Analyser;
use crate::sema::{ObjectId, ObjectKind};
use crate::syntax::ast::{ExprId, ExprKind, StmtId, StmtKind, UnaryOp};
use crate::syntax::visit::{all_in_stmt, all_stmts};
use rustc_hash::FxHashSet;

impl Analyser<'_> {
    /// `body` is that of a function. Values that come from outside the program, or are new memory,
    /// are what the other threads need too; other values may be meant for the one thread.
    pub(in crate::sema) fn check_values_of_one(&mut self, body: StmtId) {
        let mut branches = Vec::new();
        all_stmts(self.ast, body, &mut |id| {
            if let StmtKind::If { cond, then, .. } = self.ast.stmt(id).kind {
                branches.push((cond, then));
            }
        });
        branches.retain(|&(cond, _)| self.is_one_thread(cond));
        let (mut given, mut inside) = (Vec::new(), FxHashSet::default());
        for (_, then) in branches {
            all_in_stmt(self.ast, then, &mut |e| {
                inside.insert(e);
                self.find_given(e, &mut given);
            });
        }
        let mut seen = FxHashSet::default();
        given.retain(|&(id, _)| seen.insert(id));
        for (id, store) in given {
            if let Some(read) = self.use_by_all(body, id, store, &inside) {
                self.value_of_one(id, store, read);
            }
        }
    }

    /// `n = atoi(...)`, `p = upc_global_alloc(...)`, `scanf("%d", &n)`
    fn find_given(&self, e: ExprId, given: &mut Vec<(ObjectId, ExprId)>) {
        match &self.ast.expr(e).kind {
            ExprKind::Assign { op: None, lhs, rhs } => {
                let mut value = self.ast.strip_parens(*rhs);
                while let ExprKind::Cast { operand, .. } = self.ast.expr(value).kind {
                    value = self.ast.strip_parens(operand);
                }
                let name = self.called_name(value).unwrap_or_default();
                let is_new =
                    matches!(name, "upc_alloc" | "upc_global_alloc" | "upc_global_lock_alloc");
                if is_new || name.starts_with("ato") || name.starts_with("strto") {
                    given.extend(self.private_variable(*lhs).map(|id| (id, *lhs)));
                }
            }
            ExprKind::Call { args, .. } => {
                if !self.called_name(e).is_some_and(|name| name.ends_with("scanf")) {
                    return;
                }
                for &arg in args {
                    let arg = self.ast.strip_parens(arg);
                    if let ExprKind::Unary { op: UnaryOp::AddrOf, operand } =
                        self.ast.expr(arg).kind
                    {
                        given.extend(self.private_variable(operand).map(|id| (id, arg)));
                    }
                }
            }
            _ => {}
        }
    }

    /// A scalar without an initialiser.
    fn private_variable(&self, e: ExprId) -> Option<ObjectId> {
        let (id, object) = self.sema.object_of(self.ast.strip_parens(e))?;
        let types = self.types();
        let fits = object.kind == ObjectKind::Variable
            && !object.has_init
            && !types.is_shared(object.ty)
            && !types.is_array(object.ty);
        fits.then_some(id)
    }

    /// Where all threads use the variable after `store`, unless they may have got its value.
    fn use_by_all(
        &self,
        body: StmtId,
        of: ObjectId,
        store: ExprId,
        inside: &FxHashSet<ExprId>,
    ) -> Option<ExprId> {
        let (mut found, mut others) = (None, 0);
        let is_it = |e| self.private_variable(e) == Some(of);
        all_in_stmt(self.ast, body, &mut |e| {
            if inside.contains(&e) {
                return;
            }
            match self.ast.expr(e).kind {
                ExprKind::Ident(_) if is_it(e) && self.span(e).lo > self.span(store).hi => {
                    found = found.or(Some(e));
                }
                ExprKind::Assign { lhs, .. } if is_it(lhs) => others += 1,
                ExprKind::Unary { op: UnaryOp::AddrOf, operand } if is_it(operand) => others += 1,
                _ => {}
            }
        });
        found.filter(|_| others == 0)
    }

    fn value_of_one(&mut self, id: ObjectId, store: ExprId, read: ExprId) {
        let object = self.sema.object(id);
        let (name, ty) = (self.name(object.name), object.ty);
        let help = match self.types().is_pts(ty) {
            true => format!("put `shared` after the `*` in the declaration of `{name}`, too"),
            false => format!("declare `{name}` as `shared`, at file scope or `static`"),
        };
        let title = format!("`{name}` is private, and one thread alone has given it a value");
        self.error(
            Diagnostic::warning(codes::W0513, self.span(read), title)
                .label("the other threads' own have none")
                .at(self.span(store), "one thread's own gets its value here")
                .note("UPC 1.3 §3.4.2: each thread has its own private objects, which no other thread can access")
                .help(help),
        );
    }
}
