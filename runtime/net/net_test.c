/* SPDX-License-Identifier: BSD-3-Clause */
/* Transports: contents, order, floods, sleeping, peers that die, strangers that talk. */
#include "net/net.h"

#include "core/test.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/socket.h>
#include <time.h>

enum { MOST = 5, ROUNDS = TEST_TSAN ? 200 : 2000, PATIENCE = 60 };

static const struct fl_net_ops *ops;

/* Memory that the processes of a job share, besides the network. */
struct world {
    unsigned procs;
    bool one_sided;
    _Atomic unsigned joined, ready, finished;
    _Atomic bool over;
    _Atomic pid_t pids[MOST];
    struct fl_net_card cards[MOST];
    struct fl_net_access access[MOST];
    uint64_t memory[MOST]; /* that is exposed */
    _Atomic unsigned exposed, phase;
};

/* A message's header, which says what must be in the rest. */
struct header {
    uint32_t from, number, bytes, header_bytes;
    bool answer;
    unsigned char rest[FL_NET_HEADER_BYTES - 24];
};

struct process {
    struct world *world;
    struct fl_net *net;
    unsigned me;
    uint32_t sent[MOST], got[MOST], answers, lost[MOST];
    uint32_t done;
    bool bad;
};

static unsigned char pattern(size_t i, uint32_t number) {
    return (unsigned char)(i * 31 + number * 7 + (i >> 8));
}

static bool is_pattern(const unsigned char *bytes, size_t n, uint32_t number) {
    for (size_t i = 0; i < n; i++) {
        if (bytes[i] != pattern(i, number)) {
            return false;
        }
    }
    return true;
}

static void send_one(struct process *p, unsigned to, uint32_t bytes, bool answer, bool counted) {
    static unsigned char payload[256 << 10];
    static unsigned char kept[8][256 << 10]; /* of counted ones, until they are done */
    uint32_t number = p->sent[to]++;
    struct header header = {.from = p->me, .number = number, .bytes = bytes, .answer = answer};
    size_t rest = number % 10 * 8 % (sizeof header.rest + 1);
    header.header_bytes = (uint32_t)(offsetof(struct header, rest) + rest);
    for (size_t i = 0; i < rest; i++) {
        header.rest[i] = pattern(i, number);
    }
    unsigned char *from = counted ? kept[number % 8] : payload;
    for (size_t i = 0; i < bytes; i++) {
        from[i] = pattern(i, number);
    }
    ops->send(p->net, to, &header, header.header_bytes, bytes ? from : NULL, bytes,
                        counted ? &p->done : NULL);
    memset(&header, 0, sizeof header);
    if (!counted) {
        memset(payload, 0xee, bytes);
    }
}

static void deliver(void *context, const void *head, size_t header_bytes, const void *payload,
                    size_t bytes) {
    struct process *p = context;
    const struct header *header = head;
    unsigned from = header->from;
    bool good = ((uintptr_t)head & 7) == 0 && header_bytes == header->header_bytes &&
                bytes == header->bytes && from < MOST &&
                is_pattern(header->rest, header_bytes - offsetof(struct header, rest),
                           header->number) &&
                is_pattern(payload, bytes, header->number) && header->number == p->got[from];
    if (!good && !p->bad) {
        printf("# %u: from %u number %u, expected %u; %zu bytes\n", p->me, from, header->number,
               p->got[from], bytes);
    }
    p->bad = p->bad || !good;
    p->got[from]++;
    if (header->answer) {
        send_one(p, from, header->bytes, false, false);
    }
}

static void lost(void *context, unsigned peer, const char *why) {
    struct process *p = context;
    p->bad = p->bad || !why || !*why;
    p->lost[peer]++;
}

static void ended(void *context, void *token) {
    (void)context;
    ++*(uint32_t *)token;
}

static const struct fl_net_card *card_of(void *context, unsigned proc) {
    return &((struct world *)context)->cards[proc];
}

