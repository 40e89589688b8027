// SPDX-License-Identifier: BSD-3-Clause
//! The syntax tree: what was written, and where.
//!
//! Nodes live in arenas and refer to each other by number, so later phases keep what they learn
//! in side tables, and deep nesting costs no stack when the tree is dropped. Every node has the
//! span of exactly its own text: the emitter copies what UPC does not touch and rewrites the
//! rest in place, so a wrong span is a wrong program.

use super::intern::{Interner, Symbol};
use crate::span::{LineMap, Span};
use rustc_hash::FxHashMap;

macro_rules! arena_id {
    ($($name:ident),*) => {$(
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
        pub struct $name(pub u32);
    )*};
}
arena_id!(ExprId, StmtId, DeclId, TypeNameId, InitId);

/// One translation unit.
#[derive(Debug, Default)]
pub struct Ast {
    pub names: Interner,
    pub lines: LineMap,
    pub items: Vec<Item>,
    pub exprs: Vec<Expr>,
    pub stmts: Vec<Stmt>,
    pub decls: Vec<Declaration>,
    pub type_names: Vec<TypeName>,
    pub inits: Vec<Init>,
    /// `#pragma upc strict|relaxed` and `_Pragma` equivalents at file scope, in order; those
    /// inside functions are [`StmtKind::PragmaUpc`].
    pub file_pragmas: Vec<(Span, Consistency)>,
    /// Names that nothing declares, each as often as it is used as an object, function or type.
    pub undeclared: Vec<Ident>,
    /// Pragmas that are not UPC's and stand directly before a statement.
    pub pragmas: FxHashMap<StmtId, Vec<Span>>,
    /// Other pragmas that C does not know and shall not warn of.
    pub obeyed_pragmas: Vec<Span>,
    pub target: Target,
}

/// The machine that the program is for, as the C compiler knows it: runtime/include/furlong/target.h
/// asks it. A text that does not say is for this machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Target {
    pub machine: Machine,
    pub is_char_signed: bool,
    /// What `wchar_t` is: of `L'x'`, and of the elements of `L"x"`.
    pub wide_char: Builtin,
    /// The C compiler was told to take C23, or what came before it as `-std=c2x`.
    pub is_c23: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Machine {
    X86_64,
    Arm64,
}

