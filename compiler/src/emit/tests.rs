// SPDX-License-Identifier: BSD-3-Clause
//! What single constructs become. Whole functions are in `tests/emit`, behaviour in `tests/run`.

use crate::{translate, Options};

/// The emitted C of `source` after the prelude, in one line with single blanks.
fn emitted(source: &str, threads: Option<u32>, optimise: bool) -> String {
    emitted_with(source, Options { threads, optimise, ..Options::default() })
}

fn emitted_with(source: &str, options: Options) -> String {
    let text = format!("# 1 \"t.upc\"\n{source}\n");
    let options = Options { file: "t.upc".into(), ..options };
    let translation = translate(&text, &options);
    let c = translation.c.unwrap_or_else(|| panic!("{:?}", translation.diagnostics));
    let start = c.find("# 1 \"t.upc\"\n").expect("the text has its marker");
    c[start + 12..].split_whitespace().collect::<Vec<_>>().join(" ")
}

fn check(source: &str, expected: &str) {
    let c = emitted(source, None, false);
    assert!(c.contains(expected), "no `{expected}` in:\n{c}");
}

#[test]
fn plain_c_is_untouched() {
    let source = "struct s { int a : 3; } f(struct s *p, int n) { return p[n /* no */ ]  ; }";
    let c = translate(&format!("{source}\n"), &Options::default()).c.expect("is correct C");
    assert!(c.contains(source));
}

#[test]
fn indefinite_arrays_are_c_arrays() {
    check("shared [] int a[4]; int f(int i) { return a[i]; }", "return (*upcr_at_a)[i];");
}

#[test]
fn cyclic_and_blocked_elements() {
    let array = "shared [2] int a[4*THREADS]; shared int c[THREADS];";
    check(
        &format!("{array} void f(int i) {{ a[i]++; }}"),
        "(*(int *)upcr_elem_blocked(upcr_at_a, i, sizeof(int), 2))++;",
    );
    check(
        &format!("{array} int f(void) {{ return c[2]; }}"),
        "(*(int *)upcr_elem_cyclic(upcr_at_c, 2, sizeof(int)))",
    );
}

#[test]
fn own_elements_are_found_without_a_division() {
    let check = |array: &str, element: &str, expected: &str| {
        check(
            &format!("{array} int f(int i, int k, unsigned u) {{ return {element}; }}"),
            expected,
        );
    };
    let cyclic = "shared int a[4 * THREADS];";
    check(cyclic, "a[MYTHREAD]", "(*(int *)upcr_local(upcr_at_a))");
    check(cyclic, "a[i * THREADS + MYTHREAD]", "upcr_local_elem(upcr_at_a, i, sizeof(int))");
    check(cyclic, "a[MYTHREAD + THREADS * i]", "upcr_local_elem(upcr_at_a, i, sizeof(int))");
    check(cyclic, "a[u * THREADS + MYTHREAD]", "upcr_elem_cyclic(upcr_at_a, u * ");
    check(cyclic, "a[i * THREADS - MYTHREAD]", "upcr_elem_cyclic(upcr_at_a, i * ");
    let rows = "shared [5] int a[4][THREADS][5];";
    check(
        rows,
        "a[2][MYTHREAD][k]",
        "upcr_local_elem(upcr_at_a, (long)2 * 5 + (long)k, sizeof(int))",
    );
    check(rows, "a[2][i][k]", "upcr_elem_rows(");
    check("shared [2] int a[THREADS][4];", "a[MYTHREAD][k]", "upcr_elem_blocked(");
}

#[test]
fn small_loops_over_subscripts_are_unrolled() {
    let loop_over = |head: &str, element: &str| {
        let source = format!(
            "shared int a[4 * THREADS]; shared [] int *q; int f(int *p, int n) \
             {{ int s = 0; {head} s += {element}; return s; }}"
        );
        emitted(&source, None, true)
    };
    let head = "for (int i = 0; i < n; i++)";
    let unrolled = "#pragma GCC unroll 4 # 1 \"t.upc\" for (int i = 0; i < n; i++)";
    assert!(loop_over(head, "a[p[i]]").contains(unrolled));
    for (head, element) in [
        (head, "q[p[i]]"),
        (head, "a[MYTHREAD]"),
        (head, "a[p[i]] + a[p[i + 1]] + a[p[i + 2]] + a[p[i + 3]] + a[p[i + 4]]"),
        ("for (int i = 0; i < n; i++) { s += a[p[i]]; for (; s < i;) s++; }", "1"),
        ("\n#pragma GCC unroll 2\nfor (int i = 0; i < n; i++)", "a[p[i]]"),
        ("while (n--)", "a[p[n]]"),
        ("for (int i = 0; i < n; i++) if (i) return a[p[i]]; else", "i"),
        ("for (int i = 0; i < n; i++)", "a[p[i]] + f(p, i)"),
    ] {
        let c = loop_over(head, element);
        assert!(!c.contains("#pragma GCC unroll 4"), "unrolled: {c}");
    }
}

