// SPDX-License-Identifier: BSD-3-Clause
//! Undeclared names that resemble something of UPC's. The C compiler resembles names too, but it
//! knows shared objects, and words of UPC, by other names.

use crate::diag::fix::Edit;
use crate::diag::similar::most_similar;
use crate::diag::{codes, Diagnostic};
use crate::sema::analyser::Analyser;
use crate::sema::ObjectKind;
use crate::span::Span;
use crate::syntax::intern::Symbol;

const WORDS: &[&str] =
    &["MYTHREAD", "THREADS", "upc_barrier", "upc_notify", "upc_wait", "upc_fence", "upc_forall"];

impl Analyser<'_> {
    /// The undeclared `name` is used as a variable. Nothing is said if a private name is as near:
    /// the C compiler then says more.
    pub(in crate::sema) fn check_spelling(&mut self, name: Symbol, span: Span) {
        let text = self.name(name);
        if text.starts_with("__") || self.misspelt.contains(&name) {
            return;
        }
        let (mut shared, mut private) = (WORDS.to_vec(), Vec::new());
        for (other, object) in self.scopes.names() {
            let object = self.sema.object(object);
            let is_shared =
                self.types().is_shared(object.ty) && object.kind == ObjectKind::Variable;
            let list = if is_shared { &mut shared } else { &mut private };
            list.push(self.name(other));
        }
        let Some((best, near)) = most_similar(text, shared.into_iter()) else { return };
        if most_similar(text, private.into_iter()).is_some_and(|(_, other)| other <= near) {
            return;
        }
        self.misspelt.insert(name);
        self.error(
            Diagnostic::error(codes::E0420, span, format!("`{text}` is not declared"))
                .label("nothing has this name here")
                .suggest(format!("did you mean `{best}`?"), vec![Edit::replace(span, best)]),
        );
    }
}