static bool begin(struct process *p, unsigned me, struct world *world) {
    *p = (struct process){.world = world, .me = me};
    struct fl_net_setup setup = {.procs = world->procs,
                                 .me = me,
                                 .key = (const unsigned char *)"a key of exactly thirty-two bytes",
                                 .interface = "lo",
                                 .one_sided = world->one_sided,
                                 .imitated = world->one_sided,
                                 .context = p,
                                 .deliver = deliver,
                                 .lost = lost,
                                 .ended = ended};
    alarm(PATIENCE);
    atomic_store(&world->pids[me], getpid());
    const char *why = ops->open(&setup, &p->net, &world->cards[me]);
    if (why) {
        printf("# open: %s\n", why);
        return false;
    }
    atomic_fetch_add(&world->ready, 1);
    while (atomic_load(&world->ready) < world->procs) {
        sched_yield();
    }
    return ops->connect(p->net, card_of, world) == NULL;
}

static void turn(struct process *p) {
    if (!ops->poll(p->net)) {
        sched_yield();
    }
}

/* Waits until every process has received everything; none may lose a peer that leaves early. */
static bool end(struct process *p) {
    atomic_fetch_add(&p->world->finished, 1);
    while (atomic_load(&p->world->finished) < p->world->procs) {
        turn(p);
    }
    bool good = !p->bad;
    ops->close(p->net);
    return good;
}

static bool got_all(const struct process *p, uint32_t n) {
    for (unsigned i = 0; i < p->world->procs; i++) {
        if (i != p->me && p->got[i] < n) {
            return false;
        }
    }
    return true;
}

/* Each process sends to all, and polls only now and then. */
static bool flood(unsigned me, void *context) {
    struct world *world = context;
    struct process p;
    if (!begin(&p, me, world)) {
        return false;
    }
    uint32_t most = (uint32_t)ops->payload_most;
    const uint32_t sizes[] = {0, 1, 8, 100, 512, 513, 0, 4096, 3, 9000, most - 1, most, 17};
    enum { SIZES = sizeof sizes / sizeof sizes[0] };
    uint32_t counted = 0;
    for (uint32_t r = 0; r < ROUNDS; r++) {
        for (unsigned to = 0; to < world->procs; to++) {
            if (to == me) {
                continue;
            }
            bool count = r % 3 == 0;
            while (count && counted - p.done >= 1) {
                turn(&p);
            }
            counted += count;
            send_one(&p, to, sizes[(r + me) % SIZES], false, count);
        }
        if (r % 64 == 63) {
            turn(&p);
        }
    }
    while (!got_all(&p, ROUNDS) || p.done < counted) {
        turn(&p);
    }
    return end(&p) && p.done == counted && got_all(&p, ROUNDS);
}

/* A process without messages sleeps on the descriptor, for a while at least, if the transport has one. */
static bool is_quiet(const struct process *p, int fd) {
    enum { WAKES_MOST = 1000, NAP_MS = 10 };
    for (unsigned wakes = 0; fd >= 0; wakes++) {
        struct pollfd wait = {fd, POLLIN, 0};
        if (wakes == WAKES_MOST) {
            return false;
        }
        if (!ops->poll(p->net) && ops->arm(p->net) && poll(&wait, 1, NAP_MS) == 0) {
            break;
        }
    }
    return true;
}

/* Each process answers from within deliver; an idle one sleeps. */
static bool sleepers(unsigned me, void *context) {
    struct world *world = context;
    struct process p;
    if (!begin(&p, me, world)) {
        return false;
    }
    int fd = ops->descriptor ? ops->descriptor(p.net) : -1;
    bool good = true;
    for (uint32_t r = 1; good && r <= ROUNDS / 10; r++) {
        if (me == 0) {
            for (unsigned to = 1; to < world->procs; to++) {
                send_one(&p, to, r % 2000, true, false);
            }
        }
        while (good && !(me ? p.got[0] >= r : got_all(&p, r))) {
            if (ops->poll(p.net) || fd < 0 || !ops->arm(p.net)) {
                continue;
            }
            struct pollfd wait = {fd, POLLIN, 0};
            good = poll(&wait, 1, 20000) == 1;
        }
    }
    good = good && is_quiet(&p, fd);
    return end(&p) && good;
}

