// SPDX-License-Identifier: BSD-3-Clause
//! A client of `furlong lsp`: what is asked and what is answered, as an editor sees it.

#[path = "lsp/client.rs"]
mod client;
#[path = "lsp/framed.rs"]
mod framed;
#[path = "lsp/protocol.rs"]
mod protocol;

use client::{Client, Place};
use protocol::Protocol;
use serde_json::{json, Value};
use std::panic::catch_unwind;

const PROGRAM: &str = "\
#include <stdio.h>
#include <upc_relaxed.h>
#define N 16
#define TWICE(x) (2 * (x))
struct point { int x, y; };
shared [4] int a[N*THREADS];
strict shared int flag;
shared [] int *p;
int total(struct point *point, int n) {
    int sum = point->x;
    for (int i = 0; i < N; i++)
        sum += a[i] + TWICE(n);
    return sum;
}
int main(void) {
    struct point here = { .x = 1, .y = 2 };
    upc_forall (int i = 0; i < N; i++; &a[i])
        a[i] = total(&here, i);
    flag = 1;
    char *name = \"é😀\"; a[5] = wrong;
    upc_barrier;
}
";

fn started(text: &str) -> Client {
    let mut client = Client::start();
    client.open("a.upc", text);
    client
}

fn markdown(hover: &Value) -> &str {
    hover["contents"]["value"].as_str().unwrap_or("")
}

#[test]
fn diagnostics_have_utf16_places_and_follow_the_text() {
    let mut client = started(PROGRAM);
    let found = client.diagnostics("a.upc");
    assert_eq!(found.len(), 1, "{found:?}");
    let at = client.place("a.upc", "wrong");
    assert_eq!(found[0]["range"]["start"], json!({ "line": at.line, "character": at.column }));
    assert_eq!(at.column, 31, "an emoji is two units");
    client.replace("a.upc", "wrong", "4");
    assert_eq!(client.diagnostics("a.upc"), Vec::<Value>::new());
    client.replace("a.upc", "#define N 16", "#include \"none.h\"\n#define N 16\nint y = z;");
    let found = client.diagnostics("a.upc");
    let messages: Vec<&str> = found.iter().filter_map(|d| d["message"].as_str()).collect();
    assert!(messages[0].contains("none.h"), "{messages:?}");
    assert_eq!(found[0]["range"]["start"]["line"], 2, "{found:?}");
    client.end();
}

#[test]
fn headers_that_are_missing_are_said_and_included() {
    let mut client = started("#include <upc.h>\nint main(void) { printf(\"%d\", MYTHREAD); }\n");
    let found = client.diagnostics("a.upc");
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!((&found[0]["code"], &found[0]["severity"]), (&json!("W0107"), &json!(2)));
    client.end();
}

#[test]
fn hovers_show_types_layouts_and_owners() {
    let mut client = started(PROGRAM);
    let hover = client.ask_at("textDocument/hover", "a.upc", "a[N*THREADS", 0);
    assert!(markdown(&hover).contains("shared [4] int a[16*THREADS];"), "{hover}");
    assert!(markdown(&hover).contains("a[0..3]"), "the drawing: {hover}");
    let hover = client.ask_at("textDocument/hover", "a.upc", "a[5]", 0);
    assert!(markdown(&hover).contains("at thread 1 of 4: `5 / 4 % THREADS`"), "{hover}");
    let hover = client.ask_at("textDocument/hover", "a.upc", "TWICE(n)", 1);
    assert!(markdown(&hover).contains("( 2 * ( n ) )"), "{hover}");
    let hover = client.ask_at("textDocument/hover", "a.upc", "TWICE(n)", 6);
    assert!(markdown(&hover).contains("int n;"), "an argument of a macro: {hover}");
    let hover = client.ask_at("textDocument/hover", "a.upc", "point->x", 7);
    assert!(markdown(&hover).contains("in `struct point`, byte 0"), "{hover}");
    let hover = client.ask_at("textDocument/hover", "a.upc", "upc_barrier", 2);
    assert!(markdown(&hover).contains("upc_barrier"), "{hover}");
    client.end();
}

