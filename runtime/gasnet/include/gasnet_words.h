/* SPDX-License-Identifier: BSD-3-Clause */
/* Macros that make text and names of words; clients use them too. A client may have defined its own. */
#ifndef GASNET_WORDS_H
#define GASNET_WORDS_H

#ifndef _STRINGIFY
#define _STRINGIFY_HELPER(x) #x
#define _STRINGIFY(x) _STRINGIFY_HELPER(x)
#endif
#ifndef _CONCAT
#define _CONCAT_HELPER(a, b) a##b
#define _CONCAT(a, b) _CONCAT_HELPER(a, b)
#endif

#endif
