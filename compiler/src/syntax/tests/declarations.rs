// SPDX-License-Identifier: BSD-3-Clause
//! C17 §6.7 and §6.9, UPC 1.3 §6.5.

use super::check;

#[test]
fn declarators_read_outward() {
    check("int *(*f[3])(void);", "f: [3]*(void)*int;");
    check(
        "char *a, b[2][3], *const volatile c;",
        "a: *char, b: [2][3]char, c: *const volatile char;",
    );
    check("int (*(*fp)(int (*)(char), ...))[4];", "fp: *(: *(: char)int, ...)*[4]int;");
    check(
        "int f(int n, int a[static const 10], int b[*], int c[n]);",
        "f: (n: int, a: [static const 10]int, b: [*]int, c: [n]int)int;",
    );
    check("int (f)(int (g), int (int), int ());", "f: (g: int, : (: int)int, : ()int)int;");
    check(
        "void (*signal(int, void (*)(int)))(int);",
        "signal: (: int, : *(: int)void)*(: int)void;",
    );
}

#[test]
fn specifiers_in_any_order() {
    check("long unsigned const int static long x;", "x: static const ullong;");
    check(
        "int long x; short y; signed z; char signed w;",
        "x: long;
        y: short;
        z: int;
        w: schar;",
    );
    check(
        "double long _Complex z; _Complex c; float __complex__ f;",
        "z: complexldouble;
        c: complexdouble;
        f: complexfloat;",
    );
    check(
        "unsigned __int128 a; __int128_t b; _Bool c;",
        "a: uint128;
        b: int128;
        c: bool;",
    );
    check(
        "_Float128 a; _Complex _Float64 b; __float128 c;",
        "a: _Float128;
        b: _Complex _Float64;
        c: __float128;",
    );
    check(
        "typedef float _Float32; _Float32 x;",
        "_Float32: typedef float;
        x: _Float32;",
    );
    check(
        "_Atomic int a; _Atomic(int *) b; int *_Atomic c;",
        "a: atomic int;
        b: atomic(*int);
        c: *atomic int;",
    );
    check("_Alignas(16) _Alignas(double) char a[4];", "a: [4]alignas(16) alignas(<double>) char;");
    check(
        "extern __thread int a; static _Thread_local int b;",
        "a: extern thread int;
        b: static thread int;",
    );
    check(
        "_Noreturn inline void f(void); __extension__ extern int g(void);",
        "f: (void)inline void;
        g: (void)extern int;",
    );
    check(
        "__auto_type x = 1; static __inline__ int y;",
        "x: auto = 1;
        y: static inline int;",
    );
}

#[test]
fn shared_types() {
    check(
        "shared int a; shared [4] int b[8*THREADS];",
        "a: shared int;
        b: [(Mul 8 THREADS)]shared[4] int;",
    );
    check(
        "shared [] double *p; int shared [*] q[THREADS][3];",
        "p: *shared[] double;
        q: [THREADS][3]shared[*] int;",
    );
    check(
        "strict shared int s; relaxed shared [2+1] int r[THREADS];",
        "s: strict shared int;
        r: [THREADS]relaxed shared[(Add 2 1)] int;",
    );
    check("shared int *shared [5] *p[3];", "p: [3]**shared[5] shared int;");
    check(
        "typedef shared [10] int T; T *f(T *a, shared void *b);",
        "T: typedef shared[10] int;
        f: (a: *T, b: *shared void)*T;",
    );
    check(
        "struct s { shared int *p; shared struct s *next; };",
        "struct s {p: *shared int; next: *shared struct s;};",
    );
}

#[test]
fn records_and_enums() {
    check(
        "struct s { int a : 3, : 2, b; struct { int c; union { int d; }; }; } x, *y;",
        "x: struct s {a: int :3, : int :2, b: int; struct {c: int; union {d: int;};};}, \
           y: *struct s {a: int :3, : int :2, b: int; struct {c: int; union {d: int;};};};",
    );
    check(
        "struct empty {}; struct f { int n; char flex[]; }; struct z { int a[0]; };",
        "struct empty {};
        struct f {n: int; flex: []char;};
        struct z {a: [0]int;};",
    );
    check("struct __attribute__((packed)) p { char c; int i __attribute__((aligned(2))); } __attribute__((__aligned__(8)));",
          "struct p {c: char; i: int @aligned(2);} @packed @aligned(8);");
    check(
        "enum e { A, B = 3, C __attribute__((deprecated)) = A + B, } x;",
        "x: enum e {A B=3 C=(Add A B)};",
    );
    check(
        "enum e; enum { Z } ; struct t;",
        "enum e;
        enum {Z};
        struct t;",
    );
    check(
        "struct s { _Static_assert(1, \"x\"); int a; int b };",
        "struct s {(assert 1) a: int; b: int;};",
    );
    check(
        "typedef int T; struct s { T T; T : 3; unsigned T : 2; };",
        "T: typedef int;
        struct s {T: T; : T :3; T: uint :2;};",
    );
}