/* The last process dies in the middle: the others get one report, and go on without it. */
static bool mortal(unsigned me, void *context) {
    struct world *world = context;
    struct process p;
    unsigned victim = world->procs - 1;
    if (!begin(&p, me, world)) {
        return false;
    }
    uint32_t counted = 0;
    for (uint32_t r = 1; r <= ROUNDS || (me != victim && !p.lost[victim]); r++) {
        for (unsigned to = 0; to < world->procs; to++) {
            if (to != me && (r <= ROUNDS || to == victim)) {
                bool count = r % 8 == 0 && counted == p.done;
                counted += count;
                send_one(&p, to, 100, false, count);
            }
        }
        turn(&p);
        if (me == victim && r == ROUNDS / 2) {
            atomic_fetch_add(&world->finished, 1);
            _exit(0); /* without a word: for the others the same as a crash */
        }
    }
    for (unsigned i = 0; i < victim; i++) {
        while (i != me && p.got[i] < ROUNDS) {
            turn(&p);
        }
    }
    while (p.done < counted) { /* also of messages to the dead process */
        turn(&p);
    }
    bool good = p.lost[victim] == 1;
    for (unsigned i = 0; i < victim; i++) {
        good = good && p.lost[i] == 0;
    }
    return end(&p) && good;
}

/* ---- one-sided operations ---- */

enum { EXPOSED = 1 << 20, AT_ONCE = 8 };

/* Memory that the others access, at another address in each process. */
static unsigned char *expose(struct process *p) {
    unsigned char *memory = aligned_alloc(4096, EXPOSED);
    struct world *world = p->world;
    if (!memory || !ops->one_sided->expose(p->net, memory, EXPOSED, &world->access[p->me])) {
        return NULL;
    }
    memset(memory, 0, EXPOSED);
    world->memory[p->me] = (uintptr_t)memory;
    atomic_fetch_add(&world->exposed, 1);
    while (atomic_load(&world->exposed) < world->procs) {
        turn(p);
    }
    return memory;
}

/* Puts into a part of the owner's memory that is this process's, and gets it back: several at once,
 * of which none overlap. */
static bool access_memory(struct process *p, unsigned owner) {
    static unsigned char from[AT_ONCE][70000], to[AT_ONCE][70000];
    static const size_t sizes[] = {8, 1, 100, 5000, 16, 70000, 4, 300};
    uint64_t part = EXPOSED / p->world->procs * p->me, at[AT_ONCE];
    struct fl_net_region *region =
        ops->one_sided->open_region(p->net, owner, &p->world->access[owner]);
    bool good = region != NULL;
    for (uint32_t r = 0; good && r < ROUNDS / 20; r++) {
        uint32_t put = 0, got = 0;
        for (uint64_t i = 0, next = p->world->memory[owner] + part; i < AT_ONCE; i++) {
            at[i] = next;
            next += sizes[i] + r % 3;
            for (size_t k = 0; k < sizes[i]; k++) {
                from[i][k] = pattern(k, r + (uint32_t)i);
            }
            ops->one_sided->put(p->net, region, at[i], from[i], sizes[i], &put);
        }
        while (put < AT_ONCE) {
            turn(p);
        }
        for (size_t i = 0; i < AT_ONCE; i++) {
            memset(to[i], 0, sizes[i]);
            ops->one_sided->get(p->net, region, at[i], to[i], sizes[i], &got);
        }
        while (got < AT_ONCE) {
            turn(p);
        }
        for (size_t i = 0; i < AT_ONCE; i++) {
            good = good && is_pattern(to[i], sizes[i], r + (uint32_t)i);
        }
    }
    return good;
}

