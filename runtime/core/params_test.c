/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/params.h"

#include "core/test.h"

static void sizes(void) {
    static const struct {
        const char *text;
        uint64_t bytes; /* UINT64_MAX: not a size */
    } cases[] = {
        {"0", 0},
        {"64", 64ull << 20},
        {"64MB", 64ull << 20},
        {"64mb", 64ull << 20},
        {"2G", 2ull << 30},
        {"2GiB", 2ull << 30},
        {"512K", 512ull << 10},
        {"100B", 100},
        {"1T", 1ull << 40},
        {"", UINT64_MAX},
        {"MB", UINT64_MAX},
        {"-1", UINT64_MAX},
        {"12x", UINT64_MAX},
        {"99999999999999999999", UINT64_MAX},
        {"99999999999T", UINT64_MAX},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint64_t bytes = UINT64_MAX;
        bool good = fl_params_parse_size(cases[i].text, 1u << 20, &bytes);
        CHECK(bytes == cases[i].bytes && good == (bytes != UINT64_MAX), "size \"%s\"",
              cases[i].text);
    }
}

static bool read_all(unsigned me, void *context) {
    (void)me;
    setenv(((const char **)context)[0], ((const char **)context)[1], 1);
    struct fl_params params;
    fl_params_read(&params);
    return true;
}

static void environment(void) {
    struct fl_params params;
    setenv("UPC_STACK_SIZE", "3", 1);
    setenv("FURLONG_SPINS", "17", 1);
    fl_params_read(&params);
    CHECK(params.stack_size == 3u << 20, "a bare number in a UPC_ variable counts megabytes");
    CHECK(params.spins == 17, "a count is a count");
    CHECK(params.yields == 0, "what is not set has its default");
    unsetenv("FURLONG_NET_PATH");
    fl_params_read(&params);
    CHECK(!params.net_path, "a text that is not set is null");
    setenv("FURLONG_NET_PATH", "/a, b", 1);
    fl_params_read(&params);
    CHECK(strcmp(params.net_path, "/a, b") == 0, "a text is as it was set");
    setenv("UPC_QUIET", "Yes", 1);
    setenv("UPC_NO_WARN", "off", 1);
    fl_params_read(&params);
    CHECK(params.quiet && !params.no_warn, "flags may be words");
    const char *bad[] = {"FURLONG_SPINS", "many"};
    CHECK(test_dies(read_all, bad, "FURLONG_SPINS=many"), "a value that is no number is fatal");
    const char *range[] = {"UPC_THREADS", "99999999"};
    CHECK(test_dies(read_all, range, "UPC_THREADS"), "a value out of range is fatal");
}

int main(void) {
    sizes();
    environment();
    return test_done();
}
