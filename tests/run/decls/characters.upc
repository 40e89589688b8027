// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1
//@ flags: -funsigned-char
// Constants of characters have the types and values that the C compiler gives them: wide ones are unsigned
// on arm64, and narrow ones are where -funsigned-char or the machine has them so.
#include <stdio.h>
#include <upc.h>
#include <wchar.h>

enum { IS_WIDE_UNSIGNED = L'\xffffffff' > 0, IS_CHAR_UNSIGNED = '\377' > 0 };
shared [L'\xffffffff' > 0 ? 3 : 1] int *wide;
shared ['\377' > 0 ? 3 : 1] int *narrow;

int main(void)
{
    wchar_t one = L'x', *text = L"x" L"y";
    int wrong = (upc_blocksizeof(*wide) == 3) != ((wchar_t)-1 > 0);
    wrong |= (upc_blocksizeof(*narrow) == 3) != ((char)-1 > 0);
    wrong |= _Generic(L'x', wchar_t: 0, default: 2);
    wrong |= IS_WIDE_UNSIGNED != ((wchar_t)-1 > 0) || IS_CHAR_UNSIGNED != ((char)-1 > 0);
    wrong |= text[0] != one;
    puts(wrong ? "wrong" : "ok");
    return wrong;
}
