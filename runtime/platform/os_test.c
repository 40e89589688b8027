/* SPDX-License-Identifier: BSD-3-Clause */
#include "platform/os.h"

#include "core/test.h"

#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <sys/resource.h>
#include <unistd.h>

static void memory(void) {
    int fd;
    void *memory;
    enum { MB = 1 << 20 };
    CHECK(fl_os_memory_create("test", &fd) == 0 && fl_os_memory_grow(fd, 1ull << 40) == 0,
          "a memory file may be far larger than memory");
    CHECK(fl_os_memory_map(fd, 1ull << 39, 64 * MB, &memory) == 0, "part of it can be mapped");
    uint64_t before = fl_os_memory_resident(fd);
    memset(memory, 1, 64 * MB);
    CHECK(fl_os_memory_resident(fd) - before == 64 * MB, "it takes memory when it is written");
    CHECK(fl_os_memory_punch(fd, 1ull << 39, 64 * MB) == 0 && ((char *)memory)[5] == 0 &&
              fl_os_memory_resident(fd) - before < MB,
          "and gives it back");
    uint64_t available = fl_os_memory_available();
    CHECK(available > 16 * MB && available < 1ull << 50, "%llu MB are available",
          (unsigned long long)(available >> 20));
    CHECK(fl_os_memory_grow(-1, 5) < 0, "errors are negative");
}

static bool grow_limited(unsigned me, void *context) {
    struct rlimit limit = {1 << 20, 1 << 20};
    (void)me;
    setrlimit(RLIMIT_FSIZE, &limit);
    int error = fl_os_memory_grow(*(int *)context, 1 << 30);
    fprintf(stderr, "error %d\n", error);
    exit(1);
}

static void reserve(void) {
    uintptr_t address = 1ull << 45;
    CHECK(fl_os_memory_reserve(address, 1ull << 40) == 0, "addresses can be reserved");
    CHECK(fl_os_memory_reserve(address + 4096, 4096) == -EEXIST, "but not twice");
}

static bool wake(unsigned me, void *context) {
    _Atomic uint32_t *word = context;
    if (me == 0) {
        while (atomic_load(word) == 0) {
            fl_os_futex_wait(word, 0);
        }
    } else {
        atomic_store(word, 1);
        fl_os_futex_wake(word, 1);
    }
    return true;
}

/* Whether the arguments are the addresses from `first` on, as many as *second says. */
static int32_t called;
static void take_pointers(int32_t *first, int32_t *second, ...) {
    va_list pointers;
    va_start(pointers, second);
    called = *second;
    for (int32_t i = 0; i < *second; i++) {
        if (va_arg(pointers, int32_t *) != first + i) {
            called = -1;
        }
    }
    va_end(pointers);
}

static void call(void) {
    int32_t at[20], n;
    struct fl_os_call *call = malloc(sizeof *call + sizeof at / sizeof at[0] * sizeof(void *));
    for (n = 0; n < 20; n++) {
        call->function = take_pointers;
        call->n = (size_t)n;
        call->arguments[n] = &at[n];
        fl_os_call(at, &n, call);
        CHECK(called == n, "a function is called with %d pointers", n);
    }
    free(call);
}

static struct {
    char *page;
    size_t bytes;
    unsigned reads, writes;
    uintptr_t pc; /* of the last one */
} faults;

/* Lets reads be made, then writes too. */
static bool count_fault(uintptr_t address, bool write, uintptr_t pc) {
    (void)address;
    faults.pc = pc;
    faults.reads += !write;
    faults.writes += write;
    return faults.reads + faults.writes < 9 &&
           fl_os_memory_protect(faults.page, faults.bytes, true, write) == 0;
}

struct pair {
    uint64_t first, second;
};

static void read_by(unsigned way) {
    switch (way) {
    case 0: (void)*(volatile uint8_t *)faults.page; break;
    case 1: (void)*(volatile double *)(void *)faults.page; break;
    case 2: (void)atomic_load((_Atomic uint64_t *)(void *)faults.page); break;
    default: (void)*(volatile struct pair *)(void *)faults.page; break;
    }
}