#[test]
fn names_are_found_and_changed() {
    let mut client = started(PROGRAM);
    let found = client.ask_at("textDocument/definition", "a.upc", "total(&here", 0);
    assert_eq!(found["range"]["start"], json!({ "line": 8, "character": 4 }));
    let found = client.ask_at("textDocument/definition", "a.upc", "N; i++)", 0);
    assert_eq!(found["range"]["start"], json!({ "line": 2, "character": 8 }));
    let found = client.ask_at("textDocument/definition", "a.upc", "point->x", 7);
    assert_eq!(found["range"]["start"], json!({ "line": 4, "character": 19 }));
    let found = client.ask_at("textDocument/references", "a.upc", "a[N*THREADS", 0);
    assert_eq!(found.as_array().map(Vec::len), Some(5), "{found}");
    let edited = client.rename("a.upc", "x, y", 0, "first");
    for text in ["struct point { int first, y; };", "point->first;", "{ .first = 1, .y = 2 }"] {
        assert!(edited.contains(text), "{edited}");
    }
    let edited = client.rename("a.upc", "N 16", 0, "SIZE");
    assert!(edited.contains("#define SIZE 16") && edited.contains("i < SIZE; i++"), "{edited}");
    let refused = client.try_rename("a.upc", "upc_barrier", 0, "x");
    assert!(refused["result"].is_null(), "{refused}");
    client.end();
}

#[test]
fn a_text_that_no_file_has_is_answered_too() {
    let name = "untitled:Untitled-1";
    let mut client = Client::start();
    client.open(name, PROGRAM);
    let found = client.diagnostics(name);
    assert_eq!(found.len(), 1, "{found:?}");
    let found = client.ask_at("textDocument/definition", name, "total(&here", 0);
    assert_eq!(found["uri"], name);
    assert_eq!(found["range"]["start"], json!({ "line": 8, "character": 4 }));
    let found = client.ask_at("textDocument/documentHighlight", name, "TWICE(x)", 0);
    assert_eq!(found.as_array().map(Vec::len), Some(2), "{found}");
    let edited = client.rename(name, "x, y", 0, "first");
    assert!(edited.contains("point->first;"), "{edited}");
    client.end();
}

#[test]
fn a_source_has_an_outline_and_marks() {
    let mut client = started(PROGRAM);
    let document = json!({ "textDocument": { "uri": client.uri("a.upc") } });
    let found = client.ask("textDocument/documentSymbol", document);
    let names: Vec<&str> =
        found.as_array().unwrap().iter().filter_map(|symbol| symbol["name"].as_str()).collect();
    assert!(["a", "total", "main"].iter().all(|name| names.contains(name)), "{names:?}");
    let found = client.ask_at("textDocument/documentHighlight", "a.upc", "a[N*THREADS", 0);
    assert_eq!(found.as_array().map(Vec::len), Some(5), "{found}");
    client.end();
}

/// All messages of the server are checked, in these tests: here it is seen that mistakes are found.
#[test]
fn messages_that_are_none_of_the_protocol_are_found() {
    let mut protocol = Protocol::default();
    protocol.asked(1, "textDocument/hover");
    let fits = |message: Value| catch_unwind(|| protocol.check(&message)).is_ok();
    let answer = |result: Value| json!({ "jsonrpc": "2.0", "id": 1, "result": result });
    let text = json!({ "kind": "markdown", "value": "int a" });
    assert!(fits(answer(json!({ "contents": text }))));
    for wrong in [
        answer(json!({ "content": text })),
        answer(json!({ "contents": text, "rnage": null })),
        answer(json!({ "contents": { "kind": "markdown", "value": 1 } })),
        json!({ "jsonrpc": "2.0", "id": 1 }),
        json!({ "jsonrpc": "2.0", "id": 2, "result": null }),
        json!({ "jsonrpc": "2.0", "method": "textDocument/publish", "params": {} }),
    ] {
        assert!(!fits(wrong.clone()), "{wrong}");
    }
}

