// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.5.2.1p2
//@ fail: E0315
// In the dynamic environment a definitely blocked array names THREADS in one dimension.
shared int x[10]; //~ error E0315

int main(void)
{
    return 0;
}
