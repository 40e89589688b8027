// SPDX-License-Identifier: BSD-3-Clause
//! Conversions of pointers-to-shared: implicit ones, casts, and the phase they keep or lose.
//!
//! UPC 1.3 §6.4.3: a pointer converted from `shared void *` keeps its phase unless the new block
//! size is 0 or 1; between complete types the phase is kept only if block size and ultimate
//! element size agree.

use super::text::primary;
use super::Emitter;
use crate::sema::types::{PtsRep, QualType, Type};
use crate::syntax::ast::Builtin;
use crate::syntax::ast::{ExprId, ExprKind};

impl Emitter<'_> {
    /// The implicit conversion of `id`'s value, `text`, to the pointer type `to`.
    pub(super) fn coerce(
        &mut self,
        id: ExprId,
        text: Option<String>,
        to: QualType,
    ) -> Option<String> {
        let types = &self.sema.types;
        if self.sema.flags(id).is_null_constant {
            return match types.pts_rep(to) {
                Some(PtsRep::Packed | PtsRep::Wide) => Some("0".into()),
                _ => text,
            };
        }
        let Some(from) = self.shared_target(id) else {
            return match types.pts_rep(to) {
                Some(_) => {
                    let text = text.unwrap_or_else(|| self.span_of(id).into());
                    Some(self.cast_to_pts(text, to, is_integer(self, id)))
                }
                None => text,
            };
        };
        let text_or_source = |e: &Self| text.clone().unwrap_or_else(|| e.span_of(id).into());
        match types.pointee(to).filter(|&t| types.is_shared(t)) {
            Some(target) if self.same_value(from, target) => text,
            Some(target) => Some(self.convert(text_or_source(self), from, target)),
            None => Some(self.cast_from_pts(text_or_source(self), from, to)),
        }
    }

    fn span_of(&self, id: ExprId) -> &str {
        self.span_text(self.ast.expr(id).span)
    }

    /// Do pointers to `from` and `to` look the same to C?
    fn same_value(&self, from: QualType, to: QualType) -> bool {
        let types = &self.sema.types;
        match (types.target_rep(from), types.target_rep(to)) {
            (Some(PtsRep::Direct), Some(PtsRep::Direct)) => {
                let (a, b) = (types.resolve(from), types.resolve(to));
                a.ty == b.ty && !types.is_array(a)
            }
            (Some(PtsRep::Packed), Some(PtsRep::Packed)) => self.keeps_phase(from, to),
            (Some(PtsRep::Wide), Some(PtsRep::Wide)) => self.keeps_phase(from, to),
            _ => false,
        }
    }

    fn keeps_phase(&self, from: QualType, to: QualType) -> bool {
        let types = &self.sema.types;
        if types.is_void(from) || types.is_void(to) {
            return true;
        }
        let (a, b) = (types.ultimate_elem(from), types.ultimate_elem(to));
        types.block(from) == types.block(to)
            && (a.ty == b.ty || {
                let size = types.size_of(a);
                size.is_some() && size == types.size_of(b)
            })
    }

    /// `text`, a pointer to shared `from`, as a pointer to shared `to`.
    pub(super) fn convert(&mut self, text: String, from: QualType, to: QualType) -> String {
        use PtsRep::{Direct, Packed, Wide};
        let types = &self.sema.types;
        let from_rep = types.target_rep(from).unwrap_or(Direct);
        let to_rep = types.target_rep(to).unwrap_or(Direct);
        let keeps = self.keeps_phase(from, to);
        match (from_rep, to_rep) {
            (_, Direct) => {
                let address = plain_address(&text, from_rep);
                format!("(({}){address})", self.c_pointer(to))
            }
            (Direct, Packed) => format!("((upcr_pts){})", primary(text)),
            (Direct, Wide) => format!("((upcr_wide)(unsigned long){})", primary(text)),
            (Packed, Packed) | (Wide, Wide) if keeps => text,
            (Packed, Wide) if keeps => format!("upcr_widen({text})"),
            (Wide, Packed) if keeps => format!("upcr_narrow({text})"),
            (_, Packed) => format!("((upcr_pts){})", plain_address(&text, from_rep)),
            (_, Wide) => format!("((upcr_wide){})", plain_address(&text, from_rep)),
        }
    }

    /// `text`, a pointer to shared `from`, as the type `to`, which is no pointer-to-shared.
    fn cast_from_pts(&mut self, text: String, from: QualType, to: QualType) -> String {
        let types = &self.sema.types;
        let rep = types.target_rep(from).unwrap_or(PtsRep::Direct);
        let value = match *types.kind(to) {
            Type::Pointer(_) => plain_address(&text, rep),
            Type::Builtin(Builtin::Void | Builtin::Bool) => primary(text),
            // An integer keeps what fits of the pointer, phase included.
            _ => format!("(unsigned long){}", primary(text)),
        };
        format!("(({}){value})", self.c_type(to))
    }

    /// A null pointer constant, or an integer, as a pointer-to-shared.
    fn cast_to_pts(&mut self, text: String, to: QualType, is_integer: bool) -> String {
        let text = primary(text);
        match self.sema.types.pts_rep(to) {
            Some(PtsRep::Wide) => format!("((upcr_wide)(unsigned long){text})"),
            Some(PtsRep::Packed) => format!("((upcr_pts){text})"),
            _ if is_integer => format!("(({})(unsigned long){text})", self.c_type(to)),
            _ => format!("(({}){text})", self.c_type(to)),
        }
    }

    /// Whether the checker is to hear of a cast to a pointer of C. The library's headers know what
    /// they do.
    fn tells_of_cast(&self, id: ExprId) -> bool {
        let place = self.ast.expr(id).span.lo;
        self.options.check && !self.ast.lines.file_at(place).is_system
    }

    /// `(ty)operand`; `None` if neither text changes.
    pub(super) fn cast(&mut self, id: ExprId) -> Option<String> {
        let ExprKind::Cast { ty: name, operand } = self.ast.expr(id).kind else { return None };
        let types = &self.sema.types;
        let to = self.sema.type_of_name(name);
        let target = types.pointee(to).filter(|&t| types.is_shared(t));
        let from = self.shared_target(operand);
        match (from, target) {
            (Some(from), Some(target)) => {
                let text = self.value_text(operand);
                Some(self.convert(text, from, target))
            }
            (Some(from), None) if types.is_pointer(to) && self.tells_of_cast(id) => {
                let text = self.value_text(operand);
                let address = self.cast_from_pts(text, from, to);
                let at = self.place_arguments(self.ast.expr(id).span.lo);
                Some(format!("(({})upcr_own({address}, {at}))", self.c_type(to)))
            }
            (Some(from), None) => {
                let address =
                    types.is_pointer(to).then(|| self.address_in(operand)).flatten().map(primary);
                if let Some(address) = address {
                    return Some(format!("(({}){address})", self.c_type(to)));
                }
                let text = self.value_text(operand);
                Some(self.cast_from_pts(text, from, to))
            }
            (None, Some(_)) if self.sema.flags(operand).is_null_constant => {
                Some(match types.pts_rep(to) {
                    Some(PtsRep::Packed) => "((upcr_pts)0)".into(),
                    Some(PtsRep::Wide) => "((upcr_wide)0)".into(),
                    _ => format!("(({})0)", self.c_type(to)),
                })
            }
            (None, Some(_)) => {
                let text = self.value_text(operand);
                let is_integer = is_integer(self, operand);
                Some(self.cast_to_pts(text, to, is_integer))
            }
            (None, None) => self.rebuild(id, |e, parts| {
                parts.push(e.type_name_part(name));
                parts.push(e.value_part(operand));
            }),
        }
    }
}

fn is_integer(emitter: &Emitter, id: ExprId) -> bool {
    let types = &emitter.sema.types;
    types.decayed_pointee(emitter.sema.expr_type(id)).is_none()
}

/// The address in a pointer-to-shared, as a C pointer or integer.
pub(super) fn plain_address(text: &str, rep: PtsRep) -> String {
    match rep {
        PtsRep::Direct => primary(text.to_string()),
        PtsRep::Packed => format!("upcr_address({text})"),
        PtsRep::Wide => format!("(unsigned long){}", primary(text.to_string())),
    }
}
