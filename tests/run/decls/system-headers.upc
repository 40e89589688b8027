// SPDX-License-Identifier: BSD-3-Clause
// The headers of the C library and of POSIX in one UPC program.
#include <aio.h>
#include <alloca.h>
#include <arpa/inet.h>
#include <assert.h>
#include <complex.h>
#include <ctype.h>
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <fenv.h>
#include <float.h>
#include <getopt.h>
#include <glob.h>
#include <inttypes.h>
#include <iso646.h>
#include <langinfo.h>
#include <libgen.h>
#include <limits.h>
#include <locale.h>
#include <malloc.h>
#include <math.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <pwd.h>
#include <regex.h>
#include <sched.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdnoreturn.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <syslog.h>
#include <termios.h>
#include <tgmath.h>
#include <threads.h>
#include <time.h>
#include <uchar.h>
#include <unistd.h>
#include <utime.h>
#include <wchar.h>
#include <wctype.h>
#ifdef __x86_64__
#include <immintrin.h>
#endif
#include "../../check.h"

shared double d[THREADS];
shared [2] uint64_t u[2 * THREADS];
shared size_t lengths[THREADS];
shared bool flags[THREADS];

int main(void)
{
    d[MYTHREAD] = sqrt(16.0) + fabs(-1.0);
    u[2 * MYTHREAD] = UINT64_C(1) << 40;
    lengths[MYTHREAD] = strlen("abc");
    flags[MYTHREAD] = isalpha('x') and true;
    char text[60];
    snprintf(text, sizeof text, "%" PRIu64 " %zu", u[2 * MYTHREAD], lengths[MYTHREAD]);
    CHECK(strcmp(text, "1099511627776 3") == 0);
    CHECK(d[MYTHREAD] == 5 && flags[MYTHREAD] == true);
    return check_done();
}
