// SPDX-License-Identifier: BSD-3-Clause
//! Declarations of one name must agree on what is shared and how it is laid out
//! (C17 §6.7p4, UPC 1.3 §6.5.1.1p13). The C compiler cannot see a block size, so it is said here.

use crate::diag::{codes, Diagnostic};
use crate::sema::analyser::Analyser;
use crate::sema::types::QualType;
use crate::sema::ObjectId;
use crate::syntax::ast::Ident;

impl Analyser<'_> {
    pub(in crate::sema) fn conflicting_shared(
        &mut self,
        name: Ident,
        ty: QualType,
        earlier: ObjectId,
    ) {
        let (old, at) = (self.sema.object(earlier).ty, self.sema.object(earlier).span);
        let (new, old) = (self.show(ty), self.show(old));
        let text = self.name(name.name);
        self.error(
            Diagnostic::error(
                codes::E0318,
                name.span,
                format!("`{text}` is declared again with another shared type"),
            )
            .label(format!("`{new}` here"))
            .at(at, format!("`{old}` here"))
            .note(
                "UPC 1.3 §6.5.1.1p13 (and C17 §6.7p4): the declarations of a name have compatible \
                 types, and `shared` with its block size is part of a type",
            )
            .help("make the declarations agree"),
        );
    }
}
