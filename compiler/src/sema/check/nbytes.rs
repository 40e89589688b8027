// SPDX-License-Identifier: BSD-3-Clause
//! Numbers of bytes that are something else: a number of elements, or the size of a pointer
//! (UPC 1.3 §7.2.5, §7.4.2).

use crate::diag::{codes, Diagnostic};
use crate::sema::analyser::Analyser;
use crate::sema::types::Type;
use crate::syntax::ast::{BinaryOp, ExprId, ExprKind, ExprOrType, SizeOp};

/// Collective functions of a destination, a source and a number of bytes at each thread.
const RELOCATIONS: [&str; 5] = [
    "upc_all_broadcast",
    "upc_all_scatter",
    "upc_all_gather",
    "upc_all_gather_all",
    "upc_all_exchange",
];

/// Functions of a destination, a source or a byte, and a number of bytes.
fn is_copy(name: &str) -> bool {
    let name = name.strip_suffix("_nbi").or(name.strip_suffix("_nb")).unwrap_or(name);
    matches!(name, "upc_memget" | "upc_memput" | "upc_memcpy" | "upc_memset")
}

impl Analyser<'_> {
    /// `call` is a call of some library function.
    pub(in crate::sema) fn check_nbytes(&mut self, call: ExprId, args: &[ExprId]) {
        let (Some(name), &[to, from, nbytes, ..]) = (self.called_name(call), args) else { return };
        let is_relocation = RELOCATIONS.contains(&name);
        if !is_relocation && !is_copy(name) {
            return;
        }
        let name = name.to_string();
        if let Some(pointer) = self.measured_pointer(nbytes, [to, from]) {
            return self.size_of_pointer(&name, nbytes, pointer);
        }
        let Some(bytes) = self.fold(nbytes).filter(|_| !self.has_size_of(nbytes)) else { return };
        let counted = [to, from].map(|arg| self.counted(arg, bytes, is_relocation));
        if let Some(what) = counted.into_iter().flatten().next() {
            self.counts_elements(&name, nbytes, bytes, what);
        }
    }

    /// `p` in `sizeof p`, if it is a pointer of which the function is to follow one: `args`.
    fn measured_pointer(&self, nbytes: ExprId, args: [ExprId; 2]) -> Option<ExprId> {
        let ExprKind::SizeOf { op: SizeOp::Sizeof, operand: ExprOrType::Expr(e) } =
            self.ast.expr(self.ast.strip_parens(nbytes)).kind
        else {
            return None;
        };
        let e = self.ast.strip_parens(e);
        let types = self.types();
        let target = types.pointee(self.sema.expr_type(e))?;
        // The size of a pointer is that of an element where the pointer leads to pointers.
        let is_one_pointer = types.is_pointer(target);
        let (object, _) = self.sema.object_of(e)?;
        let is_it = |arg: ExprId| {
            self.sema.object_of(self.ast.strip_parens(arg)).is_some_and(|(id, _)| id == object)
        };
        (!is_one_pointer && args.into_iter().any(is_it)).then_some(e)
    }

    fn size_of_pointer(&mut self, name: &str, nbytes: ExprId, pointer: ExprId) {
        let (text, shown) = (self.quote(pointer), self.show(self.sema.expr_type(pointer)));
        let target = text.trim_matches('`').to_string();
        self.error(
            Diagnostic::warning(
                codes::W0432,
                self.span(nbytes),
                format!("`{name}` of as many bytes as a pointer has"),
            )
            .label(format!("the size of {text} itself, which is `{shown}`"))
            .note("C17 §6.5.3.4p2: the size of a pointer is not that of what it points to")
            .note("an array that is a parameter is a pointer (C17 §6.7.6.3p7)")
            .help(format!("multiply the number of elements by `sizeof *{target}`")),
        );
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

    /// The part of the array `arg` that has as many elements as there are `bytes`, if an element has more
    /// than one byte.
    fn counted(&self, arg: ExprId, bytes: i128, is_relocation: bool) -> Option<&'static str> {
        let types = self.types();
        let (_, object) = self.sema.object_of(self.ast.strip_parens(arg))?;
        let Type::Array { .. } = *types.kind(object.ty) else { return None };
        let elem = types.size_of(types.ultimate_elem(object.ty)).filter(|&elem| elem > 1)?;
        let count = types.elem_count(object.ty)?;
        let block = types.block(object.ty).filter(|&block| block > 1);
        // A few whole elements may by chance have as many bytes as the array has elements.
        if is_relocation && bytes < 64 && bytes % i128::from(elem) == 0 {
            return None;
        }
        match () {
            _ if i128::from(count.n) == bytes => Some("of the array"),
            _ if is_relocation && block.map(i128::from) == Some(bytes) => Some("of a block"),
            _ => None,
        }
    }

    fn counts_elements(&mut self, name: &str, nbytes: ExprId, count: i128, of: &str) {
        let title = format!("`{name}` of {count} bytes, which is the number of elements {of}");
        self.error(
            Diagnostic::warning(codes::W0429, self.span(nbytes), title)
                .label("a number of bytes is wanted")
                .note("UPC 1.3 §7.2.5, §7.4.2: the functions copy characters")
                .help("multiply by the size of an element"),
        );
    }
}
