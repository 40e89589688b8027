// SPDX-License-Identifier: BSD-3-Clause
//! C types with UPC's shared qualifier, interned: equal types have equal numbers.
//!
//! A [`QualType`] is a type number and its qualifiers. `shared` never sits on an array itself but
//! on its ultimate element (UPC 1.3 §6.5.1.1, §6.5.2.1).

mod arith;
mod compat;
mod layout;
mod print;

pub use layout::Bytes;
pub(crate) use print::builtin_name;

use crate::span::Span;
use crate::syntax::ast::{Builtin, ExprId, Target};
use crate::syntax::intern::{Interner, Symbol};
use rustc_hash::FxHashMap;

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
    Array {
        elem: QualType,
        len: ArrayLen,
    },
    Function(FunctionType),
    Record(RecordId),
    Enum(EnumId),
    /// GNU vector: element and size in bytes.
    Vector {
        elem: TypeId,
        bytes: u64,
    },
    /// A typedef's name over its meaning: kept so that types print as the user wrote them.
    /// `Types::resolve` takes it off.
    Typedef {
        name: Symbol,
        target: QualType,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ArrayLen {
    Unknown,
    Const(u64),
    /// `n * THREADS` in the dynamic environment.
    TimesThreads(u64),
    /// A length that is not constant (or `[*]` in a prototype): of private arrays, and of shared
    /// ones that pointers refer to.
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
/// The most that THREADS can be.
pub const MAX_THREADS: u64 = 1 << 20;
/// `UPC_MAX_BLOCK_SIZE`: bounded by the address space, not by the pointer.
pub const MAX_BLOCK: u64 = 1 << 45;

impl From<TypeId> for QualType {
    fn from(ty: TypeId) -> QualType {
        QualType { ty, quals: Quals::default() }
    }
}

impl QualType {
    /// With qualifiers added; the outer ones win where both name a block size or consistency.
    /// Right only for types that are not arrays: see [`Types::qualify`].
    pub fn with(self, quals: Quals) -> QualType {
        QualType { ty: self.ty, quals: self.quals.under(quals) }
    }
}

impl Quals {
    fn under(self, outer: Quals) -> Quals {
        Quals {
            is_const: self.is_const || outer.is_const,
            is_volatile: self.is_volatile || outer.is_volatile,
            is_restrict: self.is_restrict || outer.is_restrict,
            is_atomic: self.is_atomic || outer.is_atomic,
            shared: outer.shared.or(self.shared),
            consistency: outer.consistency.or(self.consistency),
        }
    }

    /// The block size of a shared type, in elements; 0 is indefinite.
    pub fn block(self) -> Option<u64> {
        match self.shared? {
            Block::Size(n) => Some(n),
            Block::Star => Some(1),
        }
    }
}

#[derive(Clone, Debug)]
pub struct Record {
    pub tag: Option<Symbol>,
    pub is_union: bool,
    /// The tag, or the place where one could be inserted.
    pub span: Span,
    pub fields: Vec<Field>,
    /// Index of the field that each name is in: its own, or an anonymous one that has it as a
    /// member. Generated structures have thousands.
    pub by_name: FxHashMap<Symbol, u32>,
    /// Between its braces.
    pub is_open: bool,
    /// False until the closing brace.
    pub is_complete: bool,
    /// `None` if incomplete, or if some member's size is not known.
    pub size: Option<u64>,
    pub align: u64,
}

#[derive(Clone, Debug)]
pub struct Field {
    /// `None` for an anonymous structure or union, and for an unnamed bit-field.
    pub name: Option<Symbol>,
    pub span: Span,
    pub ty: QualType,
    /// Bytes from the start of the record; of the storage unit for a bit-field.
    pub offset: u64,
    pub bits: Option<BitField>,
}

/// Where a bit-field stands, from the first bit of the record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BitField {
    pub first: u64,
    pub width: u64,
}

#[derive(Clone, Debug)]
pub struct EnumInfo {
    pub tag: Option<Symbol>,
    pub span: Span,
    /// The integer type that it is compatible with.
    pub underlying: Builtin,
    pub is_complete: bool,
}

/// Number of ultimate elements of an array, flattened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Count {
    pub n: u64,
    /// The count is `n * THREADS`, with THREADS known only at run time.
    pub times_threads: bool,
}

