// SPDX-License-Identifier: BSD-3-Clause
// The operators on every integer type, for the layout that QUALIFIERS and LENGTH describe.
#include "../../../check.h"

#define T char
#define NAME char_
#include "operators.h"
#define T signed char
#define NAME schar
#include "operators.h"
#define T unsigned char
#define NAME uchar
#include "operators.h"
#define T short
#define NAME short_
#include "operators.h"
#define T unsigned short
#define NAME ushort_
#include "operators.h"
#define T int
#define NAME int_
#include "operators.h"
#define T unsigned
#define NAME uint_
#include "operators.h"
#define T long
#define NAME long_
#include "operators.h"
#define T unsigned long
#define NAME ulong_
#include "operators.h"
#define T long long
#define NAME llong
#include "operators.h"
#define T unsigned long long
#define NAME ullong
#include "operators.h"

int main(void)
{
    char__run();
    schar_run();
    uchar_run();
    short__run();
    ushort__run();
    int__run();
    uint__run();
    long__run();
    ulong__run();
    llong_run();
    ullong_run();
    return check_done();
}
