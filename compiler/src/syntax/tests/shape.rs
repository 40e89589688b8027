// SPDX-License-Identifier: BSD-3-Clause
//! Trees as nested lists, for tests to compare.

use crate::syntax::ast::*;

pub struct Shape<'a> {
    ast: &'a Ast,
    text: &'a str,
}

impl Shape<'_> {
    pub fn new<'a>(ast: &'a Ast, text: &'a str) -> Shape<'a> {
        Shape { ast, text }
    }

    fn name(&self, ident: Ident) -> &str {
        self.ast.names.name(ident.name)
    }

    pub fn item(&self, item: &Item) -> String {
        match item {
            Item::Declaration(id) => self.declaration(*id),
            Item::Function(f) => self.function(f),
            Item::StaticAssert { condition, .. } => format!("(assert {})", self.expr(*condition)),
            Item::Verbatim(span) => format!("verbatim {}", span.text(self.text)),
        }
    }

    fn function(&self, f: &Function) -> String {
        let kr: Vec<String> = f.kr_declarations.iter().map(|d| self.declaration(*d)).collect();
        let kr = kr.concat();
        let declared = self.declared(&f.specs, &f.declarator);
        format!("fn {declared}{kr} {}", self.stmt(f.body))
    }

    /// `name: type` for each declarator, with what belongs to it.
    pub fn declaration(&self, id: DeclId) -> String {
        let decl = self.ast.decl(id);
        let mut parts: Vec<String> = Vec::new();
        for d in &decl.declarators {
            let mut part = self.declared(&decl.specs, &d.declarator);
            if let Some(width) = d.width {
                part += &format!(" :{}", self.expr(width));
            }
            if let Some(label) = d.asm_label {
                part += &format!(" {}", label.text(self.text));
            }
            part += &self.attributes(&d.attributes);
            if let Some(init) = d.init {
                part += &format!(" = {}", self.init(init));
            }
            parts.push(part);
        }
        if parts.is_empty() {
            parts.push(self.specs(&decl.specs));
        }
        format!("{};", parts.join(", "))
    }

    fn attributes(&self, attributes: &[Attribute]) -> String {
        let one = |a: &Attribute| {
            let args: Vec<String> = a.args.iter().map(|e| self.expr(*e)).collect();
            let name = self.ast.names.name(a.name);
            if args.is_empty() {
                format!(" @{name}")
            } else {
                format!(" @{name}({})", args.join(","))
            }
        };
        attributes.iter().map(one).collect()
    }

    fn declared(&self, specs: &DeclSpecs, declarator: &Declarator) -> String {
        let name = declarator.name.map_or("", |n| self.name(n));
        let chunks: String = declarator.chunks.iter().map(|c| self.chunk(&c.kind)).collect();
        format!("{name}: {chunks}{}", self.specs(specs))
    }

    fn chunk(&self, chunk: &ChunkKind) -> String {
        match chunk {
            ChunkKind::Pointer(quals) => format!("*{}", self.quals(quals)),
            ChunkKind::Array { quals, is_static, size } => {
                let size = match size {
                    ArraySize::None => String::new(),
                    ArraySize::Star => "*".into(),
                    ArraySize::Expr(e) => self.expr(*e),
                };
                let at_least = if *is_static { "static " } else { "" };
                format!("[{at_least}{}{size}]", self.quals(quals))
            }
            ChunkKind::Function(Params::Empty) => "()".into(),
            ChunkKind::Function(Params::Names(names)) => {
                let names: Vec<&str> = names.iter().map(|n| self.name(*n)).collect();
                format!("({})", names.join(" "))
            }
            ChunkKind::Function(Params::Prototype { params, is_variadic }) => {
                let mut list: Vec<String> =
                    params.iter().map(|p| self.declared(&p.specs, &p.declarator)).collect();
                if *is_variadic {
                    list.push("...".into());
                }
                if list.is_empty() {
                    "(void)".into()
                } else {
                    format!("({})", list.join(", "))
                }
            }
        }
    }

    fn quals(&self, quals: &[Qualifier]) -> String {
        let one = |q: &Qualifier| match q.kind {
            QualifierKind::Const => "const ".into(),
            QualifierKind::Volatile => "volatile ".into(),
            QualifierKind::Restrict => "restrict ".into(),
            QualifierKind::Atomic => "atomic ".into(),
            QualifierKind::Strict => "strict ".into(),
            QualifierKind::Relaxed => "relaxed ".into(),
            QualifierKind::Shared(Layout::None) => "shared ".into(),
            QualifierKind::Shared(Layout::Indefinite) => "shared[] ".into(),
            QualifierKind::Shared(Layout::Star) => "shared[*] ".into(),
            QualifierKind::Shared(Layout::Size(e)) => format!("shared[{}] ", self.expr(e)),
        };
        quals.iter().map(one).collect()
    }

    fn specs(&self, specs: &DeclSpecs) -> String {
        let mut out = String::new();
        if let Some((storage, _)) = specs.storage {
            out += &format!("{storage:?} ").to_lowercase();
        }
        if specs.thread_local.is_some() {
            out += "thread ";
        }
        if specs.is_inline {
            out += "inline ";
        }
        out += &self.quals(&specs.quals);
        for (_, operand) in &specs.alignas {
            out += &format!("alignas({}) ", self.operand(*operand));
        }
        out += &match &specs.ty {
            TypeSpec::Builtin(Builtin::Other(name)) => self.ast.names.name(*name).to_string(),
            TypeSpec::Builtin(builtin) => format!("{builtin:?}").to_lowercase(),
            TypeSpec::Record(record) => self.record(record),
            TypeSpec::Enum(spec) => self.enumeration(spec),
            TypeSpec::Typedef(name) => self.name(*name).to_string(),
            TypeSpec::TypeofExpr(e) => format!("typeof({})", self.expr(*e)),
            TypeSpec::TypeofType(t) => format!("typeof({})", self.type_name(*t)),
            TypeSpec::Atomic(t) => format!("atomic({})", self.type_name(*t)),
            TypeSpec::Auto => "auto".into(),
            TypeSpec::Missing => "missing".into(),
            TypeSpec::Error => "error".into(),
        };
        out + &self.attributes(&specs.attributes)
    }

    fn record(&self, record: &RecordSpec) -> String {
        let word = if record.is_union { "union" } else { "struct" };
        let tag = record.tag.map(|t| format!(" {}", self.name(t))).unwrap_or_default();
        let body = record.body.as_ref().map(|body| {
            let members: Vec<String> = body
                .members
                .iter()
                .map(|m| match m {
                    Member::Declaration(id) => self.declaration(*id),
                    Member::StaticAssert { condition, .. } => {
                        format!("(assert {})", self.expr(*condition))
                    }
                })
                .collect();
            format!(" {{{}}}", members.join(" "))
        });
        let attributes = self.attributes(&record.attributes);
        format!("{word}{tag}{}{attributes}", body.unwrap_or_default())
    }

    fn enumeration(&self, spec: &EnumSpec) -> String {
        let tag = spec.tag.map(|t| format!(" {}", self.name(t))).unwrap_or_default();
        let list = spec.enumerators.as_ref().map(|list| {
            let one = |e: &Enumerator| match e.value {
                None => self.name(e.name).to_string(),
                Some(value) => format!("{}={}", self.name(e.name), self.expr(value)),
            };
            format!(" {{{}}}", list.iter().map(one).collect::<Vec<_>>().join(" "))
        });
        format!("enum{tag}{}", list.unwrap_or_default())
    }

    pub fn type_name(&self, id: TypeNameId) -> String {
        let ty = self.ast.type_name(id);
        self.declared(&ty.specs, &ty.declarator).trim_start_matches(": ").to_string()
    }

    fn operand(&self, operand: ExprOrType) -> String {
        match operand {
            ExprOrType::Expr(e) => self.expr(e),
            ExprOrType::Type(t) => format!("<{}>", self.type_name(t)),
        }
    }

    fn designators(&self, list: &[Designator]) -> String {
        let one = |d: &Designator| match d {
            Designator::Field(name) => format!(".{}", self.name(*name)),
            Designator::Index(e) => format!("[{}]", self.expr(*e)),
            Designator::Range(a, b) => format!("[{}...{}]", self.expr(*a), self.expr(*b)),
        };
        list.iter().map(one).collect()
    }

    pub fn init(&self, id: InitId) -> String {
        match &self.ast.init(id).kind {
            InitKind::Expr(e) => self.expr(*e),
            InitKind::List(items) => {
                let one = |item: &InitItem| {
                    let place = self.designators(&item.designators);
                    let gap = if place.is_empty() { "" } else { "=" };
                    format!("{place}{gap}{}", self.init(item.init))
                };
                format!("{{{}}}", items.iter().map(one).collect::<Vec<_>>().join(", "))
            }
        }
    }

    fn list(&self, exprs: &[ExprId]) -> String {
        exprs.iter().map(|e| format!(" {}", self.expr(*e))).collect()
    }

    pub fn expr(&self, id: ExprId) -> String {
        let expr = self.ast.expr(id);
        let e = |id: &ExprId| self.expr(*id);
        match &expr.kind {
            ExprKind::Ident(name) => self.ast.names.name(*name).to_string(),
            ExprKind::Int { .. } | ExprKind::Float { .. } => expr.span.text(self.text).to_string(),
            ExprKind::Char { value, .. } => format!("'{value}"),
            ExprKind::Str { elem, len } => format!("\"{elem:?} {len}"),
            ExprKind::Threads => "THREADS".into(),
            ExprKind::MyThread => "MYTHREAD".into(),
            ExprKind::Paren(inner) => format!("(paren {})", e(inner)),
            ExprKind::Index { base, index } => format!("([] {} {})", e(base), e(index)),
            ExprKind::Call { callee, args } => format!("(call {}{})", e(callee), self.list(args)),
            ExprKind::Member { base, field, arrow } => {
                format!("({} {} {})", if *arrow { "->" } else { "." }, e(base), self.name(*field))
            }
            ExprKind::Unary { op, operand } => format!("({op:?} {})", e(operand)),
            ExprKind::SizeOf { op, operand } => format!("({op:?} {})", self.operand(*operand)),
            ExprKind::Cast { ty, operand } => {
                format!("(cast <{}> {})", self.type_name(*ty), e(operand))
            }
            ExprKind::CompoundLit { ty, init } => {
                format!("(literal <{}> {})", self.type_name(*ty), self.init(*init))
            }
            ExprKind::Binary { op, lhs, rhs } => format!("({op:?} {} {})", e(lhs), e(rhs)),
            ExprKind::Assign { op, lhs, rhs } => {
                let op = op.map(|op| format!("{op:?}")).unwrap_or_default();
                format!("({op}= {} {})", e(lhs), e(rhs))
            }
            ExprKind::Cond { cond, then, els } => {
                let then = then.map_or("_".to_string(), |then| self.expr(then));
                format!("(? {} {then} {})", e(cond), e(els))
            }
            ExprKind::Comma { lhs, rhs } => format!("(, {} {})", e(lhs), e(rhs)),
            ExprKind::Generic { control, assocs } => {
                let one = |a: &GenericAssoc| {
                    let ty = a.ty.map_or("default".to_string(), |t| self.type_name(t));
                    format!(" {ty}: {}", e(&a.value))
                };
                format!("(generic {}{})", e(control), assocs.iter().map(one).collect::<String>())
            }
            ExprKind::StmtExpr(body) => format!("(stmts {})", self.stmt(*body)),
            ExprKind::LabelAddr(label) => format!("(&& {})", self.name(*label)),
            ExprKind::VaArg { list, ty } => {
                format!("(va_arg {} <{}>)", e(list), self.type_name(*ty))
            }
            ExprKind::Offsetof { ty, designators } => {
                format!("(offsetof <{}> {})", self.type_name(*ty), self.designators(designators))
            }
            ExprKind::TypesCompatible { a, b } => {
                format!("(compatible <{}> <{}>)", self.type_name(*a), self.type_name(*b))
            }
            ExprKind::ChooseExpr { cond, then, els } => {
                format!("(choose {} {} {})", e(cond), e(then), e(els))
            }
            ExprKind::Error => "error".into(),
        }
    }

    fn opt(&self, id: Option<ExprId>) -> String {
        id.map_or("_".into(), |id| self.expr(id))
    }

    fn loop_(&self, l: &For) -> String {
        let init = match l.init {
            ForInit::None => "_".into(),
            ForInit::Expr(e) => self.expr(e),
            ForInit::Declaration(d) => self.declaration(d),
        };
        format!("{init} {} {}", self.opt(l.cond), self.opt(l.step))
    }

    pub fn stmt(&self, id: StmtId) -> String {
        let stmt = self.ast.stmt(id);
        let s = |id: &StmtId| self.stmt(*id);
        match &stmt.kind {
            StmtKind::Compound(list) => {
                format!("{{{}}}", list.iter().map(s).collect::<Vec<_>>().join(" "))
            }
            StmtKind::Declaration(id) => self.declaration(*id),
            StmtKind::Function(f) => self.function(f),
            StmtKind::StaticAssert { condition } => format!("(assert {})", self.expr(*condition)),
            StmtKind::Expr(e) => self.expr(*e),
            StmtKind::Empty => "empty".into(),
            StmtKind::Label { name, body } => format!("(label {} {})", self.name(*name), s(body)),
            StmtKind::Case { lo, hi, body } => {
                let hi = hi.map(|hi| format!("...{}", self.expr(hi))).unwrap_or_default();
                format!("(case {}{hi} {})", self.expr(*lo), s(body))
            }
            StmtKind::Default { body } => format!("(default {})", s(body)),
            StmtKind::If { cond, then, els } => {
                let els = els.map(|els| format!(" {}", self.stmt(els))).unwrap_or_default();
                format!("(if {} {}{els})", self.expr(*cond), s(then))
            }
            StmtKind::Switch { cond, body } => format!("(switch {} {})", self.expr(*cond), s(body)),
            StmtKind::While { cond, body } => format!("(while {} {})", self.expr(*cond), s(body)),
            StmtKind::DoWhile { body, cond } => format!("(do {} {})", s(body), self.expr(*cond)),
            StmtKind::For(l) => format!("(for {} {})", self.loop_(l), s(&l.body)),
            StmtKind::UpcForall(f) => {
                let affinity = match f.affinity {
                    Affinity::Every => "every".into(),
                    Affinity::Expr(e) => self.expr(e),
                };
                format!("(forall {} {affinity} {})", self.loop_(&f.loop_), s(&f.loop_.body))
            }
            StmtKind::Goto(label) => format!("(goto {})", self.name(*label)),
            StmtKind::GotoComputed(e) => format!("(goto* {})", self.expr(*e)),
            StmtKind::Continue => "continue".into(),
            StmtKind::Break => "break".into(),
            StmtKind::Return(value) => format!("(return {})", self.opt(*value)),
            StmtKind::Asm { operands } => format!("(asm{})", self.list(operands)),
            StmtKind::UpcNotify(value) => format!("(notify {})", self.opt(*value)),
            StmtKind::UpcWait(value) => format!("(wait {})", self.opt(*value)),
            StmtKind::UpcBarrier(value) => format!("(barrier {})", self.opt(*value)),
            StmtKind::UpcFence => "fence".into(),
            StmtKind::PragmaUpc(consistency) => format!("(pragma {consistency:?})"),
            StmtKind::Verbatim => format!("verbatim {}", stmt.span.text(self.text)),
        }
    }
}
