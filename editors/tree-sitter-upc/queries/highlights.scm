; SPDX-License-Identifier: BSD-3-Clause
; What UPC adds to tree-sitter-c's queries/highlights.scm. Neovim reads the next line.
; inherits: c

[
  "shared"
  "strict"
  "relaxed"
] @keyword.modifier

"upc_forall" @keyword.repeat

(upc_forall_statement
  affinity: "continue" @keyword)

[
  "upc_barrier"
  "upc_notify"
  "upc_wait"
  "upc_fence"
] @keyword

[
  "upc_localsizeof"
  "upc_blocksizeof"
  "upc_elemsizeof"
] @keyword.operator

((identifier) @constant.builtin
  (#any-of? @constant.builtin "THREADS" "MYTHREAD" "UPC_MAX_BLOCK_SIZE"))

((type_identifier) @type.builtin
  (#match? @type.builtin "^(upc|bupc|upcx)_"))

(call_expression
  function: (identifier) @function.builtin
  (#match? @function.builtin "^(upc|bupc|upcx)_"))