/* Each process accesses memory of the next one, while messages go the same way. */
static bool accesses(unsigned me, void *context) {
    struct world *world = context;
    struct process p;
    if (!begin(&p, me, world)) {
        return false;
    }
    unsigned char *memory = expose(&p);
    unsigned next = (me + 1) % world->procs;
    send_one(&p, next, 100, false, false);
    bool good = memory && access_memory(&p, next);
    send_one(&p, next, 200, false, false);
    return end(&p) && good;
}

/* Sets the phase, unless it is 0, and awaits a later one. */
static void move_on(struct process *p, unsigned to, unsigned next, bool polls) {
    if (to > 0) {
        atomic_store(&p->world->phase, to);
    }
    while (atomic_load(&p->world->phase) < next) {
        if (polls) {
            turn(p);
        } else {
            usleep(1000);
        }
    }
}

/* Process 1 does nothing at all in phase 2, in which process 0 accesses its memory. */
static bool accesses_sleeper(unsigned me, void *context) {
    struct world *world = context;
    struct process p;
    if (!begin(&p, me, world)) {
        return false;
    }
    bool good = expose(&p) != NULL;
    if (me == 0) {
        good = good && access_memory(&p, 1); /* connects, which takes both */
        move_on(&p, 1, 2, true);
        good = good && access_memory(&p, 1);
        atomic_store(&world->phase, 3);
    } else {
        move_on(&p, 0, 1, true);
        move_on(&p, 2, 3, false);
    }
    return end(&p) && good;
}

/* Process 1 does nothing while process 0 puts into its memory and polls: neither blocks. */
static bool puts_to_sleeper(unsigned me, void *context) {
    struct world *world = context;
    struct process p;
    if (!begin(&p, me, world)) {
        return false;
    }
    unsigned char *memory = expose(&p);
    bool good = memory != NULL;
    if (me == 0) {
        static const unsigned char from[] = "put to a sleeper";
        uint32_t put = 0;
        good = good && access_memory(&p, 1); /* connects, which takes both */
        struct fl_net_region *region = ops->one_sided->open_region(p.net, 1, &world->access[1]);
        good = good && region;
        move_on(&p, 1, 2, true);
        for (unsigned i = 0; good && i < 3; i++) {
            ops->one_sided->put(p.net, region, world->memory[1] + 64 * i, from, sizeof from, &put);
            for (unsigned k = 0; k < 100; k++) {
                turn(&p);
            }
        }
        atomic_store(&world->phase, 3);
        while (good && put < 3) {
            turn(&p);
        }
        atomic_store(&world->phase, 4);
    } else {
        move_on(&p, 0, 1, true);
        move_on(&p, me == 1 ? 2 : 0, 3, me != 1);
        move_on(&p, 0, 4, true);
        good = good && (me != 1 || strcmp((char *)memory + 128, "put to a sleeper") == 0);
    }
    return end(&p) && good;
}

/* Whether there are one-sided operations here at all. */
static bool exposes(unsigned me, void *context) {
    struct process p;
    bool good = begin(&p, me, context) && expose(&p);
    return end(&p) && good;
}

/* ---- strangers ---- */

/* The TCP ports on which the process listens: the sockets among its descriptors that the kernel's
 * table has in the state LISTEN. */
