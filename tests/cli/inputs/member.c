// SPDX-License-Identifier: BSD-3-Clause
// A process of a job as upcrun sees it (docs/launch.md), without the runtime: it checks what it is
// told of the others, then does what its argument says. Run it behind a script, for upcrun starts
// no program that upcc did not link.
#define _GNU_SOURCE
#include <dirent.h>
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

// The job's key comes first, for processes of several hosts; its digits stay for others to look for.
static char key[65];

static void hear_key(int ctl) {
    char text[100] = "";
    ssize_t size = recv(ctl, text, sizeof text - 1, 0);
    if (size != 68 || sscanf(text, "key %64[0-9a-f]", key) != 1 || strlen(key) != 64) {
        printf("no key, but `%s`\n", text);
        exit(9);
    }
}

// Looks for the key in what others may read of all processes; the longest environment is cut off.
static int key_is_shown(void) {
    static char text[1 << 20];
    const char *const files[] = {"environ", "cmdline"};
    int shown = 0, own = 0;
    DIR *folder = opendir("/proc");
    for (struct dirent *entry; folder && (entry = readdir(folder)) != NULL;) {
        for (int i = 0; i < 2 && atoi(entry->d_name) > 0; i++) {
            char name[300];
            snprintf(name, sizeof name, "/proc/%s/%s", entry->d_name, files[i]);
            FILE *file = fopen(name, "r");
            size_t size = file ? fread(text, 1, sizeof text, file) : 0;
            own += size > 0 && atoi(entry->d_name) == (int)getpid();
            shown += size > 0 && memmem(text, size, key, 64) != NULL;
            if (file) {
                fclose(file);
            }
        }
    }
    return own == 2 ? shown : -1;
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
    if (number(",hosts=") > 1) {
        hear_key(ctl);
    }
    exchange(ctl, me, procs);
    say(ctl, "up");
    if (strcmp(what, "say") == 0) {
        printf("process %d on host %d of %d\n", me, number(",host="), number(",hosts="));
    } else if (strcmp(what, "wait") == 0) {
        printf("%d %d %d\n", me, (int)getpid(), (int)getppid());
        fflush(stdout);
        pause();
    } else if (strcmp(what, "key") == 0) {
        printf("shown %d times\n", key_is_shown());
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
