// SPDX-License-Identifier: BSD-3-Clause
//! Layout qualifiers: one block size, a constant in range, and `[*]` only where there is an
//! array to divide (UPC 1.3 §6.5p3, §6.5.1.1p3 to p8 and p16).

use crate::diag::{codes, Diagnostic};
use crate::sema::analyser::Analyser;
use crate::sema::types::{Block, QualType, MAX_BLOCK};
use crate::span::Span;
use crate::syntax::ast::ExprId;

fn words(block: Block) -> String {
    match block {
        Block::Size(0) => "the indefinite block size".into(),
        Block::Size(n) => format!("block size {n}"),
        Block::Star => "`[*]`".into(),
    }
}

impl Analyser<'_> {
    pub(in crate::sema) fn two_block_sizes(
        &mut self,
        second: Block,
        span: Span,
        first: Block,
        at: Span,
    ) {
        self.error(
            Diagnostic::error(codes::E0303, span, "two different block sizes")
                .label(format!("{} here", words(second)))
                .at(at, format!("but {} here", words(first)))
                .note(
                    "UPC 1.3 §6.5p3 and §6.5.2p6: a declaration or qualifier list specifies at \
                     most one block size, directly or through typedefs",
                )
                .help("keep one of them"),
        );
    }

    pub(in crate::sema) fn block_size_not_constant(&mut self, e: ExprId, qualifier: Span) {
        let mut diagnostic =
            Diagnostic::error(codes::E0304, self.span(e), "a block size that is not constant")
                .label("not an integer constant expression")
                .at(qualifier, "in this layout qualifier")
                .note("UPC 1.3 §6.5.1.1p3: a layout qualifier holds a constant expression")
                .help("use a literal, an enumerator or `[*]`");
        if self.is_dynamic() && self.contains_threads(e) {
            diagnostic = diagnostic
                .note("THREADS is a constant only in a program compiled for a fixed number")
                .help("use `[*]` to divide an array evenly, or compile with `-T=<threads>`");
        }
        self.error(diagnostic);
    }

    pub(in crate::sema) fn block_size_out_of_range(&mut self, e: ExprId, n: i128) {
        let what = if n < 0 { "negative" } else { "too large" };
        self.error(
            Diagnostic::error(codes::E0305, self.span(e), format!("a block size that is {what}"))
                .label(format!("this is {n}"))
                .note(format!(
                    "UPC 1.3 §6.5.1.1p11: a block size is from 0 (indefinite) to \
                     UPC_MAX_BLOCK_SIZE, here {MAX_BLOCK}"
                )),
        );
    }

    pub(in crate::sema) fn star_too_large(&mut self, span: Span, block: u64) {
        self.error(
            Diagnostic::error(codes::E0305, span, "a block size that is too large")
                .label(format!("`[*]` is {block} here"))
                .note(format!(
                    "UPC 1.3 §6.5.1.1p11: a block size is from 0 (indefinite) to \
                     UPC_MAX_BLOCK_SIZE, here {MAX_BLOCK}"
                ))
                .help("make the array smaller"),
        );
    }

    /// In the name of an array type; objects have their own rule.
    pub(in crate::sema) fn star_without_threads(&mut self, span: Span, ty: QualType) {
        let shown = self.show(ty);
        self.error(
            Diagnostic::error(codes::E0315, span, "`[*]` divides by an unknown number of threads")
                .label(format!("no dimension of `{shown}` names THREADS"))
                .note(
                    "UPC 1.3 §6.5.1.1p16: `[*]` stands for the array's number of elements \
                     divided by THREADS, and a block size is constant",
                )
                .help("name THREADS in a dimension, or compile with `-T=<threads>`"),
        );
    }

    pub(in crate::sema) fn star_in_pointer(&mut self, span: Span) {
        self.error(
            Diagnostic::error(codes::E0306, span, "`[*]` in a pointer's declaration")
                .label("a pointer has no array whose size could be divided")
                .note(
                    "UPC 1.3 §6.5.1.1p6: `[*]` does not appear in the declaration specifiers of \
                     a pointer type",
                )
                .help("write the block size as a number, or `[]` if all is on one thread"),
        );
    }

    pub(in crate::sema) fn star_in_typedef(&mut self, span: Span) {
        self.error(
            Diagnostic::error(codes::E0307, span, "`[*]` in a typedef")
                .label("the block size would depend on each use")
                .note(
                    "UPC 1.3 §6.5.1.1p7: `[*]` does not appear in a declaration whose storage \
                     class is typedef",
                )
                .help("put `[*]` into the declarations of the arrays"),
        );
    }

    pub(in crate::sema) fn star_without_array(&mut self, span: Span, ty: QualType) {
        let shown = self.show(ty);
        self.error(
            Diagnostic::error(codes::E0308, span, "`[*]` without a complete array to divide")
                .label(format!("the size of `{shown}` is not known"))
                .note(
                    "UPC 1.3 §6.5.1.1p16: `[*]` stands for the array's number of elements \
                     divided by THREADS",
                )
                .help("give the array its dimensions"),
        );
    }

    /// `target` is void, and a pointer to it is being declared.
    pub(in crate::sema) fn check_layout_of_void(
        &mut self,
        target: QualType,
        layout: Option<Span>,
        pointer: Span,
    ) {
        let explicit = layout.is_some();
        let by_typedef = self.types().block(target).is_some_and(|block| block != 1);
        if !explicit && !by_typedef {
            return;
        }
        self.error(
            Diagnostic::error(
                codes::E0309,
                layout.unwrap_or(pointer),
                "a block size on `shared void`",
            )
            .label("a generic pointer-to-shared has no block size")
            .note(
                "UPC 1.3 §6.5.1.1p8: a layout qualifier does not appear in the referenced type \
                 of a pointer to void",
            )
            .help("write `shared void *`"),
        );
    }
}
