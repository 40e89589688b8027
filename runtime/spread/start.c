/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How an ordinary program becomes one over several hosts. The executable's first code has the C
 * library call main through __libc_start_main, on which this file interposes. Constructors then run
 * on every host, with memory of its own, which initialises the private state of libraries. When
 * main is due, the process attaches to its job, the program's memory becomes coherent with host 0's
 * contents, and main runs on host 0 alone. The other hosts wait for regions.
 */
#include "spread/inside.h"

#include "job/control.h"
#include "job/process.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <unistd.h>

struct fl_spread fl_spread;

extern char **environ;

void *fl_spread_next(const char *name) {
    void *found = dlsym(RTLD_NEXT, name);
    if (!found) {
        fl_fatal(FL_CODE_OTHER_PROGRAM, "the C library of this host has no `%s`", name);
    }
    return found;
}

/* ---- attaching ---- */

int omp_get_thread_num(void) __attribute__((weak));

/* For messages: the number that the calling thread has in its region. */
unsigned fl_start_me(void) {
    bool in_region = atomic_load_explicit(&fl_spread.in_region, memory_order_relaxed);
    return in_region && omp_get_thread_num ? (unsigned)omp_get_thread_num() : fl_spread.job.first;
}

static void start_comm(void) {
    struct fl_spread *spread = &fl_spread;
    const struct fl_job *job = &spread->job;
    if (!fl_job_layout(job, &spread->layout)) {
        fl_job_refuse("threads, processes and hosts that do not add up");
    }
    if (job->procs != job->hosts) {
        fl_job_refuse("more than one process on a host");
    }
    fl_space_map(&spread->space, &spread->layout, job->mem, 4096);
    spread->attach = (struct fl_comm_attach){.job = job,
                                             .params = &spread->params,
                                             .space = &spread->space,
                                             .layout = &spread->layout};
    /* Else UCX may interpose on mmap, and would seem to be the caller, not the program. */
    setenv("UCX_MEM_EVENTS", "no", 0);
    fl_comm_attach_start(&spread->attach);
    fl_comm_register(FL_COMM_SPREAD, fl_meet_serve, NULL);
}

/* ---- whether all hosts run the same program at the same addresses ---- */

void fl_spread_serve_same(const struct fl_comm_call *call,
                          const struct fl_spread_same_message *words) {
    (void)words;
    uint64_t marks[FL_OBJECTS_MOST];
    unsigned n = fl_object_marks(marks);
    const uint64_t *theirs = call->payload;
    uint64_t other = 0;
    while (other < n && other < call->bytes / sizeof *marks && marks[other] == theirs[other]) {
        other++;
    }
    uint64_t answer = other == n && call->bytes == n * sizeof *marks ? UINT64_MAX : other;
    fl_comm_answer(call->asker, &answer, 1, NULL, 0);
}

static void agree_with_host_0(void) {
    uint64_t marks[FL_OBJECTS_MOST];
    unsigned n = fl_object_marks(marks);
    struct fl_comm_answer answer = {0};
    fl_comm_ask(0, FL_COMM_SPREAD, FL_MESSAGE_WORDS(fl_spread, same), marks, n * sizeof *marks,
                &answer);
    if (answer.words[0] != UINT64_MAX) {
        fl_fatal(FL_CODE_OTHER_PROGRAM,
                 "on %s, %s is another file than on %s, or is at other addresses; all hosts must "
                 "have the same program and libraries (and omprun must start it)",
                 fl_job_host_name(&fl_spread.job, fl_spread_me()),
                 fl_object_name((unsigned)answer.words[0]), fl_job_host_name(&fl_spread.job, 0));
    }
}

/* ---- coherent memory ---- */

static uint16_t *homes(uint64_t blocks, uint64_t blocks_of_host) {
    uint16_t *all = FL_ALLOCATED(calloc(blocks, sizeof *all),
                                 "the homes of %llu blocks", (unsigned long long)blocks);
    for (uint64_t i = 0; i < blocks; i++) {
        all[i] = (uint16_t)(i / blocks_of_host);
    }
    return all;
}

static int ascending(const void *a, const void *b) {
    uintptr_t x = ((const struct fl_map_range *)a)->address;
    uintptr_t y = ((const struct fl_map_range *)b)->address;
    return (x > y) - (x < y);
}

