/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of gasnet_tools.h that are not inline. They work before, after and without a job. */
#define GASNETT_THREAD_SAFE 1
#include "gasnet/include/gasnet_tools.h"

#include "core/fatal.h"
#include "core/params.h"
#include "platform/c_library.h"
#include "platform/os.h"

#include <ctype.h>
#include <limits.h>
#include <stdarg.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/resource.h>

double gasnett_tick_granularityus(void) {
    struct timespec step;
    clock_getres(CLOCK_MONOTONIC, &step);
    return (double)step.tv_sec * 1e6 + (double)step.tv_nsec / 1e3;
}

double gasnett_tick_overheadus(void) {
    enum { TIMES = 1000 };
    gasnett_tick_t begin = gasnett_ticks_now();
    for (int i = 0; i < TIMES; i++) {
        (void)gasnett_ticks_now();
    }
    return (double)(gasnett_ticks_now() - begin) / 1e3 / TIMES;
}

int gasnett_nsleep(uint64_t ns) {
    struct timespec time = {(time_t)(ns / 1000000000), (long)(ns % 1000000000)};
    while (nanosleep(&time, &time) != 0) {
        if (errno != EINTR) {
            return errno;
        }
    }
    return 0;
}

/* ---- the environment ---- */

char *gasnett_getenv(const char *name) {
    return (char *)(uintptr_t)fl_params_foreign(name);
}

char *gasnett_getenv_withdefault(const char *name, const char *otherwise) {
    char *text = gasnett_getenv(name);
    gasnett_envstr_display(name, text ? text : otherwise, !text);
    return text ? text : (char *)(uintptr_t)otherwise;
}

int gasnett_getenv_yesno_withdefault(const char *name, int otherwise) {
    const char *text = gasnett_getenv(name);
    bool no = text && (!strcasecmp(text, "0") || !strcasecmp(text, "n") || !strcasecmp(text, "no"));
    bool yes =
        text && (!strcasecmp(text, "1") || !strcasecmp(text, "y") || !strcasecmp(text, "yes"));
    if (text && *text && !yes && !no) {
        gasnett_fatalerror_nopos("%s is `%s`, and must be yes or no", name, text);
    }
    int value = yes || (!no && otherwise);
    gasnett_envstr_display(name, value ? "YES" : "NO", !text);
    return value;
}

/* Each letter of KMGTP multiplies by 1024: "2M", "0.5 GB", "17". */
int64_t gasnett_parse_int(const char *text, uint64_t unit) {
    static const char letters[] = "KMGTP";
    char *end;
    double number = strtod(text, &end);
    while (isspace((unsigned char)*end)) {
        end++;
    }
    const char *letter = *end ? strchr(letters, toupper((unsigned char)*end)) : NULL;
    uint64_t factor = letter           ? 1024ull << 10 * (letter - letters)
                      : *end == '\0'   ? (unit ? unit : 1)
                                       : 1; /* bytes */
    bool is_whole = strspn(text, "0123456789-+") == strlen(text);
    return is_whole ? (int64_t)(strtoll(text, NULL, 10) * (int64_t)factor)
                    : text[0] == '0' && tolower((unsigned char)text[1]) == 'x'
                          ? (int64_t)strtoull(text, NULL, 16)
                          : (int64_t)(number * (double)factor);
}

int64_t gasnett_getenv_int_withdefault(const char *name, int64_t otherwise, uint64_t memory_unit) {
    const char *text = gasnett_getenv(name);
    int64_t value = text && *text ? gasnett_parse_int(text, memory_unit) : otherwise;
    gasnett_envint_display(name, value, !text, memory_unit != 0);
    return value;
}

double gasnett_getenv_dbl_withdefault(const char *name, double otherwise) {
    const char *text = gasnett_getenv(name);
    char *end;
    double value = text ? strtod(text, &end) : otherwise;
    if (text && *end == '/') { /* a fraction */
        double below = strtod(end + 1, &end);
        value = below != 0 ? value / below : 0;
    }
    gasnett_envdbl_display(name, value, !text);
    return value;
}

