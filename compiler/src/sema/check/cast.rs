// SPDX-License-Identifier: BSD-3-Clause
//! Casts to types that involve `shared` (UPC 1.3 §6.4.3p1).

use crate::diag::{codes, Diagnostic};
use crate::sema::analyser::Analyser;
use crate::sema::types::QualType;
use crate::syntax::ast::{ExprId, TypeNameId};

impl Analyser<'_> {
    /// `(name)operand`, where `name` means `target` and the operand's value has type `source`.
    pub(in crate::sema) fn check_cast(
        &mut self,
        name: TypeNameId,
        target: QualType,
        operand: ExprId,
        source: QualType,
    ) {
        if self.types().is_shared(target) {
            let shown = self.show(target);
            self.error(
                Diagnostic::error(
                    codes::E0412,
                    self.ast.type_name(name).span,
                    "a cast to a shared type that is not a pointer to it",
                )
                .label(format!("`{shown}` is shared itself"))
                .note(
                    "UPC 1.3 §6.4.3p1: `shared` appears in a cast only where it qualifies what a \
                     pointer refers to",
                )
                .help("remove `shared` from the cast: a value is neither shared nor private"),
            );
            return;
        }
        let types = self.types();
        if types.is_error(source) || types.is_record(source) || types.is_void(source) {
            return;
        }
        let shared = types.pointee(target).filter(|_| types.is_pts(target));
        if let Some(pointee) = shared {
            self.check_local_allocation(operand, pointee);
        }
        let (mut to, mut from) = (target, source);
        let mut is_outermost = true;
        loop {
            let types = self.types();
            match (types.pointee(to), types.pointee(from)) {
                (Some(x), _) if types.is_shared(x) => {
                    let is_fit = types.is_pts(from) || (is_outermost && self.is_null(operand));
                    if !is_fit {
                        self.becomes_shared_pointer(operand, source, target, None);
                    }
                    return;
                }
                (Some(x), Some(y)) if types.is_pointer(x) && types.is_pointer(y) => {
                    (to, from) = (x, y);
                    is_outermost = false;
                }
                _ => return,
            }
        }
    }
}