#[test]
fn sources_of_one_program_are_changed_together() {
    let mut client = Client::start();
    client.file("data.h", "extern shared int count;\nstruct cell { int value; };\n");
    let main =
        "#include <upc.h>\n#include \"data.h\"\nshared int count;\nint main(void) { count = 1; }\n";
    let other = "#include <upc.h>\n#include \"data.h\"\nint f(struct cell *c) { return count + c->value; }\n";
    client.file("other.upc", other);
    let folder = client.folder();
    let database = json!([
        { "directory": folder, "file": "a.upc", "arguments": ["upcc", "-T=4", "-c", "a.upc"] },
        { "directory": folder, "file": "other.upc", "command": "upcc -c other.upc" },
    ]);
    client.file("compile_commands.json", &database.to_string());
    client.open("a.upc", main);
    let edits = client.try_rename("a.upc", "count = 1", 0, "total");
    let changes = edits["result"]["changes"].as_object().unwrap();
    let counts: Vec<(String, usize)> = changes
        .iter()
        .map(|(uri, edits)| {
            let name = uri.rsplit('/').next().unwrap_or("").to_string();
            (name, edits.as_array().map_or(0, Vec::len))
        })
        .collect();
    let mut counts = counts;
    counts.sort();
    let expected = [("a.upc", 2), ("data.h", 1), ("other.upc", 1)];
    assert_eq!(counts, expected.map(|(name, n)| (name.to_string(), n)), "{edits}");
    let hover = client.ask_at("textDocument/hover", "a.upc", "count = 1", 0);
    assert!(markdown(&hover).contains("all 4 threads") || markdown(&hover).contains("all threads"));
    client.end();
}

#[test]
fn completions_and_signatures_come_while_typing() {
    let mut client = started(PROGRAM);
    let labels = |answer: &Value| -> Vec<String> {
        let items = answer["items"].as_array().cloned().unwrap_or_default();
        items.iter().filter_map(|item| item["label"].as_str().map(str::to_string)).collect()
    };
    for (typed, wanted) in [
        ("here.", vec!["x", "y"]),
        ("int q = here.", vec!["x", "y"]),
        ("total(&here, here.", vec!["x", "y"]),
        ("if (here.", vec!["x", "y"]),
    ] {
        client.replace("a.upc", "    flag = 1;", &format!("    {typed}"));
        let answer = client.ask_after("textDocument/completion", "a.upc", &format!("    {typed}"));
        assert_eq!(labels(&answer), wanted, "{typed}");
        client.replace("a.upc", &format!("    {typed}"), "    flag = 1;");
    }
    client.replace("a.upc", "    flag = 1;", "    upc_memg");
    let answer = client.ask_after("textDocument/completion", "a.upc", "    upc_memg");
    assert_eq!(labels(&answer)[0], "upc_memget");
    let item = client.ask("completionItem/resolve", answer["items"][0].clone());
    assert!(
        item["documentation"]["value"].as_str().unwrap_or("").contains("upc_memget()"),
        "{item}"
    );
    client.replace("a.upc", "    upc_memg", "    he");
    let answer = client.ask_after("textDocument/completion", "a.upc", "    he");
    assert_eq!(labels(&answer)[0], "here");
    client.replace("a.upc", "    he", "    total(&here, ");
    let help = client.ask_after("textDocument/signatureHelp", "a.upc", "    total(&here, ");
    assert_eq!(help["signatures"][0]["label"], "int total(struct point *point, int n)");
    assert_eq!(help["activeParameter"], 1);
    client.end();
}

#[test]
fn accesses_are_highlighted_by_what_they_cost() {
    let mut client = started(PROGRAM);
    let tokens = client.tokens("a.upc");
    let of = |line: u32, text: &str| {
        let found = tokens.iter().find(|t| t.line == line && t.text == text);
        found.unwrap_or_else(|| panic!("{text} in line {line}: {tokens:?}")).modifiers
    };
    // Bits: declaration, shared, remote, strict.
    assert_eq!(of(5, "a"), 0b0011);
    assert_eq!(of(11, "a"), 0b0110, "a loop without affinity");
    assert_eq!(of(17, "a"), 0b0010, "the loop's own element");
    assert_eq!(of(18, "flag"), 0b1110);
    client.end();
}

#[test]
fn hints_show_layouts() {
    let mut client = started(PROGRAM);
    let end = json!({ "line": 99, "character": 0 });
    let range = json!({ "start": { "line": 0, "character": 0 }, "end": end });
    let uri = client.uri("a.upc");
    let hints = client
        .ask("textDocument/inlayHint", json!({ "textDocument": { "uri": uri }, "range": range }));
    let labels: Vec<&str> =
        hints.as_array().into_iter().flatten().filter_map(|hint| hint["label"].as_str()).collect();
    assert_eq!(labels, ["blocks of 4, 16 each", "at i / 4 % THREADS"]);
    client.end();
}

