// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.5.1.1p5
//@ fail: E0311
// Nor an array in a union, nor through a typedef.
typedef shared [] int four[4];
union U {
    four x; //~ error E0311
    int y;
};

int main(void)
{
    return 0;
}
