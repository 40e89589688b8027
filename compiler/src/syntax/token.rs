// SPDX-License-Identifier: BSD-3-Clause
//! The vocabulary of preprocessed UPC: token kinds, keywords and the names a compiler predeclares.
//!
//! The tables are interned first and in order, so the number of an identifier tells at once
//! whether it is a keyword. Source: C17 §6.4.1, UPC 1.3 §6.4, GCC manual "Extensions to C".

use super::ast::Builtin;
use super::intern::{Interner, Symbol};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[rustfmt::skip]
pub enum Tok {
    Eof, Ident, Number, CharLit, StrLit,
    // Punctuators.
    LParen, RParen, LBracket, RBracket, LBrace, RBrace,
    Semi, Comma, Colon, Question, Dot, Arrow, Ellipsis, Tilde, Bang, Hash,
    Plus, PlusPlus, PlusEq, Minus, MinusMinus, MinusEq, Star, StarEq, Slash, SlashEq,
    Percent, PercentEq, Amp, AmpAmp, AmpEq, Pipe, PipePipe, PipeEq, Caret, CaretEq,
    Eq, EqEq, BangEq, Lt, Le, Shl, ShlEq, Gt, Ge, Shr, ShrEq,
    // Keywords of C and GNU C.
    Auto, Break, Case, Const, Continue, Default, Do, Else, Enum, Extern, For, Goto, If, Inline,
    Register, Restrict, Return, Sizeof, Static, Struct, Switch, Typedef, Union, Volatile, While,
    Void, Char, Short, Int, Long, Float, Double, Signed, Unsigned, Bool, Complex, Int128,
    Alignas, Alignof, Atomic, Constexpr, Generic, Noreturn, StaticAssert, ThreadLocal,
    Asm, Attribute, Typeof, AutoType, Extension, Label, Real, Imag,
    VaArg, Offsetof, TypesCompatible, ChooseExpr, ConvertVector, Pragma,
    // Keywords of UPC.
    Shared, Strict, Relaxed, Forall, Notify, Wait, Barrier, Fence,
    LocalSizeof, BlockSizeof, ElemSizeof, Threads, MyThread,
}

impl Tok {
    /// Reserved by UPC, and an ordinary name in the C library's headers.
    pub fn is_upc(self) -> bool {
        self as u8 >= Tok::Shared as u8
    }

    /// An identifier or any keyword: what may be the name of an attribute.
    pub fn is_word(self) -> bool {
        self == Tok::Ident || self as u8 >= Tok::Auto as u8
    }
}

#[derive(Clone, Copy, Debug)]
pub struct Token {
    pub kind: Tok,
    /// Of words; meaningless for other tokens.
    pub sym: Symbol,
    pub lo: u32,
    pub hi: u32,
}

#[rustfmt::skip]
const KEYWORDS: &[(&str, Tok)] = &[
    ("auto", Tok::Auto), ("break", Tok::Break), ("case", Tok::Case), ("const", Tok::Const),
    ("__const", Tok::Const), ("__const__", Tok::Const), ("continue", Tok::Continue),
    ("default", Tok::Default), ("do", Tok::Do), ("else", Tok::Else), ("enum", Tok::Enum),
    ("extern", Tok::Extern), ("for", Tok::For), ("goto", Tok::Goto), ("if", Tok::If),
    ("inline", Tok::Inline), ("__inline", Tok::Inline), ("__inline__", Tok::Inline),
    ("register", Tok::Register), ("restrict", Tok::Restrict), ("__restrict", Tok::Restrict),
    ("__restrict__", Tok::Restrict), ("return", Tok::Return), ("sizeof", Tok::Sizeof),
    ("static", Tok::Static), ("struct", Tok::Struct), ("switch", Tok::Switch),
    ("typedef", Tok::Typedef), ("union", Tok::Union), ("volatile", Tok::Volatile),
    ("__volatile", Tok::Volatile), ("__volatile__", Tok::Volatile), ("while", Tok::While),
    ("void", Tok::Void), ("char", Tok::Char), ("short", Tok::Short), ("int", Tok::Int),
    ("long", Tok::Long), ("float", Tok::Float), ("double", Tok::Double),
    ("signed", Tok::Signed), ("__signed", Tok::Signed), ("__signed__", Tok::Signed),
    ("unsigned", Tok::Unsigned), ("_Bool", Tok::Bool), ("_Complex", Tok::Complex),
    ("__complex", Tok::Complex), ("__complex__", Tok::Complex), ("__int128", Tok::Int128),
    ("_Alignas", Tok::Alignas), ("_Alignof", Tok::Alignof), ("__alignof", Tok::Alignof),
    ("__alignof__", Tok::Alignof), ("_Atomic", Tok::Atomic), ("_Generic", Tok::Generic),
    ("_Noreturn", Tok::Noreturn), ("_Static_assert", Tok::StaticAssert),
    ("_Thread_local", Tok::ThreadLocal), ("__thread", Tok::ThreadLocal), ("asm", Tok::Asm),
    ("__asm", Tok::Asm), ("__asm__", Tok::Asm), ("__attribute__", Tok::Attribute),
    ("__attribute", Tok::Attribute), ("typeof", Tok::Typeof), ("__typeof", Tok::Typeof),
    ("__typeof__", Tok::Typeof), ("__auto_type", Tok::AutoType),
    ("__extension__", Tok::Extension), ("__label__", Tok::Label), ("__real", Tok::Real),
    ("__real__", Tok::Real), ("__imag", Tok::Imag), ("__imag__", Tok::Imag),
    ("__builtin_va_arg", Tok::VaArg), ("__builtin_offsetof", Tok::Offsetof),
    ("__builtin_types_compatible_p", Tok::TypesCompatible),
    ("__builtin_choose_expr", Tok::ChooseExpr),
    ("__builtin_convertvector", Tok::ConvertVector), ("_Pragma", Tok::Pragma),
    ("shared", Tok::Shared), ("strict", Tok::Strict), ("relaxed", Tok::Relaxed),
    ("upc_forall", Tok::Forall), ("upc_notify", Tok::Notify), ("upc_wait", Tok::Wait),
    ("upc_barrier", Tok::Barrier), ("upc_fence", Tok::Fence),
    ("upc_localsizeof", Tok::LocalSizeof), ("upc_blocksizeof", Tok::BlockSizeof),
    ("upc_elemsizeof", Tok::ElemSizeof), ("THREADS", Tok::Threads), ("MYTHREAD", Tok::MyThread),
];

