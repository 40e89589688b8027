// SPDX-License-Identifier: BSD-3-Clause
//! Each constraint: broken once, and kept by its nearest neighbours.

use super::{check, check_static};

#[test]
fn strict_and_relaxed() {
    check("strict relaxed shared int x;", &["E0301"]);
    check("typedef strict shared int T; relaxed T x;", &["E0301"]);
    check("typedef strict shared int T; strict T x;", &[]);
    check("strict int x;", &["E0302"]);
    check("int *relaxed p;", &["E0302"]);
    check("typedef shared int T; strict T x;", &[]);
    check("strict shared int *p; shared int *shared strict q;", &[]);
}

#[test]
fn block_sizes() {
    check("shared [2] shared [3] int *p;", &["E0303"]);
    check("shared [2] shared [2] shared int *p;", &[]);
    check("typedef shared [5] int T; shared [7] T *p; shared T *q; shared [5] T *r;", &["E0303"]);
    check("shared [2] int shared [3] a[6];", &["E0303"]);
    check("int n; shared [n] int *p;", &["E0304"]);
    check("shared [THREADS] int *p;", &["E0304"]);
    check("shared [1.5] int *p;", &["E0304"]);
    check_static("shared [THREADS] int *p;", &[]);
    check("shared [-1] int *p;", &["E0305"]);
    check("shared [35184372088833] int *p; shared [35184372088832] int *q;", &["E0305"]);
    check("enum { B = 3 }; shared [B * 2] int *p; shared [0] int *q;", &[]);
}

#[test]
fn star() {
    check("shared [*] int a[10 * THREADS];", &[]);
    check("shared [*] int *p;", &["E0306"]);
    check("void f(shared [*] int *p);", &["E0306"]);
    check("int *shared [*] a[THREADS];", &[]);
    check("typedef shared [*] int T;", &["E0307"]);
    check("typedef shared [*] int *T;", &["E0307"]);
    check("extern shared [*] int a[];", &["E0308"]);
    check("shared [*] int x;", &[]);
    check_static("shared [*] int a[10]; shared [*] int b[] = {1, 2, 3};", &[]);
}

#[test]
fn layout_of_void() {
    check("shared [4] void *p;", &["E0309"]);
    check("shared [] void *p;", &["E0309"]);
    check("shared void *p; const shared void *q; shared void *shared [2] r[2 * THREADS];", &[]);
}

#[test]
fn storage() {
    check("void f(void) { shared int x; }", &["E0310"]);
    check("void f(void) { int *shared p; }", &["E0310"]);
    check("void f(void) { shared [] int x[10]; }", &["E0310"]);
    check("typedef shared int T; void f(void) { register T x; }", &["E0310"]);
    check("void f(void) { static shared int x; extern shared int y; shared int *p; }", &[]);
    check("void f(void) { (shared int){1}; }", &["E0310"]);
    check("struct s { shared int x; };", &["E0311"]);
    check("struct s { int *shared p; };", &["E0311"]);
    check("union u { shared [] int a[3]; };", &["E0311"]);
    check("struct s { shared int *p; strict shared [3] int *q[4]; };", &[]);
    check("void f(shared int x);", &["E0312"]);
    check("void f(x) shared int x; {}", &["E0312"]);
    check("void f(shared int a[], shared [2] int b[10], shared int *p);", &[]);
    check("shared int f(void);", &["E0313"]);
    check("int *shared f(void);", &["E0313"]);
    check("shared int *f(void);", &[]);
    check("_Thread_local shared int x;", &["E0317"]);
}

/// Macros of GNU C copy their arguments so.
#[test]
fn typeof_of_shared_values() {
    check("shared int x; void f(void) { __typeof__(x) y = (__typeof__(x))1; y++; &y; }", &[]);
    check("shared int x; void f(void) { __typeof__(x) *p = &x; static __typeof__(x) y; }", &[]);
    check("shared int x; void f(void) { shared __typeof__(x) y; }", &["E0310"]);
}

