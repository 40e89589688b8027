// SPDX-License-Identifier: BSD-3-Clause
//! The session: its beginning and end, the texts that are open, and who answers what.

use super::convert::{diagnostics, path_of};
use super::documents::Document;
use super::manual::Manual;
use super::transport::{self, Incoming};
use super::{answers, answers::legend};
use crate::exit;
use lsp_types::{
    CodeActionKind, CodeActionOptions, CodeActionProviderCapability, CompletionOptions,
    DidChangeTextDocumentParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams,
    HoverProviderCapability, OneOf, RenameOptions, SemanticTokensFullOptions,
    SemanticTokensOptions, ServerCapabilities, SignatureHelpOptions, TextDocumentSyncCapability,
    TextDocumentSyncKind, TextDocumentSyncOptions, TextDocumentSyncSaveOptions, Uri,
};
use serde::de::DeserializeOwned;
use serde_json::{json, Value};
use std::collections::BTreeMap;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::mpsc::TryRecvError;

/// Of JSON-RPC and the protocol.
const PARSE_ERROR: i32 = -32700;
const INVALID_REQUEST: i32 = -32600;
const METHOD_NOT_FOUND: i32 = -32601;
const INVALID_PARAMS: i32 = -32602;
const INTERNAL_ERROR: i32 = -32603;
const NOT_INITIALIZED: i32 = -32002;

/// A request that has no answer: its code, and why.
pub type Refusal = (i32, String);

#[derive(Default)]
pub struct Server {
    pub documents: BTreeMap<String, Document>,
    /// Flags for sources of which no compile_commands.json knows.
    pub flags: Vec<String>,
    pub manual: Manual,
    is_initialized: bool,
    is_shut_down: bool,
}

impl Server {
    /// Runs until the client says `exit` or is gone.
    pub fn run(mut self) -> i32 {
        let incoming = transport::listen();
        loop {
            let message = match incoming.try_recv() {
                Ok(message) => message,
                Err(TryRecvError::Disconnected) => return self.exit_code(),
                Err(TryRecvError::Empty) => {
                    if self.publish_one() {
                        continue;
                    }
                    match incoming.recv() {
                        Ok(message) => message,
                        Err(_) => return self.exit_code(),
                    }
                }
            };
            match message {
                Incoming::Unreadable(why) => transport::fail(Value::Null, PARSE_ERROR, &why),
                Incoming::Message(message) if message["method"] == "exit" => {
                    return self.exit_code()
                }
                Incoming::Message(message) => self.take(message),
            }
        }
    }

    fn exit_code(&self) -> i32 {
        if self.is_shut_down || !self.is_initialized {
            exit::OK
        } else {
            exit::FAILED
        }
    }

    fn take(&mut self, mut message: Value) {
        let id = message.get("id").cloned();
        let Some(method) = message["method"].as_str().map(str::to_string) else {
            // An answer to us, or nothing.
            let is_answer = message.get("result").is_some() || message.get("error").is_some();
            if !is_answer {
                transport::fail(id.unwrap_or_default(), INVALID_REQUEST, "there is no method");
            }
            return;
        };
        let params = message.get_mut("params").map(Value::take).unwrap_or_default();
        let outcome = catch_unwind(AssertUnwindSafe(|| match &id {
            Some(_) => self.request(&method, params),
            None => self.notification(&method, params).map(|()| Value::Null),
        }));
        let outcome = outcome.unwrap_or_else(|_| {
            self.documents.values_mut().for_each(|document| document.forget());
            self.documents.values_mut().for_each(|document| document.is_dirty = false);
            Err((INTERNAL_ERROR, format!("a mistake in furlong lsp, in `{method}`")))
        });
        match (id, outcome) {
            (Some(id), Ok(result)) => transport::respond(id, result),
            (Some(id), Err((code, why))) => transport::fail(id, code, &why),
            (None, Err((_, why))) => log(&why),
            (None, Ok(_)) => {}
        }
    }

    fn request(&mut self, method: &str, params: Value) -> Result<Value, Refusal> {
        if method == "initialize" {
            self.is_initialized = true;
            let options = &params["initializationOptions"]["flags"];
            self.set_flags(options);
            return Ok(initialized());
        }
        if !self.is_initialized {
            return Err((NOT_INITIALIZED, "`initialize` comes first".into()));
        }
        if method == "shutdown" {
            self.is_shut_down = true;
            return Ok(Value::Null);
        }
        if self.is_shut_down {
            return Err((INVALID_REQUEST, "the server has been shut down".into()));
        }
        answers::answer(self, method, params).unwrap_or_else(|| {
            Err((METHOD_NOT_FOUND, format!("`{method}` is not known to furlong lsp")))
        })
    }

