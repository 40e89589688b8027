// SPDX-License-Identifier: BSD-3-Clause
// THREADS and MYTHREAD as objects.
int main(void)
{
    THREADS = 3; //~ error E0411
    MYTHREAD += 1; //~ error E0411
    ++THREADS; //~ error E0411
    MYTHREAD--; //~ error E0411
    int *p = &MYTHREAD; //~ error E0411
    p = &THREADS; //~ error E0411
    if (MYTHREAD() == 0) //~ error E0411
        return THREADS(3); //~ error E0411
    return *p;
}
