// SPDX-License-Identifier: BSD-3-Clause
//! Types of expressions.

use super::{run, statements};

const DECLARATIONS: &str = "
typedef int S[10];
typedef shared [8] double block_t;
enum colour { RED, GREEN };
struct inner { int n; shared int *link; };
struct outer { struct inner in; int row[5]; unsigned bits : 3; };
shared int x;
shared [3] int a[3 * THREADS][4];
shared [3] S t[3 * THREADS];
shared [*] int star[10 * THREADS];
shared struct outer so;
struct outer po;
shared [2] struct outer *ps;
strict shared int *strict_ptr;
shared void *gen;
block_t *bp;
shared [] int *ip;
shared [2] int *shared pp;
int i; unsigned u; long l; unsigned long ul; long long ll; char c; short s; float fl; double d;
int *q; const int *cq; int (*fp)(int); int arr[7]; enum colour col; _Complex double z;
int *g(shared int *);
";

fn check(pairs: &[(&str, &str)]) {
    let mut source = String::from(DECLARATIONS);
    source += "void probe(void) {\n";
    for (e, _) in pairs {
        source += &format!("{e};\n");
    }
    source += "}\n";
    let (ast, sema, found) = run(&source, None);
    assert!(found.0.is_empty(), "{found:?}");
    let all = statements(&ast);
    assert_eq!(all.len(), pairs.len());
    for (&id, (e, expected)) in all.iter().zip(pairs) {
        let shown = sema.types.display(&ast.names, sema.expr_type(id));
        assert_eq!(&shown, expected, "{e}");
    }
}

#[test]
fn shared_lvalues() {
    check(&[
        ("x", "shared int"),
        ("a", "shared [3] int [3*THREADS][4]"),
        ("a[1]", "shared [3] int [4]"),
        ("a[1][2]", "shared [3] int"),
        ("t", "shared [3] int [3*THREADS][10]"),
        ("star", "shared [10] int [10*THREADS]"),
        ("*bp", "block_t"),
        ("*strict_ptr", "strict shared int"),
        ("pp", "shared [2] int *shared"),
        ("*pp", "shared [2] int"),
    ]);
}

/// UPC 1.3 §6.4.4: what lies inside a shared structure lies on one thread.
#[test]
fn members_of_shared_structures() {
    check(&[
        ("so.in", "shared [] struct inner"),
        ("so.in.n", "shared [] int"),
        ("&so.in.n", "shared [] int *"),
        ("so.row", "shared [] int [5]"),
        ("so.row[2]", "shared [] int"),
        ("so.in.link", "shared int *shared []"),
        ("*so.in.link", "shared int"),
        ("ps->row[1]", "shared [] int"),
        ("&ps->in", "shared [] struct inner *"),
        ("&ps[1]", "shared [2] struct outer *"),
        ("po.in.link", "shared int *"),
    ]);
}

#[test]
fn shared_pointers() {
    check(&[
        ("&x", "shared int *"),
        ("&a", "shared [3] int (*)[3*THREADS][4]"),
        ("&a[1][2]", "shared [3] int *"),
        ("a + 1", "shared [3] int (*)[4]"),
        ("1 + bp", "block_t *"),
        ("bp - bp", "long"),
        ("bp == gen", "int"),
        ("1 ? bp : 0", "block_t *"),
        ("1 ? bp : gen", "shared void *"),
        ("pp++", "shared [2] int *"),
        ("(shared [] char *)gen", "shared [] char *"),
        ("(int *)ip", "int *"),
        ("ip = 0", "shared [] int *"),
        ("g(&x)", "int *"),
    ]);
}

#[test]
fn private_types() {
    check(&[
        ("c + s", "int"),
        ("u + i", "unsigned int"),
        ("l + u", "long"),
        ("ul + ll", "unsigned long long"),
        ("fl * i", "float"),
        ("d + z", "double _Complex"),
        ("col + 1", "unsigned int"),
        ("RED", "int"),
        ("-po.bits", "int"),
        ("1 << ul", "int"),
        ("arr", "int [7]"),
        ("&arr", "int (*)[7]"),
        ("arr + 1", "int *"),
        ("1 ? q : cq", "const int *"),
        ("*fp", "int (int)"),
        ("fp(1)", "int"),
        ("(*fp)(1)", "int"),
        ("sizeof arr", "unsigned long"),
        ("\"ab\"", "char [3]"),
        ("({ int v = 1; &v; })", "int *"),
        ("(int[]){1, 2, [5] = 3}", "int [6]"),
        ("_Generic(ip, int *: 1, shared [] int *: 1.0, default: 'c')", "double"),
        ("__builtin_choose_expr(sizeof(int) == 4, d, i)", "double"),
        ("THREADS", "int"),
        ("MYTHREAD + 1u", "unsigned int"),
    ]);
}
