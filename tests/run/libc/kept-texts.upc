// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 1x3 2x2 1x7
// What strtok, localtime, asctime, hsearch and the like keep between calls is each thread's own.
#include <grp.h>
#include <pwd.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <upc_relaxed.h>

static int wrong;

static void expect(const char *what, int right)
{
    if (!right) {
        printf("thread %d: %s\n", MYTHREAD, what);
        wrong = 1;
    }
}

static void words(void)
{
    char text[64], word[16];
    snprintf(text, sizeof text, "a%d,b%d;c%d", MYTHREAD, MYTHREAD, MYTHREAD);
    char *found = strtok(text, ",;");
    for (int i = 0; i < 3; i++) {
        snprintf(word, sizeof word, "%c%d", 'a' + i, MYTHREAD);
        upc_barrier;
        expect("strtok", found && strcmp(found, word) == 0);
        found = strtok(NULL, ",;");
    }
    expect("strtok's end", !found);
}

static void times(void)
{
    time_t year = (time_t)(MYTHREAD + 1) * 366 * 86400;
    struct tm *utc = gmtime(&year);
    upc_barrier;
    expect("gmtime", utc->tm_year == 71 + MYTHREAD);
    struct tm again = *utc;
    char *text = asctime(&again);
    char expected[64];
    asctime_r(&again, expected);
    upc_barrier;
    expect("asctime", strcmp(text, expected) == 0);
    setenv("TZ", "UTC", 1);
    upc_barrier;
    text = ctime(&year);
    upc_barrier;
    expect("ctime", strcmp(text, expected) == 0);
    expect("localtime", localtime(&year)->tm_hour == 0);
}

static void numbers(void)
{
    int point, negative;
    char expected[32];
    char *digits = ecvt(1.5 + MYTHREAD, 3, &point, &negative);
    snprintf(expected, sizeof expected, "%d50", 1 + MYTHREAD);
    upc_barrier;
    expect("ecvt", strcmp(digits, expected) == 0 && point == 1 && !negative);
    upc_barrier;
    digits = fcvt(-2.25 - MYTHREAD, 2, &point, &negative);
    snprintf(expected, sizeof expected, "%d25", 2 + MYTHREAD);
    upc_barrier;
    expect("fcvt", strcmp(digits, expected) == 0 && point == 1 && negative);
    char *text = l64a(123456789 + MYTHREAD);
    upc_barrier;
    expect("l64a", a64l(text) == 123456789 + MYTHREAD);
    expect("l64a of zero", *l64a(0) == '\0');
}

static void tables(void)
{
    static char names[2][16];
    hcreate(10);
    snprintf(names[0], sizeof names[0], "name %d", MYTHREAD);
    upc_barrier;
    hsearch((ENTRY){.key = names[0], .data = names}, ENTER);
    upc_barrier;
    for (int i = 0; i < THREADS; i++) {
        snprintf(names[1], sizeof names[1], "name %d", i);
        expect("hsearch", !hsearch((ENTRY){.key = names[1]}, FIND) == (i != MYTHREAD));
    }
    hdestroy();
}

static void accounts(void)
{
    struct passwd *root = getpwnam("root");
    struct group *group = getgrgid(0);
    upc_barrier;
    if (MYTHREAD > 0) {
        getpwuid(65534);
        getgrnam("daemon");
    }
    upc_barrier;
    expect("getpwnam", MYTHREAD > 0 || !root || strcmp(root->pw_name, "root") == 0);
    expect("getgrgid", MYTHREAD > 0 || !group || group->gr_gid == 0);
    expect("getpwnam of nobody", !getpwnam("no such user"));
}

int main(void)
{
    words();
    times();
    numbers();
    tables();
    accounts();
    upc_barrier;
    if (!wrong)
        printf("ok\n");
    return wrong;
}
