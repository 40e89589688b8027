// SPDX-License-Identifier: BSD-3-Clause
//! What the later phases read besides types: constants, conversions, strictness, objects.

use super::{run, statements};
use crate::sema::types::PtsRep;
use crate::sema::{Duration, Linkage, Object, Sema};
use crate::syntax::ast::{Ast, ExprId, ExprKind};

fn object<'a>(ast: &Ast, sema: &'a Sema, name: &str) -> &'a Object {
    let symbol = ast.names.get(name).expect("the name is used");
    sema.objects.iter().find(|o| o.name == symbol).expect("the name is declared")
}

/// Initial values of `unsigned long` variables.
fn check_constants(threads: Option<u32>, declarations: &str, pairs: &[(&str, i128)]) {
    for (e, expected) in pairs {
        let source = format!("{declarations}\nenum {{ V = {e} }};");
        let (ast, sema, found) = run(&source, threads);
        assert!(found.0.is_empty(), "{source}: {found:?}");
        let value = match object(&ast, &sema, "V").kind {
            crate::sema::ObjectKind::Enumerator(n) => n,
            _ => panic!("V is an enumerator"),
        };
        assert_eq!(value, *expected, "{e}");
    }
}

#[test]
fn constants() {
    check_constants(
        None,
        "struct s { char c; int b : 3; long l; } v; typedef struct s A[3];",
        &[
            ("1 + 2 * 3 - (4 >> 1)", 5),
            ("-1 < 1u", 0),
            ("(char)300", 44),
            ("(int)2.75", 2),
            ("~0u", 0xffff_ffff),
            ("1 ? 2 : 1 / 0", 2),
            ("0 && 1 / 0", 0),
            ("sizeof(struct s)", 16),
            ("sizeof(A) + _Alignof(long)", 56),
            ("__builtin_offsetof(struct s, l)", 8),
            ("__builtin_types_compatible_p(int, const int)", 1),
            ("_Generic(1L, int: 1, long: 2)", 2),
            ("'a'", 97),
            ("sizeof(shared [262144] int *)", 16),
        ],
    );
}

#[test]
fn size_operators() {
    let arrays = "shared [3] int a[5 * THREADS]; shared [] char b[9]; shared double c; \
                  typedef int S[10]; shared [*] S d[2 * THREADS];";
    let in_all = [
        ("upc_blocksizeof(a)", 3),
        ("upc_blocksizeof(b)", 0),
        ("upc_elemsizeof(a)", 4),
        ("upc_elemsizeof(d)", 4),
        ("upc_blocksizeof(d)", 20),
        ("upc_localsizeof(d)", 80),
        ("upc_localsizeof(a)", 24),
        ("upc_localsizeof(b)", 9),
        ("upc_localsizeof(c)", 8),
        ("sizeof(b)", 9),
    ];
    check_constants(None, arrays, &in_all);
    check_constants(Some(4), arrays, &in_all);
    check_constants(Some(4), arrays, &[("sizeof(a)", 80), ("THREADS", 4)]);
}

#[test]
fn representations() {
    let source = "shared int *p; shared [] int *q; shared [2] int *r; shared void *s; \
                  shared [262143] char *t; shared [262144] char *u; int *v; shared [9] int *w[2];";
    let (ast, sema, _) = run(source, None);
    for (name, rep) in [
        ("p", Some(PtsRep::Direct)),
        ("q", Some(PtsRep::Direct)),
        ("r", Some(PtsRep::Packed)),
        ("s", Some(PtsRep::Packed)),
        ("t", Some(PtsRep::Packed)),
        ("u", Some(PtsRep::Wide)),
        ("v", None),
        ("w", None),
    ] {
        assert_eq!(sema.types.pts_rep(object(&ast, &sema, name).ty), rep, "{name}");
    }
}

/// The expressions of `source` that are converted, with their new types.
fn coercions(source: &str) -> Vec<String> {
    let (ast, sema, found) = run(source, None);
    assert!(found.0.is_empty(), "{source}: {found:?}");
    let mut list: Vec<_> = sema.coerce.iter().collect();
    list.sort_by_key(|(id, _)| ast.expr(**id).span.lo);
    let show = |(&id, &ty): (&ExprId, &_)| {
        format!("{} -> {}", ast.expr(id).span.text(source), sema.types.display(&ast.names, ty))
    };
    list.into_iter().map(show).collect()
}

