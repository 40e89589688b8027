/* SPDX-License-Identifier: BSD-3-Clause */
/* See space.h. */
#include "space/space.h"

#include "core/fatal.h"
#include "core/params.h"
#include "platform/os.h"

#include <errno.h>
#include <string.h>

static bool reserved; /* by this copy of the runtime */
static bool early;    /* and not in use yet */

/* Its tools note the rights of each byte, and would do so for hours, and in all memory there is. */
static bool runs_in_valgrind(void) {
    const char *preloaded = fl_params_foreign("LD_PRELOAD");
    return preloaded && strstr(preloaded, "/vgpreload_");
}

static int reserve(void) {
    return runs_in_valgrind() ? -ENOTSUP : fl_os_memory_reserve(FL_SPACE_BASE, 1ull << FL_SPACE_LOG2);
}

/* Before main, and so before libraries look for addresses of their own: PMIx maps memory where its
 * server has found room, in the largest gap there is, and does without if it cannot. */
__attribute__((constructor)) static void reserve_early(void) {
    early = reserve() == 0;
}

static void explain_reserve(int error) {
    if (runs_in_valgrind()) {
        fl_fatal(FL_CODE_ADDRESS_SPACE,
                 "Valgrind cannot run programs with 32 TB of shared addresses; upcc -check and "
                 "-fsanitize=address,undefined find mistakes in them");
    }
    uint64_t limit = fl_os_address_space_limit();
    if (limit != UINT64_MAX) {
        fl_fatal(FL_CODE_ADDRESS_SPACE,
                 "cannot reserve 32 TB of addresses for shared memory, because the address space "
                 "is limited to %llu KB; run `ulimit -v unlimited` (addresses cost no memory)",
                 (unsigned long long)(limit / 1024));
    }
    /* The stack is near the top of what the kernel gives programs. */
    if ((uintptr_t)&limit < FL_SPACE_BASE) {
        fl_fatal(FL_CODE_ADDRESS_SPACE,
                 "this kernel gives programs too few addresses (all below 0x%llx): shared memory "
                 "needs 47 bits of them, as arm64 has with CONFIG_ARM64_VA_BITS_48",
                 (unsigned long long)fl_round_up((uintptr_t)&limit, 1ull << 36));
    }
    if (error == -EEXIST && reserved) {
        fl_fatal(FL_CODE_ADDRESS_SPACE,
                 "the runtime is started twice: the process is one of a UPC program already, as upcc "
                 "has linked it, and calls gas_init or Tmk_startup; link programs that do so by the "
                 "C compiler, with `pkg-config --libs furlong-gas` or furlong-tmk");
    }
    if (error == -EEXIST) {
        fl_fatal(FL_CODE_ADDRESS_SPACE,
                 "the addresses of shared memory (0x%llx and above) are in use by something else "
                 "in this process",
                 FL_SPACE_BASE);
    }
    fl_fatal(FL_CODE_ADDRESS_SPACE, "cannot reserve 32 TB of addresses for shared memory: %s%s",
             strerror(-error),
             error == -ENOMEM ? "; vm.overcommit_memory=2 forbids it, 0 or 1 allows it" : "");
}

void fl_space_map(struct fl_space *space, const struct fl_layout *layout, int fd,
                  uint64_t job_area_bytes) {
    space->threads = layout->threads;
    space->log2_segment = FL_SPACE_LOG2 - fl_log2_ceil(layout->threads);
    space->stride = (1ull << space->log2_segment) + fl_space_stagger(layout->threads);
    space->segment_bytes = fl_space_segment_of(layout->threads);
    space->segments_bytes = fl_space_bytes(space, layout->threads);
    space->here_base = fl_space_address(space, fl_layout_my_first(layout), 0);
    space->here_bytes = fl_space_bytes(space, fl_layout_my_threads(layout));
    space->job_area_bytes = job_area_bytes;
    int error = early ? 0 : reserve();
    if (error) {
        explain_reserve(error);
    }
    early = false;
    reserved = true;
    if (fd < 0) {
        error = fl_os_memory_create("furlong", &fd);
    }
    space->fd = fd;
    if (!error) {
        error = fl_os_memory_grow(fd, space->here_bytes + job_area_bytes);
    }
    if (!error) {
        error = fl_os_memory_map_at(space->here_base, fd, 0, space->here_bytes);
    }
    if (!error) {
        error = fl_os_memory_map(fd, space->here_bytes, job_area_bytes, &space->job_area);
    }
    if (error == -EFBIG) {
        fl_fatal(FL_CODE_SHARED_MEMORY, "the size of files is limited; run `ulimit -f unlimited` "
                                        "(shared memory is a sparse file in memory)");
    } else if (error) {
        fl_fatal(FL_CODE_SHARED_MEMORY, "cannot map the job's shared memory: %s", strerror(-error));
    }
}

void fl_space_keep_pages(const struct fl_space *space) {
    if (space->pages) {
        fl_mutex_lock(&space->pages->mutex);
        space->pages->stay = true;
        fl_mutex_unlock(&space->pages->mutex);
    }
}

static void punch(const struct fl_space *space, unsigned thread, uint64_t offset, uint64_t bytes) {
    /* Failure only means that the memory stays occupied until the job ends. */
    (void)fl_os_memory_punch(
        space->fd, fl_space_address(space, thread, offset) - space->here_base, bytes);
}

void fl_space_punch(const struct fl_space *space, unsigned thread, uint64_t offset,
                    uint64_t bytes) {
    if (!space->pages) {
        punch(space, thread, offset, bytes);
        return;
    }
    fl_mutex_lock(&space->pages->mutex);
    if (!space->pages->stay) {
        punch(space, thread, offset, bytes);
    }
    fl_mutex_unlock(&space->pages->mutex);
}