impl Default for Target {
    fn default() -> Target {
        let (machine, is_char_signed, wide_char) = match cfg!(target_arch = "aarch64") {
            true => (Machine::Arm64, false, Builtin::UInt),
            false => (Machine::X86_64, true, Builtin::Int),
        };
        Target { machine, is_char_signed, wide_char, is_c23: false }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Consistency {
    Strict,
    Relaxed,
}

#[derive(Debug)]
pub enum Item {
    Declaration(DeclId),
    Function(Box<Function>),
    StaticAssert {
        span: Span,
        condition: ExprId,
    },
    /// Top-level `asm("...");`, a stray `;`, or tokens that could not be parsed (already
    /// diagnosed): copied as they stand.
    Verbatim(Span),
}

#[derive(Debug)]
pub struct Function {
    /// From the first specifier to the closing brace.
    pub span: Span,
    pub specs: DeclSpecs,
    pub declarator: Declarator,
    /// Declarations between a K&R parameter list and the body.
    pub kr_declarations: Vec<DeclId>,
    /// A [`StmtKind::Compound`].
    pub body: StmtId,
}

#[derive(Clone, Copy, Debug)]
pub struct Ident {
    pub name: Symbol,
    pub span: Span,
}

/// `specifiers declarator = init, declarator;` including typedefs and bare `struct s {...};`.
#[derive(Debug)]
pub struct Declaration {
    /// Including the semicolon (a struct member's or a `for` head's too).
    pub span: Span,
    pub specs: DeclSpecs,
    pub declarators: Vec<InitDeclarator>,
}

#[derive(Debug)]
pub struct InitDeclarator {
    /// Declarator, asm label, attributes and initialiser, without comma or semicolon.
    pub span: Span,
    pub declarator: Declarator,
    /// Bit-field width; members only.
    pub width: Option<ExprId>,
    /// `asm("name")` after the declarator.
    pub asm_label: Option<Span>,
    /// `__attribute__((...))` after the declarator (and after the asm label).
    pub attributes: Vec<Attribute>,
    pub init: Option<InitId>,
}

#[derive(Debug)]
pub struct DeclSpecs {
    pub span: Span,
    pub storage: Option<(Storage, Span)>,
    /// `_Thread_local` or `__thread`.
    pub thread_local: Option<Span>,
    pub constexpr: Option<Span>,
    pub is_inline: bool,
    pub quals: Vec<Qualifier>,
    pub attributes: Vec<Attribute>,
    /// `_Alignas(...)`, as (span, operand).
    pub alignas: Vec<(Span, ExprOrType)>,
    pub ty: TypeSpec,
    /// The span of the type specifier tokens. If they are scattered, their hull.
    pub ty_span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Storage {
    Typedef,
    Extern,
    Static,
    Auto,
    Register,
}

#[derive(Clone, Copy, Debug)]
pub struct Qualifier {
    /// `shared [4]` is one qualifier with one span.
    pub span: Span,
    pub kind: QualifierKind,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum QualifierKind {
    Const,
    Volatile,
    Restrict,
    Atomic,
    Shared(Layout),
    Strict,
    Relaxed,
}

/// The layout qualifier after `shared` (UPC 1.3 §6.5.1.1).
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Layout {
    /// `shared` alone: block size 1.
    None,
    /// `[]`
    Indefinite,
    /// `[*]`
    Star,
    /// `[constant-expression]`
    Size(ExprId),
}

#[derive(Debug)]
pub enum TypeSpec {
    /// `unsigned long int`, `_Bool`, `double _Complex`, `__int128`, `_Float128`, …
    Builtin(Builtin),
    Record(RecordSpec),
    Enum(EnumSpec),
    Typedef(Ident),
    TypeofExpr(ExprId),
    TypeofType(TypeNameId),
    /// `_Atomic(type)`
    Atomic(TypeNameId),
    /// `__auto_type`
    Auto,
    /// No type specifier: C89's implicit int (the parser has not diagnosed it).
    Missing,
    Error,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Builtin {
    Void,
    Bool,
    Char,
    SChar,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    LLong,
    ULLong,
    Int128,
    UInt128,
    Float,
    Double,
    LDouble,
    ComplexFloat,
    ComplexDouble,
    ComplexLDouble,
    /// `_Float16`, `_Float32`, `_Float128`, `__float128`, `_Decimal64`, …: the name.
    Other(Symbol),
    /// `__builtin_va_list`
    VaList,
}

#[derive(Debug)]
pub struct RecordSpec {
    pub is_union: bool,
    pub tag: Option<Ident>,
    /// Attributes between `struct` and the tag, and after the closing brace.
    pub attributes: Vec<Attribute>,
    /// Where a tag could be inserted if there is none: just after `struct` and attributes.
    pub tag_place: u32,
    pub body: Option<RecordBody>,
}

#[derive(Debug)]
pub struct RecordBody {
    /// From `{` to `}`.
    pub span: Span,
    pub members: Vec<Member>,
}

#[derive(Debug)]
pub enum Member {
    /// No declarators: an anonymous struct or union, or a bare tag declaration.
    Declaration(DeclId),
    StaticAssert {
        span: Span,
        condition: ExprId,
    },
}

#[derive(Debug)]
pub struct EnumSpec {
    pub tag: Option<Ident>,
    pub attributes: Vec<Attribute>,
    /// `None` for `enum e`.
    pub enumerators: Option<Vec<Enumerator>>,
}

#[derive(Debug)]
pub struct Enumerator {
    pub name: Ident,
    pub value: Option<ExprId>,
}

/// One attribute of `__attribute__((a, b(1)))`: `a` or `b(1)`.
#[derive(Debug, Clone)]
pub struct Attribute {
    /// Of the whole `__attribute__((...))`.
    pub whole: Span,
    /// Underscores stripped: `__packed__` is `packed`.
    pub name: Symbol,
    /// Empty if there are none, or if they are not expressions.
    pub args: Vec<ExprId>,
}

/// `chunks` reads outward from the name: `int *(*f[3])(void)` is Array, Pointer, Function,
/// Pointer; the base type comes last, from the specifiers.
#[derive(Debug, Default)]
pub struct Declarator {
    /// Empty (at the place where a name would stand) for an abstract declarator without chunks.
    pub span: Span,
    pub name: Option<Ident>,
    pub chunks: Vec<DeclaratorChunk>,
}

#[derive(Debug)]
pub struct DeclaratorChunk {
    pub span: Span,
    pub kind: ChunkKind,
}

#[derive(Debug)]
pub enum ChunkKind {
    /// `*` with its qualifiers, which qualify the pointer itself.
    Pointer(Vec<Qualifier>),
    Array {
        quals: Vec<Qualifier>,
        is_static: bool,
        size: ArraySize,
    },
    Function(Params),
}

#[derive(Clone, Copy, Debug)]
pub enum ArraySize {
    /// `[]`
    None,
    /// `[*]` in a prototype
    Star,
    Expr(ExprId),
}

#[derive(Debug)]
pub enum Params {
    /// `()`
    Empty,
    /// `(void)` gives an empty list.
    Prototype { params: Vec<Param>, is_variadic: bool },
    /// `(a, b)`
    Names(Vec<Ident>),
}

#[derive(Debug)]
pub struct Param {
    pub span: Span,
    pub specs: DeclSpecs,
    pub declarator: Declarator,
    pub attributes: Vec<Attribute>,
}

/// `specifier-qualifier-list abstract-declarator`, as in casts.
#[derive(Debug)]
pub struct TypeName {
    pub span: Span,
    pub specs: DeclSpecs,
    pub declarator: Declarator,
}

#[derive(Debug)]
pub struct Init {
    pub span: Span,
    pub kind: InitKind,
}

#[derive(Debug)]
pub enum InitKind {
    Expr(ExprId),
    /// `{ designation? init, ... }`
    List(Vec<InitItem>),
}

#[derive(Debug)]
pub struct InitItem {
    pub designators: Vec<Designator>,
    pub init: InitId,
}

#[derive(Debug)]
pub enum Designator {
    /// `.name`, or the old `name:`
    Field(Ident),
    /// `[e]`
    Index(ExprId),
    /// `[lo ... hi]`
    Range(ExprId, ExprId),
}

#[derive(Debug)]
pub struct Expr {
    pub span: Span,
    pub kind: ExprKind,
}

#[derive(Clone, Copy, Debug)]
pub enum ExprOrType {
    Expr(ExprId),
    Type(TypeNameId),
}

#[derive(Debug)]
pub enum ExprKind {
    Ident(Symbol),
    /// Integer constant: its value (low 128 bits) and type by C17 §6.4.4.1 and its suffix.
    Int {
        value: u128,
        ty: Builtin,
    },
    Float {
        ty: Builtin,
    },
    /// Character constant; `ty` is Int, or the wide types' underlying type.
    Char {
        value: i64,
        ty: Builtin,
    },
    /// Adjacent strings concatenated; `elem` is Char or the wide types' underlying type,
    /// `len` counts elements with the final 0.
    Str {
        elem: Builtin,
        len: u64,
    },
    Threads,
    MyThread,
    Paren(ExprId),
    Index {
        base: ExprId,
        index: ExprId,
    },
    Call {
        callee: ExprId,
        args: Vec<ExprId>,
    },
    /// `base.field`, or `base->field` if `arrow`.
    Member {
        base: ExprId,
        field: Ident,
        arrow: bool,
    },
    Unary {
        op: UnaryOp,
        operand: ExprId,
    },
    SizeOf {
        op: SizeOp,
        operand: ExprOrType,
    },
    Cast {
        ty: TypeNameId,
        operand: ExprId,
    },
    CompoundLit {
        ty: TypeNameId,
        init: InitId,
    },
    Binary {
        op: BinaryOp,
        lhs: ExprId,
        rhs: ExprId,
    },
    /// `op` is `None` for `=`.
    Assign {
        op: Option<BinaryOp>,
        lhs: ExprId,
        rhs: ExprId,
    },
    /// `c ? a : b`; GNU `c ?: b` has no `then`.
    Cond {
        cond: ExprId,
        then: Option<ExprId>,
        els: ExprId,
    },
    Comma {
        lhs: ExprId,
        rhs: ExprId,
    },
    Generic {
        control: ExprId,
        assocs: Vec<GenericAssoc>,
    },
    /// `({ ... })`: a compound statement.
    StmtExpr(StmtId),
    /// `&&label`
    LabelAddr(Ident),
    VaArg {
        list: ExprId,
        ty: TypeNameId,
    },
    Offsetof {
        ty: TypeNameId,
        designators: Vec<Designator>,
    },
    TypesCompatible {
        a: TypeNameId,
        b: TypeNameId,
    },
    ChooseExpr {
        cond: ExprId,
        then: ExprId,
        els: ExprId,
    },
    /// Something that could not be parsed (already diagnosed).
    Error,
}

#[derive(Debug)]
pub struct GenericAssoc {
    pub span: Span,
    /// `None` for `default`.
    pub ty: Option<TypeNameId>,
    pub value: ExprId,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnaryOp {
    AddrOf,
    Deref,
    Plus,
    Minus,
    BitNot,
    Not,
    PreInc,
    PreDec,
    PostInc,
    PostDec,
    /// GNU `__real__`, `__imag__`, `__extension__`
    Real,
    Imag,
    Extension,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SizeOp {
    Sizeof,
    Alignof,
    UpcLocalsizeof,
    UpcBlocksizeof,
    UpcElemsizeof,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BinaryOp {
    Mul,
    Div,
    Rem,
    Add,
    Sub,
    Shl,
    Shr,
    Lt,
    Gt,
    Le,
    Ge,
    Eq,
    Ne,
    And,
    Xor,
    Or,
    LogAnd,
    LogOr,
}

#[derive(Debug)]
pub struct Stmt {
    pub span: Span,
    pub kind: StmtKind,
}

#[derive(Debug)]
pub enum StmtKind {
    /// `{ ... }`
    Compound(Vec<StmtId>),
    Declaration(DeclId),
    /// A nested function definition (GNU).
    Function(Box<Function>),
    StaticAssert {
        condition: ExprId,
    },
    Expr(ExprId),
    Empty,
    Label {
        name: Ident,
        body: StmtId,
    },
    Case {
        lo: ExprId,
        hi: Option<ExprId>,
        body: StmtId,
    },
    Default {
        body: StmtId,
    },
    If {
        cond: ExprId,
        then: StmtId,
        els: Option<StmtId>,
    },
    Switch {
        cond: ExprId,
        body: StmtId,
    },
    While {
        cond: ExprId,
        body: StmtId,
    },
    DoWhile {
        body: StmtId,
        cond: ExprId,
    },
    For(Box<For>),
    UpcForall(Box<Forall>),
    Goto(Ident),
    GotoComputed(ExprId),
    Continue,
    Break,
    Return(Option<ExprId>),
    /// Inline assembly: the operand expressions, in order; the rest is copied.
    Asm {
        operands: Vec<ExprId>,
    },
    UpcNotify(Option<ExprId>),
    UpcWait(Option<ExprId>),
    UpcBarrier(Option<ExprId>),
    UpcFence,
    /// `#pragma upc strict|relaxed` at the start of a compound statement.
    PragmaUpc(Consistency),
    /// Any other pragma, `__label__ l;`, or text that could not be parsed (already diagnosed).
    Verbatim,
}

#[derive(Clone, Copy, Debug)]
pub struct For {
    pub init: ForInit,
    pub cond: Option<ExprId>,
    pub step: Option<ExprId>,
    pub body: StmtId,
    /// From the byte after `(` to the byte of `)`.
    pub head: Span,
}

/// `upc_forall (init; cond; step; affinity) body` (UPC 1.3 §6.6.2).
#[derive(Debug)]
pub struct Forall {
    pub loop_: For,
    pub affinity: Affinity,
    /// The span of `upc_forall`.
    pub keyword: Span,
}

#[derive(Clone, Copy, Debug)]
pub enum Affinity {
    /// Nothing, or `continue`.
    Every,
    Expr(ExprId),
}

#[derive(Clone, Copy, Debug)]
pub enum ForInit {
    None,
    Expr(ExprId),
    Declaration(DeclId),
}

impl Ast {
    /// Those that the text defines at file scope.
    pub fn functions(&self) -> impl Iterator<Item = &Function> {
        self.items.iter().filter_map(|item| match item {
            Item::Function(function) => Some(function.as_ref()),
            _ => None,
        })
    }
    pub fn expr(&self, id: ExprId) -> &Expr {
        &self.exprs[id.0 as usize]
    }
    pub fn stmt(&self, id: StmtId) -> &Stmt {
        &self.stmts[id.0 as usize]
    }
    pub fn decl(&self, id: DeclId) -> &Declaration {
        &self.decls[id.0 as usize]
    }
    pub fn type_name(&self, id: TypeNameId) -> &TypeName {
        &self.type_names[id.0 as usize]
    }
    pub fn init(&self, id: InitId) -> &Init {
        &self.inits[id.0 as usize]
    }
    /// `id` without the parentheses and `__extension__` around it.
    pub fn strip_parens(&self, mut id: ExprId) -> ExprId {
        while let ExprKind::Paren(inner)
        | ExprKind::Unary { op: UnaryOp::Extension, operand: inner } = self.expr(id).kind
        {
            id = inner;
        }
        id
    }
}
