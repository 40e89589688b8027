// SPDX-License-Identifier: BSD-3-Clause
//! Nesting is limited and said so; chains have a limit far above.

use super::{messages, on_big_stack, parse_clean, parse_upc};
use crate::syntax::parser::{MAX_DEPTH, MAX_LINKS};

/// `open` and `close` nested around `core`, far more often than is allowed.
#[test]
fn deep_nesting_gives_one_message() {
    on_big_stack(|| {
        let n = 10_000;
        for (before, open, core, close, after) in [
            ("int x = ", "(", "1", ")", ";"),
            ("void f(void) {", "{", "", "}", "}"),
            ("int x = ", "{", "1", "}", ";"),
            ("int ", "(", "x", ")", ";"),
            ("int x = ", "- ", "1", "", ";"),
            ("int x = ", "(int)", "1", "", ";"),
            ("int x = ", "sizeof ", "1", "", ";"),
            ("int x = ", "a[", "1", "]", ";"),
            ("int x = ", "f(", "", ")", ";"),
            ("int x = ", "1 ? ", "1", " : 2", ";"),
            ("int x = ", "({ ", "1;", "; })", ";"),
            ("int x = ", "sizeof(struct { int a[", "1", "]; })", ";"),
            ("int x = ", "_Generic(", "1", ", int: 1)", ";"),
            ("void f(void) {", "if (1) ", ";", "", "}"),
            ("void f(void) {", "for (;;) ", ";", "", "}"),
            ("void f(void) {", "do ", ";", " while (1);", "}"),
            ("void f(void) {", "if (1) {", "", "}", "}"),
            ("void f(void) {", "void g(void) {", "", "}", "}"),
            ("", "struct { ", "int x;", "} s;", ""),
            ("int f", "(int g", "()", ")", ";"),
            ("int ", "*", "x", "", ";"),
            ("int x", "[1]", "", "", ";"),
            ("int f", "()", "", "", ";"),
            ("typeof(", "typeof(", "int", ")", ") x;"),
            ("int x __attribute__((a", "(a", "", ")", "));"),
            ("int x; shared [", "sizeof(shared [", "1", "] int)", "] int y;"),
        ] {
            let text = format!("{before}{}{core}{}{after}", open.repeat(n), close.repeat(n));
            let (_, diags) = parse_upc(&text);
            let codes: Vec<&str> = diags.0.iter().map(|d| d.code).collect();
            assert_eq!(codes, ["E0103"], "{before}{open}");
            assert!(diags.0[0].title.contains(&MAX_DEPTH.to_string()));
            // Without the closing half it must end as well.
            parse_upc(&text[..text.len() / 2]);
        }
    });
}

#[test]
fn nesting_within_the_limit_is_fine() {
    on_big_stack(|| {
        let n = MAX_DEPTH as usize / 4;
        parse_clean(&format!("int x = {}1{};", "(".repeat(n), ")".repeat(n)));
        parse_clean(&format!("void f(void) {{ {}{} }}", "{".repeat(n), "}".repeat(n)));
    });
}

#[test]
fn chains_may_be_long() {
    on_big_stack(|| {
        let n = 100_000;
        let chain = |link: &str| link.repeat(n);
        parse_clean(&format!("int x = 1{};", chain(" + 1")));
        parse_clean(&format!("int x = (1{});", chain(", 1")));
        parse_clean(&format!("int x = {}2;", chain("1 ? 2 : ")));
        parse_clean(&format!("int x = {}1;", chain("a = ")));
        parse_clean(&format!("int x = f{};", "(1)[2].a->b++".repeat(10_000)));
        parse_clean(&format!("void f(void) {{ {}; }}", chain("if (a) b; else ")));
        parse_clean(&format!("void f(void) {{ {} b; }}", chain("case 1: ")));
        parse_clean(&format!("char *s = {};", chain("\"x\" ")));
        parse_clean(&format!("int x{};", chain(", y")));
        parse_clean(&format!("int a[] = {{ {} }};", chain("1,")));
    });
}

#[test]
fn endless_chains_give_one_message() {
    on_big_stack(|| {
        for (before, link, after) in [
            ("int x = 1", " + 1", ";"),
            ("int x = 1", " < 1", ";"),
            ("int x = (1", ", 1", ");"),
            ("int x = ", "1 ? 2 : ", "1;"),
            ("int x = ", "a = ", "1;"),
            ("int x = a", "--", ";"),
            ("int x = f", "()", ";"),
            ("void f(void) { ", "if (a) b; else ", "b; }"),
            ("void f(void) { ", "case 1: ", "b; }"),
        ] {
            let text = format!("{before}{}{after}", link.repeat(MAX_LINKS + 1));
            let (_, diags) = parse_upc(&text);
            let codes: Vec<&str> = diags.0.iter().map(|d| d.code).collect();
            assert_eq!(codes, ["E0103"], "{before}{link}");
            assert!(diags.0[0].title.contains(&MAX_LINKS.to_string()));
        }
    });
}

#[test]
fn many_mistakes_are_cut_short() {
    assert!(messages(&"int ) x;\n".repeat(10_000)).len() <= 101);
    assert!(messages(&"@ x; ".repeat(10_000)).len() <= 151);
    assert!(messages(&"}".repeat(10_000)).len() <= 101);
}
