// SPDX-License-Identifier: BSD-3-Clause
//! What helps to read and to write: hovers, completions, signatures, highlighting, hints, outlines.

use super::{byte, open};
use crate::lsp::convert::{position, range};
use crate::lsp::server::{Refusal, Server};
use furlong_compiler::sema::ObjectKind;
use furlong_compiler::span::Span;
use furlong_language::index::Target;
use furlong_language::{complete, highlight, hints, hover as language_hover, signature as call};
use lsp_types::{
    CompletionItem, CompletionItemKind, CompletionList, CompletionParams, DocumentSymbol,
    DocumentSymbolParams, Documentation, Hover, HoverContents, HoverParams, InlayHint,
    InlayHintLabel, InlayHintParams, MarkupContent, MarkupKind, ParameterInformation,
    ParameterLabel, SemanticToken, SemanticTokenModifier, SemanticTokenType, SemanticTokens,
    SemanticTokensLegend, SemanticTokensParams, SignatureHelp, SignatureHelpParams,
    SignatureInformation, SymbolKind,
};

fn markdown(value: String) -> MarkupContent {
    MarkupContent { kind: MarkupKind::Markdown, value }
}

pub fn hover(server: &mut Server, params: HoverParams) -> Result<Option<Hover>, Refusal> {
    let at = params.text_document_position_params;
    let Some((document, flags)) = open(server, &at.text_document.uri) else { return Ok(None) };
    let at = byte(document, flags, at.position);
    let unit = &document.unit(flags).unit;
    let Some(found) = language_hover::hover(unit, at) else { return Ok(None) };
    let place = range(unit, found.span);
    let manual = found.manual.and_then(|name| server.manual.about(&name));
    let parts: Vec<String> =
        std::iter::once(found.text).filter(|text| !text.is_empty()).chain(manual).collect();
    if parts.is_empty() {
        return Ok(None);
    }
    let contents = HoverContents::Markup(markdown(parts.join("\n---\n")));
    Ok(Some(Hover { contents, range: Some(place) }))
}

pub fn completion(
    server: &mut Server,
    params: CompletionParams,
) -> Result<Option<CompletionList>, Refusal> {
    let at = params.text_document_position;
    let Some((document, flags)) = open(server, &at.text_document.uri) else { return Ok(None) };
    let at = byte(document, flags, at.position);
    let source = document.unit(flags).unit.source.clone();
    let (start, is_member) = complete::place(&source, at);
    let prefix = Span::new(start, at.max(start)).text(&source).to_string();
    let mut found = Vec::new();
    for (text, start) in complete::attempts(&source, at) {
        let analysed = document.analyse(text, flags);
        found = complete::complete(&analysed.unit, start, is_member, &prefix);
        if !found.is_empty() {
            break;
        }
    }
    let is_incomplete = found.len() == complete::MAX_ITEMS;
    let items = found.into_iter().map(|item| CompletionItem {
        kind: Some(completion_kind(item.kind)),
        sort_text: Some(format!("{}{}", item.rank, item.label)),
        detail: Some(item.detail).filter(|detail| !detail.is_empty()),
        label: item.label,
        ..Default::default()
    });
    Ok(Some(CompletionList { is_incomplete, items: items.collect() }))
}

fn completion_kind(kind: complete::Kind) -> CompletionItemKind {
    match kind {
        complete::Kind::Variable => CompletionItemKind::VARIABLE,
        complete::Kind::Function => CompletionItemKind::FUNCTION,
        complete::Kind::Constant => CompletionItemKind::ENUM_MEMBER,
        complete::Kind::Type => CompletionItemKind::CLASS,
        complete::Kind::Member => CompletionItemKind::FIELD,
        complete::Kind::Macro => CompletionItemKind::CONSTANT,
        complete::Kind::Word => CompletionItemKind::KEYWORD,
    }
}

/// A completion with what its manual page says.
pub fn resolved(server: &mut Server, item: CompletionItem) -> Result<CompletionItem, Refusal> {
    let is_ours = language_hover::is_documented(&item.label);
    let text = is_ours.then(|| server.manual.about(&item.label)).flatten();
    let documentation = text.map(|text| Documentation::MarkupContent(markdown(text)));
    Ok(CompletionItem { documentation: documentation.or(item.documentation.clone()), ..item })
}

pub fn signature(
    server: &mut Server,
    params: SignatureHelpParams,
) -> Result<Option<SignatureHelp>, Refusal> {
    let at = params.text_document_position_params;
    let Some((document, flags)) = open(server, &at.text_document.uri) else { return Ok(None) };
    let at = byte(document, flags, at.position);
    let Some(found) = call::signature(&document.unit(flags).unit, at) else { return Ok(None) };
    let is_ours = language_hover::is_documented(&found.name);
    let text = is_ours.then(|| server.manual.about(&found.name)).flatten();
    let parameters = found.params.into_iter().map(|label| ParameterInformation {
        label: ParameterLabel::Simple(label),
        documentation: None,
    });
    let information = SignatureInformation {
        label: found.text,
        documentation: text.map(|text| Documentation::MarkupContent(markdown(text))),
        parameters: Some(parameters.collect()),
        active_parameter: Some(found.argument),
    };
    Ok(Some(SignatureHelp {
        signatures: vec![information],
        active_signature: Some(0),
        active_parameter: Some(found.argument),
    }))
}