#[test]
fn rows_within_blocks_keep_the_division_out_of_inner_loops() {
    check(
        "shared [8] int a[THREADS][4]; int f(int i, int j) { return a[i][j]; }",
        "upcr_elem_rows(upcr_at_a, i, j, sizeof(int), 2, 4)",
    );
}

#[test]
fn pointers_with_a_phase_are_packed() {
    check("shared [4] int *f(shared [4] int *p) { return p; }", "upcr_pts f(upcr_pts p)");
    check("int f(shared [4] int *p) { return *p; }", "return (*(int *)upcr_address(p));");
}

#[test]
fn pointers_with_large_blocks_are_wide() {
    check("shared [1000000] char *p;", "_Thread_local upcr_wide p;");
}

#[test]
fn steps_without_a_value_need_no_temporary() {
    check("void f(shared int *p) { p++; }", "{ (p = ((int *)upcr_add_cyclic((unsigned long)p,");
}

#[test]
fn equality_ignores_the_phase() {
    check(
        "int f(shared [2] int *p, shared [2] int *q) { return p == q; }",
        "((unsigned long)upcr_address(p) == (unsigned long)upcr_address(q))",
    );
}

#[test]
fn a_strict_read_follows_a_fence() {
    check(
        "strict shared int x; int f(void) { return x; }",
        "({ upcr_fence(); __atomic_load_n(upcr_at_x, 5); })",
    );
}

#[test]
fn on_arm64_a_fence_follows_a_strict_write() {
    let fences = |machine, body, network| {
        let source = format!(
            "#pragma furlong machine {machine}\nstrict shared int s; strict shared _Atomic(int) a; \
             void f(int v) {{ {body} }}"
        );
        let c = emitted_with(&source, Options { network, ..Options::default() });
        c[c.find("void f(").expect("is there")..].matches("upcr_fence();").count()
    };
    for body in ["s = v;", "s++;", "s += v;", "a++;", "a ^= v;"] {
        for network in [false, true] {
            let more = fences("arm64", body, network) - fences("x86-64", body, network);
            assert_eq!(more, 1, "{body} {network}");
        }
    }
}

/// The fences in function `f` with this body: `F` for a full one, `.` for none of its cost.
fn fences(body: &str) -> String {
    let source = format!(
        "strict shared int s; strict shared [] int t[8]; relaxed shared int x; int *p; \
         static int own[4]; shared int *q; void g(void); strict shared int *h(void); \
         void f(int n) {{ int v = 0; {body} }}"
    );
    let c = emitted(&source, None, false);
    let f = &c[c.find("int v = 0;").expect("is the body")..];
    let mut places: Vec<_> = f.match_indices("upcr_fence()").map(|(at, _)| (at, 'F')).collect();
    places.extend(f.match_indices("upcr_order()").map(|(at, _)| (at, '.')));
    places.sort_unstable();
    places.into_iter().map(|(_, fence)| fence).collect()
}

#[test]
fn strict_reads_after_strict_accesses_need_no_fence() {
    assert_eq!(fences("v = s; v = s;"), "F.");
    assert_eq!(fences("s = 1; v = s; s++; v = t[s];"), "....");
    assert_eq!(fences("upc_barrier; v = s; own[v] = 1; v = s;"), "..");
    assert_eq!(fences("upc_fence; v += x; v = s;"), "F.");
    assert_eq!(fences("v = (s, s) ? s : s; v = s;"), "F....");
}

