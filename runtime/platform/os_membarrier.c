/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory barriers that a thread has the others of its process execute. Linux. See os.h. */
#include "platform/os.h"

#include <errno.h>
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

static bool call(int command) {
    int saved = errno;
    bool done = syscall(SYS_membarrier, command, 0, 0) == 0;
    errno = saved;
    return done;
}

bool fl_os_membarrier_start(void) {
    return call(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED);
}

bool fl_os_membarrier(void) {
    return call(MEMBARRIER_CMD_PRIVATE_EXPEDITED);
}
