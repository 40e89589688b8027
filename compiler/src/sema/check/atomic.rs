// SPDX-License-Identifier: BSD-3-Clause
//! Atomic operations on shared memory (the C compiler's; UPC 1.3 has `<upc_atomic.h>`).

use crate::diag::{codes, Diagnostic};
use crate::sema::analyser::Analyser;
use crate::sema::types::{QualType, Types};
use crate::syntax::ast::ExprId;

impl Analyser<'_> {
    /// An atomic operation on the shared type `target`: by `id`, its lvalue or its address. What
    /// the processor cannot do in one instruction the C compiler's library does under a lock, and
    /// each process would have its own.
    pub(in crate::sema) fn check_atomic_size(&mut self, id: ExprId, target: QualType) {
        let size = self.types().size_of(target);
        let fits = match size {
            Some(1 | 2 | 4 | 8) => true,
            Some(16) => !self.network,
            Some(_) => false,
            None => !self.types().is_incomplete(target),
        };
        if fits || target == Types::ERROR {
            return;
        }
        let shown = self.show(target);
        let label = match size {
            Some(n) => format!("`{shown}`, which has {n} bytes"),
            None => format!("`{shown}`, whose size is not known"),
        };
        let title = "an atomic operation on a type that has none in shared memory";
        let help = match size {
            Some(16) => {
                "keep it to 8 bytes, or use a upc_lock_t; programs for one host (`upcc \
                 -network=smp`) may have 16"
            }
            _ => "keep it to 1, 2, 4 or 8 bytes, or use a upc_lock_t",
        };
        self.error(
            Diagnostic::error(codes::E0416, self.span(id), title)
                .label(label)
                .note(
                    "shared memory of other hosts has atomic operations on 1, 2, 4 and 8 bytes; \
                     for other sizes the C compiler's library takes a lock, which threads of \
                     another process do not see",
                )
                .help(help),
        );
    }
}
