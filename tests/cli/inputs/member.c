// SPDX-License-Identifier: BSD-3-Clause
// A process of a job as upcrun sees it (docs/launch.md), without the runtime: it checks what it is
// told of the others, then does what its argument says. Run it behind a script, for upcrun starts
// no program that upcc did not link.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int number(const char *key) {
    const char *job = getenv("FURLONG_JOB"), *at = strstr(job, key);
    return at ? atoi(at + strlen(key)) : 0;
}

static void say(int ctl, const char *text) {
    if (send(ctl, text, strlen(text), 0) < 0) {
        exit(9);
    }
}

// Every process gets the cards of all others, each once. Its own is longer than some.
static void exchange(int ctl, int me, int procs) {
    char text[2100] = "card ";
    for (int i = 0; i <= 200; i++) {
        sprintf(text + 5 + 8 * i, "%08x", me);
    }
    say(ctl, text);
    char *seen = calloc((size_t)procs, 1);
    for (int left = procs - 1; left > 0; left--) {
        int peer = -1;
        unsigned value = 0;
        ssize_t size = recv(ctl, text, sizeof text - 1, 0);
        text[size > 0 ? size : 0] = 0;
        if (sscanf(text, "card %d %8x", &peer, &value) != 2 || peer < 0 || peer >= procs ||
            peer == me || seen[peer] || value != (unsigned)peer) {
            printf("process %d got `%.40s`\n", me, text);
            exit(9);
        }
        seen[peer] = 1;
    }
    free(seen);
}

static void copy_input(void) {
    size_t bytes = 0, sum = 0;
    for (int c; (c = getchar()) != EOF; bytes++) {
        sum = sum * 31 + (unsigned)c;
    }
    printf("read %zu bytes, sum %zx\n", bytes, sum);
}

int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "say";
    int ctl = number(",ctl="), me = number(",proc="), procs = number(",procs=");
    exchange(ctl, me, procs);
    say(ctl, "up");
    if (strcmp(what, "say") == 0) {
        printf("process %d on host %d of %d\n", me, number(",host="), number(",hosts="));
    } else if (strcmp(what, "wait") == 0) {
        printf("%d %d %d\n", me, (int)getpid(), (int)getppid());
        fflush(stdout);
        pause();
    } else if (strcmp(what, "read") == 0 && me == 0) {
        copy_input();
    } else if (strcmp(what, "print") == 0) {
        for (int i = 0; i < 20000; i++) {
            fprintf(i % 2 ? stderr : stdout, "line %d of process %d\n", i, me);
        }
    }
    say(ctl, "done 0");
    return 0;
}