#[test]
fn conversions_are_recorded() {
    let names = "shared int *p; shared [2] int *q; shared void *v; void h(shared void *); ";
    for (body, expected) in [
        ("v = p;", vec!["p -> shared void *"]),
        ("p = v; q = 0;", vec!["v -> shared int *", "0 -> shared [2] int *"]),
        ("h(q); h(v);", vec!["q -> shared void *"]),
        ("v == q; q == 0;", vec!["q -> shared void *", "0 -> shared [2] int *"]),
        ("1 ? q : 0;", vec!["0 -> shared [2] int *"]),
        ("1 ? q : v;", vec!["q -> shared void *"]),
        (
            "struct { int n; shared void *w[2]; } s = {1, p, q};",
            vec!["p -> shared void *", "q -> shared void *"],
        ),
        (
            "struct { int n; shared void *w; } s[] = {[2].w = p, 3, q};",
            vec!["p -> shared void *", "q -> shared void *"],
        ),
        ("p = p; q++; v = v;", vec![]),
    ] {
        assert_eq!(coercions(&format!("{names}void f(void) {{ {body} }}")), expected, "{body}");
    }
}

/// Which of the statements read or write strictly.
fn strict_texts(source: &str) -> Vec<String> {
    let (ast, sema, found) = run(source, None);
    assert!(found.0.is_empty(), "{source}: {found:?}");
    let mut ids: Vec<_> = sema.strict.iter().copied().collect();
    ids.sort_by_key(|&id| ast.expr(id).span.lo);
    ids.into_iter().map(|id| ast.expr(id).span.text(source).into()).collect()
}

#[test]
fn strict_accesses() {
    let names = "strict shared int s; relaxed shared int r; shared int n; int p;\n\
                 strict shared struct { int f; int g[3]; } t; strict shared int *q;\n";
    for (body, expected) in [
        ("s = r + n + p;", vec!["s"]),
        ("p = (s);", vec!["s"]),
        ("p = t.f + t.g[1];", vec!["t.f", "t.g[1]"]),
        ("*q += q[2]; &s; sizeof(s); q = &s;", vec!["*q", "q[2]"]),
        ("{\n#pragma upc strict\n n = r + s; } n = 1;", vec!["n", "s"]),
        ("s++;", vec!["s"]),
    ] {
        let source = format!("{names}void f(void) {{ {body} }}");
        assert_eq!(strict_texts(&source), expected, "{body}");
    }
    let source = "shared int n;\n#pragma upc strict\nvoid f(void) { n = 1; }\n\
                  #pragma upc relaxed\nvoid g(void) { n = 2; }";
    assert_eq!(strict_texts(source), ["n"]);
}

#[test]
fn objects() {
    let source = "int a; static int b = 1; extern int c; shared int d; _Thread_local int e;\n\
                  int taken, assigned, untouched;\n\
                  void f(int param) { int g; static int h; extern int a; &taken; assigned++; \
                  (void)untouched; }";
    let (ast, sema, found) = run(source, None);
    assert!(found.0.is_empty(), "{found:?}");
    let get = |name| object(&ast, &sema, name);
    for (name, linkage, duration) in [
        ("a", Linkage::External, Duration::Static),
        ("b", Linkage::Internal, Duration::Static),
        ("c", Linkage::External, Duration::Static),
        ("d", Linkage::External, Duration::Static),
        ("e", Linkage::External, Duration::ThreadLocal),
        ("f", Linkage::External, Duration::Static),
        ("g", Linkage::None, Duration::Automatic),
        ("h", Linkage::None, Duration::Static),
        ("param", Linkage::None, Duration::Automatic),
    ] {
        assert_eq!((get(name).linkage, get(name).duration), (linkage, duration), "{name}");
    }
    assert!(get("a").is_defined && !get("c").is_defined && get("b").has_init);
    assert!(get("taken").address_taken && !get("untouched").address_taken);
    assert!(get("assigned").is_assigned && !get("untouched").is_assigned);
    let a = ast.names.get("a").expect("used");
    assert_eq!(sema.objects.iter().filter(|o| o.name == a).count(), 1, "one object for `a`");
}

#[test]
fn external_objects_of_system_headers_are_known() {
    let source = "# 1 \"a.upc\"\nint mine; extern char **environ;\n# 1 \"/usr/include/x.h\" 1 3\n\
                  extern int theirs; static int table;\n# 3 \"a.upc\" 2\nextern int theirs;\nshared int x;\n";
    let (ast, sema, _) = run(source, None);
    assert!(object(&ast, &sema, "theirs").is_librarys);
    for name in ["mine", "environ", "table"] {
        assert!(!object(&ast, &sema, name).is_librarys, "{name}");
    }
}

/// Generated code nests to the left as deep as it is long.
#[test]
fn long_chains() {
    for (open, link) in [("x", "+x"), ("x", ",x"), ("p", "->n"), ("q", "[0]")] {
        let source = format!(
            "int x; struct s {{ struct s *n; }} *p; int *q;\nvoid f(void) {{ {open}{}; }}",
            link.repeat(50_000)
        );
        let (ast, sema, found) = run(&source, None);
        assert!(found.0.is_empty());
        let [id] = statements(&ast)[..] else { panic!("one statement") };
        assert!(matches!(sema.types.is_error(sema.expr_type(id)), true | false));
        assert!(!matches!(ast.expr(id).kind, ExprKind::Error));
    }
}
