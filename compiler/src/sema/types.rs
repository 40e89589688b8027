// SPDX-License-Identifier: BSD-3-Clause
//! C types with UPC's shared qualifier, interned: equal types have equal numbers.
//!
//! A [`QualType`] is a type number and its qualifiers. `shared` never sits on an array itself but
//! on its ultimate element (UPC 1.3 §6.5.1.1, §6.5.2.1).

use crate::syntax::ast::{Builtin, ExprId};
use crate::syntax::intern::Symbol;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct TypeId(pub u32);
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct RecordId(pub u32);
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct EnumId(pub u32);

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct QualType {
    pub ty: TypeId,
    pub quals: Quals,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Quals {
    pub is_const: bool,
    pub is_volatile: bool,
    pub is_restrict: bool,
    pub is_atomic: bool,
    pub shared: Option<Block>,
    /// Written `strict` or `relaxed`; `None` leaves it to the pragma at the access.
    pub consistency: Option<crate::syntax::ast::Consistency>,
}

/// Block size in elements of the ultimate element type; 0 is indefinite.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Block {
    Size(u64),
    /// `[*]`, before an array declarator has given it a size.
    Star,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// Already diagnosed, or not understood: compatible with everything, never shared.
    Error,
    Builtin(Builtin),
    Pointer(QualType),
    Array { elem: QualType, len: ArrayLen },
    Function(FunctionType),
    Record(RecordId),
    Enum(EnumId),
    /// GNU vector: element and size in bytes.
    Vector { elem: TypeId, bytes: u64 },
    /// A typedef's name over its meaning: kept so that types print as the user wrote them.
    /// `Types::resolve` takes it off.
    Typedef { name: Symbol, target: QualType },
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ArrayLen {
    Unknown,
    Const(u64),
    /// `n * THREADS` in the dynamic environment.
    TimesThreads(u64),
    /// A private array whose length is not constant (or `[*]` in a prototype).
    Variable(Option<ExprId>),
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct FunctionType {
    pub ret: QualType,
    pub params: Vec<QualType>,
    pub is_variadic: bool,
    /// False for `f()` and K&R definitions.
    pub has_prototype: bool,
}

/// How a pointer-to-shared is held in emitted C (design section 3).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PtsRep {
    /// Block size 0 or 1 and a referenced type other than void: a plain C pointer.
    Direct,
    /// `upcr_pts`: address in the low 46 bits, phase above.
    Packed,
    /// `upcr_wide`: the phase does not fit 18 bits; address low 64 bits, phase high 64.
    Wide,
}

/// The largest block size whose phases fit beside the address; one value marks "unknown".
pub const MAX_PACKED_BLOCK: u64 = (1 << 18) - 1;
/// `UPC_MAX_BLOCK_SIZE`: bounded by the address space, not by the pointer.
pub const MAX_BLOCK: u64 = 1 << 45;

impl From<TypeId> for QualType {
    fn from(ty: TypeId) -> QualType {
        QualType { ty, quals: Quals::default() }
    }
}