/// The interner, with the records and enumerations that types name.
#[derive(Debug)]
pub struct Types {
    types: Vec<Type>,
    /// By [`TypeId`].
    contents: Vec<Contents>,
    /// By [`TypeId`]: the type without typedef names.
    resolved: Vec<QualType>,
    ids: FxHashMap<Type, TypeId>,
    pub records: Vec<Record>,
    pub enums: Vec<EnumInfo>,
    /// Size of `_Float128` and the like.
    other_sizes: FxHashMap<Symbol, u64>,
    /// The static THREADS, if given.
    pub threads: Option<u32>,
    pub target: Target,
}

/// What stands anywhere in a type: pointees, elements, parameters; members not.
#[derive(Clone, Copy, Debug, Default)]
struct Contents {
    /// A shared-qualified type.
    shared: bool,
    /// A length of `n * THREADS` that C sees.
    times_threads: bool,
    /// A typedef of such a type.
    nameless: bool,
}

impl Contents {
    fn and(self, other: Contents) -> Contents {
        Contents {
            shared: self.shared || other.shared,
            times_threads: self.times_threads || other.times_threads,
            nameless: self.nameless || other.nameless,
        }
    }
}

const fn plain(ty: u32) -> QualType {
    QualType {
        ty: TypeId(ty),
        quals: Quals {
            is_const: false,
            is_volatile: false,
            is_restrict: false,
            is_atomic: false,
            shared: None,
            consistency: None,
        },
    }
}

/// Interned at fixed numbers, so that they are constants.
const FIRST: [Builtin; 20] = [
    Builtin::Void,
    Builtin::Bool,
    Builtin::Char,
    Builtin::SChar,
    Builtin::UChar,
    Builtin::Short,
    Builtin::UShort,
    Builtin::Int,
    Builtin::UInt,
    Builtin::Long,
    Builtin::ULong,
    Builtin::LLong,
    Builtin::ULLong,
    Builtin::Int128,
    Builtin::UInt128,
    Builtin::Float,
    Builtin::Double,
    Builtin::LDouble,
    Builtin::ComplexDouble,
    Builtin::VaList,
];

impl Types {
    pub const ERROR: QualType = plain(0);
    pub const VOID: QualType = plain(1);
    pub const BOOL: QualType = plain(2);
    pub const CHAR: QualType = plain(3);
    pub const UCHAR: QualType = plain(5);
    pub const INT: QualType = plain(8);
    pub const UINT: QualType = plain(9);
    pub const LONG: QualType = plain(10);
    pub const ULONG: QualType = plain(11);
    pub const ULLONG: QualType = plain(13);
    /// `size_t`
    pub const SIZE: QualType = Types::ULONG;
    /// `ptrdiff_t`
    pub const PTRDIFF: QualType = Types::LONG;
    pub const FLOAT: QualType = plain(16);
    pub const DOUBLE: QualType = plain(17);
    pub const LDOUBLE: QualType = plain(18);

    pub fn new(names: &Interner, threads: Option<u32>, target: Target) -> Types {
        let mut types = Types {
            types: Vec::new(),
            contents: Vec::new(),
            resolved: Vec::new(),
            ids: FxHashMap::default(),
            records: Vec::new(),
            enums: Vec::new(),
            other_sizes: layout::other_sizes(names),
            threads,
            target,
        };
        types.intern(Type::Error);
        for builtin in FIRST {
            types.intern(Type::Builtin(builtin));
        }
        types
    }

    pub fn intern(&mut self, ty: Type) -> TypeId {
        if let Some(&id) = self.ids.get(&ty) {
            return id;
        }
        let id = TypeId(self.types.len() as u32);
        self.contents.push(self.contents_of(&ty));
        self.resolved.push(match ty {
            Type::Typedef { target, .. } => self.resolve(target),
            _ => id.into(),
        });
        self.types.push(ty.clone());
        self.ids.insert(ty, id);
        id
    }

    fn contents_of(&self, ty: &Type) -> Contents {
        let of = |ty: QualType| Contents {
            shared: self.mentions_shared(ty),
            ..self.contents[ty.ty.0 as usize]
        };
        match *ty {
            // C sees no array there, see `PtsRep`.
            Type::Pointer(target) if self.is_shared(target) => {
                Contents { times_threads: false, ..of(target) }
            }
            Type::Pointer(target) => of(target),
            Type::Typedef { target, .. } => {
                let inner = of(target);
                Contents { nameless: inner.nameless || inner.times_threads, ..inner }
            }
            Type::Array { elem, len } => {
                let is_multiple = matches!(len, ArrayLen::TimesThreads(_));
                of(elem).and(Contents { times_threads: is_multiple, ..Contents::default() })
            }
            Type::Function(ref f) => {
                f.params.iter().fold(of(f.ret), |contents, &param| contents.and(of(param)))
            }
            _ => Contents::default(),
        }
    }

