// SPDX-License-Identifier: BSD-3-Clause
//! What a server may say, by the protocol's types: a message must mean the same after it was read into
//! them and written again, so that no member is misspelt, missing or of another type.

use lsp_types::notification::{LogMessage, Notification, PublishDiagnostics};
use lsp_types::request::*;
use serde::de::DeserializeOwned;
use serde::Serialize;
use serde_json::Value;
use std::collections::HashMap;

/// Knows which method an answer belongs to.
#[derive(Default)]
pub struct Protocol(HashMap<i64, String>);

impl Protocol {
    pub fn asked(&mut self, id: i64, method: &str) {
        self.0.insert(id, method.to_string());
    }

    /// Panics if the message from the server is none of the protocol.
    pub fn check(&self, message: &Value) {
        assert_eq!(message["jsonrpc"], "2.0", "{message}");
        if let Some(method) = message["method"].as_str() {
            return check_notification(method, &message["params"]);
        }
        let (result, error) = (message.get("result"), message.get("error"));
        assert!(result.is_some() != error.is_some(), "either a result or an error: {message}");
        if let Some(error) = error {
            assert!(error["code"].is_i64() && error["message"].is_string(), "{message}");
            return;
        }
        let method = message["id"].as_i64().and_then(|id| self.0.get(&id));
        let method = method.unwrap_or_else(|| panic!("an answer that nobody asked for: {message}"));
        check_result(method, &message["result"]);
    }
}

fn check_notification(method: &str, params: &Value) {
    match method {
        PublishDiagnostics::METHOD => same::<<PublishDiagnostics as Notification>::Params>(params),
        LogMessage::METHOD => same::<<LogMessage as Notification>::Params>(params),
        _ => panic!("the server says `{method}`, which no client expects"),
    }
}

fn check_result(method: &str, result: &Value) {
    match method {
        Initialize::METHOD => same::<<Initialize as Request>::Result>(result),
        Shutdown::METHOD => same::<<Shutdown as Request>::Result>(result),
        HoverRequest::METHOD => same::<<HoverRequest as Request>::Result>(result),
        Completion::METHOD => same::<<Completion as Request>::Result>(result),
        ResolveCompletionItem::METHOD => same::<<ResolveCompletionItem as Request>::Result>(result),
        SignatureHelpRequest::METHOD => same::<<SignatureHelpRequest as Request>::Result>(result),
        SemanticTokensFullRequest::METHOD => {
            same::<<SemanticTokensFullRequest as Request>::Result>(result);
        }
        InlayHintRequest::METHOD => same::<<InlayHintRequest as Request>::Result>(result),
        DocumentSymbolRequest::METHOD => same::<<DocumentSymbolRequest as Request>::Result>(result),
        GotoDefinition::METHOD => same::<<GotoDefinition as Request>::Result>(result),
        References::METHOD => same::<<References as Request>::Result>(result),
        DocumentHighlightRequest::METHOD => {
            same::<<DocumentHighlightRequest as Request>::Result>(result);
        }
        PrepareRenameRequest::METHOD => same::<<PrepareRenameRequest as Request>::Result>(result),
        Rename::METHOD => same::<<Rename as Request>::Result>(result),
        CodeActionRequest::METHOD => same::<<CodeActionRequest as Request>::Result>(result),
        _ => panic!("`{method}` has an answer, and no type here"),
    }
}

fn same<T: DeserializeOwned + Serialize>(value: &Value) {
    let read: T = serde_json::from_value(value.clone())
        .unwrap_or_else(|e| panic!("{e}, as {}: {value}", std::any::type_name::<T>()));
    assert_eq!(&serde_json::to_value(&read).unwrap(), value, "{}", std::any::type_name::<T>());
}
