// SPDX-License-Identifier: BSD-3-Clause
//! Tokens to tree: recursive descent over C17 with GNU C's extensions and UPC 1.3.
//!
//! Each function has its production above it. `x` parses an x that must be there; `opt_x` may
//! find none; `at_x` only looks. A function that fails has reported why and returns [`Reported`];
//! the nearest statement, member or declaration skips to its end, keeps the text as it stands
//! and goes on, so that one mistake gives one message.
//!
//! Nothing here knows types or values; names matter only as far as the grammar needs them.

mod attributes;
mod declarations;
mod declarators;
mod expressions;
mod initializers;
mod items;
mod names;
mod primaries;
mod records;
mod recover;
mod specifiers;
mod statements;
mod upc;

use super::ast::*;
use super::lexer::{lex, Lexed, UpcPragma};
use super::token::{intern_vocabulary, Tok, Token};
use crate::diag::fix::Edit;
use crate::diag::{codes, Diagnostic, Diagnostics};
use crate::span::Span;
use names::{Meaning, Names};

/// How deep constructs may nest, and how many `*`, `[]` and `()` a declarator may have; more gives
/// E0103. Later phases recurse over the tree on the
/// same stack, so this is what bounds theirs. Chains (`a + b + c`, `else if`, `case 1: case 2:`,
/// `x = y = z`) do not count.
pub const MAX_DEPTH: u32 = 2_000;

/// How many links a chain may have; more gives E0103. The tree nests with every link, and most
/// phases need a frame of stack for each.
pub const MAX_LINKS: usize = 200_000;

/// After so many errors the rest of the text is not looked at.
const MAX_ERRORS: usize = 100;

#[derive(Clone, Debug, Default)]
pub struct ParseOptions {
    /// The text is C: the words of UPC are ordinary names.
    pub plain_c: bool,
    /// A name that is not declared is a type, wherever a type could stand.
    pub unknown_types: bool,
}

/// A message has been given; the construct is abandoned.
#[derive(Debug)]
struct Reported;

type Parse<T> = Result<T, Reported>;

struct Parser<'a> {
    text: &'a str,
    tokens: Vec<Token>,
    pos: usize,
    ast: Ast,
    diags: Diagnostics,
    names: Names,
    pragmas: Vec<UpcPragma>,
    /// Each with the number of the token before which it stands, in order.
    other_pragmas: Vec<(usize, Span)>,
    next_pragma: usize,
    depth: u32,
    n_errors: usize,
    /// Token at which the last error was reported: a second one there is a consequence.
    last_error: usize,
    /// Errors are not reported while something is only tried.
    quiet: bool,
    unknown_types: bool,
}

/// Parses preprocessed text. The tree covers all of it, whatever it contains.
pub fn parse(text: &str, options: &ParseOptions) -> (Ast, Diagnostics) {
    let mut diags = Diagnostics::default();
    let mut ast = Ast::default();
    intern_vocabulary(&mut ast.names);
    let text = if text.len() < u32::MAX as usize {
        text
    } else {
        let span = Span::default();
        diags.push(Diagnostic::error(codes::E0103, span, "the preprocessed text exceeds 4 GiB"));
        ""
    };
    let Lexed { tokens, pragmas, other_pragmas, obeyed, target, lines } =
        lex(text, !options.plain_c, &mut ast.names, &mut diags);
    ast.lines = lines;
    ast.obeyed_pragmas = obeyed;
    ast.target = target;
    let names = Names::new(ast.names.len());
    let mut parser = Parser {
        text,
        tokens,
        pos: 0,
        ast,
        diags,
        names,
        pragmas,
        other_pragmas,
        next_pragma: 0,
        depth: 0,
        n_errors: 0,
        last_error: usize::MAX,
        quiet: false,
        unknown_types: options.unknown_types,
    };
    parser.translation_unit();
    parser.forget_declared();
    parser.diags.0.sort_by_key(|d| d.span.lo);
    (parser.ast, parser.diags)
}