/// Names before C23, keywords in it (C23 §6.4.1).
const C23_KEYWORDS: &[(&str, Tok)] = &[
    ("alignas", Tok::Alignas),
    ("alignof", Tok::Alignof),
    ("constexpr", Tok::Constexpr),
    ("static_assert", Tok::StaticAssert),
    ("thread_local", Tok::ThreadLocal),
    ("typeof_unqual", Tok::Typeof),
];

/// Type names that need no declaration. They are not keywords: a C library may still say
/// `typedef float _Float32;`. `None` stands for [`Builtin::Other`].
const TYPE_NAMES: &[(&str, Option<Builtin>)] = &[
    ("__builtin_va_list", Some(Builtin::VaList)),
    ("__builtin_ms_va_list", None),
    ("__builtin_sysv_va_list", Some(Builtin::VaList)),
    ("__int128_t", Some(Builtin::Int128)),
    ("__uint128_t", Some(Builtin::UInt128)),
    ("bool", Some(Builtin::Bool)),
    ("_Float16", None),
    ("_Float32", None),
    ("_Float64", None),
    ("_Float128", None),
    ("_Float32x", None),
    ("_Float64x", None),
    ("__float128", None),
    ("__float80", None),
    ("__ibm128", None),
    ("__fp16", None),
    ("__bf16", None),
    ("_Decimal32", None),
    ("_Decimal64", None),
    ("_Decimal128", None),
    // By these <math.h> declares its functions on vectors on arm64.
    ("__Float32x4_t", None),
    ("__Float64x2_t", None),
    ("__SVFloat32_t", None),
    ("__SVFloat64_t", None),
    ("__SVBool_t", None),
];

/// The statements of UPC before 1.1, with what replaced them.
const OLD_STATEMENTS: &[(&str, Tok)] = &[
    ("barrier", Tok::Barrier),
    ("notify", Tok::Notify),
    ("wait", Tok::Wait),
    ("fence", Tok::Fence),
    ("forall", Tok::Forall),
];

/// Fills an empty interner with the tables above.
pub fn intern_vocabulary(names: &mut Interner) {
    let words = KEYWORDS.iter().map(|k| k.0);
    let words = words.chain(TYPE_NAMES.iter().map(|t| t.0));
    let words = words.chain(OLD_STATEMENTS.iter().map(|o| o.0));
    for word in words.chain(C23_KEYWORDS.iter().map(|k| k.0)) {
        names.intern(word);
    }
}

pub fn keyword(sym: Symbol) -> Option<Tok> {
    KEYWORDS.get(sym.0 as usize).map(|k| k.1)
}

/// What a name before C23 is in it.
pub fn c23_keyword(sym: Symbol) -> Option<Tok> {
    let first = KEYWORDS.len() + TYPE_NAMES.len() + OLD_STATEMENTS.len();
    (sym.0 as usize).checked_sub(first).and_then(|i| C23_KEYWORDS.get(i)).map(|k| k.1)
}

/// The symbols of predeclared type names.
pub fn type_names() -> impl Iterator<Item = Symbol> {
    (KEYWORDS.len()..KEYWORDS.len() + TYPE_NAMES.len()).map(|n| Symbol(n as u32))
}

/// What a predeclared type name means.
pub fn builtin_type(sym: Symbol) -> Builtin {
    let known = (sym.0 as usize).checked_sub(KEYWORDS.len()).and_then(|i| TYPE_NAMES.get(i));
    known.and_then(|t| t.1).unwrap_or(Builtin::Other(sym))
}

/// `barrier` gives `upc_barrier`'s token.
pub fn old_statement(sym: Symbol) -> Option<Tok> {
    let first = KEYWORDS.len() + TYPE_NAMES.len();
    (sym.0 as usize).checked_sub(first).and_then(|i| OLD_STATEMENTS.get(i)).map(|o| o.1)
}
