// SPDX-License-Identifier: BSD-3-Clause
//@ flags: -m32 -ffreestanding
//@ stderr: error[E0505]: the C compiler makes code for a machine
// The C compiler makes code for a machine that there is no runtime for.
int main(void) {
    return 0;
}
