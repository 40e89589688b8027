// SPDX-License-Identifier: BSD-3-Clause
//! Memory that is on one thread: what `upc_alloc` gives (UPC 1.3 §7.2.2.3p2), and what a copy
//! reaches (§7.2.5), where more is meant.

use crate::diag::{codes, Diagnostic};
use crate::sema::analyser::Analyser;
use crate::sema::types::QualType;
use crate::sema::ObjectId;
use crate::syntax::ast::{BinaryOp, ExprId, ExprKind, ExprOrType, SizeOp, UnaryOp};

/// Functions that copy, and which of their arguments are shared.
const COPIES: &[(&str, &[usize])] =
    &[("upc_memget", &[1]), ("upc_memput", &[0]), ("upc_memset", &[0]), ("upc_memcpy", &[0, 1])];

impl Analyser<'_> {
    /// The pointer-to-shared `id` becomes one to `target`.
    pub(in crate::sema) fn check_local_allocation(&mut self, id: ExprId, target: QualType) {
        let call = self.ast.strip_parens(id);
        if self.called_name(call) != Some("upc_alloc") {
            return;
        }
        let ExprKind::Call { args, .. } = &self.ast.expr(call).kind else { return };
        let &[bytes] = args.as_slice() else { return };
        let types = self.types();
        let block = match (types.block(target), types.size_of(types.ultimate_elem(target))) {
            (Some(block), Some(elem)) if block > 0 => block.saturating_mul(elem),
            _ => return,
        };
        if types.is_flexible(target) {
            return;
        }
        let several = match self.fold(bytes) {
            Some(n) => n > i128::from(block),
            None => self.is_product(bytes),
        };
        if !several {
            return;
        }
        let shown = self.show(target);
        let title = "what `upc_alloc` allocates is all on this thread, but the pointer goes over \
                     the threads";
        self.error(
            Diagnostic::warning(codes::W0427, self.span(id), title)
                .label(format!("becomes a pointer to `{shown}`"))
                .note("UPC 1.3 §7.2.2.3p2: upc_alloc allocates with affinity to the calling thread")
                .help(
                    "declare the pointer with `shared []`; memory on all threads comes from \
                     `upc_all_alloc` or `upc_global_alloc`",
                ),
        );
    }

    fn is_product(&self, e: ExprId) -> bool {
        let e = self.ast.strip_parens(e);
        matches!(self.ast.expr(e).kind, ExprKind::Binary { op: BinaryOp::Mul, .. })
    }

    /// `call` is one of a function of the library that may be one of [`COPIES`].
    pub(in crate::sema) fn check_copy(&mut self, call: ExprId, args: &[ExprId]) {
        let name = self.called_name(call);
        let Some(&(name, shared)) = COPIES.iter().find(|&&(copy, _)| Some(copy) == name) else {
            return;
        };
        let Some(&bytes_of) = args.get(2) else { return };
        let Some(bytes) = self.fold(bytes_of) else {
            return self.check_copy_of_all(name, shared, args);
        };
        for &at in shared {
            let Some((array, part)) = self.part_of_array(args[at]) else { continue };
            if bytes <= i128::from(part) {
                continue;
            }
            let title = format!("`{name}` of more bytes than a thread has of {array}");
            self.error(
                Diagnostic::warning(codes::W0428, self.span(args[2]), title)
                    .label(format!("{bytes} bytes"))
                    .at(self.span(args[at]), format!("a thread has {part}"))
                    .note("UPC 1.3 §7.2.5: the bytes follow each other in the memory of one thread")
                    .help("copy the part of each thread by itself, or loop over the elements"),
            );
        }
    }

    /// A number of bytes that grows with a THREADS that is not known: `sizeof array`.
    fn check_copy_of_all(&mut self, name: &str, shared: &[usize], args: &[ExprId]) {
        let Some(per_thread) = self.bytes_per_thread(args[2]) else { return };
        for &at in shared {
            let Some((array, part)) = self.part_of_array(args[at]) else { continue };
            if per_thread < part {
                continue;
            }
            let title = format!("`{name}` of more bytes than a thread has of {array}");
            self.error(
                Diagnostic::warning(codes::W0428, self.span(args[2]), title)
                    .label(format!("{per_thread} bytes for each of THREADS threads"))
                    .at(self.span(args[at]), format!("a thread has {part}"))
                    .note("UPC 1.3 §7.2.5: the bytes follow each other in the memory of one thread")
                    .help("copy the part of each thread by itself, or loop over the elements"),
            );
        }
    }

    fn bytes_per_thread(&mut self, bytes: ExprId) -> Option<u64> {
        let bytes = self.ast.strip_parens(bytes);
        if let ExprKind::SizeOf { op: SizeOp::Sizeof, operand: ExprOrType::Expr(e) } =
            self.ast.expr(bytes).kind
        {
            let (types, ty) = (self.types(), self.sema.expr_type(e));
            let count = types.elem_count(ty).filter(|count| count.times_threads)?;
            return count.n.checked_mul(types.size_of(types.ultimate_elem(ty))?);
        }
        self.multiple_of_threads(bytes).map(|multiple| multiple.n)
    }

    /// The shared array that `e` points into, and the bytes of it that a thread has.
    fn part_of_array(&self, e: ExprId) -> Option<(String, u64)> {
        let (array, object) = self.array_of(e)?;
        let part = self.types().local_size(self.sema.object(object).ty)?;
        Some((self.quote(array), part))
    }

    /// The shared array that `a`, `&a[...]` or `a + ...` points into.
    pub(super) fn array_of(&self, e: ExprId) -> Option<(ExprId, ObjectId)> {
        let types = self.types();
        let is_array = |e| types.is_array(self.sema.expr_type(e));
        let e = self.ast.strip_parens(e);
        let mut e = self.ast.strip_parens(match self.ast.expr(e).kind {
            ExprKind::Unary { op: UnaryOp::AddrOf, operand } => operand,
            ExprKind::Binary { op: BinaryOp::Add, lhs, .. } if is_array(lhs) => lhs,
            _ if is_array(e) => e,
            _ => return None, // a pointer, which may be an element of an array
        });
        while let ExprKind::Index { base, .. } = self.ast.expr(e).kind {
            if !is_array(base) {
                return None;
            }
            e = self.ast.strip_parens(base);
        }
        let (id, object) = self.sema.object_of(e)?;
        (types.is_array(object.ty) && types.is_shared(object.ty)).then_some((e, id))
    }
}