    pub fn get(&self, id: TypeId) -> &Type {
        &self.types[id.0 as usize]
    }

    /// Every type, in the order of interning.
    pub fn all(&self) -> impl Iterator<Item = &Type> {
        self.types.iter()
    }

    pub fn builtin(&mut self, builtin: Builtin) -> QualType {
        self.intern(Type::Builtin(builtin)).into()
    }

    pub fn pointer_to(&mut self, target: QualType) -> QualType {
        self.intern(Type::Pointer(target)).into()
    }

    pub fn array_of(&mut self, elem: QualType, len: ArrayLen) -> QualType {
        self.intern(Type::Array { elem, len }).into()
    }

    /// `ty` with `quals` added: on an array they go to its ultimate element.
    pub fn qualify(&mut self, ty: QualType, quals: Quals) -> QualType {
        if quals == Quals::default() {
            return ty;
        }
        let bare = self.resolve(ty);
        match *self.get(bare.ty) {
            Type::Array { elem, len } => {
                let elem = self.qualify(elem, quals);
                self.array_of(elem, len)
            }
            _ => ty.with(quals),
        }
    }

    /// Takes typedef names off, and collects their qualifiers.
    pub fn resolve(&self, ty: QualType) -> QualType {
        self.resolved[ty.ty.0 as usize].with(ty.quals)
    }

    /// The meaning of `ty` without typedef names.
    pub fn kind(&self, ty: QualType) -> &Type {
        self.get(self.resolve(ty).ty)
    }

    /// What a pointer points to.
    pub fn pointee(&self, ty: QualType) -> Option<QualType> {
        match *self.kind(ty) {
            Type::Pointer(target) => Some(target),
            _ => None,
        }
    }

    /// What `ty` points to as a value: an array's element, a pointer's target.
    pub fn decayed_pointee(&self, ty: QualType) -> Option<QualType> {
        match *self.kind(ty) {
            Type::Pointer(target) => Some(target),
            Type::Array { elem, .. } => Some(elem),
            _ => None,
        }
    }

    /// An array's element, one level down.
    pub fn elem(&self, ty: QualType) -> Option<QualType> {
        match *self.kind(ty) {
            Type::Array { elem, .. } => Some(elem),
            _ => None,
        }
    }

    /// `ty` without any array levels, resolved (UPC 1.3 §3.6).
    pub fn ultimate_elem(&self, ty: QualType) -> QualType {
        let mut ty = self.resolve(ty);
        while let Type::Array { elem, .. } = *self.get(ty.ty) {
            ty = self.resolve(elem);
        }
        ty
    }

