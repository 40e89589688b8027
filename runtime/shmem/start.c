/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Start and end of a PE, and the mapping that makes its variables symmetric: OpenSHMEM 1.5, 9.1.
 *
 * The program's global and static variables lie in the writable part of its image. map_variables
 * copies their pages into the segment and maps the segment in their place: the addresses stay, and
 * other PEs can access the memory. The offset from the segment's start is the same in all PEs,
 * wherever the kernel has put each image. This happens before the library starts threads, because
 * its own variables are on these pages. Variables of shared libraries stay private.
 */
#include "shmem/inside.h"

#include "job/process.h"
#include "platform/os.h"

#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct furlong_shmem furlong_shmem;

static struct {
    bool started, over;
    int level; /* SHMEM_THREAD_... */
} process;

static void check_init(const char *function) {
    if (FL_UNLIKELY(!process.started)) {
        gas_misuse("%s is called before shmem_init", function);
    }
}

void furlong_shmem_check_started(const char *function) {
    check_init(function);
    if (FL_UNLIKELY(process.over)) {
        gas_misuse("%s is called after shmem_finalize", function);
    }
}

void furlong_shmem_misuse(const void *symmetric, int pe) {
    furlong_shmem_check_started("a function of OpenSHMEM");
    if ((unsigned)pe >= furlong_shmem.n) {
        gas_misuse("PE %d in a job of %u PEs", pe, furlong_shmem.n);
    }
    gas_misuse("%p is no symmetric address: it lies neither in the symmetric heap nor in a global or "
               "static variable of the program itself",
               symmetric);
}

/* ---- the program's variables ---- */

struct image {
    uint64_t begin, end; /* whole pages, without the RELRO part, which is read-only by now */
};

static int find_image(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size;
    struct image *image = context;
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), first = UINT64_MAX, last = 0, kept = 0;
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        uint64_t begin = info->dlpi_addr + part->p_vaddr, end = begin + part->p_memsz;
        if (part->p_type == PT_LOAD && (part->p_flags & PF_W)) {
            first = begin < first ? begin : first;
            last = end > last ? end : last;
        } else if (part->p_type == PT_GNU_RELRO) {
            kept = end / page * page;
        }
    }
    if (last > 0) {
        first = first / page * page;
        image->begin = kept > first && kept < last ? kept : first;
        image->end = fl_round_up(last, page);
    }
    return 1; /* stop: the first object is the program */
}

/* Copies word by word, since a sanitizer would report a memcpy over the gaps between variables.
 * Skips zeros: the segment has them already, and writing would allocate a page. */
static void copy_page(uint64_t to, uint64_t from, uint64_t bytes) {
    volatile uint64_t *target = (volatile uint64_t *)(uintptr_t)to;
    const volatile uint64_t *source = (const volatile uint64_t *)(uintptr_t)from;
    for (uint64_t i = 0; i < bytes / sizeof *target; i++) {
        uint64_t word = source[i];
        if (word != 0) {
            target[i] = word;
        }
    }
}

/* Copies the touched pages, which the kernel's table names (proc(5), pagemap), or all pages if the
 * table cannot be read. Other pages hold zeros. */
static void copy_touched(const struct image *image, uint64_t at) {
    enum { PAGES = 512, TOUCHED = 62 }; /* pages for one read; the bits swapped and present */
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), entries[PAGES];
    int table = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    for (uint64_t address = image->begin; address < image->end; address += PAGES * page) {
        uint64_t n = (image->end - address) / page;
        n = n < PAGES ? n : PAGES;
        ssize_t bytes = (ssize_t)(n * sizeof *entries);
        bool known = pread(table, entries, (size_t)bytes,
                           (off_t)(address / page * sizeof *entries)) == bytes;
        for (uint64_t i = 0; i < n; i++) {
            if (!known || entries[i] >> TOUCHED != 0) {
                copy_page(at + address - image->begin + i * page, address + i * page, page);
            }
        }
    }
    if (table >= 0) {
        close(table);
    }
}

static void share_variables(const struct image *image, uint64_t at) {
    copy_touched(image, at);
    const struct fl_space *space = &gas_process.space;
    int error = fl_os_memory_map_at(image->begin, space->fd, at - space->here_base,
                                    image->end - image->begin);
    if (error) {
        fl_fatal(FL_CODE_PRIVATE_MEMORY, "the program's variables cannot be mapped as shared: %s",
                 strerror(-error));
    }
}

/* Runs in gas_start, after the memory is mapped and before the library starts threads. */
static void map_variables(void) {
    struct image image = {0, 0};
    (void)dl_iterate_phdr(find_image, &image);
    const struct fl_space *space = &gas_process.space;
    gas_rank_t me = gas_rank();
    furlong_shmem = (struct furlong_shmem){
        .base = fl_space_address(space, me, GAS_SEGMENT_HEAD),
        .data = image.begin,
        .data_bytes = image.end - image.begin,
        .stride = space->stride,
        .first_here = fl_layout_my_first(&gas_process.layout),
        .n_here = fl_layout_my_threads(&gas_process.layout),
        .me = me,
        .n = gas_size(),
        .hosts = gas_hosts(),
    };
    if (furlong_shmem.data_bytes > 0) {
        share_variables(&image, furlong_shmem.base);
    }
}

/* ---- start and end ---- */

