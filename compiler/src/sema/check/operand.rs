// SPDX-License-Identifier: BSD-3-Clause
//! Single operands: arithmetic that needs a size, operators that pointers-to-shared do not have,
//! addresses of bit-fields (UPC 1.3 §6.4.2, C17 §6.5.3.2p1, §6.5.6p2), and accesses where no code
//! can stand for them.

use crate::diag::fix::Edit;
use crate::diag::similar::most_similar;
use crate::diag::{codes, Diagnostic};
use crate::sema::analyser::Analyser;
use crate::sema::types::{ArrayLen, QualType, Type};
use crate::sema::Duration;
use crate::span::Span;
use crate::syntax::ast::{ExprId, ExprKind, Ident};

/// Types of the library that programs only point to.
const OPAQUE: &[&str] = &["upc_lock_t", "upc_atomicdomain_t", "upc_file_t"];

fn last_index(len: &str) -> String {
    len.parse::<u64>().map_or_else(|_| format!("{len} - 1"), |len| (len - 1).to_string())
}

impl Analyser<'_> {
    /// The expression `id` moves or follows a pointer to the shared type `target`.
    pub(in crate::sema) fn check_complete_pointee(&mut self, id: ExprId, target: QualType) {
        self.check_complete_pointee_at(self.span(id), target);
    }

    pub(in crate::sema) fn check_complete_pointee_at(&mut self, span: Span, target: QualType) {
        if !self.types().is_incomplete(target) {
            return;
        }
        let shown = self.show(target);
        self.error(
            Diagnostic::error(codes::E0403, span, "arithmetic on a pointer to an incomplete type")
                .label(format!("the size of `{shown}` is not known"))
                .note(
                    "UPC 1.3 §6.4.2p4 (and C17 §6.5.6p2): arithmetic counts in elements of the \
                     referenced type, so it must be complete",
                )
                .help("cast to a pointer to a complete type, such as `shared [] char *`"),
        );
    }

    /// The shared lvalue `id` is read, but how large it is nobody knows.
    pub(in crate::sema) fn incomplete_value(&mut self, id: ExprId, ty: QualType) {
        let object = self.sema.object_of(self.ast.strip_parens(id)).map(|(_, object)| object);
        if object.is_some_and(|object| object.is_defined && object.duration == Duration::Static) {
            // Its definition is reported.
            return;
        }
        let (text, shown) = (self.quote(id), self.show(ty));
        let title = format!("the value of {text} is used, but its type is incomplete");
        let help = match () {
            _ if self.types().is_void(ty) => {
                "cast the pointer first to what it points to, such as `*(shared int *)p`".into()
            }
            _ if OPAQUE.iter().any(|opaque| shown.starts_with(opaque)) => {
                format!("a `{shown}` is only pointed to: leave out the `*`")
            }
            _ => format!("define `{}` before this place", shown.trim_start_matches("shared ")),
        };
        self.error(
            Diagnostic::error(codes::E0421, self.span(id), title)
                .label(format!("the size of `{shown}` is not known"))
                .note("C17 §6.3.2.1p2: an lvalue of incomplete type has no value")
                .help(help),
        );
    }

    /// The shared lvalue `id` is accessed: `a[10]` of ten elements, `a[THREADS]` of as many. The C
    /// compiler does not see it.
    pub(in crate::sema) fn check_constant_index(&mut self, id: ExprId) {
        let mut id = self.ast.strip_parens(id);
        while let ExprKind::Index { base, index } = self.ast.expr(id).kind {
            id = self.ast.strip_parens(base);
            let ty = self.sema.expr_type(base);
            let Type::Array { len, .. } = *self.types().kind(ty) else { continue };
            let value = self.fold(index);
            let (is_outside, len) = match len {
                // An array of one element at the end of a structure may stand for a longer one.
                ArrayLen::Const(len) => (
                    value.is_some_and(|value| value < 0 || value >= len.into()) && len > 1,
                    len.to_string(),
                ),
                ArrayLen::TimesThreads(len) => (
                    value.map_or_else(
                        || self.multiple_of_threads(index).is_some_and(|index| index.n >= len),
                        |value| value < 0,
                    ),
                    if len == 1 { "THREADS".into() } else { format!("{len} * THREADS") },
                ),
                ArrayLen::Unknown | ArrayLen::Variable(_) => continue,
            };
            if is_outside {
                let shown_index = match value {
                    Some(value) => value.to_string(),
                    None => self.quote(index),
                };
                let (text, shown) = (self.quote(base), self.show(ty));
                let title = format!("index {shown_index} of {text}, which has {len} elements");
                self.error(
                    Diagnostic::warning(codes::W0425, self.span(index), title)
                        .label(format!("{text} is `{shown}`"))
                        .note("C17 §6.5.6p8: indices of the elements are 0 to their number less 1")
                        .help(format!("the last element has index {}", last_index(&len))),
                );
            }
        }
    }

    pub(in crate::sema) fn bad_shared_operand(&mut self, id: ExprId, ty: QualType, what: &str) {
        self.bad_shared_operand_at(self.span(id), ty, what);
    }

    pub(in crate::sema) fn bad_shared_operand_at(&mut self, span: Span, ty: QualType, what: &str) {
        let shown = self.show(ty);
        self.error(
            Diagnostic::error(codes::E0413, span, format!("a pointer-to-shared is {what}"))
                .label(format!("the pointer's type is `{shown}`"))
                .note(
                    "UPC 1.3 §6.4.2: a pointer-to-shared has the operators of C pointers: \
                     integers are added and subtracted, pointers of one type are subtracted and \
                     compared",
                )
                .help("for the address as a number, use `upc_addrfield`"),
        );
    }

    /// The C compiler never sees a shared array as one, so its complaint would be lost.
    pub(in crate::sema) fn assigned_array(&mut self, id: ExprId, ty: QualType) {
        let (text, shown) = (self.quote(id), self.show(ty));
        self.error(
            Diagnostic::error(codes::E0413, self.span(id), format!("{text} is assigned to"))
                .label(format!("an array, `{shown}`"))
                .note("C17 §6.5.16p2: what is assigned to is a modifiable lvalue, not an array")
                .help("assign to its elements one by one, or copy with `upc_memcpy`"),
        );
    }

    /// The C compiler would name a temporary of ours.
    pub(in crate::sema) fn assigned_const(&mut self, id: ExprId, ty: QualType) {
        let (text, shown) = (self.quote(id), self.show(ty));
        let title = format!("{text} is constant, and is assigned to");
        self.error(
            Diagnostic::error(codes::E0417, self.span(id), title)
                .label(format!("this is `{shown}`"))
                .note("C17 §6.5.16p2: what is assigned to is modifiable, so it is not `const`")
                .help("remove `const`, or give the value in the object's initialiser"),
        );
    }

    /// The C compiler might name a tag of ours.
    pub(in crate::sema) fn unknown_member(&mut self, record: QualType, name: Ident) {
        let types = self.types();
        if !types.is_shared(record) || types.is_error(record) {
            return;
        }
        let (text, shown) = (self.name(name.name), self.show(record));
        let label = match (types.is_record(record), types.is_incomplete(record)) {
            (true, true) => format!("`{shown}` is incomplete: its members are not known here"),
            (true, false) => format!("in `{shown}`"),
            (false, _) => format!("in `{shown}`, which is no structure"),
        };
        let diagnostic =
            Diagnostic::error(codes::E0418, name.span, format!("there is no member `{text}`"))
                .label(label)
                .note("C17 §6.5.2.3p1: the name is that of a member of the structure or union");
        let members = self.member_names(record);
        self.error(match most_similar(text, members.into_iter()) {
            Some((best, _)) => diagnostic
                .suggest(format!("did you mean `{best}`?"), vec![Edit::replace(name.span, best)]),
            None => diagnostic,
        });
    }

    /// Is `base` a shared structure before `->`, or a pointer to one before `.`?
    pub(in crate::sema) fn is_other_selector(&self, base: ExprId, arrow: bool) -> bool {
        let (types, ty) = (self.types(), self.sema.expr_type(base));
        let record = if arrow { Some(ty) } else { types.pointee(ty) };
        record.is_some_and(|record| types.is_record(record) && types.is_shared(record))
    }

    /// The C compiler might name a tag of ours, or an integer in which a pointer is.
    pub(in crate::sema) fn wrong_selector(&mut self, base: ExprId, name: Ident, arrow: bool) {
        let (wrong, right, what) = match arrow {
            true => ("->", ".", "a structure"),
            false => (".", "->", "a pointer"),
        };
        let shown = self.show(self.sema.expr_type(base));
        let before = Span::new(self.span(base).hi, name.span.lo);
        let diagnostic = Diagnostic::error(
            codes::E0418,
            self.span(base),
            format!("`{wrong}` after {what}"),
        )
        .label(format!("this is `{shown}`"))
        .note("C17 §6.5.2.3p1 and p2: `.` follows a structure or union, `->` a pointer to one");
        self.error(self.with_operator(diagnostic, before, wrong, right));
    }

    /// `diagnostic` with the fix that writes the operator `right` for `wrong`, which is `between` its
    /// operands unless a macro has written it.
    pub(super) fn with_operator(
        &self,
        diagnostic: Diagnostic,
        between: Span,
        wrong: &str,
        right: &str,
    ) -> Diagnostic {
        let text = self.text.get(between.lo as usize..between.hi as usize).unwrap_or_default();
        match text.find(wrong) {
            Some(at) => {
                let at = between.lo + at as u32;
                let place = Span::new(at, at + wrong.len() as u32);
                diagnostic.fix(format!("write `{right}`"), vec![Edit::replace(place, right)])
            }
            None => diagnostic.help(format!("write `{right}`")),
        }
    }

    pub(in crate::sema) fn address_of_bitfield(&mut self, id: ExprId, field: ExprId) {
        let text = self.quote(field);
        self.error(
            Diagnostic::error(codes::E0410, self.span(id), "the address of a shared bit-field")
                .label(format!("{text} is a bit-field"))
                .note("C17 §6.5.3.2p1: the operand of `&` is not a bit-field")
                .help("take the address of the whole structure"),
        );
    }

    pub(in crate::sema) fn shared_asm_operand(&mut self, id: ExprId, ty: QualType) {
        let (text, shown) = (self.quote(id), self.show(ty));
        self.error(
            Diagnostic::error(
                codes::E0414,
                self.span(id),
                format!("{text} is an operand of `asm`, but shared"),
            )
            .label(format!("its type is `{shown}`"))
            .note("assembly knows neither other hosts' memory nor the order of strict accesses")
            .help("let a private variable be the operand, and copy to or from that"),
        );
    }

    pub(in crate::sema) fn shared_parameter_size(&mut self, id: ExprId) {
        let text = self.quote(id);
        self.error(
            Diagnostic::error(
                codes::E0415,
                self.span(id),
                format!("the size of an array parameter needs {text}, which is shared"),
            )
            .label("read where no code can stand that would fetch it")
            .help("pass the size as a parameter of its own"),
        );
    }
}