char *gasnett_format_number(int64_t value, char *text, size_t room, int is_memory) {
    static const struct {
        int64_t bytes;
        const char *name;
    } units[] = {{1ll << 40, "TB"}, {1ll << 30, "GB"}, {1ll << 20, "MB"}, {1ll << 10, "KB"}};
    for (size_t i = 0; is_memory && i < sizeof units / sizeof *units; i++) {
        if (value >= units[i].bytes && value % units[i].bytes == 0) {
            snprintf(text, room, "%lld %s", (long long)(value / units[i].bytes), units[i].name);
            return text;
        }
    }
    snprintf(text, room, is_memory ? "%lld B" : "%lld", (long long)value);
    return text;
}

int gasnett_verboseenv(void) {
    return gasnett_getenv("GASNET_VERBOSEENV") != NULL;
}

void gasnett_envstr_display(const char *name, const char *value, int is_default) {
    if (gasnett_verboseenv()) {
        fprintf(stderr, "ENV parameter: %s = %s%s\n", name, value ? value : "*not set*",
                is_default ? "   (default)" : "");
    }
}

void gasnett_envint_display(const char *name, int64_t value, int is_default, int is_memory) {
    char text[40];
    gasnett_envstr_display(name, gasnett_format_number(value, text, sizeof text, is_memory),
                           is_default);
}

void gasnett_envdbl_display(const char *name, double value, int is_default) {
    char text[40];
    snprintf(text, sizeof text, "%g", value);
    gasnett_envstr_display(name, text, is_default);
}

/* ---- diagnosis ---- */

void gasnett_fatalerror_at(const char *place, const char *format, ...) {
    char text[500];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fl_fatal(FL_CODE_GASNET_MISUSE, "%s%s%s", text, place ? " at " : "", place ? place : "");
}

int gasnett_print_backtrace(int fd) {
    enum { MOST = 64 };
    void *calls[MOST];
    fl_libc_print_frames_sigsafe(fd, calls, fl_libc_backtrace_sigsafe(calls, MOST));
    return 0;
}

static int print_if_enabled(int fd) {
    return gasnett_getenv("GASNET_BACKTRACE") ? gasnett_print_backtrace(fd) : 1;
}
int (*gasnett_print_backtrace_ifenabled)(int fd) = print_if_enabled;

gasnett_sighandlerfn_t gasnett_reghandler(int number, gasnett_sighandlerfn_t handler) {
    struct sigaction new = {.sa_flags = SA_RESTART}, old;
    new.sa_handler = handler;
    return sigaction(number, &new, &old) == 0 ? old.sa_handler : SIG_ERR;
}

/* ---- the machine ---- */

int gasnett_cpu_count(void) {
    return (int)fl_os_cpu_count();
}

uint64_t gasnett_getPhysMemSz(int fatal) {
    (void)fatal;
    return (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
}

const char *gasnett_gethostname(void) {
    static _Thread_local char name[256];
    if (gethostname(name, sizeof name - 1) != 0) {
        snprintf(name, sizeof name, "unknown");
    }
    return name;
}

const char *gasnett_exe_name(void) {
    static _Thread_local char name[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", name, sizeof name - 1);
    name[length > 0 ? length : 0] = '\0';
    return name;
}

int gasnett_maximize_rlimit(int resource, const char *name) {
    struct rlimit limit;
    (void)name;
    if (getrlimit(resource, &limit) != 0) {
        return 0;
    }
    limit.rlim_cur = limit.rlim_max;
    return setrlimit(resource, &limit) == 0;
}

void *gasnett_mmap(uintptr_t bytes) {
    return mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                -1, 0);
}

uint64_t gasnett_checksum(const void *p, int bytes) {
    const unsigned char *at = p;
    uint64_t sum = 0;
    for (int i = 0; i < bytes; i++) {
        sum = (sum << 8 | sum >> 56) ^ at[i];
    }
    return sum;
}

size_t gasnett_count0s(const void *p, size_t bytes) {
    const unsigned char *at = p;
    size_t zeros = 0;
    for (size_t i = 0; i < bytes; i++) {
        zeros += at[i] == 0;
    }
    return zeros;
}

size_t gasnett_count0s_copy(void *to, const void *from, size_t bytes) {
    memcpy(to, from, bytes);
    return gasnett_count0s(from, bytes);
}