#[test]
fn writes_and_calls_need_a_fence_before_strict_reads() {
    for write in ["x = 1", "x++", "*p = 1", "p[3] = 1", "q[1] += 1", "g()", "h()", "x = s"] {
        assert_eq!(fences(&format!("v = s; {write}; v = s;")).chars().last(), Some('F'), "{write}");
    }
    assert_eq!(fences("v = s; int w[x = 4]; v = s;"), "FF");
    assert_eq!(fences("v = s; v = sizeof(int[x = 4]); v = s;"), "FF");
    assert_eq!(fences("v = s; __asm__(\"\"); v = s;"), "FF");
    assert_eq!(fences("v = s; v = (x = 1) + s; v = s;"), "FFF");
    assert_eq!(fences("v = s; v = v && (x = 1); v = s;"), "FF");
    assert_eq!(fences("v = s; v = v ? (x = 1) : s; v = s;"), "F.F");
    assert_eq!(fences("v = *h(); v = s;"), "F.");
}

#[test]
fn branches_join() {
    assert_eq!(fences("v = s; if (n) x = 1; else v = s; v = s;"), "F.F");
    assert_eq!(fences("v = s; if (n) { x = 1; return; } v = s;"), "F.");
    assert_eq!(fences("v = s; if (n) { x = 1; v = s; } v = s;"), "FF.");
    assert_eq!(fences("v = s; switch (n) { case 1: x = 1; case 2: v = s; } v = s;"), "FF.");
    assert_eq!(fences("v = s; switch (n) { case 1: x = 1; break; case 2: v = s; } v = s;"), "F.F");
    assert_eq!(fences("v = s; l: v = s; if (n) goto l;"), "FF");
    assert_eq!(
        fences("v = s; switch (n) { case 1: do { v = s; default: v = s; } while (n--); }"),
        "FFF"
    );
}

#[test]
fn a_loop_without_writes_has_its_fence_before_it() {
    assert_eq!(fences("while (!s) ;"), "F.");
    assert_eq!(fences("for (int i = 0; i < s; i++) v += t[i] + s; v = s;"), "F....");
    assert_eq!(fences("do v += s; while (s); v = s;"), "F...");
    assert_eq!(fences("for (;;) { while (!s) ; x = 1; }"), "F.");
    assert_eq!(fences("upc_forall (int i = 0; i < n; i++; &t[i]) v += t[i];"), "F.");
    assert_eq!(fences("for (int i = 0; i < n; i++) v += i; v = s;"), "F");
}

#[test]
fn a_write_anywhere_in_a_loop_precedes_its_reads() {
    assert_eq!(fences("v = s; while (n) { v = s; x = 1; }"), "FF");
    assert_eq!(fences("v = s; while (n) { v = s; x = 1; s = 2; } v = s;"), "FFF");
    assert_eq!(fences("v = s; for (; n; x++) v = s; v = s;"), "FFF");
    assert_eq!(fences("v = s; for (x = 1; n; n--) v = s;"), "FF");
    assert_eq!(fences("v = s; for (; n; n--) { if (v) { x = 1; break; } v = s; } v = s;"), "FFF");
    assert_eq!(fences("v = s; for (; s; n--) { if (v) continue; v = s; *p = v; }"), "FF.");
}

#[test]
fn a_clean_up_at_the_end_of_a_block_counts() {
    let guard = "int guard __attribute__((cleanup(h)));";
    assert_eq!(fences(&format!("v = s; {{ {guard} v = s; }} v = s;")), "FFF");
}

#[test]
fn parentheses_do_not_relax() {
    let s = "strict shared int s;";
    check(&format!("{s} void f(void) {{ (s) = 1; }}"), "__atomic_store(upcr_at_s");
    check(&format!("{s} void f(void) {{ ((s))++; }}"), "__atomic_store(upcr_a");
}

#[test]
fn addresses_of_thread_locals_are_stored_by_each_thread() {
    let c = emitted("int x; int *p = &x;", None, false);
    assert!(c.starts_with("_Thread_local int x; _Thread_local int *p;"), "{c}");
    assert!(c.contains("__typeof__(p) upcr_v = &x;"), "{c}");
}

#[test]
fn with_one_thread_a_process_private_objects_are_those_of_c() {
    let nopthreads =
        |source| emitted_with(source, Options { nopthreads: true, ..Options::default() });
    let c = nopthreads(
        "int x; static int *p = &x; int f(void) { static int n; return n++ + MYTHREAD; }",
    );
    assert!(c.starts_with("int x; static int *p = &x; int f(void) { static int n;"), "{c}");
    assert!(c.contains("n++ + upcr_job.mythread; }"), "{c}");
    let c = nopthreads("shared int s; int *f(void) { static shared int *p = &s; return 0; }");
    assert!(c.contains("static int upcr_once1; if (upcr_once_begin(&upcr_once1)) {"), "{c}");
    let c = nopthreads("int x = MYTHREAD;");
    assert!(c.contains("upcr_thread_inits"), "{c}");
}

