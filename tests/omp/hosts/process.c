/* SPDX-License-Identifier: BSD-3-Clause */
//@ mappings: 1x4 2x2 4x1
/* Where the program is, which rights its files have, and its locale: what main sets is set on all hosts. */
#include "../inputs/check.h"
#include <limits.h>
#include <locale.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void) {
    char here[PATH_MAX], name[] = "folder";
    CHECK(mkdir(name, 0700) == 0 && chdir(name) == 0 && getcwd(here, sizeof here));
    CHECK(chdir("nowhere") == -1);
    mode_t before = umask(027);
    CHECK(setlocale(LC_ALL, "C.UTF-8") && !setlocale(LC_ALL, "xx_YY"));
#pragma omp parallel
    {
        char there[PATH_MAX], file[32];
        CHECK(getcwd(there, sizeof there) && strcmp(there, here) == 0);
        CHECK(strcmp(setlocale(LC_CTYPE, NULL), "C.UTF-8") == 0);
        snprintf(file, sizeof file, "%d", omp_get_thread_num());
        fclose(fopen(file, "w"));
        struct stat status;
        CHECK(stat(file, &status) == 0 && (status.st_mode & 0777) == 0640);
        remove(file);
    }
    CHECK(umask(before) == 027);
    CHECK(chdir("..") == 0 && rmdir(name) == 0);
    return result();
}