/* An instruction of each kind that the compiler makes. */
static void write_by(unsigned way) {
    uint64_t expected = *(volatile uint64_t *)(void *)faults.page;
    _Atomic uint64_t *word = (void *)faults.page;
    switch (way) {
    case 0: *(volatile uint8_t *)faults.page = 1; break;
    case 1: *(volatile double *)(void *)faults.page = 0.5; break;
    case 2: atomic_store(word, 7); break;
    case 3: *(volatile struct pair *)(void *)faults.page = (struct pair){1, 2}; break;
    case 4: atomic_fetch_add(word, 1); break;
    case 5: atomic_compare_exchange_strong(word, &expected, 9); break;
    case 6: atomic_exchange(word, 3); break;
    default: memset(faults.page, 0, faults.bytes); break;
    }
}

/* memset may be the C library's; with ThreadSanitizer, atomic operations are that library's. */
static bool may_be_elsewhere(unsigned way) {
    return way == 7 || (TEST_TSAN && (way == 2 || way >= 4));
}

static bool is_of_test(uintptr_t pc) {
    Dl_info here, there;
    return dladdr((void *)pc, &there) && dladdr((void *)(uintptr_t)write_by, &here) &&
           here.dli_fbase == there.dli_fbase;
}

static void fault(void) {
    faults.bytes = (size_t)sysconf(_SC_PAGESIZE);
    faults.page = fl_os_memory_private(faults.bytes);
    CHECK(fl_os_memory_protect(faults.page, faults.bytes, false, false) == 0 &&
              fl_os_fault_catch(count_fault) == 0,
          "faults are caught");
    for (unsigned way = 0; way < 8; way++) {
        faults.reads = faults.writes = 0;
        fl_os_memory_protect(faults.page, faults.bytes, false, false);
        read_by(way % 4);
        CHECK(faults.reads + faults.writes == 1, "a read faults once");
        if (faults.reads == 0) {
            printf("# taken for a write: this machine does not tell\n");
        }
        write_by(way);
        CHECK(faults.writes == 1, "a write is never taken for a read (%u)", way);
        CHECK(may_be_elsewhere(way) || is_of_test(faults.pc), "the instruction is named (%u)", way);
    }
}

struct coroutine {
    struct fl_os_fiber *fiber;
    int entered;
};

static void count_enters(void *context) {
    struct coroutine *c = context;
    for (char local[1000] = {0}; local[0] == 0; fl_os_fiber_leave(c->fiber)) {
        c->entered++;
    }
}

static void fibers(void) {
    struct coroutine c[2] = {{.entered = 0}, {.entered = 0}};
    for (int i = 0; i < 2; i++) {
        c[i].fiber = fl_os_fiber_make(count_enters, &c[i]);
    }
    for (int i = 0; i < 30; i++) {
        fl_os_fiber_enter(c[i % 3 > 0].fiber);
    }
    CHECK(c[0].entered == 10 && c[1].entered == 20, "fibers go on where they left");
    fl_os_fiber_release(c[0].fiber);
    fl_os_fiber_release(c[1].fiber);
}

static bool readable(int fd) {
    struct pollfd here = {.fd = fd, .events = POLLIN};
    return poll(&here, 1, 0) == 1;
}

/* ---- barriers of other threads ---- */

struct two {
    _Atomic int a, b;
    _Atomic bool over;
    _Atomic unsigned turn, seen; /* seen: twice the turn, and 1 if `b` was not */
};

/* One look in vain at what the other thread writes, which on a machine of one CPU needs that CPU. */
static void look_again(unsigned *looks) {
    if (++*looks % 1000 == 0) {
        fl_os_yield();
    } else {
        fl_os_relax();
    }
}