/// Names that nothing declares.
impl Parser<'_> {
    /// Notes the name at hand if no declaration of it has been seen.
    fn note_use(&mut self) {
        let (name, span) = (self.token().sym, self.span());
        if self.names.get(name) == Meaning::Unknown {
            self.ast.undeclared.push(Ident { name, span });
        }
    }

    /// A function may be called before it is declared (C89).
    fn forget_declared(&mut self) {
        let names = &self.names;
        self.ast.undeclared.retain(|used| names.get(used.name) != Meaning::Object);
    }
}

/// Walking over tokens.
impl Parser<'_> {
    fn token(&self) -> Token {
        self.tokens[self.pos]
    }

    fn kind(&self) -> Tok {
        self.tokens[self.pos].kind
    }

    fn peek(&self, ahead: usize) -> Tok {
        let idx = (self.pos + ahead).min(self.tokens.len() - 1);
        self.tokens[idx].kind
    }

    fn span(&self) -> Span {
        let token = self.token();
        Span::new(token.lo, token.hi)
    }

    fn lo(&self) -> u32 {
        self.token().lo
    }

    /// Where the last token taken ends.
    fn prev_hi(&self) -> u32 {
        self.pos.checked_sub(1).map_or(0, |i| self.tokens[i].hi)
    }

    /// From `lo` to the last token taken.
    fn since(&self, lo: u32) -> Span {
        Span::new(lo, self.prev_hi().max(lo))
    }

    /// Takes the token. The end of the text is never passed.
    fn bump(&mut self) -> Span {
        let span = self.span();
        if self.pos + 1 < self.tokens.len() {
            self.pos += 1;
        }
        span
    }

    fn at(&self, kind: Tok) -> bool {
        self.kind() == kind
    }

    fn eat(&mut self, kind: Tok) -> bool {
        let found = self.at(kind);
        if found {
            self.bump();
        }
        found
    }

    fn opt_ident(&mut self) -> Option<Ident> {
        let token = self.token();
        if token.kind != Tok::Ident {
            return None;
        }
        Some(Ident { name: token.sym, span: self.bump() })
    }

    /// Runs `parse` one level deeper, if the limit allows.
    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        if self.depth >= MAX_DEPTH {
            return Err(self.too_deep());
        }
        self.depth += 1;
        let result = parse(self);
        self.depth -= 1;
        result
    }

    /// May a chain have so many links?
    fn check_links(&mut self, n_links: usize) -> Parse<()> {
        match n_links > MAX_LINKS {
            true => Err(self.too_long()),
            false => Ok(()),
        }
    }
}

/// Building nodes.
impl Parser<'_> {
    fn expr(&mut self, lo: u32, kind: ExprKind) -> ExprId {
        let span = self.since(lo);
        self.expr_at(span, kind)
    }

    fn expr_at(&mut self, span: Span, kind: ExprKind) -> ExprId {
        self.ast.exprs.push(Expr { span, kind });
        ExprId(self.ast.exprs.len() as u32 - 1)
    }

    fn expr_span(&self, id: ExprId) -> Span {
        self.ast.expr(id).span
    }

    fn stmt(&mut self, lo: u32, kind: StmtKind) -> StmtId {
        let span = self.since(lo);
        self.stmt_at(span, kind)
    }

    fn stmt_at(&mut self, span: Span, kind: StmtKind) -> StmtId {
        self.ast.stmts.push(Stmt { span, kind });
        StmtId(self.ast.stmts.len() as u32 - 1)
    }

    fn stmt_span(&self, id: StmtId) -> Span {
        self.ast.stmt(id).span
    }

    fn init(&mut self, lo: u32, kind: InitKind) -> InitId {
        let span = self.since(lo);
        self.ast.inits.push(Init { span, kind });
        InitId(self.ast.inits.len() as u32 - 1)
    }

    fn decl(&mut self, declaration: Declaration) -> DeclId {
        self.ast.decls.push(declaration);
        DeclId(self.ast.decls.len() as u32 - 1)
    }
}
