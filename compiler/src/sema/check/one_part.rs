// SPDX-License-Identifier: BSD-3-Clause
//! Memory that is on one thread: what `upc_alloc` gives (UPC 1.3 §7.2.2.3p2), and what a copy
//! reaches (§7.2.5), where more is meant.

use crate::diag::{codes, Diagnostic};
use crate::sema::analyser::Analyser;
use crate::sema::types::QualType;
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
        if !self.has_size_of(bytes_of) && self.is_number_of_elements(bytes, args) {
            return self.counts_elements(name, args[2], bytes);
        }
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

    /// A `sizeof`, or a product or sum with one: bytes, even if they are as many as there are elements.
    fn has_size_of(&self, e: ExprId) -> bool {
        use BinaryOp::{Add, Mul};
        match self.ast.expr(self.ast.strip_parens(e)).kind {
            ExprKind::SizeOf { op: SizeOp::Sizeof | SizeOp::UpcElemsizeof, .. } => true,
            ExprKind::Binary { op: Add | Mul, lhs, rhs } => {
                self.has_size_of(lhs) || self.has_size_of(rhs)
            }
            _ => false,
        }
    }

    /// Of an array that is named as a whole, with elements of several bytes.
    fn is_number_of_elements(&self, bytes: i128, args: &[ExprId]) -> bool {
        let types = self.types();
        args[..2].iter().any(|&arg| {
            let object = self.sema.object_of(self.ast.strip_parens(arg));
            let Some((_, object)) = object.filter(|(_, o)| types.is_array(o.ty)) else {
                return false;
            };
            let elem = types.size_of(types.ultimate_elem(object.ty));
            let count = types.elem_count(object.ty);
            elem.is_some_and(|elem| elem > 1) && count.is_some_and(|c| i128::from(c.n) == bytes)
        })
    }

    fn counts_elements(&mut self, name: &str, argument: ExprId, count: i128) {
        let title = format!("`{name}` of {count} bytes, which is the number of elements");
        self.error(
            Diagnostic::warning(codes::W0429, self.span(argument), title)
                .label("a number of bytes is wanted")
                .note("UPC 1.3 §7.2.5: the functions copy n characters")
                .help("multiply by the size of an element"),
        );
    }

    /// The shared array that `a`, `&a[...]` or `a + ...` points into, and the bytes of it that a
    /// thread has.
    fn part_of_array(&self, e: ExprId) -> Option<(String, u64)> {
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
        let (_, object) = self.sema.object_of(e)?;
        let is_shared_array = types.is_array(object.ty) && types.is_shared(object.ty);
        let part = types.local_size(object.ty).filter(|_| is_shared_array)?;
        Some((self.quote(e), part))
    }
}