/* Stores and loads, with no barrier of its own in between. Relaxed: the order is what is tested. */
static void *store_and_load(void *context) {
    struct two *two = context;
    unsigned looks = 0;
    for (unsigned turn = 1;; turn++) {
        /* [A1] pairs [R1] in barriers: the words as that has reset them. */
        while (atomic_load_explicit(&two->turn, memory_order_acquire) < turn) {
            look_again(&looks);
        }
        if (atomic_load_explicit(&two->over, memory_order_relaxed)) {
            return NULL;
        }
        atomic_store_explicit(&two->a, 1, memory_order_relaxed);
        atomic_signal_fence(memory_order_seq_cst); /* No label: it holds for the compiler alone. */
        unsigned misses = !atomic_load_explicit(&two->b, memory_order_relaxed);
        /* [R2] pairs [A2] in barriers: what this turn has found. */
        atomic_store_explicit(&two->seen, 2 * turn + misses, memory_order_release);
    }
}

static void barriers(void) {
    struct two two = {0};
    pthread_t thread;
    unsigned both = 0, turn = 0, looks = 0;
    if (!fl_os_membarrier_start()) {
        printf("# this kernel has no membarrier\n");
        return;
    }
    pthread_create(&thread, NULL, store_and_load, &two);
    while (++turn < 20000) {
        atomic_store_explicit(&two.a, 0, memory_order_relaxed);
        atomic_store_explicit(&two.b, 0, memory_order_relaxed);
        /* [R1] pairs [A1] in store_and_load. */
        atomic_store_explicit(&two.turn, turn, memory_order_release);
        for (volatile unsigned delay = turn % 512; delay > 0; delay--) {
        }
        atomic_store_explicit(&two.b, 1, memory_order_relaxed);
        bool executed = fl_os_membarrier();
        bool misses = executed && !atomic_load_explicit(&two.a, memory_order_relaxed);
        unsigned seen;
        /* [A2] pairs [R2] in store_and_load. */
        while ((seen = atomic_load_explicit(&two.seen, memory_order_acquire)) < 2 * turn) {
            look_again(&looks);
        }
        both += misses && seen % 2;
    }
    CHECK(both == 0, "two threads, of which one has barriers: %u times neither saw the other", both);
    atomic_store_explicit(&two.over, true, memory_order_relaxed);
    /* [R1] pairs [A1] in store_and_load. */
    atomic_store_explicit(&two.turn, turn, memory_order_release);
    pthread_join(thread, NULL);
}

int main(void) {
    memory();
    barriers();
    fibers();
    call();
    fault();
    if (!TEST_TSAN) {
        reserve();
    }
    for (int i = 0; i < 100; i++) {
        _Atomic uint32_t *word = test_shared_memory(sizeof *word);
        if (!test_in_processes(2, wake, (void *)word)) {
            CHECK(false, "a futex wakes another process");
        }
        munmap((void *)word, sizeof *word);
    }
    int fd;
    if (fl_os_memory_create("limited", &fd) == 0) {
        CHECK(test_dies(grow_limited, &fd, "error -27"), "over ulimit -f: an error, no signal");
    }
    uint64_t begin = fl_os_now_ns();
    _Atomic uint32_t word = 0;
    fl_os_futex_wait_timeout(&word, 0, 2000000);
    CHECK(fl_os_now_ns() - begin >= 1900000, "a futex wait ends in time");
    int bell;
    CHECK(fl_os_bell_create(&bell) == 0 && !fl_os_bell_sleep(bell, -1, 1000), "a silent bell");
    fl_os_bell_ring(bell);
    fl_os_bell_ring(bell);
    CHECK(fl_os_bell_sleep(bell, -1, UINT64_MAX) && !fl_os_bell_sleep(bell, -1, 0),
          "a bell that was rung wakes once");
    int alarm;
    CHECK(fl_os_alarm_create(&alarm) == 0, "an alarm");
    fl_os_alarm_set(alarm, 1);
    fl_os_alarm_set(alarm, UINT64_MAX);
    CHECK(!readable(alarm), "an alarm that was put off is silent");
    fl_os_alarm_set(alarm, 1);
    fl_os_bell_sleep(bell, alarm, UINT64_MAX);
    CHECK(readable(alarm), "an alarm wakes who sleeps, and is not put off by that");
    CHECK(fl_os_cpu_count() >= 1 && fl_os_cpu_bind_set(&(uint64_t){0}, 1) < 0, "CPUs");
    return test_done();
}
