" SPDX-License-Identifier: BSD-3-Clause
" UPC 1.3: what it adds to C.
if exists('b:current_syntax')
  finish
endif
runtime! syntax/c.vim
syntax keyword upcStorage shared strict relaxed
syntax keyword upcRepeat upc_forall
syntax keyword upcStatement upc_barrier upc_notify upc_wait upc_fence
syntax keyword upcOperator upc_localsizeof upc_blocksizeof upc_elemsizeof
syntax keyword upcConstant THREADS MYTHREAD UPC_MAX_BLOCK_SIZE
syntax keyword upcType upc_lock_t upc_flag_t upc_op_t upc_type_t upc_handle_t upc_file_t upc_off_t upc_tick_t upc_atomicdomain_t
syntax match upcFunction "\<\(upc\|bupc\|upcx\)_\w\+\ze\s*("
highlight default link upcStorage StorageClass
highlight default link upcRepeat Repeat
highlight default link upcStatement Statement
highlight default link upcOperator Operator
highlight default link upcConstant Constant
highlight default link upcType Type
highlight default link upcFunction Function
let b:current_syntax = 'upc'