/* Parses a number of bytes with a unit, such as 1.5G; returns 0 if it is none. */
static uint64_t bytes_of(const char *text) {
    char *rest;
    double value = strtod(text, &rest);
    static const char units[] = "kmgt";
    for (unsigned i = 0; i < 4; i++) {
        if ((*rest | 32) == units[i]) {
            value *= (double)(1ull << 10 * (i + 1));
        }
    }
    return value >= 1 && value < 1e18 ? (uint64_t)value : 0;
}

static uint64_t heap_bytes(uint64_t most) {
    const struct fl_params *params = &gas_process.params;
    const char *text = params->shmem_size ? params->shmem_size : params->sma_size;
    uint64_t asked = text ? bytes_of(text) : most;
    if (asked == 0) {
        fl_warn("SHMEM_SYMMETRIC_SIZE=%s is no number of bytes, as 512M or 1.5G: ignored", text);
        asked = most;
    }
    return asked < most ? asked : most;
}

static void print_settings(uint64_t data) {
    const struct fl_params *params = &gas_process.params;
    const struct furlong_shmem *s = &furlong_shmem;
    bool version = params->shmem_version || params->sma_version;
    bool debug = params->shmem_debug || params->sma_debug;
    if (debug) {
        fprintf(stderr,
                "PE %u of %u, process %ld on host %u: %llu bytes of variables at %#llx, heap of %llu "
                "bytes at %#llx\n",
                s->me, s->n, (long)getpid(), (unsigned)gas_host_of(s->me),
                (unsigned long long)s->data_bytes, (unsigned long long)s->data,
                (unsigned long long)(s->bytes - data), (unsigned long long)(s->base + data));
    }
    if (s->me > 0) {
        return;
    }
    if (version) {
        printf("%s OpenSHMEM %d.%d\n", SHMEM_VENDOR_STRING, SHMEM_MAJOR_VERSION, SHMEM_MINOR_VERSION);
    }
    if (params->shmem_info || params->sma_info) {
        const char *size = params->shmem_size ? params->shmem_size : params->sma_size;
        printf("SHMEM_SYMMETRIC_SIZE  %s: bytes of the symmetric heap, as 512M\n"
               "SHMEM_VERSION         %s: print the version\n"
               "SHMEM_INFO            set: print this\n"
               "SHMEM_DEBUG           %s: each PE says where its symmetric memory lies\n",
               size ? size : "not set", version ? "set" : "not set", debug ? "set" : "not set");
    }
}

static void start(int level) {
    if (process.started) {
        return; /* other implementations allow a second call, too */
    }
    process.started = true;
    process.level = level;
    gas_start(level > SHMEM_THREAD_SINGLE ? GAS_THREADS : 0, map_variables);
    gas_process.exit_function = "shmem_global_exit";
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    uint64_t data = fl_round_up(furlong_shmem.data_bytes, page);
    uint64_t most = gas_segment_most() / page * page - data;
    uint64_t heap = heap_bytes(most);
    furlong_shmem.bytes = data + heap;
    furlong_shmem_heap_start(furlong_shmem.base + data, heap);
    furlong_shmem_teams_start();
    print_settings(data);
    gas_barrier();
}

void shmem_init(void) {
    start(SHMEM_THREAD_SINGLE);
}

int shmem_init_thread(int requested, int *provided) {
    bool exists = requested >= SHMEM_THREAD_SINGLE && requested <= SHMEM_THREAD_MULTIPLE;
    start(exists ? requested : SHMEM_THREAD_MULTIPLE);
    *provided = process.level;
    return exists ? 0 : 1;
}

void shmem_query_thread(int *provided) {
    *provided = process.level;
}

void shmem_finalize(void) {
    if (process.started && !process.over) {
        process.over = true;
        shmem_quiet();
        gas_finish();
    }
}

void shmem_global_exit(int status) {
    gas_leave(status);
}

/* The calling PE, and their number, may be asked for until the process ends. */
int shmem_my_pe(void) {
    check_init("shmem_my_pe");
    return (int)furlong_shmem.me;
}

int shmem_n_pes(void) {
    check_init("shmem_n_pes");
    return (int)furlong_shmem.n;
}

int shmem_pe_accessible(int pe) {
    return (unsigned)pe < furlong_shmem.n;
}

int shmem_addr_accessible(const void *address, int pe) {
    const struct furlong_shmem *s = &furlong_shmem;
    uint64_t at = (uint64_t)(uintptr_t)address;
    return shmem_pe_accessible(pe) && (at - s->base < s->bytes || at - s->data < s->data_bytes);
}

void shmem_info_get_version(int *major, int *minor) {
    *major = SHMEM_MAJOR_VERSION;
    *minor = SHMEM_MINOR_VERSION;
}

void shmem_info_get_name(char *name) {
    memcpy(name, SHMEM_VENDOR_STRING, sizeof SHMEM_VENDOR_STRING);
}

void shmem_pcontrol(int level, ...) {
    (void)level;
}

/* ---- deprecated: 1.5, annex F ---- */

void start_pes(int unused) {
    (void)unused;
    start(SHMEM_THREAD_SINGLE);
}

int _my_pe(void) {
    return shmem_my_pe();
}

int _num_pes(void) {
    return shmem_n_pes();
}

/* No effect: caches are coherent. */
void shmem_set_cache_inv(void) {}
void shmem_clear_cache_inv(void) {}
void shmem_set_cache_line_inv(void *address) {
    (void)address;
}
void shmem_clear_cache_line_inv(void *address) {
    (void)address;
}
void shmem_udcflush(void) {}
void shmem_udcflush_line(void *address) {
    (void)address;
}
