// SPDX-License-Identifier: BSD-3-Clause
//! What changes texts: new names, and the changes that are offered.

use super::names::places;
use super::{byte, open};
use crate::lsp::convert::range;
use crate::lsp::server::{Refusal, Server};
use furlong_compiler::span::Span;
use furlong_language::actions;
use lsp_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, CodeActionParams, RenameParams, TextEdit, Uri,
    WorkspaceEdit,
};
use std::collections::HashMap;

/// The protocol's code for a request that is understood and refused.
const REQUEST_FAILED: i32 = -32803;

#[allow(clippy::mutable_key_type)] // of the protocol's own types; a URI's hash is its text's
fn workspace_edit(edits: impl IntoIterator<Item = (Uri, TextEdit)>) -> WorkspaceEdit {
    let mut changes: HashMap<Uri, Vec<TextEdit>> = HashMap::new();
    for (uri, edit) in edits {
        changes.entry(uri).or_default().push(edit);
    }
    WorkspaceEdit { changes: Some(changes), ..Default::default() }
}

pub fn rename(server: &mut Server, params: RenameParams) -> Result<Option<WorkspaceEdit>, Refusal> {
    let new = params.new_name.trim().to_string();
    let is_first = |c: char| c.is_alphabetic() || c == '_';
    let is_name = new.starts_with(is_first) && new.chars().all(|c| c.is_alphanumeric() || c == '_');
    if !is_name {
        return Err((REQUEST_FAILED, format!("`{new}` is not a name in C")));
    }
    let Some(places) = places(server, &params.text_document_position) else { return Ok(None) };
    if places.is_systems {
        return Err((REQUEST_FAILED, format!("`{}` is not yours to rename", places.name)));
    }
    let edits = places.all.into_iter().map(|l| (l.uri, TextEdit::new(l.range, new.clone())));
    Ok(Some(workspace_edit(edits)))
}

pub fn code_actions(
    server: &mut Server,
    params: CodeActionParams,
) -> Result<Option<Vec<CodeActionOrCommand>>, Refusal> {
    let uri = params.text_document.uri;
    let Some((document, flags)) = open(server, &uri) else { return Ok(None) };
    let from = byte(document, flags, params.range.start);
    let to = byte(document, flags, params.range.end);
    let unit = &document.unit(flags).unit;
    let found = actions::actions(unit, Span::new(from, to)).into_iter().map(|action| {
        let edits = action
            .edits
            .into_iter()
            .map(|(span, text)| (uri.clone(), TextEdit::new(range(unit, span), text)));
        CodeActionOrCommand::CodeAction(CodeAction {
            title: action.title,
            kind: Some(CodeActionKind::REFACTOR_REWRITE),
            edit: Some(workspace_edit(edits)),
            ..Default::default()
        })
    });
    Ok(Some(found.collect()))
}
