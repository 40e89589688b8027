// SPDX-License-Identifier: BSD-3-Clause
//! The English of single declarations; whole answers are in `tests/cli/explain.toml`.

use super::explain;

fn english(declaration: &str, threads: Option<u32>) -> String {
    let explanation = explain(declaration, threads);
    explanation.english.unwrap_or_else(|| panic!("{:?}", explanation.diagnostics))
}

/// The first sentence, in one line.
fn check(declaration: &str, expected: &str) {
    let text = english(declaration, None);
    let first = text.split("\n\n").next().unwrap_or_default();
    assert_eq!(first.split_whitespace().collect::<Vec<_>>().join(" "), expected);
}

fn check_drawing(declaration: &str, threads: u32, expected: &[&str]) {
    let text = english(declaration, Some(threads));
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let start = lines.iter().position(|l| l.starts_with("thread 0")).expect("there is a drawing");
    let rows = &lines[start + 1..];
    let rows: Vec<String> = rows
        .iter()
        .take_while(|l| !l.is_empty())
        .map(|l| l.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect();
    assert_eq!(rows, expected);
}

fn check_code(declaration: &str, code: &str) {
    let explanation = explain(declaration, None);
    assert!(explanation.english.is_none(), "{declaration}");
    let codes: Vec<_> = explanation.diagnostics.0.iter().map(|d| d.code).collect();
    assert_eq!(codes, [code], "{declaration}");
}

#[test]
fn every_level_is_private_or_shared() {
    check("int x", "x is a private int.");
    check("int **p", "p is a private pointer to private pointer to private int.");
    check("shared int x", "x is an int in shared memory.");
    check("shared int *p", "p is a private pointer to int in shared memory, cyclic.");
    check("int *shared p", "p is a pointer in shared memory to private int.");
    check(
        "shared [4] int *p[10]",
        "p is an array of 10 private pointers to int in shared memory, blocked by 4.",
    );
    check(
        "shared [] int *shared [2] *p",
        "p is a private pointer to pointer in shared memory, blocked by 2, to int in shared \
         memory of one thread.",
    );
    check("shared void *p", "p is a private pointer to data of any type in shared memory.");
}

#[test]
fn qualifiers_stand_at_their_level() {
    check(
        "strict shared const int *volatile p",
        "p is a private volatile pointer to strict const int in shared memory, cyclic.",
    );
    check("relaxed shared double d", "d is a relaxed double in shared memory.");
    check("char *restrict p", "p is a private restrict pointer to private char.");
}

#[test]
fn arrays_say_their_length_and_blocks() {
    check(
        "shared [*] int a[3*THREADS][5]",
        "a is an array of 3*THREADS arrays of 5 int in shared memory, blocked by 15.",
    );
    check(
        "shared [2*3] int a[THREADS]",
        "a is an array of THREADS int in shared memory, blocked by 6.",
    );
    check(
        "shared [] int (*p)[7]",
        "p is a private pointer to array of 7 int in shared memory of one thread.",
    );
}

#[test]
fn functions_say_what_they_take_and_return() {
    check("int f(void)", "f is a function without parameters, returning an int.");
    check(
        "void (*f)(shared [2] int *, char, ...)",
        "f is a private pointer to function taking a pointer to int in shared memory, blocked by \
         2, a char and further arguments, returning nothing.",
    );
}

#[test]
fn unknown_names_are_types() {
    check("shared node *p", "p is a private pointer to node in shared memory, cyclic.");
    check("node *f(node *, node)", "f is a function taking a pointer to private node and a node, returning a pointer to private node.");
    check("struct s *p", "p is a private pointer to private struct s.");
    check("size_t n", "n is a private size_t.");
    check(
        "typedef shared [4] int row[8*THREADS]; row *p",
        "row is a name for: array of 8*THREADS int in shared memory, blocked by 4.",
    );
}

#[test]
fn several_declarations_are_explained() {
    let text = english("shared int a; int b, *c;\nstruct s { shared int *next; } d;", None);
    for subject in ["a is", "b is", "c is", "struct s is", "next: ", "d is"] {
        assert!(text.contains(subject), "{subject}: {text}");
    }
}

#[test]
fn elements_stand_with_their_threads() {
    check_drawing("shared [4] int a[10]", 2, &["a[0..3] a[4..7]", "a[8..9]"]);
    check_drawing("shared int a[2][2]", 3, &["a[0][0] a[0][1] a[1][0]", "a[1][1]"]);
    check_drawing("shared [3] int a[2][4]", 2, &["a[0][0..2] a[0][3]..[1][1]", "a[1][2..3]"]);
    check_drawing("shared [] int a[5]", 2, &["a[0..4]"]);
    check_drawing(
        "shared [2] int (*p)[3]",
        2,
        &[
            "p[0][0..1] p[0][2]..[1][0]",
            "p[1][1..2] p[2][0..1]",
            "p[2][2]..[3][0] p[3][1..2]",
            "...",
        ],
    );
    check_drawing("shared int *p[2]", 1, &["p[0][0]", "p[0][1]", "p[0][2]", "..."]);
}

#[test]
fn long_drawings_are_cut() {
    check_drawing(
        "shared int a[100]",
        2,
        &["a[0] a[1]", "a[2] a[3]", "a[4] a[5]", "a[6] a[7]", "...", "a[98] a[99]"],
    );
    let wide = english("shared [70] double matrix[1000][1000]", Some(1000));
    assert!(wide.lines().all(|line| line.len() <= 80), "{wide}");
    assert!(wide.contains("...  thread 999"), "{wide}");
}

#[test]
fn huge_numbers_do_no_harm() {
    for declaration in [
        "shared [35184372088832] char *p",
        "shared char a[4294967295][4294967295]",
        "shared [0] char a[18446744073709551615]",
        "int a[0]",
        "shared int b[0]",
    ] {
        english(declaration, Some(4294967295));
    }
}

#[test]
fn types_in_types_end() {
    let mut text = String::from("typedef int *f0(void);");
    for n in 1..40 {
        text += &format!(
            "typedef f{0} *f{n}(f{0} *, f{0} *); __typeof__(f{0}) *g{n}(__typeof__(f{0}) *);",
            n - 1
        );
    }
    english(&text, None);
}

#[test]
fn mistakes_have_their_codes() {
    check_code("shared [5] int a[10]", "E0315");
    check_code("shared [4] strict relaxed int *p", "E0301");
    check_code("shared [N] int *p", "E0102");
    check_code("shared [4 int *p", "E0102");
    check_code("nonsense", "E0102");
    assert_eq!(english("", None), "Nothing is declared here.\n");
}
