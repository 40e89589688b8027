// SPDX-License-Identifier: BSD-3-Clause
//! Operands of the size operators (UPC 1.3 §6.4.1.2p1, §6.4.1.3p1, §6.4.1.4p1, C17 §6.5.3.4p1).

use crate::diag::{codes, Diagnostic};
use crate::sema::analyser::Analyser;
use crate::sema::types::QualType;
use crate::syntax::ast::{ExprOrType, SizeOp};

impl Analyser<'_> {
    /// Is `ty` fit for `op`? Says so if not, but leaves private operands of `sizeof` to C.
    pub(in crate::sema) fn check_size_operand(
        &mut self,
        op: SizeOp,
        operand: ExprOrType,
        ty: QualType,
    ) -> bool {
        let is_upc = !matches!(op, SizeOp::Sizeof | SizeOp::Alignof);
        if self.types().is_error(ty) {
            if is_upc {
                self.unknown_size_operand(operand);
            }
            return true;
        }
        let (operator, paragraph) = match op {
            SizeOp::Sizeof => ("sizeof", "C17 §6.5.3.4p1"),
            SizeOp::Alignof => ("_Alignof", "C17 §6.5.3.4p1"),
            SizeOp::UpcLocalsizeof => ("upc_localsizeof", "UPC 1.3 §6.4.1.2p1"),
            SizeOp::UpcBlocksizeof => ("upc_blocksizeof", "UPC 1.3 §6.4.1.3p1"),
            SizeOp::UpcElemsizeof => ("upc_elemsizeof", "UPC 1.3 §6.4.1.4p1"),
        };
        let is_shared = self.types().is_shared(ty);
        if !is_upc && !is_shared {
            return true;
        }
        let (span, is_bitfield) = match operand {
            ExprOrType::Expr(e) => (self.span(e), self.sema.flags(e).is_bitfield),
            ExprOrType::Type(name) => (self.ast.type_name(name).span, false),
        };
        let shown = self.show(ty);
        let unfit = if self.types().is_function(ty) {
            Some("a function")
        } else if is_bitfield {
            Some("a bit-field")
        } else if self.types().is_void(ty) {
            Some("void")
        } else if self.types().is_incomplete(ty) {
            Some("an incomplete type")
        } else if op == SizeOp::UpcLocalsizeof && self.has_variable_length(ty) {
            Some("an array of variable length")
        } else {
            None
        };
        if is_upc && !is_shared && !self.types().is_function(ty) {
            self.error(
                Diagnostic::error(
                    codes::E0401,
                    span,
                    format!("`{operator}` of something that is not shared"),
                )
                .label(format!("this is `{shown}`"))
                .note(format!("{paragraph}: `{operator}` applies only to shared types and objects"))
                .help("use `sizeof`, or name the shared object"),
            );
            return false;
        }
        if let Some(unfit) = unfit {
            self.error(
                Diagnostic::error(codes::E0402, span, format!("`{operator}` of {unfit}"))
                    .label(format!("this is `{shown}`"))
                    .note(format!("{paragraph}: the operand has a complete object type")),
            );
        }
        unfit.is_none()
    }

    /// The C compiler never sees the operand, so what it says of mistakes would be lost.
    fn unknown_size_operand(&mut self, operand: ExprOrType) {
        let span = match operand {
            ExprOrType::Expr(e) => self.span(e),
            ExprOrType::Type(name) => self.ast.type_name(name).span,
        };
        let title = "a UPC size operator on something of unknown type";
        self.error(
            Diagnostic::error(codes::E0401, span, title)
                .label("perhaps a name in it is not declared")
                .help("declare it before its use"),
        );
    }
}
