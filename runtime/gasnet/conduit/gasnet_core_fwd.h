/* SPDX-License-Identifier: BSD-3-Clause */
/* The conduit's names, by which clients recognise it. */
#ifndef GASNET_CORE_FWD_H
#define GASNET_CORE_FWD_H

#undef GASNET_CONDUIT_@UPPER@ /* a build system may have defined it */
#define GASNET_CONDUIT_@UPPER@ 1
#define GASNET_CONDUIT_NAME @UPPER@
#define GASNET_CONDUIT_NAME_STR "@UPPER@"
#define GASNET_CORE_NAME @UPPER@
#define GASNET_CORE_NAME_STR "@UPPER@"
#define GASNET_CORE_VERSION @version@
#define GASNET_CORE_VERSION_STR "@version@"
#define GASNET_EXTENDED_NAME FURLONG
#define GASNET_EXTENDED_NAME_STR "FURLONG"
#define GASNET_EXTENDED_VERSION @version@
#define GASNET_EXTENDED_VERSION_STR "@version@"

/* 1 if a thread of the library may run handlers, as it does on several hosts. */
#define GASNET_HIDDEN_AM_CONCURRENCY_LEVEL @HIDDEN@

/* The object that ties a program to the library of its conduit and mode. */
#define FL_GASNET_BUILD_IN(mode) fl_gasnet_build_@CONDUIT@_##mode

#endif
