// SPDX-License-Identifier: BSD-3-Clause
// Brackets and braces that are spelt as digraphs, where C is emitted beside them.
%:include <stdio.h>
%:include <upc_relaxed.h>
%:define CAT(a, b) a%:%:b

shared <:2:> int a<:2 * THREADS:>;

int main(void) <%
    int i, CAT(su, m) = 0;
    a<:2 * MYTHREAD:> = 1;
    upc_barrier;
    upc_forall (i = 0; i < 2 * THREADS; i++; &a<:i:>) <%
        sum += a<:i:>;
    %>
    if (MYTHREAD == THREADS - 1) printf("%d <%%:>\n", sum);
    return 0;
%>

/* stdout:
1 <%:>
*/
