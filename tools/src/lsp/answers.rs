// SPDX-License-Identifier: BSD-3-Clause
//! Answers to requests about a text: parameters of the protocol in, values of the protocol out.

mod edits;
mod names;
mod reading;

use super::documents::Document;
use super::server::{read, Refusal, Server};
use lsp_types::{Position, Uri};
use serde::de::DeserializeOwned;
use serde::Serialize;
use serde_json::Value;

pub use reading::legend;

/// The answer to a request; nothing if its method is not known.
pub fn answer(server: &mut Server, method: &str, params: Value) -> Option<Result<Value, Refusal>> {
    Some(match method {
        "textDocument/hover" => by(server, params, reading::hover),
        "textDocument/completion" => by(server, params, reading::completion),
        "completionItem/resolve" => by(server, params, reading::resolved),
        "textDocument/signatureHelp" => by(server, params, reading::signature),
        "textDocument/semanticTokens/full" => by(server, params, reading::semantic_tokens),
        "textDocument/inlayHint" => by(server, params, reading::inlay_hints),
        "textDocument/documentSymbol" => by(server, params, reading::symbols),
        "textDocument/definition" => by(server, params, names::definition),
        "textDocument/references" => by(server, params, names::references),
        "textDocument/documentHighlight" => by(server, params, names::highlights),
        "textDocument/prepareRename" => by(server, params, names::prepare_rename),
        "textDocument/rename" => by(server, params, edits::rename),
        "textDocument/codeAction" => by(server, params, edits::code_actions),
        _ => return None,
    })
}

fn by<P: DeserializeOwned, A: Serialize>(
    server: &mut Server,
    params: Value,
    answer: fn(&mut Server, P) -> Result<A, Refusal>,
) -> Result<Value, Refusal> {
    let answer = answer(server, read(params)?)?;
    serde_json::to_value(answer).map_err(|e| (-32603, e.to_string()))
}

/// The open text that `uri` names, with the flags for those of which nothing else is known.
fn open<'a>(server: &'a mut Server, uri: &Uri) -> Option<(&'a mut Document, &'a [String])> {
    let document = server.documents.get_mut(uri.as_str())?;
    Some((document, &server.flags))
}

/// The byte of an open text at a place.
fn byte(document: &mut Document, flags: &[String], at: Position) -> u32 {
    let unit = &document.unit(flags).unit;
    unit.lines.offset(&unit.source, at.line, at.character)
}
