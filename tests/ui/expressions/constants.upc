// SPDX-License-Identifier: BSD-3-Clause
// Shared objects that are const stay as they are.
struct point {
    int x, y;
};
const shared int limit = 3;
shared const struct point origin;
shared [4] const int table[4 * THREADS];
strict shared int *const shared fixed;

void change(const shared int *p, int i)
{
    limit = 4; //~ error E0417
    limit++; //~ error E0417
    origin.x += 1; //~ error E0417
    table[i] = 1; //~ error E0417
    *p = 2; //~ error E0417
    --p[i]; //~ error E0417
    fixed = 0; //~ error E0417
    p++;
    *fixed = 1;
}
