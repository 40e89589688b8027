// SPDX-License-Identifier: BSD-3-Clause
//! Declarations of one name must agree on what is shared and how it is laid out
//! (C17 §6.7p4, UPC 1.3 §6.5.1.1p13). The C compiler cannot see a block size, so it is said here.

use crate::diag::{codes, Diagnostic};
use crate::sema::analyser::Analyser;
use crate::sema::types::QualType;
use crate::sema::{Linkage, ObjectId, ObjectKind};
use crate::syntax::ast::Ident;

impl Analyser<'_> {
    /// `name` is about to be declared. If it, or what it means already in this scope, is shared,
    /// the C compiler sees one of the two at most.
    pub(in crate::sema) fn check_name(
        &mut self,
        name: Ident,
        ty: QualType,
        kind: ObjectKind,
        linkage: Linkage,
        (is_extern, is_tentative): (bool, bool),
    ) {
        let Some(earlier) = self.scopes.name_here(name.name) else { return };
        let (old, types) = (self.sema.object(earlier), self.types());
        if !types.mentions_shared(ty) && !types.mentions_shared(old.ty) {
            return;
        }
        let has_linkage = linkage != Linkage::None && old.linkage != Linkage::None;
        let agrees = match kind == old.kind {
            false => false,
            true if kind == ObjectKind::Typedef => types.same_but_quals(ty, old.ty),
            true if kind == ObjectKind::Function => true,
            true => has_linkage && (is_extern || linkage == old.linkage),
        };
        let title = match (agrees, is_tentative || !old.has_init) {
            (true, true) => return,
            (true, false) => "is initialised a second time",
            (false, _) => "has another meaning in this scope",
        };
        let (at, text) = (old.span, self.name(name.name));
        self.error(
            Diagnostic::error(codes::E0323, name.span, format!("`{text}` {title}"))
                .label(format!("`{}` here", self.show(ty)))
                .at(at, format!("`{}` here", self.show(self.sema.object(earlier).ty)))
                .note("C17 §6.7p3, §6.9p5: a name is declared once in a scope, but for what has linkage, and is defined once")
                .help("give one of them another name"),
        );
    }

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