static unsigned listening(pid_t pid, struct sockaddr_in *ports, unsigned most) {
    char path[64], line[256], link[64];
    snprintf(path, sizeof path, "/proc/%d/net/tcp", (int)pid);
    FILE *table = fopen(path, "r");
    unsigned n = 0;
    while (table && fgets(line, sizeof line, table) && n < most) {
        unsigned address, port, state;
        unsigned long inode;
        if (sscanf(line, "%*d: %x:%x %*x:%*x %x %*x:%*x %*x:%*x %*x %*u %*u %lu", &address, &port,
                   &state, &inode) != 4 || state != 10) {
            continue;
        }
        snprintf(path, sizeof path, "/proc/%d/fd", (int)pid);
        DIR *folder = opendir(path);
        for (struct dirent *entry; folder && (entry = readdir(folder)) != NULL;) {
            char wanted[64];
            ssize_t length = readlinkat(dirfd(folder), entry->d_name, link, sizeof link - 1);
            link[length < 0 ? 0 : length] = '\0';
            snprintf(wanted, sizeof wanted, "socket:[%lu]", inode);
            if (strcmp(link, wanted) == 0) {
                ports[n++] = (struct sockaddr_in){.sin_family = AF_INET,
                                                  .sin_port = htons((uint16_t)port),
                                                  .sin_addr.s_addr = address};
                break;
            }
        }
        if (folder) {
            closedir(folder);
        }
    }
    if (table) {
        fclose(table);
    }
    return n;
}

/* With sanitizers the transport cannot intercept UCX's calls of TCP, and UCX trusts peers that know
 * how its processes greet each other. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { SANITIZED = 1, JUNK = 4 };
#else
enum { SANITIZED = 0, JUNK = 7 };
#endif

/* The first bytes of a stranger; from the fourth kind on, they begin as UCX's do. */
static size_t junk(unsigned kind, unsigned char *text, size_t room) {
    static const unsigned char magic[] = {0x78, 0x56, 0x34, 0x12, 0xbe, 0xba, 0xfe, 0xca};
    static const char http[] = "GET / HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\n\r\n";
    if (kind == 0) {
        return 0;
    }
    if (kind == 1) {
        memcpy(text, http, sizeof http);
        return sizeof http;
    }
    for (size_t i = 0; i < room; i++) {
        text[i] = kind % 2 ? (unsigned char)rand() : 0;
    }
    if (kind >= 4) {
        memcpy(text, magic, sizeof magic);
    }
    if (kind == 6) {
        text[8] = 0x20; /* a connection request of a reasonable size, and nonsense in it */
        memcpy(text + 9, "\x1d\0\0\0", 4);
    }
    return room;
}

/* Talks to every port of every process while these exchange messages. */
static bool stranger(struct world *world) {
    enum { PORTS = 64, TURNS = 20 };
    bool good = true;
    while (atomic_load(&world->ready) < world->procs) {
        sched_yield();
    }
    struct sockaddr_in ports[PORTS];
    unsigned n = 0;
    for (unsigned i = 0; i < world->procs; i++) {
        n += listening(world->pids[i], ports + n, PORTS - n);
    }
    good = n >= world->procs;
    for (unsigned turns = 0; turns < TURNS; turns++) {
        for (unsigned i = 0; i < n; i++) {
            for (unsigned kind = 0; kind < JUNK; kind++) {
                unsigned char text[4096];
                good = good && ports[i].sin_addr.s_addr == htonl(INADDR_LOOPBACK);
                int fd = socket(AF_INET, SOCK_STREAM, 0);
                if (connect(fd, (struct sockaddr *)&ports[i], sizeof ports[i]) == 0) {
                    send(fd, text, junk(kind, text, sizeof text), MSG_NOSIGNAL);
                }
                if (turns % 2) { /* waits a moment for an answer of the process */
                    struct pollfd wait = {fd, POLLIN, 0};
                    poll(&wait, 1, 1);
                }
                close(fd);
            }
        }
    }
    atomic_store(&world->over, true);
    return good;
}

/* The last one is the stranger; the others answer each other's messages all the while. */
static bool besieged(unsigned me, void *context) {
    struct world *world = context;
    if (me == world->procs) {
        return stranger(world);
    }
    struct process p;
    if (!begin(&p, me, world)) {
        return false;
    }
    uint32_t r = 0;
    while (!atomic_load(&world->over)) {
        r++;
        for (unsigned to = 0; me == 0 && to < world->procs; to++) {
            if (to != me) {
                send_one(&p, to, r % 5000, true, false);
            }
        }
        while (me == 0 && !got_all(&p, r)) {
            turn(&p);
        }
        turn(&p);
    }
    bool good = true;
    for (unsigned i = 0; i < world->procs; i++) {
        good = good && p.lost[i] == 0;
    }
    return end(&p) && good;
}

