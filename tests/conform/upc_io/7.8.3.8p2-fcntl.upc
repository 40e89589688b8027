// SPDX-License-Identifier: BSD-3-Clause
//@ env: FURLONG_CHECK=0
//@ spec: 7.8.3.8p4 7.8.3.1p7 7.8.3.1p8
// The commands of upc_all_fcntl, and hints.
#include "../../check.h"
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>
#include <upc_io.h>

shared [] char *one;

static const char *hint(upc_file_t *f, const char *key, int expected)
{
    const upc_hint_t *hints = NULL;
    int n = upc_all_fcntl(f, UPC_GET_HINTS, &hints);
    CHECK_EQ(n, expected);
    for (int i = 0; i < n; i++)
        if (strcmp(hints[i].key, key) == 0)
            return hints[i].value;
    return "";
}

int main(void)
{
    one = upc_all_alloc(1, 16);
    char name[16] = "file", key[] = "file_perm", value[] = "0640";
    struct upc_hint given[] = {{key, value}, {"weather", "fine"}, {"access_style", "write_once,sequential"}};
    int flags = UPC_RDWR | UPC_CREATE | UPC_TRUNC | UPC_INDIVIDUAL_FP;
    if (MYTHREAD == 0)
        unlink("file");
    upc_barrier;
    upc_file_t *f = upc_all_fopen(name, flags, 3, given);
    CHECK(f != NULL);
    // Strings and array are copied.
    name[0] = key[0] = value[0] = 'X';
    given[2].value = NULL;
    struct stat status;
    CHECK(stat("file", &status) == 0 && (status.st_mode & 0777 & ~0640) == 0 && (status.st_mode & 0400));

    const char *found = NULL;
    CHECK_EQ(upc_all_fcntl(f, UPC_GET_FN, &found), 0);
    CHECK(found && strcmp(found, "file") == 0);
    CHECK(strcmp(hint(f, "file_perm", 2), "0640") == 0);
    CHECK(strcmp(hint(f, "access_style", 2), "write_once,sequential") == 0);
    struct upc_hint more = {"cb_nodes", "1"}, change = {"access_style", "random"}, unknown = {"x", "y"};
    CHECK_EQ(upc_all_fcntl(f, UPC_SET_HINT, &more), 0);
    CHECK_EQ(upc_all_fcntl(f, UPC_SET_HINT, &change), 0);
    CHECK_EQ(upc_all_fcntl(f, UPC_SET_HINT, &unknown), 0);
    CHECK(strcmp(hint(f, "cb_nodes", 3), "1") == 0);
    CHECK(strcmp(hint(f, "access_style", 3), "random") == 0);

    CHECK_EQ(upc_all_fcntl(f, UPC_GET_FL, NULL), flags);
    CHECK_EQ(upc_all_fcntl(f, UPC_GET_CA_SEMANTICS, NULL), 0);
    CHECK_EQ(upc_all_fcntl(f, UPC_SET_STRONG_CA_SEMANTICS, NULL), 0);
    CHECK_EQ(upc_all_fcntl(f, UPC_GET_CA_SEMANTICS, NULL), UPC_STRONG_CA);
    CHECK_EQ(upc_all_fcntl(f, UPC_GET_FL, NULL), flags | UPC_STRONG_CA);
    CHECK_EQ(upc_all_fcntl(f, UPC_SET_WEAK_CA_SEMANTICS, NULL), 0);
    CHECK_EQ(upc_all_fcntl(f, UPC_GET_CA_SEMANTICS, NULL), 0);

    // Changing the kind of pointer seeks to the beginning.
    CHECK_EQ(upc_all_fcntl(f, UPC_GET_FP, NULL), UPC_INDIVIDUAL_FP);
    CHECK_EQ(upc_all_fseek(f, MYTHREAD + 1, UPC_SEEK_SET), MYTHREAD + 1);
    CHECK_EQ(upc_all_fcntl(f, UPC_SET_COMMON_FP, NULL), 0);
    CHECK_EQ(upc_all_fcntl(f, UPC_GET_FP, NULL), UPC_COMMON_FP);
    CHECK_EQ(upc_all_fcntl(f, UPC_GET_FL, NULL), (flags & ~UPC_INDIVIDUAL_FP) | UPC_COMMON_FP);
    CHECK_EQ(upc_all_fseek(f, 0, UPC_SEEK_CUR), 0);
    CHECK_EQ(upc_all_fwrite_shared(f, one, 0, 1, 16, 0), 16);
    CHECK_EQ(upc_all_fcntl(f, UPC_SET_INDIVIDUAL_FP, NULL), 0);
    CHECK_EQ(upc_all_fseek(f, 0, UPC_SEEK_CUR), 0);
    CHECK_EQ(upc_all_fcntl(f, UPC_GET_FP, NULL), UPC_INDIVIDUAL_FP);

    char c = 'c';
    CHECK_EQ(upc_all_fcntl(f, UPC_ASYNC_OUTSTANDING, NULL), 0);
    upc_all_fread_local_async(f, &c, 1, 1, 0);
    CHECK_EQ(upc_all_fcntl(f, UPC_ASYNC_OUTSTANDING, NULL), 1);
    errno = 0;
    CHECK_EQ(upc_all_fcntl(f, UPC_GET_FL, NULL), -1);
    CHECK_EQ(errno, EBUSY);
    CHECK_EQ(upc_all_fwait_async(f), 1);
    CHECK_EQ(upc_all_fcntl(f, UPC_ASYNC_OUTSTANDING, NULL), 0);

    errno = 0;
    CHECK_EQ(upc_all_fcntl(f, 99, NULL), -1);
    CHECK_EQ(errno, EINVAL);
    errno = 0;
    CHECK_EQ(upc_all_fcntl(f, UPC_GET_FN, NULL), -1);
    CHECK_EQ(errno, EFAULT);
    CHECK_EQ(upc_all_fclose(f), 0);
    return check_done();
}
