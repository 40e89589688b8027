/* SPDX-License-Identifier: BSD-3-Clause */
#include "upc/job.h"

#include "core/test.h"

static const char *parse(struct upc_job *job, const char *text) {
    static char copy[256];
    snprintf(copy, sizeof copy, "%s", text);
    return upc_job_parse(job, copy);
}

int main(void) {
    struct upc_job job;
    CHECK(!parse(&job, "v=1,threads=5,procs=3,proc=1,first=2,count=2,mem=7,ctl=9,heap=1000,"
                       "cpus=4:12,places=0.0:7.1:7.0,quiet=1,polite=1,freeze=3,later=x"),
          "all that docs/launch.md lists, and a key of later versions");
    CHECK(job.threads == 5 && job.procs == 3 && job.proc == 1 && job.first == 2 && job.count == 2 &&
              job.mem == 7 && job.ctl == 9 && job.heap == 1000 && job.quiet && job.polite &&
              job.freeze == 3,
          "is read");
    CHECK(upc_job_cpu(&job, 0) == 4 && upc_job_cpu(&job, 1) == 12 && upc_job_cpu(&job, 2) == -1,
          "CPUs go to threads in order");
    struct upc_job_place place;
    CHECK(upc_job_place(&job, 1, &place) && place.cache == 7 && place.node == 1 &&
              upc_job_place(&job, 5, &place) && place.cache == 7 && place.node == 0 &&
              upc_job_place(&job, 3, &place) && place.cache == 0,
          "threads take places in turn");
    CHECK(!parse(&job, "v=1,threads=1,procs=1,proc=0,first=0,count=1") && job.mem == -1 &&
              job.ctl == -1 && job.freeze == -1 && upc_job_cpu(&job, 0) == -1 &&
              !upc_job_place(&job, 0, &place),
          "descriptors, CPUs, places and a frozen thread may be missing");
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
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        CHECK(parse(&job, bad[i]) != NULL, "\"%s\" is refused", bad[i]);
    }
    return test_done();
}