#[test]
fn dimensions() {
    check("void f(int n) { static shared int a[n]; }", &["E0314"]);
    check("int n; shared int a[n * 2];", &["E0314"]);
    check("shared int a[10];", &["E0315"]);
    check("shared int a[THREADS][THREADS];", &["E0315"]);
    check("shared int a[10 + THREADS];", &["E0315"]);
    check("shared int a[THREADS * 100 * 20], b[2 * (3 * (long)THREADS) * 4];", &[]);
    check("shared int a[THREADS + THREADS];", &["W0319"]);
    check("void f(int n) { shared [2] int (*p)[n]; static shared int (*q)[n][THREADS]; }", &[]);
    check("typedef int R[THREADS]; shared R a[4]; shared [*] R b[2];", &[]);
    check("shared int a[THREADS * 2 * THREADS];", &["E0315"]);
    check("shared int a[THREADS * 0];", &["E0315"]);
    check("shared int (**p)[THREADS][THREADS];", &["E0315"]);
    check("shared int (*p)[10]; shared int (*q)[3][2 * THREADS];", &[]);
    check("typedef shared int R[10]; R a[THREADS]; R *p;", &[]);
    check("shared int a[THREADS * (100 * 20)], b[(THREADS)], c[3][(5) * THREADS];", &[]);
    check("shared [] int a[THREADS];", &["E0316"]);
    check("shared [] int a[10]; shared [0] int b[10][3];", &[]);
    check("extern shared int a[];", &[]);
    check_static(
        "shared int a[10 + THREADS], b[THREADS][THREADS], c[10]; shared [] int d[THREADS];",
        &[],
    );
}

#[test]
fn redeclarations() {
    check("extern shared [4] int a[4 * THREADS]; shared [2] int a[4 * THREADS];", &["E0318"]);
    check("void f(shared [2] int *p); void f(shared [3] int *p);", &["E0318"]);
    check("extern shared int a[]; shared int a[THREADS]; extern shared int a[THREADS];", &[]);
    check("void f(); void f(shared int *p) {}", &[]);
    check("shared int x; int x_[1]; void g(void) { extern shared int x; }", &[]);
}

#[test]
fn size_operators() {
    check("int x; unsigned long n = upc_blocksizeof(x);", &["E0401"]);
    check("unsigned long n = upc_localsizeof(shared int *);", &["E0401"]);
    check("int f(void); unsigned long n = upc_elemsizeof(f);", &["E0402"]);
    check("struct s; unsigned long n = upc_localsizeof(shared struct s);", &["E0402"]);
    check("shared struct { int a : 3; } s; unsigned long n = upc_localsizeof(s.a);", &["E0402"]);
    check("unsigned long n = sizeof(shared void);", &["E0402"]);
    check("int n = sizeof(void); int f(void); int m = sizeof f;", &[]);
}

#[test]
fn arithmetic() {
    check("shared void *p; void f(void) { p + 1; p++; p -= 1; p[0]; }", &["E0403"; 4]);
    check("shared struct s *p; void f(void) { 1 + p; --p; }", &["E0403"; 2]);
    check(
        "shared int *p; int *q; void f(void) { p - q; p < q; p == q; 1 ? p : q; }",
        &["E0404"; 4],
    );
    check("shared int *p; void f(void) { p == 0; 0 != p; p == (void *)0; 1 ? p : 0; }", &[]);
    check("shared void *p, *q; void f(void) { p < q; p - q; p == q; }", &["E0405"; 2]);
    check(
        "shared int *p; shared [2] int *q; void f(void) { p == q; p - q; p < q; 1 ? p : q; }",
        &["E0406"; 4],
    );
    check("shared int *p; shared void *q; void f(void) { p == q; q != p; 1 ? p : q; }", &[]);
    check("shared int *p; void f(void) { p + p; p * 2; -p; p & 1; 1 - p; p == 7; }", &["E0413"; 6]);
    check("shared int *p; void f(void) { switch (p) { case 0: ; } }", &["E0413"]);
    check("void *p; void f(void) { p + 1; p++; }", &[]);
}

