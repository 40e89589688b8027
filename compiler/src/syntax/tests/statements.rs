// SPDX-License-Identifier: BSD-3-Clause
//! C17 §6.8, UPC 1.3 §6.6 and §6.7.1.

use super::{messages, parse_clean, shape::Shape};
use crate::syntax::ast::*;

fn check(text: &str, expected: &str) {
    let text = format!("typedef int T; void f(void) {{ {text} }}");
    let ast = parse_clean(&text);
    let Some(Item::Function(f)) = ast.items.last() else { panic!("no function") };
    assert_eq!(Shape::new(&ast, &text).stmt(f.body), format!("{{{expected}}}"), "{text}");
}

#[test]
fn control_flow() {
    check("if (a) b; else if (c) d; else { e; }", "(if a b (if c d {e}))");
    check("if (a) if (b) c; else d;", "(if a (if b c d))");
    check("while (a) b; do c; while (d);", "(while a b) (do c d)");
    check("for (;;) ; for (a; b; c) d; for (int i = 0, j; i < 1; i++, j++) ;",
          "(for _ _ _ empty) (for a b c d) (for i: int = 0, j: int; (Lt i 1) (, (PostInc i) (PostInc j)) empty)");
    check(
        "switch (a) { case 1: case 2 ... 3: b; break; default: c; }",
        "(switch a {(case 1 (case 2...3 b)) break (default c)})",
    );
    check(
        "l: m: goto l; goto *p; continue; return; return a;",
        "(label l (label m (goto l))) (goto* p) continue (return _) (return a)",
    );
    check("{ l: }", "{(label l empty)}");
}

#[test]
fn gnu() {
    check("asm volatile (\"nop\"); __asm__ (\"x %0\" : \"=r\"(a), [n] \"+m\"(b[1]) : \"r\"(c + 1) : \"cc\", \"memory\");",
          "(asm) (asm a ([] b 1) (Add c 1))");
    check("asm goto (\"jmp %l0\" : : : : out); out: ;", "(asm) (label out empty)");
    check(
        "__label__ a, b; int nested(int x) { return x; } nested(1);",
        "verbatim __label__ a, b; fn nested: (x: int)int {(return x)} (call nested 1)",
    );
    check(
        "switch (a) { case 1: b; __attribute__((fallthrough)); [[fallthrough]]; default: ; }",
        "(switch a {(case 1 b) empty empty (default empty)})",
    );
    check("__extension__ int a = 1; __extension__ a;", "a: int = 1; (Extension a)");
    check(
        "auto int g(void); __attribute__((unused)) int x; l: __attribute__((unused)) x = 1;",
        "g: (void)auto int; x: int @unused; (label l (= x 1))",
    );
    check("case 1: int x = 1; l: T y;", "(case 1 x: int = 1;) (label l y: T;)");
    check(
        "_Static_assert(1, \"a\"); a = ({ int b = 1; b; }) + 1;",
        "(assert 1) (= a (Add (stmts {b: int = 1; b}) 1))",
    );
    check(
        "int a[n], (*p)[n] = &a; T (x); T (*y)[2];",
        "a: [n]int, p: *[n]int = (AddrOf a); x: T; y: *[2]T;",
    );
}

#[test]
fn upc() {
    check(
        "upc_barrier; upc_barrier 3; upc_notify a + 1; upc_wait (2); upc_fence;",
        "(barrier _) (barrier 3) (notify (Add a 1)) (wait (paren 2)) fence",
    );
    check(
        "upc_forall (int i = 0; i < N; i++; &a[i]) a[i] = MYTHREAD;",
        "(forall i: int = 0; (Lt i N) (PostInc i) (AddrOf ([] a i)) (= ([] a i) MYTHREAD))",
    );
    check("upc_forall (i = 0; i < N; i++; i) upc_forall (;;;) ; upc_forall (;;; continue) ;",
          "(forall (= i 0) (Lt i N) (PostInc i) i (forall _ _ _ every empty)) (forall _ _ _ every empty)");
    check(
        "\n#pragma upc strict\n int a; {\n#pragma upc relaxed\n}",
        "(pragma Strict) a: int; {(pragma Relaxed)}",
    );
}

#[test]
fn old_names_of_statements() {
    let old = |name: &str| format!("E0106 [{name}] `{name}` is called `upc_{name}`");
    assert_eq!(messages("void f(void) { barrier; }"), [old("barrier")]);
    assert_eq!(
        messages("void f(void) { barrier 3; notify; wait; fence; }"),
        [old("barrier"), old("notify"), old("wait"), old("fence")]
    );
    assert_eq!(
        messages("void f(void) { int i; forall (i = 0; i < 3; i++; i) { i; } }"),
        [old("forall")]
    );
    assert_eq!(
        messages("void f(void) { if (1) barrier; else barrier; }"),
        [old("barrier"), old("barrier")]
    );
    // Declared, these are names like any other; and undeclared functions are C's business.
    for text in [
        "int wait(int *); void f(void) { wait; wait(0); }",
        "void f(int barrier) { barrier; }",
        "void f(void) { wait(0); forall(1); barrier = 1; notify(); }",
        "void f(void) { wait: goto wait; }",
        "typedef int barrier; void f(void) { barrier b; }",
    ] {
        assert_eq!(messages(text), [""; 0], "{text}");
    }
}

#[test]
fn parameters_of_old_style_are_declared() {
    let undeclared = |text: &str| {
        let ast = parse_clean(text);
        ast.undeclared.iter().map(|used| ast.names.name(used.name).to_string()).collect::<Vec<_>>()
    };
    assert_eq!(undeclared("int f(n, v) int n; int *v; { return v[n] + m; }"), ["m"]);
    assert_eq!(undeclared("int f(size_t);"), ["size_t"], "it may be a type that no header gave");
}

#[test]
fn pragmas() {
    let ast = parse_clean(
        "#pragma upc strict\nint a;\n  #  pragma   upc   relaxed  \n#pragma omp x\nint b;",
    );
    let list: Vec<Consistency> = ast.file_pragmas.iter().map(|p| p.1).collect();
    assert_eq!(list, [Consistency::Strict, Consistency::Relaxed]);
    let misplaced = ["W0105 [#pragma upc strict] this `#pragma upc` has no effect here"];
    assert_eq!(messages("void f(void) { int a;\n#pragma upc strict\n a = 1; }"), misplaced);
    assert_eq!(messages("void f(void) { int a;\n#pragma upc strict\n}"), misplaced);
    assert_eq!(messages("struct s {\n#pragma upc strict\nint a; };"), misplaced);
    assert_eq!(messages("void f(void)\n#pragma upc strict\n{ }"), misplaced);
    assert_eq!(messages("_Pragma(\"upc strict\") int a;"), [""; 0]);
    for text in ["#pragma upc", "#pragma upc strong", "#pragma upc strict x"] {
        let expected = format!("W0105 [{text}] this `#pragma upc` is not understood");
        assert_eq!(messages(&format!("{text}\nint a;")), [expected]);
    }
    parse_clean("void f(void) {\n#pragma omp parallel\nfor (;;)\n#pragma GCC unroll 4\nfor (;;) ; }\n#pragma pack(push)\n");
}
