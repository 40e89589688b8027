// SPDX-License-Identifier: BSD-3-Clause
//! Line markers, and where the words of UPC are keywords.

use super::{messages, parse_clean};
use crate::syntax::{parse, ParseOptions};

#[test]
fn lines_come_from_markers() {
    let text = "# 1 \"a.upc\"\n# 7 \"dir/b \\\"q\\\".h\" 1\nint b;\n\nint c;\n# 2 \"a.upc\" 2\nint d;\n#line 40\nint e;\n";
    let ast = parse_clean(text);
    let at = |needle: &str| {
        let place = ast.lines.locate(text.find(needle).unwrap() as u32);
        (ast.lines.file(place.file).name.as_str(), place.line, place.column)
    };
    assert_eq!(at("b;"), ("dir/b \"q\".h", 7, 5));
    assert_eq!(at("int c"), ("dir/b \"q\".h", 9, 1));
    assert_eq!(at("int d"), ("a.upc", 2, 1));
    assert_eq!(at("e;"), ("a.upc", 40, 5));
}

#[test]
fn files_without_markers() {
    let ast = parse_clean("int a;\nint b;");
    let place = ast.lines.locate(11);
    assert_eq!((ast.lines.file(place.file).name.as_str(), place.line), ("<stdin>", 2));
    parse_clean("");
}

/// GCC marks the tokens of a system header's macro in the user's file with flag 3.
#[test]
fn expansions_do_not_make_a_file_a_system_header() {
    let text = "# 1 \"a.upc\"\nint *p =\n# 2 \"a.upc\" 3 4\n((void *)0)\n# 2 \"a.upc\"\n;\nshared int x;\n";
    let files = parse_clean(text).lines.files;
    assert!(!files[0].is_system);
}

#[test]
fn words_of_upc_are_names_in_c() {
    for text in [
        "int shared = 3; int f(int strict, int relaxed) { return shared + strict[&relaxed]; }",
        "struct s { struct s *shared; } *p; int THREADS = 4; int g(void) { return p->shared != 0; }",
    ] {
        parse_clean(&format!("# 1 \"a.c\"\n# 1 \"b.h\" 1\n{text}\n# 2 \"a.c\" 2\n"));
        let c = format!("# 1 \"a.c\"\n{text}\n");
        parse_clean(&c);
        for sign in ["shared int u;", "int me(void) { return MYTHREAD; }", "#pragma upc strict",
                     "shared [2+1] char v[9*THREADS];", "# 1 \"upc.h\" 1 3"] {
            assert!(!messages(&format!("{c}{sign}\n")).is_empty(), "{sign}");
        }
        assert!(!messages(&c.replace("a.c", "a.upc")).is_empty());
    }
}

/// `-I` does not make a system header of a library's.
#[test]
fn words_of_upc_are_names_in_headers_that_declare_them() {
    let header = |text: &str| {
        let markers = ["# 1 \"a.upc\"\n# 1 \"/opt/x/include/x.h\" 1\n", "\n# 2 \"a.upc\" 2\n"];
        messages(&format!("{}{text}{}shared int y;\n", markers[0], markers[1]))
    };
    for text in [
        "struct s { unsigned long shared; int n; };",
        "struct s { int relaxed, *strict; }; static inline int f(int shared) { return shared; }",
        "extern int strict; static int shared = 3;",
        // and keywords where nothing says so, or something else does
        "extern int shared *p; extern shared [] int *q; int f(int shared *p);",
        "extern int shared x; extern relaxed shared int z;",
        "extern shared int x[THREADS];",
        "static inline void f(void) { upc_barrier; }",
    ] {
        assert_eq!(header(text), Vec::<String>::new(), "{text}");
    }
    assert_eq!(header("extern shared int x; int shared = 3;").len(), 1);
}

#[test]
fn words_of_upc_are_names_in_system_headers() {
    let system = "# 1 \"a.upc\"\n# 1 \"/usr/include/x.h\" 1 3\n";
    for text in [
        "int f(int shared, int strict, int relaxed);",
        "struct s { int shared; unsigned strict : 1; int THREADS, MYTHREAD; };",
        "enum { shared, relaxed = 2 }; static inline int g(int shared) { return shared + 1; }",
        "int shared[4]; extern int x __attribute__((shared)); int shared = 3;",
        "enum { LOCAL, THREADS }; enum { MYTHREAD = 2 }; int a[THREADS]; int b(int *MYTHREAD);",
        "struct u { int n, THREADS; }; static inline int h(struct u *u) { return u->THREADS; }",
        // and keywords where nothing else fits
        "extern shared int s[THREADS], t[2 * THREADS]; int shared *p(shared int *, int shared *);",
        "static inline int h(void) { return (MYTHREAD + 1) % THREADS; }",
        "static inline void h(void) { upc_barrier; } extern int shared u[THREADS];",
        "extern shared int s; extern shared [4] int t[]; strict shared int u; shared void *v(void);",
    ] {
        parse_clean(&format!("{system}{text}\n# 2 \"a.upc\" 2\nshared int y;\n"));
    }
    assert_eq!(messages("# 1 \"a.upc\"\nint shared = 3;").len(), 1);
    let plain = ParseOptions { plain_c: true, ..Default::default() };
    assert!(parse("int shared = THREADS; int upc_forall;", &plain).1 .0.is_empty());
}