/* Static data, the heap, of which constructors have used the begin, and stacks. */
static void make_coherent(void) {
    struct fl_spread *spread = &fl_spread;
    struct fl_object_data data[FL_OBJECT_DATA_MOST];
    struct fl_map_range *ranges = spread->ranges;
    unsigned n = 0, n_data = fl_object_data(data);
    for (unsigned i = 0; i < n_data; i++) {
        ranges[n++] = (struct fl_map_range){
            .address = data[i].address, .bytes = data[i].bytes, .kept = true};
    }
    unsigned hosts = fl_spread_hosts();
    uint64_t heap_bytes = hosts * spread->slice_bytes;
    uint16_t *heap = homes(heap_bytes / FL_SPREAD_EARLY, spread->slice_bytes / FL_SPREAD_EARLY);
    ranges[n++] = (struct fl_map_range){
        .address = FL_SPREAD_HEAP, .bytes = FL_SPREAD_EARLY, .kept = true};
    ranges[n++] = (struct fl_map_range){.address = FL_SPREAD_HEAP + FL_SPREAD_EARLY,
                                        .bytes = heap_bytes - FL_SPREAD_EARLY,
                                        .homes = heap + 1,
                                        .block_bytes = FL_SPREAD_EARLY};
    ranges[n++] = (struct fl_map_range){
        .address = FL_SPREAD_STACK_BASE,
        .bytes = (uint64_t)hosts * spread->stacks * spread->stack_bytes,
        .homes = homes((uint64_t)hosts * spread->stacks, spread->stacks),
        .block_bytes = spread->stack_bytes,
        .fixed = true};
    qsort(ranges, n, sizeof *ranges, ascending);
    spread->n_ranges = n;
    fl_dsm_start(&(struct fl_dsm_setup){.hosts = hosts,
                                        .me = fl_spread_me(),
                                        .threads = spread->job.count,
                                        .ranges = ranges,
                                        .n_ranges = n,
                                        .faults = spread->params.faults,
                                        .params = &spread->params,
                                        .wait = spread->wait,
                                        .check = spread->params.omp_check ? fl_races_note : NULL,
                                        .note_sigsafe = fl_pages_start() ? fl_pages_note_sigsafe : NULL,
                                        .looks = fl_looks_may_be()});
}

/* ---- main ---- */

struct tls {
    void *address;
    size_t bytes;
};

/* The executable's _Thread_local objects of the calling thread. */
static int find_tls(struct dl_phdr_info *program, size_t size, void *tls_p) {
    (void)size;
    for (unsigned i = 0; i < program->dlpi_phnum; i++) {
        if (program->dlpi_phdr[i].p_type == PT_TLS) {
            *(struct tls *)tls_p = (struct tls){program->dlpi_tls_data,
                                                program->dlpi_phdr[i].p_memsz};
        }
    }
    return 1; /* the first is the executable */
}

/* `tls`: the _Thread_local objects of the process's first thread, as constructors left them. */
static void *run(void *tls) {
    if (fl_spread_me() > 0) {
        fl_meet_work();
        fl_end_worker();
    }
    struct tls from = *(struct tls *)tls, own = {0};
    dl_iterate_phdr(find_tls, &own);
    if (from.bytes > 0) {
        memcpy(own.address, from.address, from.bytes);
    }
    /* The kernel has put the arguments above a stack that is not coherent. */
    char **argv = FL_ALLOCATED(fl_environment_copy(fl_spread.argv, (size_t)fl_spread.argc),
                               "the program's arguments");
    fl_environment_start();
    exit(fl_spread.main(fl_spread.argc, argv, environ));
}

/* Constructors run on all hosts, but print on host 0 only. */
static int hide_output(void) {
    int hidden = -1, null = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (null >= 0) {
        hidden = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
        dup2(null, STDOUT_FILENO);
        close(null);
    }
    return hidden;
}

static void show_output(int hidden) {
    if (hidden >= 0) {
        fflush(stdout);
        dup2(hidden, STDOUT_FILENO);
        close(hidden);
    }
}

/* libstdc++ makes the objects of its locale at their first use: on all hosts, not in main only. */
static void begin_locales(void) {
    const void *(*classic)(void) = (const void *(*)(void))dlsym(RTLD_DEFAULT, "_ZNSt6locale7classicEv");
    if (classic) {
        (void)classic();
    }
}

static void name_place_sigsafe(uintptr_t address, char *text, size_t room) {
    const char *name = fl_stacks_name_sigsafe(address);
    name = name ? name : fl_streams_name_sigsafe(address);
    if (name && strlen(name) < room) {
        strcpy(text, name);
    }
}