#[test]
fn loops_are_rewritten() {
    let program = "\
#include <upc.h>
shared [4] int a[16*THREADS], b[16*THREADS];
int to[16];
void f(int n, shared [] int *from) {
    int i;
    for (i = 0; i < n; i++) { a[i] = i; }
    for (i = MYTHREAD; i < n; i += THREADS) b[i] = a[i];
    for (int k = 1; k < n + 1; k++) to[k] = from[k];
    for (i = 0; i < n; i++) { if (a[i]) break; }
}
int main(void) {}
";
    let mut client = started(program);
    let (_, edited) = client.action("a.upc", "for (i = 0", "upc_forall");
    assert!(edited.contains("upc_forall (i = 0; i < n; i++; &a[i]) { a[i] = i; }"), "{edited}");
    let (_, edited) = client.action("a.upc", "for (i = MYTHREAD", "upc_forall");
    assert!(edited.contains("upc_forall (i = 0; i < n; i++; i) b[i] = a[i];"), "{edited}");
    let (_, edited) = client.action("a.upc", "for (int k", "upc_memget");
    let copied = "upc_memget(&to[1], &from[1], ((n + 1) - 1) * sizeof(to[0]));";
    assert!(edited.contains(copied), "{edited}");
    let line = program.lines().position(|line| line.contains("break")).unwrap_or(0) as u32;
    assert_eq!(client.actions_at("a.upc", Place { line, column: 5 }), json!([]));
    client.end();
}

#[test]
fn wrong_messages_are_answered_and_survived() {
    let mut client = started(PROGRAM);
    client.raw(b"Content-Length: 5\r\n\r\n{oops");
    assert_eq!(client.next_error()["code"], -32700);
    client.raw(b"Content-Length: 2\r\n\r\n{}");
    assert_eq!(client.next_error()["code"], -32600);
    assert_eq!(client.try_ask("textDocument/none", json!({}))["error"]["code"], -32601);
    assert_eq!(client.try_ask("textDocument/hover", json!([1, 2]))["error"]["code"], -32602);
    let nowhere = json!({ "textDocument": { "uri": "untitled:x" }, "position": { "line": 1, "character": 1 } });
    assert!(client.ask("textDocument/hover", nowhere).is_null());
    let uri = client.uri("a.upc");
    let far = json!({ "textDocument": { "uri": uri }, "position": { "line": 4_000_000_000u32, "character": 4_000_000_000u32 } });
    for method in
        ["hover", "definition", "references", "completion", "signatureHelp", "prepareRename"]
    {
        let answer = client.try_ask(&format!("textDocument/{method}"), far.clone());
        assert!(answer.get("error").is_none_or(|e| e["code"] != -32603), "{method}: {answer}");
    }
    client.end();
}

/// Every beginning of a program, and the program without each of its pieces.
#[test]
fn half_typed_programs_are_survived() {
    let mut client = started("");
    let boundaries: Vec<usize> = PROGRAM.char_indices().map(|(n, _)| n).collect();
    for &at in boundaries.iter().step_by(7) {
        let rest: String = PROGRAM[at..].chars().skip(23).collect();
        for text in [PROGRAM[..at].to_string(), format!("{}{rest}", &PROGRAM[..at])] {
            client.set("a.upc", &text);
            let lines = text[..at].matches('\n').count() as u32;
            let column = text[..at].rsplit('\n').next().unwrap_or("").encode_utf16().count() as u32;
            let place = Place { line: lines, column };
            for method in ["hover", "completion", "signatureHelp", "definition", "references"] {
                let answer =
                    client.try_ask_place(&format!("textDocument/{method}"), "a.upc", place);
                assert!(
                    answer.get("error").is_none_or(|e| e["code"] != -32603),
                    "{answer}\n{text}"
                );
            }
            client.tokens("a.upc");
            client.actions_at("a.upc", place);
        }
    }
    for text in
        ["\u{0}\u{fffd}\u{feff}#include", "#define f(", "\\", "/*", "\"", "#if 1\n#if", "f(f(f("]
    {
        client.set("a.upc", text);
        client.tokens("a.upc");
    }
    client.set("a.upc", &"(".repeat(200_000));
    client.tokens("a.upc");
    client.set("a.upc", PROGRAM);
    assert_eq!(client.diagnostics("a.upc").len(), 1);
    client.end();
}
