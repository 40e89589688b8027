// SPDX-License-Identifier: BSD-3-Clause
//! Reductions, whose name and block size speak of elements that the array does not have: their
//! pointers are `shared void *`, so that C converts any array (UPC 1.3 §7.4.3.1).

use crate::diag::fix::Edit;
use crate::diag::{codes, Diagnostic};
use crate::sema::analyser::Analyser;
use crate::sema::types::{QualType, Type};
use crate::syntax::ast::{Builtin, ExprId, ExprKind};

/// Bits of `upc_op_t` (runtime/include/upc_types.h) whose result depends on the sign: UPC_MIN, UPC_MAX.
const ORDERS: i128 = 0x180;

/// The end of a reduction's name: its letters, and what they stand for.
const LETTERS: [(&str, Letter); 11] = [
    ("C", Letter::Integer(8, true)),
    ("UC", Letter::Integer(8, false)),
    ("S", Letter::Integer(16, true)),
    ("US", Letter::Integer(16, false)),
    ("I", Letter::Integer(32, true)),
    ("UI", Letter::Integer(32, false)),
    ("L", Letter::Integer(64, true)),
    ("UL", Letter::Integer(64, false)),
    ("F", Letter::Floating(Builtin::Float)),
    ("D", Letter::Floating(Builtin::Double)),
    ("LD", Letter::Floating(Builtin::LDouble)),
];

#[derive(Clone, Copy, PartialEq)]
enum Letter {
    /// Bits, and whether it is signed.
    Integer(u32, bool),
    Floating(Builtin),
}

impl Letter {
    /// Sums and products of integers are the same with and without a sign.
    fn fits(self, elements: Letter, op: Option<i128>) -> bool {
        match (self, elements) {
            (Letter::Integer(a, x), Letter::Integer(b, y)) => {
                a == b && (x == y || op.is_none_or(|op| op & ORDERS == 0))
            }
            _ => self == elements,
        }
    }

    fn text(self) -> &'static str {
        LETTERS.iter().find(|(_, known)| *known == self).map_or("", |(text, _)| text)
    }
}

/// The beginning of a reduction's name, and its letters.
fn parts(name: &str) -> Option<(&'static str, &'static str, Letter)> {
    let begins = ["upc_all_prefix_reduce", "upc_all_reduce"];
    let (begin, end) =
        begins.into_iter().find_map(|begin| Some((begin, name.strip_prefix(begin)?)))?;
    let &(end, letter) = LETTERS.iter().find(|(text, _)| *text == end)?;
    Some((begin, end, letter))
}

impl Analyser<'_> {
    /// `call` has the arguments `args`: dst, src, op, nelems, blk_size, func, flags.
    pub(super) fn check_reduction(&mut self, call: ExprId, args: &[ExprId]) {
        let Some((begin, end, letter)) = self.called_name(call).and_then(parts) else { return };
        let &[dst, src, op, nelems, block, ..] = args else { return };
        let op = self.fold(op);
        let elements = [src, dst].map(|arg| self.elements(arg));
        // Bytes are memory for elements of any type.
        let is_memory = |of| matches!(of, Letter::Integer(8, _));
        let is_wrong = |&(_, _, of): &(_, _, Letter)| !letter.fits(of, op) && !is_memory(of);
        let wrong = elements.into_iter().flatten().find(is_wrong);
        if let Some((arg, ty, right)) = wrong {
            let is_certain = elements.iter().flatten().all(|&(_, _, of)| of == right);
            let names = (format!("{begin}{end}"), format!("{begin}{}", right.text()));
            return self.wrong_letter(call, (arg, ty), names, is_certain);
        }
        self.check_reduced_block(src, nelems, block);
    }

    /// What a pointer-to-shared that is not cast points to, if reductions know it.
    fn elements(&self, arg: ExprId) -> Option<(ExprId, QualType, Letter)> {
        let types = self.types();
        let target = types.decayed_pointee(self.sema.expr_type(arg))?;
        let ty = types.ultimate_elem(target);
        let letter = match *types.kind(ty) {
            Type::Builtin(Builtin::Bool) => Letter::Integer(8, false),
            // C leaves its sign to the compiler, and UPC_CHAR is signed.
            Type::Builtin(Builtin::Char) => Letter::Integer(8, true),
            Type::Builtin(floating @ (Builtin::Float | Builtin::Double | Builtin::LDouble)) => {
                Letter::Floating(floating)
            }
            _ => types.integer(ty).map(|(bits, is_signed)| Letter::Integer(bits, is_signed))?,
        };
        (!letter.text().is_empty()).then_some((arg, ty, letter))
    }

    fn wrong_letter(
        &mut self,
        call: ExprId,
        (arg, ty): (ExprId, QualType),
        (name, right): (String, String),
        is_certain: bool,
    ) {
        let ExprKind::Call { callee, .. } = self.ast.expr(self.ast.strip_parens(call)).kind else {
            return;
        };
        let shown = self.show(self.types().unqualified(ty));
        let title = format!("`{name}` reduces elements of another type");
        let diagnostic = Diagnostic::warning(codes::W0431, self.span(callee), title)
            .label("takes the bytes for elements of the type that its letter says")
            .at(self.span(arg), format!("elements of type `{shown}`"))
            .note("UPC 1.3 §7.4.3.1p2: the letters at the end of the name stand for the elements' type");
        let (help, edit) = (format!("write `{right}`"), Edit::replace(self.span(callee), right));
        self.error(match is_certain {
            true => diagnostic.fix(help, vec![edit]),
            false => diagnostic.help(help),
        });
    }

    /// Several blocks of an array are where its type says, and `blk_size` says the same.
    fn check_reduced_block(&mut self, src: ExprId, nelems: ExprId, block: ExprId) {
        let target = self.types().decayed_pointee(self.sema.expr_type(src));
        let target = target.filter(|&target| !self.types().is_void(target));
        let Some(of_array) = target.and_then(|target| self.types().block(target)) else { return };
        let (Some(given), of_array) = (self.fold(block), i128::from(of_array)) else { return };
        let is_one_block = self.fold(nelems).is_some_and(|n| n <= given.min(of_array));
        if of_array == 0 || given <= 0 || given == of_array || is_one_block {
            return;
        }
        let title = format!("the block size is {given}, but that of the array is {of_array}");
        self.error(
            Diagnostic::warning(codes::W0431, self.span(block), title)
                .label("finds other elements than those that are meant")
                .at(self.span(src), format!("has blocks of {of_array}"))
                .note("UPC 1.3 §7.4.3.1p6: src is taken for an array of `shared [blk_size]`")
                .help(format!("write {of_array}, or `upc_blocksizeof` of the array")),
        );
    }
}
