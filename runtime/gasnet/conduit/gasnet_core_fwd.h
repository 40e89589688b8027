/* SPDX-License-Identifier: BSD-3-Clause */
/* What the conduit is: the names that its mapping goes by among clients. */
#ifndef GASNET_CORE_FWD_H
#define GASNET_CORE_FWD_H

#undef GASNET_CONDUIT_@UPPER@ /* a build system may define it as well */
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

/* Whether a thread of the library may run handlers: between hosts one does. */
#define GASNET_HIDDEN_AM_CONCURRENCY_LEVEL @HIDDEN@

/* What ties a program to the library of its conduit and mode. */
#define FL_GASNET_BUILD_IN(mode) fl_gasnet_build_@CONDUIT@_##mode

#endif
