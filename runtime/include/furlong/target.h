/* SPDX-License-Identifier: BSD-3-Clause */
/* What upcc asks the C compiler about the language, and the machine that the program is for: upcc has this
 * included before each source, and reads the pragmas (compiler/src/syntax/lexer/markers.rs). */
#if defined __x86_64__ && defined __LP64__
#pragma furlong machine x86-64
#elif defined __aarch64__ && defined __LP64__ && defined __AARCH64EL__
#pragma furlong machine arm64
#else
#pragma furlong machine other
#endif
#ifdef __CHAR_UNSIGNED__
#pragma furlong char unsigned
#else
#pragma furlong char signed
#endif
#if __STDC_VERSION__ >= 202000L
#pragma furlong language c23
#endif
#if __SIZEOF_WCHAR_T__ == 2
#pragma furlong wchar_t short
#elif __WCHAR_MAX__ > 0x7fffffff
#pragma furlong wchar_t unsigned
#else
#pragma furlong wchar_t signed
#endif