/// In the order of [`highlight::Kind`]; and the modifiers in that of their bits.
pub fn legend() -> SemanticTokensLegend {
    SemanticTokensLegend {
        token_types: vec![
            SemanticTokenType::VARIABLE,
            SemanticTokenType::PARAMETER,
            SemanticTokenType::FUNCTION,
            SemanticTokenType::TYPE,
            SemanticTokenType::STRUCT,
            SemanticTokenType::PROPERTY,
            SemanticTokenType::ENUM_MEMBER,
            SemanticTokenType::MACRO,
        ],
        token_modifiers: vec![
            SemanticTokenModifier::DECLARATION,
            SemanticTokenModifier::new("shared"),
            SemanticTokenModifier::new("remote"),
            SemanticTokenModifier::new("strict"),
        ],
    }
}

pub fn semantic_tokens(
    server: &mut Server,
    params: SemanticTokensParams,
) -> Result<Option<SemanticTokens>, Refusal> {
    let Some((document, flags)) = open(server, &params.text_document.uri) else { return Ok(None) };
    let unit = &document.unit(flags).unit;
    let (mut data, mut last) = (Vec::new(), (0, 0));
    for token in highlight::tokens(unit) {
        let place = range(unit, token.span);
        let (line, start) = (place.start.line, place.start.character);
        if place.end.line != line {
            continue;
        }
        let flags = token.flags;
        let bits = [flags.is_declaration, flags.is_shared, flags.is_remote, flags.is_strict];
        let set = bits.iter().enumerate().map(|(n, &is_set)| u32::from(is_set) << n).sum();
        data.push(SemanticToken {
            delta_line: line - last.0,
            delta_start: if line == last.0 { start - last.1 } else { start },
            length: place.end.character - start,
            token_type: token.kind as u32,
            token_modifiers_bitset: set,
        });
        last = (line, start);
    }
    Ok(Some(SemanticTokens { result_id: None, data }))
}

pub fn inlay_hints(
    server: &mut Server,
    params: InlayHintParams,
) -> Result<Option<Vec<InlayHint>>, Refusal> {
    let Some((document, flags)) = open(server, &params.text_document.uri) else { return Ok(None) };
    let (from, to) = (params.range.start, params.range.end);
    let span = Span::new(byte(document, flags, from), byte(document, flags, to));
    let unit = &document.unit(flags).unit;
    let shown = hints::hints(unit, span).into_iter().map(|hint| InlayHint {
        position: position(&unit.lines, &unit.source, hint.at),
        label: InlayHintLabel::String(hint.text),
        kind: None,
        text_edits: None,
        tooltip: None,
        padding_left: Some(true),
        padding_right: None,
        data: None,
    });
    Ok(Some(shown.collect()))
}

/// What the source defines at file scope.
pub fn symbols(
    server: &mut Server,
    params: DocumentSymbolParams,
) -> Result<Option<Vec<DocumentSymbol>>, Refusal> {
    let Some((document, flags)) = open(server, &params.text_document.uri) else { return Ok(None) };
    let unit = &document.unit(flags).unit;
    let (names, types) = (&unit.ast.names, &unit.sema.types);
    let declared = unit.index().all().iter().filter(|o| o.is_declaration);
    let shown = declared.filter_map(|occurrence| {
        let span = unit.text.source_span(occurrence.span)?;
        let (name, detail, kind) = match occurrence.target {
            Target::Object(id) => {
                let object = unit.sema.object(id);
                if !object.at_file_scope {
                    return None;
                }
                let kind = match object.kind {
                    ObjectKind::Typedef => SymbolKind::CLASS,
                    ObjectKind::Enumerator(_) => SymbolKind::ENUM_MEMBER,
                    _ if types.is_function(object.ty) => SymbolKind::FUNCTION,
                    _ => SymbolKind::VARIABLE,
                };
                (names.name(object.name), types.display(names, object.ty), kind)
            }
            Target::Record(id) => {
                let record = types.record(id);
                (names.name(record.tag?), String::new(), SymbolKind::STRUCT)
            }
            Target::Field(..) | Target::Label(..) => return None,
        };
        let place = range(unit, span);
        #[allow(deprecated)] // the field has to be given
        Some(DocumentSymbol {
            name: name.to_string(),
            detail: Some(detail),
            kind,
            tags: None,
            deprecated: None,
            range: place,
            selection_range: place,
            children: None,
        })
    });
    Ok(Some(shown.collect()))
}