#[test]
fn conversions() {
    check("int *q; shared int *p; void f(void) { p = q; }", &["E0407"]);
    check("shared int *p = 7;", &["E0407"]);
    check("void g(shared int *p); int *q; void f(void) { g(q); g(0); g((void *)0); }", &["E0407"]);
    check("int *q; shared int *f(void) { return q; }", &["E0407"]);
    check("int *q; shared int *p; void f(void) { p = (shared int *)q; }", &["E0407"]);
    check("long n; shared int *p; void f(void) { p = (shared int *)n; }", &["E0407"]);
    check("shared int *p; int *q; void f(void) { q = p; q = (int *)p; }", &["E0408"]);
    check("shared int *p; long f(void) { return (long)p; }", &[]);
    check("shared int *p; _Bool f(void) { return p; }", &[]);
    check(
        "shared int *p; shared [2] int *q; void f(void) { p = q; p = (shared int *)q; }",
        &["E0409"],
    );
    check("shared int **p; int **q; void f(void) { p = q; }", &["E0409"]);
    check("shared int **p; void *q; void f(void) { p = q; q = p; p = (shared int **)q; }", &[]);
    check("shared void *p; shared [3] int *q; void f(void) { p = q; q = p; }", &[]);
    check(
        "shared const int *p; shared int *q; strict shared int *r; void f(void) { p = q; p = r; }",
        &[],
    );
    check("shared int a[THREADS]; shared int *p = a; shared int *q = &a[1];", &[]);
    check(
        "shared struct { int x[3]; } s; shared [] int *p = &s.x[1]; shared [] int *q = s.x;",
        &[],
    );
    check("shared struct { int x; } s; shared int *p = &s.x;", &["E0409"]);
}

#[test]
fn operands() {
    check("shared struct { int a : 3; } s; void f(void) { &s.a; }", &["E0410"]);
    check("void f(void) { THREADS = 1; MYTHREAD++; &THREADS; }", &["E0411"; 3]);
    check("int x; void f(void) { (shared int)x; }", &["E0412"]);
}

#[test]
fn statements() {
    check(
        "shared int *p; struct s { int a; } s; void f(void) { upc_barrier p; upc_notify s; }",
        &["E0501"; 2],
    );
    check("double x; void f(void) { upc_barrier x; upc_notify; upc_wait 3; upc_fence; }", &[]);
    check("int *p; void f(void) { int i; upc_forall (i = 0; i < 9; i++; p) ; }", &["E0502"]);
    check("void f(void) { int i; upc_forall (i = 0; i < 9; i++; 1.5) ; }", &["E0502"]);
    check(
        "shared int a[THREADS]; void f(void) { \
         upc_forall (int i = 0; i < 9; i++; &a[i]) ; upc_forall (int i = 0; i < 9; i++; a) ; \
         upc_forall (int i = 0; i < 9; i++; i) ; upc_forall (int i = 0; i < 9; i++; continue) ; }",
        &[],
    );
}

/// What the C compiler will say of the emitted text is not said here.
#[test]
fn plain_c_mistakes_are_silent() {
    check("int f(void) { return undeclared + g(1)->x; }", &[]);
    check("struct s x; int *p = 3.5; void f(void) { p = &3; x.y = p * p; *7; }", &[]);
    check("void f(void) { int a[-1]; f(1, 2); a = a; } void f(int);", &[]);
    check("typedef int T; T T; void g(void) { T = 1; return 3; }", &[]);
    check("int a[2] = {1, 2, 3, {4}}; struct {} e[3] = {1, 2}; int b = {};", &[]);
}
