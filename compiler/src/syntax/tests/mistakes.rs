// SPDX-License-Identifier: BSD-3-Clause
//! What is said about mistakes: the place, the words, and that one mistake gives one message.

use super::{messages, parse_upc};

fn check(text: &str, expected: &[&str]) {
    assert_eq!(messages(text), expected, "{text}");
}

#[test]
fn one_mistake_one_message() {
    check(
        "int f(void) { return 1 }",
        &["E0102 [] expected `;` after the `return` statement, found `}`"],
    );
    check("int x = ;", &["E0102 [;] expected an expression, found `;`"]);
    check("int x int y;", &["E0102 [] expected `;` after this declaration, found `int`"]);
    check("void f(void) { if (a { b; } c; }", &["E0102 [{] expected `)`, found `{`"]);
    check(
        "void f(void) { for (i = 0 i < 3; i++) { a b c; } }",
        &[
            "E0102 [] expected `;` after the loop's first clause, found `i`",
            "E0102 [] expected `;` after this statement, found `b`",
        ],
    );
    check("void f(void) { a = (1 + 2; b = 3; }", &["E0102 [;] expected `)`, found `;`"]);
    check("void f(void) { else a; }", &["E0102 [else] `else` without `if`"]);
    check("}", &["E0102 [}] unexpected `}`"]);
    check("struct { int a b; int c; } s;", &["E0102 [] expected `;` after this member, found `b`"]);
    check("struct s { 3; int a; };", &["E0102 [3] expected a member's type or `}`, found `3`"]);
    check(
        "enum { A, 3, B }; int x;",
        &["E0102 [3] expected the name of an enumeration constant, found `3`"],
    );
    check("long char x;", &["E0102 [long char] `long char` is not a type"]);
    check(
        "void f(void) { upc_forall (i = 0; i < 3; i++) ; }",
        &["E0102 [)] this `upc_forall` has no affinity clause"],
    );
    check("shared [4 int a[4*THREADS];", &["E0102 [int] expected `]`, found `int`"]);
    check(
        "shared const [2] int a[2*THREADS];",
        &["E0102 [[] the block size does not stand directly after `shared`"],
    );
    check("3;", &["E0102 [3] expected a declaration, found `3`"]);
    check("int a[3 = { 1 };", &["E0102 [{] expected an expression, found `{`"]);
}

#[test]
fn several_mistakes_in_one_run() {
    let text = "int f(void) { int a = ; a = 1 +; return a }\nint g(void) { return 2; }\nint h(void) { b b b; }";
    let (ast, diags) = parse_upc(text);
    assert_eq!(ast.items.len(), 3);
    assert_eq!(diags.0.len(), 4, "{:?}", diags.0);
}

#[test]
fn unknown_types_are_named_once() {
    let text = "foo_t x; foo_t *y; int f(foo_t a, foo_t *b) { foo_t c; return 1; }";
    check(text, &["E0102 [foo_t] unknown type name `foo_t`"]);
    check("void f(bar *x, bar y); bar z;", &["E0102 [bar] unknown type name `bar`"]);
    check("void f(void) { baz q; baz r = 1; }", &["E0102 [baz] unknown type name `baz`"]);
    // A system header may use types that only its compiler knows.
    check("# 1 \"a.c\"\n# 1 \"/usr/x.h\" 1 3\ntypedef __Float32x4_t v; extern __fancy *p;\n", &[]);
}

#[test]
fn keywords_of_upc_as_names() {
    let (_, diags) = parse_upc("int shared = 3;");
    assert_eq!(diags.0.len(), 1);
    assert!(diags.0[0].notes[0].contains("`shared` is a keyword of UPC"));
    assert!(diags.0[0].help.as_ref().unwrap().contains("choose another"));
    let (_, diags) = parse_upc("void f(int a) { int THREADS; }");
    assert!(diags.0[0].notes[0].contains("`THREADS` is a keyword"));
}

#[test]
fn brackets_that_are_never_closed() {
    check("int f(void) { if (1) { return 1;", &["E0104 [{] this `{` is never closed"]);
    check("int x = (1 + (2", &["E0104 [(] this `(` is never closed"]);
    check("struct s { int a;", &["E0104 [{] this `{` is never closed"]);
}

#[test]
fn characters_and_literals() {
    check("int @ x;", &["E0101 [@] C has no character `@`"]);
    check(
        "int x \u{201c}= \u{d7};",
        &[
            "E0101 [\u{201c}] C has no character `\u{201c}`",
            "E0101 [\u{d7}] C has no character `\u{d7}`",
            "E0102 [;] expected an expression, found `;`",
        ],
    );
    check("char *s = \"abc;\nint x;", &["E0101 [\"abc;] this string does not end on its line"]);
    check(
        "char c = 'a;\nint x;",
        &["E0101 ['a;] this character constant does not end on its line"],
    );
    check("int x; /* abc", &["E0101 [/*] this comment does not end"]);
    check("int \u{e9}t\u{e9} = 1; int $x;", &[]);
}
