// SPDX-License-Identifier: BSD-3-Clause
// A file is created without permissions that its own threads need to open it.
#include "../../check.h"
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>
#include <upc_io.h>

static void create(const char *perm, unsigned mode)
{
    struct upc_hint hint = {"file_perm", perm};
    upc_file_t *f = upc_all_fopen("d/file", UPC_RDWR | UPC_CREATE | UPC_INDIVIDUAL_FP, 1, &hint);
    CHECK(f != NULL);
    CHECK_EQ(upc_all_fseek(f, MYTHREAD, UPC_SEEK_SET), MYTHREAD);
    CHECK_EQ(upc_all_fwrite_local(f, "x", 1, 1, 0), 1);
    struct stat status;
    CHECK_EQ(stat("d/file", &status), 0);
    CHECK_EQ(status.st_mode & 07777, mode);
    CHECK_EQ(status.st_size, THREADS);
    CHECK_EQ(upc_all_fclose(f), 0);

    // Now it is there, and its permissions hold.
    f = upc_all_fopen("d/file", UPC_RDWR | UPC_CREATE | UPC_INDIVIDUAL_FP, 1, &hint);
    CHECK_EQ(f == NULL, (mode & 0600) != 0600);
    if (f) {
        CHECK_EQ(upc_all_fclose(f), 0);
    } else {
        CHECK_EQ(errno, EACCES);
    }
    upc_barrier;
    if (MYTHREAD == 0)
        unlink("d/file");
    upc_barrier;
}

// One thread's arguments are wrong: the file keeps the permissions that were asked for.
static void refuse(void)
{
    struct upc_hint hint = {"file_perm", "444"};
    const char *name = MYTHREAD == THREADS - 1 && THREADS > 1 ? NULL : "d/file";
    upc_file_t *f = upc_all_fopen(name, UPC_RDWR | UPC_CREATE | UPC_INDIVIDUAL_FP, 1, &hint);
    CHECK_EQ(f != NULL, THREADS == 1);
    struct stat status;
    if (stat("d/file", &status) == 0)
        CHECK_EQ(status.st_mode & 07777, 0444);
    if (f)
        CHECK_EQ(upc_all_fclose(f), 0);
    upc_barrier;
    if (MYTHREAD == 0)
        unlink("d/file");
    upc_barrier;
}

int main(void)
{
    umask(022);
    if (MYTHREAD == 0) {
        CHECK_EQ(chmod(".", 0755), 0);
        mkdir("d", 0777); // or it is that of the run before
        CHECK_EQ(chmod("d", 0777), 0);
    }
    upc_barrier;
    if (geteuid() == 0)
        CHECK_EQ(seteuid(65534), 0); // root may open anything
    upc_barrier;
    create("444", 0444);
    create("0200", 0200);
    create("666", 0644);
    refuse();
    return check_done();
}
