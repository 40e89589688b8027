// SPDX-License-Identifier: BSD-3-Clause
//! Where a name is declared and used: in the text, in the headers that it includes, and, if it has
//! external linkage or is a header's, in the other sources of the program.

use super::{byte, open};
use crate::lsp::convert::{location, path_of, position, range, uri_of, word_in_file};
use crate::lsp::documents::Document;
use crate::lsp::flags;
use crate::lsp::server::{Refusal, Server};
use furlong_compiler::sema::Linkage;
use furlong_compiler::span::Span;
use furlong_language::cpp::SKELETON;
use furlong_language::index::Target;
use furlong_language::macros::Macro;
use furlong_language::unit::Unit;
use lsp_types::{
    DocumentHighlight, DocumentHighlightParams, GotoDefinitionParams, GotoDefinitionResponse,
    Location, PrepareRenameResponse, Range, ReferenceParams, TextDocumentPositionParams, Uri,
};
use std::path::{Path, PathBuf};

/// Of the program's other sources, at most so many are searched.
const MAX_SOURCES: usize = 200;

/// What is under the cursor.
enum Named {
    Target(Target),
    Macro(String),
}

impl Named {
    fn at(unit: &Unit, at: u32) -> Option<Named> {
        if let Some(u) = unit.text.use_at(at) {
            return Some(Named::Macro(u.definition.name.to_string()));
        }
        if let Some(offset) = unit.offset(at) {
            return unit.index().at(offset).map(|o| Named::Target(o.target));
        }
        let word = unit.word(at).text(&unit.source);
        let is_macro = unit.text.definitions.iter().any(|m| *m.name == *word);
        is_macro.then(|| Named::Macro(word.to_string()))
    }
}

pub fn definition(
    server: &mut Server,
    params: GotoDefinitionParams,
) -> Result<Option<GotoDefinitionResponse>, Refusal> {
    let at = params.text_document_position_params;
    let Some((document, flags)) = open(server, &at.text_document.uri) else { return Ok(None) };
    let at = byte(document, flags, at.position);
    let unit = &document.unit(flags).unit;
    let found = match Named::at(unit, at) {
        Some(Named::Target(target)) => {
            unit.index().definition(target).and_then(|span| location(unit, span))
        }
        Some(Named::Macro(name)) => macro_location(unit, &name),
        None => included(unit, at),
    };
    Ok(found.map(GotoDefinitionResponse::Scalar))
}

fn macro_location(unit: &Unit, name: &str) -> Option<Location> {
    let definition = unit.text.definitions.iter().rev().find(|m| *m.name == *name)?;
    if definition.file == SKELETON {
        let span = defining_words(unit, definition).next()?;
        return Some(Location::new(uri_of(Path::new(&unit.path))?, range(unit, span)));
    }
    word_in_file(&unit.file(&definition.file), definition.line, name)
}

/// The name in its `#define` directives.
fn defining_words<'a>(unit: &'a Unit, definition: &'a Macro) -> impl Iterator<Item = Span> + 'a {
    directive_words(unit, &definition.name).filter(|span| {
        let line = unit.source[..span.lo as usize].rfind('\n').map_or(0, |at| at + 1);
        unit.source[line..span.lo as usize].trim_end().ends_with("define")
    })
}

/// A word in the directives of the source.
fn directive_words<'a>(unit: &'a Unit, word: &'a str) -> impl Iterator<Item = Span> + 'a {
    let directives = unit.pieces.iter().filter(|piece| piece.is_directive);
    directives.flat_map(move |piece| {
        let text = piece.span.text(&unit.source);
        text.match_indices(word).filter_map(move |(at, _)| {
            let span = unit.word(piece.span.lo + at as u32);
            (span.text(&unit.source) == word).then_some(span)
        })
    })
}

/// The file that the include directive at `at` names.
fn included(unit: &Unit, at: u32) -> Option<Location> {
    let piece = unit.pieces.iter().find(|p| p.span.lo <= at && at < p.span.hi)?;
    let text = piece.span.text(&unit.source).trim();
    let rest = text.strip_prefix('#')?.trim_start().strip_prefix("include")?.trim();
    let name = rest.get(1..)?.split(['"', '>']).next()?;
    let mut files = unit.ast.lines.files.iter();
    let file = files.find(|file| file.name.ends_with(&format!("/{name}")) || file.name == name)?;
    Some(Location::new(uri_of(&unit.file(&file.name))?, Range::default()))
}

/// A name, and where it stands.
pub struct Places {
    pub name: String,
    pub all: Vec<Location>,
    /// It is declared in a header of the system.
    pub is_systems: bool,
}

/// All places of what is under the cursor.
pub fn places(server: &mut Server, params: &TextDocumentPositionParams) -> Option<Places> {
    let uri = &params.text_document.uri;
    let (document, flags) = open(server, uri)?;
    let at = byte(document, flags, params.position);
    let unit = &document.unit(flags).unit;
    let target = match Named::at(unit, at)? {
        Named::Macro(name) => return Some(of_macro(unit, name)),
        Named::Target(target) => target,
    };
    let mut all = in_unit(unit, target);
    let name = target_name(unit, target)?;
    let declared = unit.index().definition(target)?;
    let origin = location(unit, declared)?;
    let is_systems =
        unit.text.source_span(declared).is_none() && unit.ast.lines.file_at(declared.lo).is_system;
    let is_everywheres = is_external(unit, target) || origin.uri != *uri;
    if is_everywheres && !is_systems {
        let own = path_of(uri)?;
        for other in others(server, &own) {
            let found = with_unit(server, &other, &name, |unit| {
                let mut targets: Vec<Target> = Vec::new();
                for occurrence in unit.index().all() {
                    let is_name = occurrence.span.text(&unit.text.text) == name;
                    if is_name && !targets.contains(&occurrence.target) {
                        targets.push(occurrence.target);
                    }
                }
                targets.retain(|&found| {
                    let is_linked = is_external(unit, target) && is_external(unit, found);
                    let place = unit.index().definition(found).and_then(|s| location(unit, s));
                    is_linked || place.as_ref() == Some(&origin)
                });
                let places = targets.into_iter().flat_map(|target| in_unit(unit, target));
                places.collect::<Vec<Location>>()
            });
            all.extend(found.unwrap_or_default());
        }
    }
    let key = |l: &Location| (l.uri.as_str().to_string(), l.range.start);
    all.sort_by_key(key);
    all.dedup_by_key(|location| key(location));
    Some(Places { name, all, is_systems })
}

