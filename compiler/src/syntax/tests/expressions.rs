// SPDX-License-Identifier: BSD-3-Clause
//! C17 §6.5, UPC 1.3 §6.4.

use super::{messages, parse_clean, shape::Shape};
use crate::syntax::ast::*;

/// The shape of an initialiser after some declarations.
fn check(text: &str, expected: &str) {
    let text = format!("typedef int T; typedef struct {{ int m; }} S; void *x = {text};");
    let ast = parse_clean(&text);
    let Some(Item::Declaration(id)) = ast.items.last() else { panic!("no declaration") };
    let init = ast.decl(*id).declarators[0].init.unwrap();
    assert_eq!(Shape::new(&ast, &text).init(init), expected, "{text}");
}

#[test]
fn precedence() {
    check("a + b * c - d", "(Sub (Add a (Mul b c)) d)");
    check("a || b && c | d ^ e & f", "(LogOr a (LogAnd b (Or c (Xor d (And e f)))))");
    check("a == b < c << d", "(Eq a (Lt b (Shl c d)))");
    check("a < b != c >= d", "(Ne (Lt a b) (Ge c d))");
    check("a = b += c ? d : e ? f : g", "(= a (Add= b (? c d (? e f g))))");
    check("a ?: b", "(? a _ b)");
    check("a ? b, c : d", "(? a (, b c) d)");
    check("(a, b, c)", "(paren (, (, a b) c))");
    check("-a[1]++", "(Minus (PostInc ([] a 1)))");
    check("*p->q.r(1, 2)[3]", "(Deref ([] (call (. (-> p q) r) 1 2) 3))");
    check("!~+--a", "(Not (BitNot (Plus (PreDec a))))");
    check("&*a / b % c", "(Rem (Div (AddrOf (Deref a)) b) c)");
}

#[test]
fn casts_and_types() {
    check("(T)a * b", "(Mul (cast <T> a) b)");
    check("(a)*b", "(Mul (paren a) b)");
    check("(T *)(a)", "(cast <*T> (paren a))");
    check("(int (*)(void))0", "(cast <*(void)int> 0)");
    check("(S){1}.m", "(. (literal <S> {1}) m)");
    check("sizeof (T)", "(Sizeof <T>)");
    check("sizeof (T){1} + 1", "(Add (Sizeof (literal <T> {1})) 1)");
    check("sizeof (a)[1]", "(Sizeof ([] (paren a) 1))");
    check("sizeof (T) * a", "(Mul (Sizeof <T>) a)");
    check("sizeof a + _Alignof(T)", "(Add (Sizeof a) (Alignof <T>))");
    check("__alignof__(a)", "(Alignof (paren a))");
    check("(T)-a", "(cast <T> (Minus a))");
    check("(const struct q *)a", "(cast <*const struct q> a)");
}

#[test]
fn upc() {
    check("THREADS * MYTHREAD", "(Mul THREADS MYTHREAD)");
    check("upc_localsizeof (shared [4] T[8])", "(UpcLocalsizeof <[8]shared[4] T>)");
    check("upc_blocksizeof a", "(UpcBlocksizeof a)");
    check("upc_elemsizeof(*p)", "(UpcElemsizeof (paren (Deref p)))");
    check("(shared [] T *)a", "(cast <*shared[] T> a)");
    check("(shared T * shared *)a", "(cast <**shared shared T> a)");
}

#[test]
fn gnu() {
    check("({ T T = 1; T; })", "(stmts {T: T = 1; T})");
    check("&&label", "(&& label)");
    check("__extension__ (a)", "(Extension (paren a))");
    check("__real__ a + __imag__ b", "(Add (Real a) (Imag b))");
    check("__builtin_va_arg(ap, T *)", "(va_arg ap <*T>)");
    check("__builtin_offsetof(S, m.n[2].o)", "(offsetof <S> .m.n[2].o)");
    check("__builtin_types_compatible_p(T, int[])", "(compatible <T> <[]int>)");
    check("__builtin_choose_expr(1, a, b)", "(choose 1 a b)");
    check("__builtin_expect(a, 1)", "(call __builtin_expect a 1)");
    check("_Generic(a, T: 1, char *: f, default: 3)", "(generic a T: 1 *char: f default: 3)");
    check("__builtin_convertvector(v, T)", "(va_arg v <T>)");
    check("(typeof(a) *)b", "(cast <*typeof(a)> b)");
    check("(__typeof__(T *))b", "(cast <typeof(*T)> b)");
}

#[test]
fn initializers() {
    check("{ 1, { 2 }, }", "{1, {2}}");
    check("{ .a = 1, .b.c[2] = 3, [4] = 5, [6 ... 7] = 8 }", "{.a=1, .b.c[2]=3, [4]=5, [6...7]=8}");
    check("{ a: 1, [2] 3 }", "{.a=1, [2]=3}");
    check("{}", "{}");
    check("(T[]){ [THREADS - 1] = 1 }", "(literal <[]T> {[(Sub THREADS 1)]=1})");
}

