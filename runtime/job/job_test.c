/* SPDX-License-Identifier: BSD-3-Clause */
#include "job/job.h"
#include "job/launcher.h"

#include "core/test.h"

#include <sys/socket.h>
#include <unistd.h>

static const char *parse(struct fl_job *job, const char *text) {
    static char copy[512];
    snprintf(copy, sizeof copy, "%s", text);
    return fl_job_parse(job, copy);
}

/* Process 3 of hosts with 3, 1 and 3 threads; further pairs replace these. */
#define HOSTS(further)                                                                             \
    "v=1,threads=7,procs=5,proc=3,first=4,count=2,mem=7,ctl=9,hosts=3,host=2,hostfirst=0:3:4,"     \
    "pthreads=2,net=udp,iface=e%3a1,id=00ff00000000000a,names=a:b%3a2%2c:c," further

static void launched(void) {
    static const struct {
        const char *peers;
        unsigned rank, hosts, first, host;
    } all[] = {{"0,1,2", 1, 0, 0, 0}, {"0,2,1", 1, 0, 0, 0},     {"4,7,5,6", 6, 1, 4, 0},
               {"7", 7, 3, 7, 0},     {"0,3,1,4,2", 2, 2, 0, 0}, {"0,3,1,4,2", 3, 2, 3, 1}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        unsigned host, first;
        first = fl_launcher_first_of_host(all[i].peers, all[i].rank, all[i].hosts, &host);
        CHECK(first == all[i].first && host == all[i].host, "rank %u among %s on %u hosts",
              all[i].rank, all[i].peers, all[i].hosts);
    }
}

static void several_hosts(void) {
    struct fl_job job;
    struct fl_layout layout;
    CHECK(!parse(&job, HOSTS("")), "several hosts");
    CHECK(job.hosts == 3 && job.host == 2 && job.pthreads == 2 && strcmp(job.net, "udp") == 0 &&
              strcmp(job.interface, "e:1") == 0 && job.id == 0xff00000000000a,
          "are read");
    CHECK(strcmp(fl_job_host_name(&job, 0), "a") == 0 &&
              strcmp(fl_job_host_name(&job, 1), "b:2,") == 0 &&
              strcmp(fl_job_host_name(&job, 2), "c") == 0,
          "their names are decoded");
    CHECK(fl_job_layout(&job, &layout) && layout.procs == 5 && layout.my_host == 2, "a layout");
    fl_layout_release(&layout);
    CHECK(!parse(&job, HOSTS("names=")) && strcmp(fl_job_host_name(&job, 1), "host 1") == 0,
          "hosts without names have numbers");
    static const char *const wrong[] = {HOSTS("hostfirst=0:3:3"), HOSTS("hostfirst=0:3"),
                                        HOSTS("hostfirst=0:2:4,first=3"), HOSTS("host=1"),
                                        HOSTS("pthreads=1"), HOSTS("count=1"), HOSTS("procs=6")};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        CHECK(!parse(&job, wrong[i]) && !fl_job_layout(&job, &layout), "does not add up: %s",
              strchr(wrong[i], 'n'));
    }
}

/* Whether a process of several hosts takes its job, after the launcher has said `packet`. */
static bool hears(unsigned me, void *packet) {
    (void)me;
    int ctl[2];
    char text[300];
    struct fl_job job;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ctl) != 0) {
        return false;
    }
    snprintf(text, sizeof text, "%sctl=%d,mem=%d", HOSTS(""), ctl[0], ctl[0]);
    setenv("FURLONG_JOB", text, 1);
    send(ctl[1], packet, strlen(packet), 0);
    close(ctl[1]);
    return fl_job_take(&job) && job.key[0] == 0 && job.key[1] == 0xab && job.key[31] == 0x1f &&
           !getenv("FURLONG_JOB");
}

#define KEY "00ab" "02030405060708090a0b0c0d0e0f" "101112131415161718191a1b1c1d1e1f"

static void keys(void) {
    static char good[] = "key " KEY;
    static char bad[][80] = {"", "key", "key " KEY "20", "card 1 " KEY, "key x" KEY, "up"};
    CHECK(test_in_processes(1, hears, good), "the key comes over the control socket");
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        CHECK(!test_in_processes(1, hears, bad[i]), "\"%s\" is no key", bad[i]);
    }
}

int main(void) {
    struct fl_job job;
    CHECK(!parse(&job, "v=1,threads=5,procs=3,proc=1,first=2,count=2,mem=7,ctl=9,heap=1000,"
                       "cpus=4:1-2+64:7,places=0.0:7.1:7.0,quiet=1,polite=1,trace=1,stats=1,tag=1,asked=1,freezes=1,"
                       "freeze=3,later=x"),
          "all that docs/launch.md lists, and a key of later versions");
    CHECK(job.threads == 5 && job.procs == 3 && job.proc == 1 && job.first == 2 && job.count == 2 &&
              job.mem == 7 && job.ctl == 9 && job.heap == 1000 && job.quiet && job.polite &&
              job.trace && job.stats && job.tag && job.asked && job.freezes && job.freeze == 3,
          "is read");
    uint64_t cpus[FL_JOB_CPU_WORDS];
    CHECK(fl_job_cpus(&job, 0, cpus) && cpus[0] == 1u << 4 && cpus[1] == 0, "one CPU");
    CHECK(fl_job_cpus(&job, 1, cpus) && cpus[0] == 6 && cpus[1] == 1, "ranges of CPUs");
    CHECK(!fl_job_cpus(&job, 3, cpus), "CPUs go to threads in order");
    struct fl_job_place place;
    CHECK(fl_job_place(&job, 1, &place) && place.cache == 7 && place.node == 1 &&
              fl_job_place(&job, 5, &place) && place.cache == 7 && place.node == 0 &&
              fl_job_place(&job, 3, &place) && place.cache == 0,
          "threads take places in turn");
    CHECK(!parse(&job, "v=1,threads=1,procs=1,proc=0,first=0,count=1") && job.mem == -1 &&
              job.ctl == -1 && job.freeze == -1 && !fl_job_cpus(&job, 0, cpus) &&
              !fl_job_place(&job, 0, &place),
          "descriptors, CPUs, places and a frozen thread may be missing");
    CHECK(job.hosts == 1 && job.host == 0 && !job.net, "one host need not be named");
    several_hosts();
    launched();
    keys();
    static const char *const bad[] = {
        "",
        "v=1",
        "nonsense",
        "v=2,threads=1,procs=1,proc=0,first=0,count=1",
        "v=1,threads=2,procs=1,proc=1,first=0,count=2,mem=3",
        "v=1,threads=2,procs=2,proc=0,first=1,count=2,mem=3",
        "v=1,threads=2,procs=2,proc=0,first=0,count=1",
        "v=1,threads=-2,procs=1,proc=0,first=0,count=1",
        "v=1,threads=99999999999,procs=1,proc=0,first=0,count=1",
        "v=1,threads=1,procs=1,proc=0,first=0,count=0",
        "v=1,threads=2,procs=2,proc=0,first=0,count=1,mem=3,hosts=2",
        HOSTS("host=3"),
        HOSTS("net="),
        HOSTS("pthreads=0"),
        HOSTS("hostfirst="),
        HOSTS("id=g"),
        HOSTS("names=a:b"),
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        CHECK(parse(&job, bad[i]) != NULL, "\"%s\" is refused", bad[i]);
    }
    return test_done();
}