fn of_macro(unit: &Unit, name: String) -> Places {
    let uses = unit.text.uses.iter().filter(|u| *u.definition.name == *name);
    let uses = uses.map(|u| Span::new(u.at, u.at + u.len));
    let spans = uses.chain(directive_words(unit, &name));
    let uri = uri_of(Path::new(&unit.path));
    let all = spans.filter_map(|span| Some(Location::new(uri.clone()?, range(unit, span))));
    let mut all: Vec<Location> = all.collect();
    all.sort_by_key(|location| location.range.start);
    all.dedup();
    let defined = unit.text.definitions.iter().rev().find(|m| *m.name == *name);
    let is_systems = defined.is_none_or(|m| m.file != SKELETON);
    Places { name, all, is_systems }
}

fn target_name(unit: &Unit, target: Target) -> Option<String> {
    let (names, types) = (&unit.ast.names, &unit.sema.types);
    let symbol = match target {
        Target::Object(id) => unit.sema.object(id).name,
        Target::Field(record, n) => types.record(record).fields.get(n as usize)?.name?,
        Target::Record(id) => types.record(id).tag?,
        Target::Label(name, _) => name,
    };
    Some(names.name(symbol).to_string())
}

fn is_external(unit: &Unit, target: Target) -> bool {
    match target {
        Target::Object(id) => unit.sema.object(id).linkage == Linkage::External,
        _ => false,
    }
}

/// Where `target` is named, in the source and in its headers. What a macro's body names is left out.
fn in_unit(unit: &Unit, target: Target) -> Vec<Location> {
    let spans = unit.index().of(target).map(|o| o.span);
    let is_written = |span: &Span| match unit.text.source_span(*span) {
        Some(source) => source.text(&unit.source) == span.text(&unit.text.text),
        None => true,
    };
    spans.filter(is_written).filter_map(|span| location(unit, span)).collect()
}

/// The program's other sources: those that are open, and those that are compiled with this one.
fn others(server: &Server, own: &Path) -> Vec<PathBuf> {
    let opened = server.documents.values().map(|document| document.path.clone());
    let mut all: Vec<PathBuf> = opened.chain(flags::sources(own)).collect();
    all.sort();
    all.dedup();
    all.retain(|path| path != own);
    all.truncate(MAX_SOURCES);
    all
}

/// `ask` about a source that has the word `name` in it.
fn with_unit<T>(
    server: &mut Server,
    path: &Path,
    name: &str,
    ask: impl FnOnce(&Unit) -> T,
) -> Option<T> {
    let flags = server.flags.clone();
    if let Some(document) = server.documents.values_mut().find(|d| d.path == path) {
        return document.text.contains(name).then(|| ask(&document.unit(&flags).unit));
    }
    let text = String::from_utf8_lossy(&std::fs::read(path).ok()?).into_owned();
    let is_ours = !path.extension().is_some_and(|e| e == "cc" || e == "cpp" || e == "o");
    let mut document = Document::new(path.to_path_buf(), 0, text);
    (is_ours && document.text.contains(name)).then(|| ask(&document.unit(&flags).unit))
}

pub fn references(
    server: &mut Server,
    params: ReferenceParams,
) -> Result<Option<Vec<Location>>, Refusal> {
    Ok(places(server, &params.text_document_position).map(|places| places.all))
}

pub fn highlights(
    server: &mut Server,
    params: DocumentHighlightParams,
) -> Result<Option<Vec<DocumentHighlight>>, Refusal> {
    let at = params.text_document_position_params;
    let Some((document, flags)) = open(server, &at.text_document.uri) else { return Ok(None) };
    let byte = byte(document, flags, at.position);
    let unit = &document.unit(flags).unit;
    let all = match Named::at(unit, byte) {
        Some(Named::Target(target)) => in_unit(unit, target),
        Some(Named::Macro(name)) => of_macro(unit, name).all,
        None => return Ok(None),
    };
    let own: Option<Uri> = uri_of(Path::new(&unit.path));
    let here = all.into_iter().filter(|location| Some(&location.uri) == own.as_ref());
    Ok(Some(here.map(|l| DocumentHighlight { range: l.range, kind: None }).collect()))
}

pub fn prepare_rename(
    server: &mut Server,
    params: TextDocumentPositionParams,
) -> Result<Option<PrepareRenameResponse>, Refusal> {
    let Some(places) = places(server, &params) else { return Ok(None) };
    if places.is_systems {
        return Err((-32803, format!("`{}` is not yours to rename", places.name)));
    }
    let Some((document, flags)) = open(server, &params.text_document.uri) else { return Ok(None) };
    let at = byte(document, flags, params.position);
    let unit = &document.unit(flags).unit;
    let word = unit.word(at);
    let at = |offset| position(&unit.lines, &unit.source, offset);
    Ok(Some(PrepareRenameResponse::Range(Range::new(at(word.lo), at(word.hi)))))
}