static struct world *new_world(unsigned procs) {
    struct world *world = test_shared_memory(sizeof *world);
    world->procs = procs;
    return world;
}

static struct world *one_sided_world(unsigned procs) {
    struct world *world = new_world(procs);
    world->one_sided = true;
    return world;
}

static bool is_direct(unsigned me, void *context) {
    struct process p;
    return begin(&p, me, context) && ops->one_sided->is_direct(p.net, 1 - me) && end(&p);
}

/* Providers over TCP and by shared memory imitate one-sided operations. */
static void by_one_side_of_libfabric(void) {
    static const char *const providers[] = {"net", "tcp;ofi_rxm", "shm"};
    const char *why;
    ops = fl_net_load("ofi", getenv("FURLONG_NET_PATH"), &why);
    if (!ops) {
        CHECK(true, "SKIP %s", why);
        return;
    }
    for (size_t i = 0; i < sizeof providers / sizeof *providers; i++) {
        setenv("FI_PROVIDER", providers[i], 1);
        for (unsigned n = 2; n <= 5; n += 3) {
            CHECK(test_in_processes(n, accesses, one_sided_world(n)),
                  "ofi, %s: %u access each other's memory", providers[i], n);
        }
        CHECK(test_in_processes(2, puts_to_sleeper, one_sided_world(2)),
              "ofi, %s: puts to a sleeper", providers[i]);
    }
    unsetenv("FI_PROVIDER");
}

/* By TCP, UCX imitates one-sided operations; where it is new enough, the kernel copies between two
 * processes that do not ask for each other's help. */
static void by_one_side(void) {
    const char *why;
    ops = fl_net_load("ucx", getenv("FURLONG_NET_PATH"), &why);
    if (!ops) {
        CHECK(true, "SKIP %s", why);
        return;
    }
    CHECK(test_in_processes(2, accesses, one_sided_world(2)), "ucx: 2 access each other's memory");
    CHECK(test_in_processes(5, accesses, one_sided_world(5)), "ucx: 5 access each other's memory");
    CHECK(test_in_processes(2, puts_to_sleeper, one_sided_world(2)), "ucx: puts to a sleeper");
    setenv("UCX_TLS", "posix,cma", 1);
    CHECK(test_in_processes(2, accesses, one_sided_world(2)), "ucx: by shared memory");
    if (test_in_processes(2, is_direct, one_sided_world(2))) {
        CHECK(test_in_processes(2, accesses_sleeper, one_sided_world(2)),
              "ucx: memory of a sleeping process");
    } else {
        CHECK(true, "SKIP this UCX has no one-sided operations by shared memory; 1.16 has");
    }
    unsetenv("UCX_TLS");
}

/* ---- MPI, whose processes mpirun starts ---- */

enum { FLOOD, SLEEPERS, EXPOSES, ACCESSES, PUTS_TO_SLEEPER };
static const test_body bodies[] = {flood, sleepers, exposes, accesses, puts_to_sleeper};

