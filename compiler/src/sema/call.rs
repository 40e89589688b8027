// SPDX-License-Identifier: BSD-3-Clause
//! Calls, and what the C compiler's built-in functions return.

use super::analyser::Analyser;
use super::types::{FunctionType, QualType, Type, Types};
use crate::syntax::ast::*;
use crate::syntax::intern::Symbol;

impl Analyser<'_> {
    pub(super) fn call(&mut self, id: ExprId, callee: ExprId, args: &[ExprId]) -> QualType {
        if let ExprKind::Ident(name) = self.ast.expr(callee).kind {
            if self.scopes.name(name).is_none() {
                return self.call_undeclared(id, callee, name, args);
            }
        }
        let callee_ty = self.value(callee);
        let function = self.types().pointee(callee_ty).map(|target| self.types().kind(target));
        let Some(Type::Function(function)) = function else {
            self.check_called(callee, args);
            self.arguments(id, &[], args);
            return Types::ERROR;
        };
        // Emptying the list would cost a copy; it is short and calls are many, so it is cloned.
        let (ret, params) = (function.ret, function.params.clone());
        let is_variadic = function.is_variadic;
        self.arguments(id, &params, args);
        self.check_library_call(id, args);
        if self.in_static_initialiser && self.types().is_pts(ret) {
            self.calls_early(id);
        }
        if is_variadic {
            self.check_variadic(callee, args.get(params.len()..).unwrap_or_default());
        }
        self.types().unqualified(ret)
    }

    fn call_undeclared(
        &mut self,
        id: ExprId,
        callee: ExprId,
        name: Symbol,
        args: &[ExprId],
    ) -> QualType {
        self.typed[callee.0 as usize] = true;
        let text = self.name(name);
        let span = self.ast.expr(callee).span;
        if self.lacks_header(name, span) {
            self.arguments(id, &[], args);
            return Types::ERROR;
        }
        self.check_function_name(name, span);
        if let Some(ty) = self.atomic_call(id, text, args) {
            return ty;
        }
        self.arguments(id, &[], args);
        if text.ends_with("_lock_free") {
            return Types::BOOL;
        }
        if text == "__atomic_signal_fence" || text == "__c11_atomic_signal_fence" {
            return Types::VOID;
        }
        if let Some(rest) = text.strip_prefix("__builtin_") {
            if rest == "constant_p" {
                self.set_constant(id, true);
            }
            return self.builtin_function(rest, args);
        }
        if text.starts_with("__") {
            return Types::ERROR;
        }
        let function = FunctionType {
            ret: Types::INT,
            params: Vec::new(),
            is_variadic: false,
            has_prototype: false,
        };
        let ty = self.sema.types.intern(Type::Function(function)).into();
        let span = self.ast.expr(callee).span;
        let object = self.implicit_function(Ident { name, span }, ty);
        self.sema.expr_object.insert(callee, object);
        let ty = self.sema.object(object).ty;
        self.sema.expr_types[callee.0 as usize] = ty;
        match self.types().kind(ty) {
            Type::Function(function) => self.types().unqualified(function.ret),
            _ => Types::ERROR,
        }
    }

    fn builtin_function(&mut self, name: &str, args: &[ExprId]) -> QualType {
        let ends = |list: &[&str]| list.iter().any(|part| name.starts_with(part));
        match name {
            "expect" | "expect_with_probability" => Types::LONG,
            "object_size"
            | "dynamic_object_size"
            | "strlen"
            | "strnlen"
            | "strspn"
            | "strcspn"
            | "strftime" => Types::SIZE,
            "trap" | "unreachable" | "va_start" | "va_end" | "va_copy" | "prefetch" | "free"
            | "abort" | "exit" | "_exit" | "longjmp" | "return" | "unwind_init"
            | "clear_padding" | "bzero" | "bcopy" => Types::VOID,
            "bswap16" => self.sema.types.builtin(Builtin::UShort),
            "bswap32" => Types::UINT,
            "bswap64" => Types::ULONG,
            "bswap128" => self.sema.types.builtin(Builtin::UInt128),
            "assoc_barrier" | "speculation_safe_value" => {
                args.first().map_or(Types::ERROR, |&arg| self.value_type(arg))
            }
            _ if ends(&["alloca", "mem", "malloc", "calloc", "realloc", "aligned_alloc"])
                && name != "memcmp" =>
            {
                self.sema.types.pointer_to(Types::VOID)
            }
            _ if ends(&["frame_address", "return_address", "extract_return", "assume_al"]) => {
                self.sema.types.pointer_to(Types::VOID)
            }
            _ if ends(&["___memcpy", "___memset", "___memmove", "___mempcpy"]) => {
                self.sema.types.pointer_to(Types::VOID)
            }
            "strcmp" | "strncmp" | "strcasecmp" | "strncasecmp" => Types::INT,
            _ if ends(&["str", "stp", "___str", "___stp", "index", "rindex"]) => {
                self.sema.types.pointer_to(Types::CHAR)
            }
            _ if name.contains("_overflow") => Types::BOOL,
            _ if ends(INT_RESULT) => Types::INT,
            _ => floating_result(name),
        }
    }
}

const INT_RESULT: &[&str] = &[
    "constant_p",
    "clz",
    "ctz",
    "ffs",
    "popcount",
    "parity",
    "clrsb",
    "isnan",
    "isinf",
    "isfinite",
    "isnormal",
    "isless",
    "isgreater",
    "isunordered",
    "iseqsig",
    "issignaling",
    "signbit",
    "fpclassify",
    "memcmp",
    "printf",
    "fprintf",
    "sprintf",
    "snprintf",
    "vprintf",
    "vfprintf",
    "vsprintf",
    "vsnprintf",
    "___printf",
    "___fprintf",
    "___sprintf",
    "___snprintf",
    "___vprintf",
    "___vfprintf",
    "___vsprintf",
    "___vsnprintf",
    "puts",
    "putchar",
    "fputs",
    "fputc",
    "setjmp",
    "abs",
    "isalpha",
    "isdigit",
    "isspace",
    "toupper",
    "tolower",
    "classify_type",
    "cpu_is",
    "cpu_supports",
    "cpu_init",
    "ilogb",
];

/// Mathematical functions, by C's suffixes.
fn floating_result(name: &str) -> QualType {
    const MATH: &[&str] = &[
        "huge_val",
        "inf",
        "nan",
        "nans",
        "fabs",
        "sqrt",
        "sin",
        "cos",
        "tan",
        "asin",
        "acos",
        "atan",
        "atan2",
        "sinh",
        "cosh",
        "tanh",
        "exp",
        "exp2",
        "expm1",
        "log",
        "log2",
        "log10",
        "log1p",
        "pow",
        "floor",
        "ceil",
        "trunc",
        "round",
        "rint",
        "nearbyint",
        "fmod",
        "fmin",
        "fmax",
        "copysign",
        "cbrt",
        "hypot",
        "ldexp",
        "fma",
        "creal",
        "cimag",
        "cabs",
        "powi",
    ];
    if MATH.contains(&name) {
        return Types::DOUBLE;
    }
    if name.strip_suffix('f').is_some_and(|stem| MATH.contains(&stem)) {
        return Types::FLOAT;
    }
    if name.strip_suffix('l').is_some_and(|stem| MATH.contains(&stem)) {
        return Types::LDOUBLE;
    }
    Types::ERROR
}