    /// The lengths of an array, outermost first.
    pub fn lengths(&self, ty: QualType) -> impl Iterator<Item = ArrayLen> + '_ {
        let mut ty = ty;
        std::iter::from_fn(move || match *self.kind(ty) {
            Type::Array { elem, len } => {
                ty = elem;
                Some(len)
            }
            _ => None,
        })
    }

    /// Number of ultimate elements; 1 if `ty` is not an array, `None` if a length is unknown.
    pub fn elem_count(&self, ty: QualType) -> Option<Count> {
        let mut count = Count { n: 1, times_threads: false };
        for len in self.lengths(ty) {
            let n = match len {
                ArrayLen::Const(n) => n,
                ArrayLen::TimesThreads(_) if count.times_threads => return None,
                ArrayLen::TimesThreads(n) => {
                    count.times_threads = true;
                    n
                }
                ArrayLen::Unknown | ArrayLen::Variable(_) => return None,
            };
            count.n = count.n.checked_mul(n)?;
        }
        Some(count)
    }

    /// Does THREADS of the dynamic environment stand in two dimensions of `ty`?
    pub fn names_threads_twice(&self, ty: QualType) -> bool {
        self.lengths(ty).filter(|len| matches!(len, ArrayLen::TimesThreads(_))).count() > 1
    }

    /// Is the ultimate element shared?
    pub fn is_shared(&self, ty: QualType) -> bool {
        self.block(ty).is_some()
    }

    /// Block size of a shared type (0 is indefinite); `None` if it is not shared.
    pub fn block(&self, ty: QualType) -> Option<u64> {
        self.ultimate_elem(ty).quals.block()
    }

    pub fn is_error(&self, ty: QualType) -> bool {
        matches!(self.kind(ty), Type::Error)
    }

    pub fn is_void(&self, ty: QualType) -> bool {
        matches!(self.kind(ty), Type::Builtin(Builtin::Void))
    }

    pub fn is_array(&self, ty: QualType) -> bool {
        matches!(self.kind(ty), Type::Array { .. })
    }

    pub fn is_vector(&self, ty: QualType) -> bool {
        matches!(self.kind(ty), Type::Vector { .. })
    }

    pub fn is_function(&self, ty: QualType) -> bool {
        matches!(self.kind(ty), Type::Function(_))
    }

    pub fn is_pointer(&self, ty: QualType) -> bool {
        matches!(self.kind(ty), Type::Pointer(_))
    }

    pub fn is_record(&self, ty: QualType) -> bool {
        matches!(self.kind(ty), Type::Record(_))
    }

    /// Is `ty` a structure whose last member is an array without a length?
    pub fn is_flexible(&self, ty: QualType) -> bool {
        let Type::Record(id) = *self.kind(ty) else { return false };
        let last = self.record(id).fields.last();
        last.is_some_and(|last| {
            matches!(self.kind(last.ty), Type::Array { len: ArrayLen::Unknown, .. })
        })
    }

    /// Is `ty` a pointer-to-shared?
    pub fn is_pts(&self, ty: QualType) -> bool {
        self.pointee(ty).is_some_and(|target| self.is_shared(target))
    }

    /// How a value of type `ty` is held if it is a pointer-to-shared.
    pub fn pts_rep(&self, ty: QualType) -> Option<PtsRep> {
        self.target_rep(self.pointee(ty)?)
    }

    /// How a pointer to `target` is held, if `target` is shared.
    pub fn target_rep(&self, target: QualType) -> Option<PtsRep> {
        let block = self.block(target)?;
        Some(match block {
            _ if self.is_void(target) => PtsRep::Packed,
            0 | 1 => PtsRep::Direct,
            2..=MAX_PACKED_BLOCK => PtsRep::Packed,
            _ => PtsRep::Wide,
        })
    }

    /// Does a type that involves shared stand anywhere in `ty` (pointees, elements, parameters;
    /// members not)?
    pub fn mentions_shared(&self, ty: QualType) -> bool {
        ty.quals.shared.is_some()
            || ty.quals.consistency.is_some()
            || self.contents[ty.ty.0 as usize].shared
    }

    /// Does a length of `n * THREADS` stand in `ty` where C sees it? A typedef of such a type is none
    /// in C, which wants a constant there, at file scope at least.
    pub fn mentions_threads(&self, ty: QualType) -> bool {
        self.contents[ty.ty.0 as usize].times_threads
    }

    /// Can C not read `ty` as it is written?
    pub fn is_foreign(&self, ty: QualType) -> bool {
        self.mentions_shared(ty) || self.contents[ty.ty.0 as usize].nameless
    }

    /// `ty` without qualifiers, keeping its typedef name if that hides none.
    pub fn unqualified(&self, ty: QualType) -> QualType {
        let bare = self.resolve(ty);
        if bare.quals == Quals::default() {
            ty
        } else if bare.quals == ty.quals {
            ty.ty.into()
        } else {
            bare.ty.into()
        }
    }

    /// Is the size of `ty` not known yet, or never (void)?
    pub fn is_incomplete(&self, ty: QualType) -> bool {
        match *self.kind(ty) {
            Type::Builtin(Builtin::Void) => true,
            Type::Array { elem, len } => len == ArrayLen::Unknown || self.is_incomplete(elem),
            Type::Record(id) => !self.record(id).is_complete,
            Type::Enum(id) => !self.enumeration(id).is_complete,
            _ => false,
        }
    }

    pub fn record(&self, id: RecordId) -> &Record {
        &self.records[id.0 as usize]
    }

    pub fn enumeration(&self, id: EnumId) -> &EnumInfo {
        &self.enums[id.0 as usize]
    }
}
