// SPDX-License-Identifier: BSD-3-Clause
//! A message is shown in the user's file, whatever the preprocessor did to the line.

use furlong_compiler::diag::render::{render, RenderOptions};
use furlong_compiler::diag::{codes, Diagnostic, Diagnostics};
use furlong_compiler::span::Span;
use furlong_compiler::syntax::{parse, ParseOptions};

/// A file as the user wrote it, and what `cc -E` makes of it.
struct Case {
    source: &'static str,
    text: &'static str,
}

impl Case {
    /// Renders a message whose primary span is `at`, the first occurrence of its text.
    fn show(&self, at: Span, options: &RenderOptions) -> String {
        let lines = parse(self.text, &ParseOptions::default()).0.lines;
        let diagnostic = Diagnostic::error(codes::E0102, at, "a title").label("here").help("do it");
        let read = |name: &str| (name == "a.upc").then(|| self.source.to_string());
        render(&Diagnostics(vec![diagnostic]), &lines, self.text, options, &read)
    }

    fn find(&self, needle: &str) -> Span {
        let lo = self.text.find(needle).unwrap() as u32;
        Span::new(lo, lo + needle.len() as u32)
    }

    fn short(&self, needle: &str) -> String {
        let options = RenderOptions { short: true, ..RenderOptions::default() };
        self.show(self.find(needle), &options)
    }
}

const SQUEEZED: Case = Case {
    source: "/* one */ int    a  =  b;  // a\nint c   = NONE + d + MAX(d, 3); int e;\n",
    text: "# 1 \"a.upc\"\n int a = b;\nint c = \n# 2 \"a.upc\" 3 4\n       ((void *)0) \n# 2 \"a.upc\"\n            + d + ((d) > (3) ? (d) : (3)); int e;\n",
};

#[test]
fn columns_are_the_users() {
    assert_eq!(SQUEEZED.short("a = b"), "a.upc:1:18: error: a title [E0102]\n");
    assert_eq!(SQUEEZED.short("b;"), "a.upc:1:24: error: a title [E0102]\n");
    assert_eq!(SQUEEZED.short("c ="), "a.upc:2:5: error: a title [E0102]\n");
    assert_eq!(SQUEEZED.short("+ d"), "a.upc:2:16: error: a title [E0102]\n");
    assert_eq!(SQUEEZED.short("e;"), "a.upc:2:37: error: a title [E0102]\n");
}

#[test]
fn what_macros_made_is_shown_at_the_macro() {
    assert_eq!(SQUEEZED.short("void"), "a.upc:2:11: error: a title [E0102]\n");
    assert_eq!(SQUEEZED.short("? (d)"), "a.upc:2:22: error: a title [E0102]\n");
}

#[test]
fn the_full_form() {
    let shown = SQUEEZED.show(SQUEEZED.find("a = b"), &RenderOptions::default());
    let expected = "error[E0102]: a title\n --> a.upc:1:18\n  |\n\
        1 | /* one */ int    a  =  b;  // a\n  |                  ^^^^^^^ here\n  |\n  = help: do it\n\n1 error\n";
    assert_eq!(shown, expected);
}

#[test]
fn files_that_cannot_be_read_are_shown_as_preprocessed() {
    let case = Case { source: "", text: "# 7 \"gone.h\"\nint   a = b;\n" };
    let shown = case.show(case.find("b;"), &RenderOptions::default());
    assert!(shown.contains("--> gone.h:7:11") && shown.contains("7 | int   a = b;"), "{shown}");
    let case = Case { source: "short\n", text: "# 9 \"a.upc\"\nint a = b;\n" };
    assert!(case.short("b;").starts_with("a.upc:9:9:"));
}

#[test]
fn any_span_can_be_shown() {
    let texts = [
        "",
        "\n",
        "x",
        "# 1 \"a.upc\"\n",
        "# 1 \"a.upc\"\nint \u{e9}\u{1f600} = \"\u{e9}",
        "\u{feff}int\r\n\tx;",
    ];
    for text in texts {
        let case = Case { source: "int \u{e9} = \"\u{1f600}\n", text };
        for lo in 0..=text.len() + 2 {
            for hi in lo..=text.len() + 3 {
                for short in [false, true] {
                    let options = RenderOptions { short, ..RenderOptions::default() };
                    case.show(Span::new(lo as u32, hi as u32), &options);
                }
            }
        }
    }
}

/// Two marks in `text`, whose files cannot be read.
fn two_marks(text: &str, first: &str, second: &str) -> String {
    let lines = parse(text, &ParseOptions::default()).0.lines;
    let span = |needle: &str| {
        let lo = text.find(needle).unwrap() as u32;
        Span::new(lo, lo + needle.len() as u32)
    };
    let diagnostic = Diagnostic::error(codes::E0102, span(first), "a title").label("here");
    let diagnostic = diagnostic.at(span(second), "there");
    let options = RenderOptions::default();
    render(&Diagnostics(vec![diagnostic]), &lines, text, &options, &|_| None)
}

#[test]
fn marks_that_are_far_apart_are_drawn_apart() {
    let text = "# 1 \"a.upc\"\nint a;\n# 2000000000 \"a.upc\"\nint b;\n";
    let shown = two_marks(text, "b", "a;");
    assert!(shown.len() < 500, "{} bytes", shown.len());
    assert!(shown.contains("--> a.upc:2000000000:5") && shown.contains("::: a.upc:1:5"), "{shown}");
}

#[test]
fn marks_in_two_lines_of_one_number_are_drawn_apart() {
    let text = "# 5 \"a.upc\"\nint \u{e9}\u{e9}\u{e9};\n# 5 \"a.upc\"\nint x = yy;\n";
    let shown = two_marks(text, "\u{e9}\u{e9}\u{e9};", "yy");
    assert!(shown.contains("5 | int \u{e9}\u{e9}\u{e9};"), "{shown}");
    assert!(shown.contains("5 | int x = yy;"), "{shown}");
}

#[test]
fn errors_beyond_the_limit_are_counted() {
    let case = Case { source: "int a;\n", text: "# 1 \"a.upc\"\nint a;\n" };
    let lines = parse(case.text, &ParseOptions::default()).0.lines;
    let one = Diagnostic::error(codes::E0102, case.find("a;"), "title");
    let mut list = vec![one; 3];
    list.push(Diagnostic::warning(codes::W0105, case.find("int"), "warned"));
    let options = RenderOptions { max_errors: 2, ..RenderOptions::default() };
    let shown = render(&Diagnostics(list), &lines, case.text, &options, &|_| None);
    assert_eq!(shown.matches("error[E0102]").count(), 2);
    assert!(shown.contains("warning[W0105]: warned"));
    assert!(shown.ends_with("3 errors, 1 warning (the first 2 are shown)\n"), "{shown}");
    assert_eq!(render(&Diagnostics::default(), &lines, "", &options, &|_| None), "");
}
