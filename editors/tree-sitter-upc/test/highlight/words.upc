// SPDX-License-Identifier: BSD-3-Clause
shared int a[THREADS];
// <- keyword.modifier
//     ^ type
//           ^ constant.builtin

void f(upc_lock_t *lock) {
    //  ^ type.builtin
    upc_barrier;
//  ^ keyword
    upc_forall (;;; continue)
//  ^ keyword.repeat
//                  ^ keyword
        upc_lock(lock);
//      ^ function.builtin
    return upc_blocksizeof(a);
//  ^ keyword
//         ^ keyword.operator
}