    fn notification(&mut self, method: &str, params: Value) -> Result<(), Refusal> {
        match method {
            "textDocument/didOpen" => {
                let opened: DidOpenTextDocumentParams = read(params)?;
                let opened = opened.text_document;
                if let Some(path) = path_of(&opened.uri) {
                    let document = Document::new(path, opened.version, opened.text);
                    self.documents.insert(opened.uri.as_str().to_string(), document);
                }
            }
            "textDocument/didChange" => self.change(read(params)?),
            "textDocument/didClose" => {
                let closed: DidCloseTextDocumentParams = read(params)?;
                let uri = closed.text_document.uri;
                if self.documents.remove(uri.as_str()).is_some() {
                    publish(&uri, None, Vec::new());
                }
            }
            // Others may include what has been saved, and flags may have changed.
            "textDocument/didSave" | "workspace/didChangeWatchedFiles" => {
                self.documents.values_mut().for_each(Document::forget);
            }
            "workspace/didChangeConfiguration" => {
                self.set_flags(&params["settings"]["furlong"]["flags"]);
                self.documents.values_mut().for_each(Document::forget);
            }
            _ => {}
        }
        Ok(())
    }

    fn change(&mut self, changed: DidChangeTextDocumentParams) {
        let id = changed.text_document;
        let Some(document) = self.documents.get_mut(id.uri.as_str()) else { return };
        for change in changed.content_changes {
            match change.range {
                Some(range) => {
                    let at = |position: lsp_types::Position| (position.line, position.character);
                    document.edit(at(range.start), at(range.end), &change.text);
                }
                None => document.set_text(id.version, change.text),
            }
        }
        document.version = id.version;
    }

    fn set_flags(&mut self, flags: &Value) {
        if let Some(words) = flags.as_array() {
            self.flags = words.iter().filter_map(|w| w.as_str().map(str::to_string)).collect();
        }
    }

    /// Sends the diagnostics of a text that has changed, if there is one.
    fn publish_one(&mut self) -> bool {
        let Some((uri, document)) = self.documents.iter_mut().find(|(_, d)| d.is_dirty) else {
            return false;
        };
        document.is_dirty = false;
        let flags = &self.flags;
        let found = catch_unwind(AssertUnwindSafe(|| diagnostics(document.unit(flags))));
        match (found, uri.parse()) {
            (Ok(found), Ok(uri)) => publish(&uri, Some(document.version), found),
            _ => log("a mistake in furlong lsp, in the analysis of a text"),
        }
        true
    }
}

pub fn read<T: DeserializeOwned>(params: Value) -> Result<T, Refusal> {
    serde_json::from_value(params).map_err(|e| (INVALID_PARAMS, e.to_string()))
}

fn publish(uri: &Uri, version: Option<i32>, diagnostics: Vec<lsp_types::Diagnostic>) {
    let params = json!({ "uri": uri, "version": version, "diagnostics": diagnostics });
    transport::notify("textDocument/publishDiagnostics", params);
}

fn log(text: &str) {
    transport::notify("window/logMessage", json!({ "type": 1, "message": text }));
}

fn initialized() -> Value {
    let sync = TextDocumentSyncOptions {
        open_close: Some(true),
        change: Some(TextDocumentSyncKind::INCREMENTAL),
        save: Some(TextDocumentSyncSaveOptions::Supported(true)),
        ..Default::default()
    };
    let strings = |words: &[&str]| Some(words.iter().map(|word| word.to_string()).collect());
    let capabilities = ServerCapabilities {
        text_document_sync: Some(TextDocumentSyncCapability::Options(sync)),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        definition_provider: Some(OneOf::Left(true)),
        references_provider: Some(OneOf::Left(true)),
        document_highlight_provider: Some(OneOf::Left(true)),
        document_symbol_provider: Some(OneOf::Left(true)),
        rename_provider: Some(OneOf::Right(RenameOptions {
            prepare_provider: Some(true),
            work_done_progress_options: Default::default(),
        })),
        completion_provider: Some(CompletionOptions {
            trigger_characters: strings(&[".", ">"]),
            resolve_provider: Some(true),
            ..Default::default()
        }),
        signature_help_provider: Some(SignatureHelpOptions {
            trigger_characters: strings(&["(", ","]),
            ..Default::default()
        }),
        semantic_tokens_provider: Some(
            SemanticTokensOptions {
                legend: legend(),
                full: Some(SemanticTokensFullOptions::Bool(true)),
                ..Default::default()
            }
            .into(),
        ),
        inlay_hint_provider: Some(OneOf::Left(true)),
        code_action_provider: Some(CodeActionProviderCapability::Options(CodeActionOptions {
            code_action_kinds: Some(vec![
                CodeActionKind::QUICKFIX,
                CodeActionKind::REFACTOR_REWRITE,
            ]),
            ..Default::default()
        })),
        ..Default::default()
    };
    let version = env!("CARGO_PKG_VERSION");
    json!({ "capabilities": capabilities, "serverInfo": { "name": "furlong lsp", "version": version } })
}