/* In the process's first thread, when constructors have run. */
static int main_of_all(int argc, char **argv, char **environment) {
    (void)environment;
    struct fl_spread *spread = &fl_spread;
    spread->argc = argc;
    spread->argv = argv;
    spread->pid = getpid();
    show_output(spread->hidden_output);
    begin_locales();
    fl_output_prepare();
    fl_process_report(&spread->job, &spread->params, fl_start_me, name_place_sigsafe);
    fl_process_at_death(fl_output_rescue_sigsafe);
    fl_descriptors_prepare();
    start_comm();
    spread->wait = fl_comm_choose_wait(&spread->attach, spread->job.count, fl_os_cpu_count());
    make_coherent();
    spread->wait = fl_comm_attach_connect(&spread->attach, spread->job.count, fl_os_cpu_count());
    fl_dsm_wait_as(spread->wait);
    fl_heap_go_on();
    fl_objects_go_on();
    atomic_store_explicit(&spread->phase, FL_SPREAD_TOGETHER, memory_order_relaxed);
    if (fl_spread_me() > 0) {
        agree_with_host_0();
    }
    fl_proxy_start();
    fl_meet_start();
    fl_streams_start();
    fl_output_start();
    fl_signals_start();
    fl_control_send0_sigsafe("up");
    struct tls tls = {0};
    dl_iterate_phdr(find_tls, &tls);
    int error = fl_stacks_run(run, &tls);
    if (error) {
        fl_fatal(FL_CODE_THREAD_START, "the program's first thread cannot be started with a stack "
                 "of %llu KB: %s", (unsigned long long)(spread->stack_bytes / 1024),
                 strerror(error));
    }
    /* Signals go to the program's threads, which may wait for some. */
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, NULL);
    for (;;) {
        pause();
    }
}

/* ---- before constructors ---- */

bool fl_omp_far_speaks(void) {
    static const char host[] = ",host=";
    const char *job = fl_params_foreign("FURLONG_JOB");
    const char *at = job ? strstr(job, host) : NULL;
    return !at || atoi(at + strlen(host)) == 0;
}

/* All stacks have one size, so that an address tells whose it is: the largest that is asked for. */
static uint64_t choose_stack(void) {
    enum { LEAST = 8 << 20, MOST = 256 << 20 };
    uint64_t limit = fl_os_stack_limit(), set = fl_omp_stack ? fl_omp_stack() : 0;
    if (set > MOST && fl_spread_me() == 0) {
        fl_warn("OMP_STACKSIZE is more than the 256 MB that threads have over several hosts at most");
    }
    uint64_t bytes = set > LEAST ? set : LEAST;
    bytes = limit > bytes ? limit : bytes;
    return 1ull << fl_log2_ceil(bytes < MOST ? bytes : MOST);
}

/* Programs that this one starts run on one host. */
static void leave_environment(void) {
    char *preloaded = fl_params_take("LD_PRELOAD");
    (void)preloaded;
}

/* Coherent pages become readable in many places: the kernel adds the right to execute them. */
static void execute_stacks(void) {
    int now = personality(0xffffffff);
    if (fl_objects_execute_stacks() && now >= 0) {
        (void)personality((unsigned long)now | READ_IMPLIES_EXEC);
    }
}

static bool prepare(void) {
    struct fl_spread *spread = &fl_spread;
    if (!fl_process_find_job(&spread->job, &spread->params, NULL) || spread->job.hosts == 1) {
        return false;
    }
    leave_environment();
    spread->slice_bytes =
        fl_slice_share(spread->params.host_heap, FL_SPREAD_STACK_BASE - FL_SPREAD_HEAP,
                       spread->job.hosts, FL_SPREAD_EARLY);
    spread->stack_bytes = choose_stack();
    spread->stacks = FL_SPREAD_STACKS;
    fl_objects_start();
    execute_stacks();
    fl_heap_prepare();
    fl_streams_prepare();
    fl_end_prepare();
    spread->hidden_output = spread->job.host > 0 ? hide_output() : -1;
    atomic_store_explicit(&spread->phase, FL_SPREAD_CONSTRUCTORS, memory_order_relaxed);
    return true;
}

int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv,
                      void (*init)(void), void (*fini)(void), void (*rtld_fini)(void),
                      void *stack_end);

/* Destructors of libraries run in end.c, while other hosts still serve their accesses. */
FL_EXPORT int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv,
                                void (*init)(void), void (*fini)(void), void (*rtld_fini)(void),
                                void *stack_end) {
    bool spreads = prepare();
    fl_spread.main = main;
    return FL_NEXT(__libc_start_main)(spreads ? main_of_all : main, argc, argv, init, fini,
                                      spreads ? NULL : rtld_fini, stack_end);
}
