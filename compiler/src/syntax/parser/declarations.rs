// SPDX-License-Identifier: BSD-3-Clause
//! Declarations and function definitions. C17 §6.7, §6.9.1.

use super::names::Meaning;
use super::*;

/// What stood where a declaration could.
pub(super) enum Declared {
    Declaration(DeclId),
    Function(Box<Function>),
}

impl Parser<'_> {
    /// declaration = declaration-specifiers (init-declarator ("," init-declarator)*)? ";"
    /// function-definition = declaration-specifiers declarator declaration* compound-statement
    pub(super) fn declaration(&mut self) -> Parse<Declared> {
        let lo = self.lo();
        while self.eat(Tok::Extension) {}
        let mut specs = self.specifiers()?;
        let mut declarators = Vec::new();
        if !self.at(Tok::Semi) {
            let first_lo = self.lo();
            let mut attributes = Vec::new();
            self.attributes(&mut attributes)?;
            let declarator = self.declarator(true)?;
            self.declare(&specs, &declarator);
            let asm_label = self.opt_asm_label()?;
            self.attributes(&mut attributes)?;
            if self.at_function_body(&specs, &declarator) {
                specs.attributes.append(&mut attributes);
                return self.function_definition(lo, specs, declarator);
            }
            let init = self.opt_initializer()?;
            self.attributes(&mut attributes)?;
            let span = self.since(first_lo);
            let width = None;
            declarators.push(InitDeclarator {
                span,
                declarator,
                width,
                asm_label,
                attributes,
                init,
            });
            while self.eat(Tok::Comma) {
                declarators.push(self.init_declarator(&specs)?);
            }
        }
        self.expect_semi("this declaration")?;
        let span = self.since(lo);
        Ok(Declared::Declaration(self.decl(Declaration { span, specs, declarators })))
    }

    /// init-declarator = attribute* declarator asm-label? attribute* ("=" initializer)?
    fn init_declarator(&mut self, specs: &DeclSpecs) -> Parse<InitDeclarator> {
        let lo = self.lo();
        let mut attributes = Vec::new();
        self.attributes(&mut attributes)?;
        let declarator = self.declarator(true)?;
        self.declare(specs, &declarator);
        let asm_label = self.opt_asm_label()?;
        self.attributes(&mut attributes)?;
        let init = self.opt_initializer()?;
        let span = self.since(lo);
        Ok(InitDeclarator { span, declarator, width: None, asm_label, attributes, init })
    }

    fn opt_initializer(&mut self) -> Parse<Option<InitId>> {
        if !self.eat(Tok::Eq) {
            return Ok(None);
        }
        self.initializer().map(Some)
    }

    /// The scope of a name begins right after its declarator (C17 §6.2.1p7).
    fn declare(&mut self, specs: &DeclSpecs, declarator: &Declarator) {
        let meaning = match specs.storage {
            Some((Storage::Typedef, _)) => Meaning::Typedef,
            _ => Meaning::Object,
        };
        if let Some(name) = declarator.name {
            self.names.declare(name.name, meaning);
        }
    }

    /// A `{`, or K&R's parameter declarations, after the declarator of a function.
    fn at_function_body(&self, specs: &DeclSpecs, declarator: &Declarator) -> bool {
        let Some(DeclaratorChunk { kind: ChunkKind::Function(params), .. }) =
            declarator.chunks.first()
        else {
            return false;
        };
        let is_typedef = matches!(specs.storage, Some((Storage::Typedef, _)));
        let is_kr = matches!(params, Params::Names(_)) && self.at_declaration();
        !is_typedef && (self.at(Tok::LBrace) || is_kr)
    }

    fn function_definition(
        &mut self,
        lo: u32,
        specs: DeclSpecs,
        declarator: Declarator,
    ) -> Parse<Declared> {
        self.names.enter();
        self.declare_parameters(&declarator);
        let result = self.kr_declarations(&declarator).and_then(|kr_declarations| {
            if !self.at(Tok::LBrace) {
                return Err(self.expected("the function's body, `{`"));
            }
            Ok((kr_declarations, self.nested(Self::block)?))
        });
        self.names.leave();
        let (kr_declarations, body) = result?;
        let span = self.since(lo);
        Ok(Declared::Function(Box::new(Function {
            span,
            specs,
            declarator,
            kr_declarations,
            body,
        })))
    }

    fn declare_parameters(&mut self, declarator: &Declarator) {
        let Some(ChunkKind::Function(params)) = declarator.chunks.first().map(|c| &c.kind) else {
            return;
        };
        match params {
            Params::Empty => {}
            Params::Names(names) => {
                for name in names {
                    self.names.declare(name.name, Meaning::Object);
                    self.ast.undeclared.retain(|used| used.span != name.span);
                }
            }
            Params::Prototype { params, .. } => {
                for name in params.iter().filter_map(|p| p.declarator.name) {
                    self.names.declare(name.name, Meaning::Object);
                }
            }
        }
    }

    /// The declarations of the parameters that `function` names. What declares anything else has
    /// been written after a `;` that is missing.
    fn kr_declarations(&mut self, function: &Declarator) -> Parse<Vec<DeclId>> {
        let mut list = Vec::new();
        while !self.at(Tok::LBrace) && self.at_declaration() {
            let place = self.span();
            let is_whole = match self.declaration()? {
                Declared::Declaration(id) => {
                    list.push(id);
                    self.declares_parameters(id, function)
                }
                Declared::Function(_) => false,
            };
            if !is_whole {
                return Err(self.lacks_body(function, place));
            }
        }
        Ok(list)
    }

    fn declares_parameters(&self, id: DeclId, function: &Declarator) -> bool {
        let Some(ChunkKind::Function(Params::Names(names))) =
            function.chunks.first().map(|chunk| &chunk.kind)
        else {
            return true;
        };
        let is_parameter = |d: &InitDeclarator| {
            d.declarator.name.is_some_and(|own| names.iter().any(|name| name.name == own.name))
        };
        self.ast.decl(id).declarators.iter().all(is_parameter)
    }

    fn lacks_body(&mut self, function: &Declarator, place: Span) -> Reported {
        let title = "this declares no parameter of the function before it, which has no body";
        let diagnostic = Diagnostic::error(codes::E0102, place, title)
            .label("expected the declaration of a parameter, or `{`")
            .at(function.span, "its parameters are named in the old style")
            .note("C17 §6.9.1p6: declarations between the parameters and the body declare only parameters")
            .help("give the function a body, or declare it as `int f(int a);`");
        self.report(diagnostic)
    }

    /// static-assert = "_Static_assert" "(" constant-expression ("," string)? ")" ";"
    pub(super) fn static_assert(&mut self) -> Parse<(Span, ExprId)> {
        let lo = self.bump().lo;
        let open = self.expect(Tok::LParen, "`(` after `_Static_assert`")?;
        let condition = self.conditional()?;
        if self.eat(Tok::Comma) {
            self.expect(Tok::StrLit, "the message, a string")?;
            while self.eat(Tok::StrLit) {}
        }
        self.expect_close(Tok::RParen, open)?;
        self.expect_semi("`_Static_assert`")?;
        Ok((self.since(lo), condition))
    }
}