/// Which of the functions that are named by letters begin with a check.
fn checked(source: &str) -> String {
    let c = emitted(source, None, true);
    let parts = c.split("upcr_foreign_thread(\"").skip(1);
    parts.filter_map(|part| part.split('"').next()).filter(|name| name.len() == 1).collect()
}

#[test]
fn entries_that_need_a_upc_thread_check_that_they_have_one() {
    assert_eq!(checked("int x; int f(void) { return x; } int g(int n) { return n; }"), "f");
    assert_eq!(checked("int f(void) { return MYTHREAD; } int g(void) { return THREADS; }"), "f");
    // Only what other units or pointers can call, with what it calls.
    let own = "static int x; static int s(void) { return x; }";
    assert_eq!(checked(&format!("{own} int f(void) {{ return s(); }}")), "f");
    assert_eq!(checked(&format!("{own} int (*p)(void) = s;")), "s");
    assert_eq!(checked(&format!("{own} static inline int t(void) {{ return s(); }}")), "");
    assert_eq!(checked("static const int n = 3; int f(void) { return n; }"), "");
    assert_eq!(checked("shared int a[THREADS]; void f(int i) { a[i] = i; }"), "");
    let shared_library = Options { pic: true, ..Options::default() };
    let c = emitted_with("int x; int f(void) { return x; }", shared_library);
    assert!(!c.contains("upcr_foreign_thread(\""), "{c}");
    let forall = "void f(void) { int i; upc_forall (i = 0; i < 9; i++; i) ; }";
    assert_eq!(checked(forall), "f");
}

#[test]
fn definitions_are_each_threads_wherever_the_first_declaration_stands() {
    let c = emitted("# 1 \"x.h\" 1\nextern int x;\n# 2 \"t.upc\" 2\nint x;", None, false);
    assert!(c.contains("extern _Thread_local int x;"), "{c}");
    check("static inline int f(void) { static int n; return ++n; }", "static _Thread_local int n;");
}

#[test]
fn the_linker_decides_about_what_is_only_declared() {
    let found = "(*(__typeof__(&x))upcr_find_x())";
    check("extern int x; int f(void) { return x; }", &format!("return {found};"));
    check("int f(void) { extern int x; return x; }", &format!("return {found};"));
    check("extern int x; int *p = &x;", &format!("upcr_v = &{found};"));
    for plain in
        ["extern const int x;", "# 1 \"/usr/include/x.h\" 1 3\nextern int x;\n# 2 \"t.upc\" 2"]
    {
        let c = emitted(&format!("{plain}\nint f(void) {{ return x; }}"), None, false);
        assert!(c.contains("return x;"), "{c}");
    }
}

#[test]
fn objects_may_have_other_symbols_than_their_names() {
    let c = emitted("int x __asm__(\"y\"); register long sp __asm__(\"rsp\");", None, false);
    assert!(c.starts_with("_Thread_local int x __asm__(\"y\"); register long sp"), "{c}");
    assert!(c.contains("upcr_where_y"), "{c}");
    let c = emitted("extern int x __attribute__((weak)); int *f(void) { return &x; }", None, false);
    assert!(c.contains("return &x;"), "{c}");
}

#[test]
fn constants_serve_all_threads() {
    let c = emitted("static const int n = 3; static const char *const s = \"s\";", None, false);
    assert!(!c.contains("_Thread_local"), "{c}");
}

#[test]
fn a_matching_upc_forall_walks_with_pointers() {
    let source = "shared [8] int a[80], b[80]; void f(void) { \
                  upc_forall (int i = 1; i < 79; i++; &a[i]) a[i] = b[i - 1] + b[i + 1]; }";
    let c = emitted(source, Some(2), true);
    assert!(c.contains("upcr_own_blocks("), "{c}");
    assert!(c.contains(" + -1)] + "), "{c}");
}

#[test]
fn a_loop_that_changes_its_bound_is_not_split() {
    let source = "shared int a[8]; void f(int n) { upc_forall (int i = 0; i < n; i++; i) n--; }";
    assert!(!emitted(source, Some(2), true).contains("upcr_own_blocks("));
}