#[test]
fn strings_and_characters() {
    check(r#""abc" "d\x41e" "\101\n""#, "\"Char 8");
    check(r#"L"ab" "c""#, "\"Int 4");
    check("\"\u{e9}\"", "\"Char 3");
    check("u\"\u{1f600}\"", "\"UShort 3");
    check("U\"\u{1f600}\"", "\"UInt 2");
    check(r"'a'", "'97");
    check(r"'\377'", "'-1");
    check(r"'\0'", "'0");
    check(r"'ab'", "'24930");
    check(r"L'\xffff'", "'65535");
    check(r"'\''", "'39");
    check(r#"'"'"#, "'34");
}

#[test]
fn characters_are_of_the_types_that_the_machine_gives_them() {
    let on = |pragma: &str, text: &str| {
        let mut ast = parse_clean(&format!("#pragma furlong {pragma}\nint x = {text};"));
        match ast.exprs.pop().unwrap().kind {
            ExprKind::Char { value, ty } => (value, ty),
            ExprKind::Str { elem, len } => (len as i64, elem),
            other => panic!("{text} is {other:?}"),
        }
    };
    assert_eq!(on("wchar_t signed", r"L'\xffffffff'"), (-1, Builtin::Int));
    assert_eq!(on("wchar_t unsigned", r"L'\xffffffff'"), (0xffff_ffff, Builtin::UInt));
    assert_eq!(on("wchar_t short", r"L'\xffff'"), (0xffff, Builtin::UShort));
    assert_eq!(on("wchar_t unsigned", "L\"\u{1f600}\""), (2, Builtin::UInt));
    assert_eq!(on("wchar_t short", "L\"\u{1f600}\""), (3, Builtin::UShort));
    assert_eq!(on("char signed", r"'\377'"), (-1, Builtin::Int));
    assert_eq!(on("char unsigned", r"'\377'"), (255, Builtin::Int));
}

fn literal(text: &str) -> ExprKind {
    let source = format!("int x = {text};");
    let mut ast = parse_clean(&source);
    ast.exprs.pop().unwrap().kind
}

fn check_int(text: &str, expected: u128, expected_ty: Builtin) {
    let ExprKind::Int { value, ty } = literal(text) else { panic!("{text}") };
    assert_eq!((value, ty), (expected, expected_ty), "{text}");
}

#[test]
fn integers() {
    check_int("0", 0, Builtin::Int);
    check_int("2147483647", 0x7fff_ffff, Builtin::Int);
    check_int("2147483648", 0x8000_0000, Builtin::Long);
    check_int("0x80000000", 0x8000_0000, Builtin::UInt);
    check_int("0xffffffffffffffff", u128::from(u64::MAX), Builtin::ULong);
    check_int("18446744073709551615", u128::from(u64::MAX), Builtin::Int128);
    check_int("1u", 1, Builtin::UInt);
    check_int("1uLL", 1, Builtin::ULLong);
    check_int("1llu", 1, Builtin::ULLong);
    check_int("1L", 1, Builtin::Long);
    check_int("077", 63, Builtin::Int);
    check_int("0b101", 5, Builtin::Int);
    check_int("0xDEADbeefUL", 0xdead_beef, Builtin::ULong);
    check_int("0xe", 14, Builtin::Int);
}

fn check_float(text: &str, expected: Builtin) {
    let ExprKind::Float { ty } = literal(text) else { panic!("{text}") };
    assert_eq!(ty, expected, "{text}");
}

#[test]
fn floats() {
    check_float("1.", Builtin::Double);
    check_float(".5f", Builtin::Float);
    check_float("1e10", Builtin::Double);
    check_float("1E-10L", Builtin::LDouble);
    check_float("0x1.8p3", Builtin::Double);
    check_float("0x1p-1022f", Builtin::Float);
    check_float("1.0fi", Builtin::ComplexFloat);
    check_float("1.0i", Builtin::ComplexDouble);
    check_float("3i", Builtin::ComplexDouble);
    check_float("09.5", Builtin::Double);
    check_float("1.0f128", Builtin::LDouble);
    check_float("1e+5", Builtin::Double);
}

#[test]
fn bad_numbers() {
    for (text, title) in [
        ("09", "`9` is not a digit of a number to base 8"),
        ("0x", "`0x` has no digits"),
        ("1zz", "`zz` is not a suffix of an integer"),
        ("1.0zz", "`zz` is not a suffix of a floating constant"),
        ("1e", "`1e` has an exponent without digits"),
        ("0x1.8", "`0x1.8` needs an exponent, such as `p0`"),
        ("1.2.3", "`1.2.3` is not a number"),
        ("0b12", "`2` is not a digit of a number to base 2"),
    ] {
        assert_eq!(messages(&format!("int x = {text};")), [format!("E0101 [{text}] {title}")]);
    }
}