/* One of them: its number in the job has nothing to do with its rank. */
static int member(const char *transport, const char *file, unsigned body) {
    const char *why;
    ops = fl_net_load(transport, getenv("FURLONG_NET_PATH"), &why);
    int fd = open(file, O_RDWR);
    struct world *world = mmap(NULL, sizeof *world, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (!ops || fd < 0 || world == MAP_FAILED) {
        printf("# %s\n", why);
        return 1;
    }
    return bodies[body](atomic_fetch_add(&world->joined, 1), world) ? 0 : 1;
}

static bool under_mpirun(const char *transport, const char *options, unsigned procs,
                         unsigned body) {
    char file[] = "/tmp/net_test.XXXXXX", command[1024];
    struct world *world = calloc(1, sizeof *world);
    int fd = mkstemp(file);
    world->procs = procs;
    world->one_sided = body >= EXPOSES;
    bool good = write(fd, world, sizeof *world) == sizeof *world;
    snprintf(command, sizeof command, "mpirun.%s %s -n %u /proc/%d/exe member %s %s %u", transport,
             options, procs, (int)getpid(), transport, file, body);
    good = good && system(command) == 0;
    free(world);
    close(fd);
    unlink(file);
    return good;
}

static bool is_mpi_here(const char *transport) {
    const char *why;
    char command[64];
    snprintf(command, sizeof command, "command -v mpirun.%s >/dev/null", transport);
    if (SANITIZED) {
        CHECK(true, "SKIP sanitizers find fault with %s itself", transport);
    } else if (system(command) != 0) {
        CHECK(true, "SKIP no mpirun.%s", transport);
    } else if (!fl_net_load(transport, getenv("FURLONG_NET_PATH"), &why)) {
        CHECK(true, "SKIP %s", why);
    } else {
        return true;
    }
    return false;
}

static void mpi(const char *transport, const char *options, unsigned procs) {
    CHECK(under_mpirun(transport, options, procs, FLOOD), "%s: flood of %u", transport, procs);
    CHECK(under_mpirun(transport, options, procs, SLEEPERS), "%s: answers of %u", transport, procs);
}

static void mpi_by_one_side(const char *transport, const char *options, unsigned procs) {
    if (!under_mpirun(transport, options, procs, EXPOSES)) {
        CHECK(true, "SKIP %s has no dynamic windows here", transport);
        return;
    }
    CHECK(under_mpirun(transport, options, procs, ACCESSES), "%s: %u access each other's memory",
          transport, procs);
    CHECK(under_mpirun(transport, options, procs, PUTS_TO_SLEEPER), "%s: puts to a sleeper",
          transport);
}

/* Those whose processes find each other by their cards alone. */
static void by_cards(const char *transport) {
    const char *why;
    ops = fl_net_load(transport, getenv("FURLONG_NET_PATH"), &why);
    if (!ops) {
        CHECK(true, "SKIP %s", why);
        return;
    }
    static const unsigned counts[] = {2, 5, 3};
    for (size_t i = 0; i < 3; i++) {
        unsigned n = counts[i];
        CHECK(test_in_processes(n, flood, new_world(n)), "%s: flood of %u", transport, n);
        CHECK(test_in_processes(n, sleepers, new_world(n)), "%s: %u sleep in turns", transport, n);
        CHECK(test_in_processes(n + 1, besieged, new_world(n)), "%s: strangers talk to %u",
              transport, n);
        CHECK(test_in_processes(n, mortal, new_world(n)), "%s: one of %u dies", transport, n);
    }
}

int main(int argc, char **argv) {
    if (argc == 5 && strcmp(argv[1], "member") == 0) {
        return member(argv[2], argv[3], (unsigned)atoi(argv[4]));
    }
    static const char *why; /* the text lives on */
    ops = fl_net_load("nothing", getenv("FURLONG_NET_PATH"), &why);
    CHECK(!ops && strstr(why, "`nothing`"), "a transport that is not there: %s", why);
    by_cards("ucx");
    by_cards("ofi");
    by_one_side();
    by_one_side_of_libfabric();
    if (is_mpi_here("openmpi")) {
#define OPTIONS "--allow-run-as-root --oversubscribe --mca mpi_yield_when_idle 1"
        // Open MPI 5 may hold the machine's other interfaces unreachable from themselves.
        mpi("openmpi", OPTIONS " --mca btl self,tcp --mca pml ob1 --mca btl_tcp_if_include lo", 3);
        mpi_by_one_side("openmpi", OPTIONS, 3); /* by TCP it has no windows */
    }
    if (is_mpi_here("mpich")) { /* very slow with more processes than CPUs */
        mpi("mpich", "", 2);
        mpi_by_one_side("mpich", "", 2);
    }
    return test_done();
}