#[test]
fn a_label_keeps_a_loop_single() {
    let source = "void f(int n) { upc_forall (int i = 0; i < n; i++; i) { l: ; } }";
    assert!(!emitted(source, Some(2), true).contains("upcr_own_blocks("));
}

#[test]
fn a_variable_of_the_body_is_not_the_one_outside() {
    // The inner `j` is not the one of the affinity, although the texts are equal.
    let source = "shared [2] int a[4][6]; void f(int j) { \
                  upc_forall (int i = 0; i < 6; i++; &a[j][i]) { int j = 1; a[j][i] = 0; } }";
    let c = emitted(source, Some(2), true);
    assert!(!c.contains("_[upcr_k"), "{c}");
}

#[test]
fn an_untagged_member_that_is_named_gets_a_tag() {
    let source = "shared struct { struct { int q; } in; } x; \
                  unsigned long f(void) { return sizeof x.in; }";
    let c = emitted(source, None, false);
    let at = c.find("sizeof(struct upcr_record_").expect("the type is printed");
    let tag = c[at..].split([' ', ')']).nth(1).expect("the tag follows");
    assert!(c.contains(&format!("struct {tag} {{ int q; }}")), "{c}");
}

#[test]
fn every_threads_th_element_lies_beside_the_last() {
    let source = "shared int a[8*THREADS]; void f(int n) { \
                  for (int i = MYTHREAD; i < n; i += THREADS) a[i] = 1; }";
    let c = emitted(source, None, true);
    assert!(c.contains("upcr_w2[upcr_k1] = 1"), "{c}");
}

#[test]
fn a_break_needs_the_plain_loop() {
    let source = "shared int a[8*THREADS]; void f(int n) { \
                  for (int i = MYTHREAD; i < n; i += THREADS) if (a[i]) break; }";
    assert!(!emitted(source, None, true).contains("upcr_w"));
}

#[test]
fn a_for_loop_walks_block_by_block() {
    let source = "shared [64] int a[640]; int f(int n) { int s = 0; \
                  for (int i = 0; i < n; i++) s += a[i]; return s; }";
    let c = emitted(source, Some(2), true);
    assert!(c.contains("upcr_elem_blocked((void *)upcr_at_a, upcr_first"), "{c}");
}

#[test]
fn a_for_loop_steps_down_a_column() {
    let source = "shared [8] int a[THREADS][8]; int f(int n, int c) { int s = 0; \
                  for (int i = 0; i < n; i++) s += a[i][c]; return s; }";
    let c = emitted(source, None, true);
    assert!(c.contains("s += (*upcr_c"), "{c}");
    assert!(c.contains("upcr_next_in_column(upcr_c"), "{c}");
    let other = source.replace("a[i][c]", "a[i][s % 8]");
    assert!(!emitted(&other, None, true).contains("upcr_next_in_column"));
}

#[test]
fn a_for_loop_finds_an_element_that_stands_still_once() {
    let source = "shared [8] int a[THREADS][8]; void f(int k) { \
                  for (int j = 0; j < 8; j++) a[k + 1][j] -= a[k][k] * a[k][j]; }";
    let c = emitted(source, None, true);
    assert!(c.contains("(*upcr_c") && !c.contains("upcr_next_in_column"), "{c}");
    let alone = source.replace("a[k + 1][j] -= a[k][k] * a[k][j]", "a[k][k]++");
    assert!(!emitted(&alone, None, true).contains("(*upcr_c"));
}

#[test]
fn a_for_loop_goes_along_rows() {
    let source = "shared [8] int a[8 * THREADS][8], b[8 * THREADS][8]; void f(int i, int n) { \
                  for (int j = 0; j < n; j++) b[i][j] = a[i - 1][j] + a[i - 1][j + 1]; }";
    let c = emitted(source, None, true);
    assert!(c.contains("upcr_p2_[upcr_k1] = upcr_p3_[upcr_k1]"), "{c}");
    let other = source.replace("shared [8]", "shared [12]");
    assert!(!emitted(&other, None, true).contains("upcr_p2_"));
}

#[test]
fn void_operands_stay_where_c_reports_them() {
    let options = Options { network: true, ..Options::default() };
    let c = emitted_with("shared int x; void g(void); void f(void) { x += g(); }", options);
    assert!(c.contains("+= (g())") && !c.contains("__auto_type"), "{c}");
}
