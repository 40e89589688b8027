/* SPDX-License-Identifier: BSD-3-Clause */
/* deny CALL... -- COMMAND: runs the command under a seccomp filter that refuses system calls with
 * EPERM, as containers' default profiles do. `personality` is refused for other values than those
 * profiles allow. */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static const struct {
    const char *name;
    int number;
} calls[] = {{"personality", SYS_personality},     {"userfaultfd", SYS_userfaultfd},
             {"memfd_create", SYS_memfd_create},   {"ptrace", SYS_ptrace},
             {"pidfd_open", SYS_pidfd_open},       {"process_vm_readv", SYS_process_vm_readv},
             {"set_mempolicy", SYS_set_mempolicy}, {"get_mempolicy", SYS_get_mempolicy},
             {"mbind", SYS_mbind},                 {"perf_event_open", SYS_perf_event_open},
             {"sched_setaffinity", SYS_sched_setaffinity}, {"io_uring_setup", SYS_io_uring_setup}};

enum { N_CALLS = sizeof calls / sizeof calls[0], REFUSE = SECCOMP_RET_ERRNO | EPERM };

/* Returns EPERM where `number` is called; unless it is personality with an argument below 0x40000,
 * or with all bits set, which asks. */
static size_t rule(struct sock_filter *at, int number) {
    struct sock_filter plain[] = {
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)number, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, REFUSE),
    };
    struct sock_filter by_value[] = {
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)number, 0, 5),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0xffffffff, 2, 0),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, 0x40000, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, REFUSE),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    int has_value = number == SYS_personality;
    size_t bytes = has_value ? sizeof by_value : sizeof plain;
    memcpy(at, has_value ? by_value : plain, bytes);
    return bytes / sizeof *at;
}

int main(int argc, char **argv) {
    struct sock_filter filter[6 * N_CALLS + 2] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr))};
    unsigned short n = 1;
    int i = 1;
    for (; i < argc && strcmp(argv[i], "--") != 0; i++) {
        size_t k = 0;
        while (k < N_CALLS && strcmp(argv[i], calls[k].name) != 0) {
            k++;
        }
        if (k == N_CALLS) {
            fprintf(stderr, "deny: which call is `%s`?\n", argv[i]);
            return 2;
        }
        n += (unsigned short)rule(&filter[n], calls[k].number);
    }
    filter[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    struct sock_fprog program = {n, filter};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
        perror("deny");
        return 1;
    }
    execvp(argv[i + 1], &argv[i + 1]);
    perror(argv[i + 1]);
    return 127;
}