#[test]
fn attributes_and_labels() {
    check(
        "int x __asm__(\"y\") __attribute__((weak, alias(\"z\"))) = 1;",
        "x: int __asm__(\"y\") @weak @alias(\"Char 2) = 1;",
    );
    check("__attribute__((__noreturn__)) void f(void) __attribute__((format(printf, 1, 2), nonnull));",
          "f: (void)void @noreturn @format(printf,1,2) @nonnull;");
    check(
        "typedef long long v __attribute__((__vector_size__(8), __may_alias__));",
        "v: typedef llong @vector_size(8) @may_alias;",
    );
    check(
        "int a, __attribute__((unused)) b, *__attribute__((aligned(4))) c;",
        "a: int, b: int @unused, c: *int;",
    );
    check(
        "[[gnu::packed, deprecated(\"x\")]] int a [[maybe_unused]];",
        "a: int @packed @deprecated(\"Char 2);",
    );
    check(
        "int f(int (__attribute__((cdecl)) *g)(void), int x __attribute__((unused)));",
        "f: (g: *(void)int, x: int)int;",
    );
    check(
        "asm(\".globl x\"); ; int y;",
        "verbatim asm(\".globl x\");
        verbatim ;
        y: int;",
    );
    check(
        "int x __attribute__((mode(TI), iface(struct s *), empty()));",
        "x: int @mode(TI) @iface @empty;",
    );
}

#[test]
fn functions() {
    check("int main(void) { return 0; }", "fn main: (void)int {(return 0)}");
    check("main() {}", "fn main: ()missing {}");
    check(
        "int f(a, b) int a; char *b; { return a; }",
        "fn f: (a b)inta: int;b: *char; {(return a)}",
    );
    check(
        "static void f(int n, int a[n]) { a[n] = 1; }",
        "fn f: (n: int, a: [n]int)static void {(= ([] a n) 1)}",
    );
    check("int *(*f(int a))[3] { return a; }", "fn f: (a: int)*[3]*int {(return a)}");
    check(
        "_Static_assert(sizeof(int) == 4, \"int\" \"4\"); int x;",
        "(assert (Eq (Sizeof <int>) 4))
        x: int;",
    );
    check("void f(void) __attribute__((cold)) { }", "fn f: (void)void @cold {}");
}

/// C17 §6.2.1: what a name means where.
#[test]
fn typedef_names_have_scopes() {
    check(
        "typedef int T; void f(void) { T T; T * T; }",
        "T: typedef int;
        fn f: (void)void {T: T; (Mul T T)}",
    );
    check(
        "typedef int T; void f(int T) { T * 2; } T x;",
        "T: typedef int;
        fn f: (T: int)void {(Mul T 2)}
        x: T;",
    );
    check(
        "typedef int T; void f(void) { { enum { T }; T * 1; } T * x; }",
        "T: typedef int;
        fn f: (void)void {{enum {T}; (Mul T 1)} x: *T;}",
    );
    check(
        "void f(void) { typedef int U; U x; { U U = 1; U++; } U y; } int U;",
        "fn f: (void)void {U: typedef int; x: U; {U: U = 1; (PostInc U)} y: U;}
        U: int;",
    );
    check(
        "typedef int T; void f(void) { for (T T = 0; T < 3; T++) T * 2; T * p; }",
        "T: typedef int;
        fn f: (void)void {(for T: T = 0; (Lt T 3) (PostInc T) (Mul T 2)) p: *T;}",
    );
    check(
        "typedef int T; struct s { int T; }; T a; void g(T, int T, int); T b;",
        "T: typedef int;
        struct s {T: int;};
        a: T;
        g: (: T, T: int, : int)void;
        b: T;",
    );
    check(
        "typedef int T; void f(void) { T: goto T; T x; (T)x; (x)*x; }",
        "T: typedef int;
        fn f: (void)void {(label T (goto T)) x: T; (cast <T> x) (Mul (paren x) x)}",
    );
    check(
        "typedef struct T T; struct T { T *next; }; int f(T *T) { return T->next; }",
        "T: typedef struct T;
        struct T {next: *T;};
        fn f: (T: *T)int {(return (-> T next))}",
    );
    check(
        "typedef int T; int f(const T, register T x); extern const T y;",
        "T: typedef int;
        f: (: const T, x: register T)int;
        y: extern const T;",
    );
    check(
        "typedef int A; void f(void) { int A = sizeof(A), B = A; typedef char A2; A2 c; }",
        "A: typedef int;
        fn f: (void)void {A: int = (Sizeof (paren A)), B: int = A; A2: typedef char; c: A2;}",
    );
}
