struct record {
    char name[18446744073709551615u];
    int : 13, b : 7;
    char rest[18446744073709551615u];
    union {
        int v : 3;
        int list[2305843009213693952];
    } many[8];
};
struct aligned {
    int a : 3 __attribute__((aligned(9223372036854775808u)));
    char c __attribute__((aligned(9223372036854775808u)));
    int b : 3 __attribute__((aligned(9223372036854775808u)));
};
typedef int vector __attribute__((vector_size(9223372036854775809u)));
struct vectors {
    vector v;
    int after : 5;
};
int filled[] = {[0 ... 18446744073709551615u] = 1, 2, [18446744073709551615u] = 3, 4};
unsigned long offset(void)
{
    struct record { int list[2]; };
    return __builtin_offsetof(struct record, list[(__int128)1 << 126]) +
           __builtin_offsetof(struct record, list[(__int128)1 << 127]);
}
