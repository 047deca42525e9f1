#include "engine/node.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <mysql.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/futex.h"
#include "base/i18n.h"
#include "base/paths.h"
#include "engine/queue.h"
#include "engine/step_port.h"
#include "store/script.h"

/* Small stacks: ten thousand users must fit. Sanitizers want more. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { STACK_BYTES = 1 << 20 };
#else
enum { STACK_BYTES = 128 << 10 };
#endif

typedef struct Node {
    World *world;
    int number;
    NodeSlot *slot;
    Pool *redis_pool, *sql_pool;
    Pool *script_pool; /* NULL: no script of the learner's */
    ServerPlace place[FLEET_SERVERS];
    Pool *server_pool[FLEET_SERVERS]; /* filled when used: a server may be dead */
    Actor *actors;
    pthread_t *threads;
    int count;
} Node;

/* ---- serving ------------------------------------------------------------------------------ */

static Answer roll_back(Actor *me, VoucherId voucher)
{
    (void)voucher;
    sql_rollback(me);
    return SOLD_OUT;
}

/* The run was stopped in the middle of a transaction: no step any more, just a clean end. */
static void give_up_transaction(Actor *me)
{
    bool lost = sql_link_text(me->sql, "ROLLBACK", NULL, NULL) != STORE_OK;
    me->in_transaction = false;
    if (lost)
        pool_drop(me->sql_pool, me->sql);
    else if (me->shares_links)
        pool_give(me->sql_pool, me->sql);
    if (lost || me->shares_links) me->sql = NULL;
}

/* A lock of MySQL that nobody released: the framework closes the connection, and the lock with it. */
static void close_sql_session(Actor *me)
{
    if (me->sql) pool_drop(me->sql_pool, me->sql);
    me->sql = NULL;
    me->keeps_sql = false;
}

/* Likewise a connection that still watches, or has commands queued. */
static void close_redis_session(Actor *me)
{
    if (me->redis) pool_drop(me->redis_pool, me->redis);
    me->redis = NULL;
    me->keeps_redis = me->queues = false;
}

/* What a purchase, or a consumer that ends, leaves open. */
static void take_back(Actor *me)
{
    World *world = me->world;
    if (me->in_transaction && !atomic_load(&world->stop)) attempt(me, roll_back, world->voucher);
    if (me->in_transaction) give_up_transaction(me);
    if (me->keeps_sql) close_sql_session(me);
    if (me->keeps_redis) close_redis_session(me);
    actor_stop_listening(me);
}

/* Where a node may be killed, telling the answer is a step of its own: the node can die before it,
 * when all is done and nobody knows. */
static Answer tell(Actor *me, VoucherId voucher)
{
    (void)voucher;
    Touch nothing = {0};
    StepCall call = {.step = STEP_TELL, .touch = &nothing};
    gate_enter(me, &call);
    gate_leave(me, &call, STORE_OK, 0, 0);
    return SOLD_OUT;
}

/* One request, as a web framework would serve it: an error becomes an answer, and a transaction it
 * left open is rolled back. */
static void serve(Actor *me)
{
    World *world = me->world;
    Answer answer = attempt(me, variants[world->variant].purchase, world->voucher);
    take_back(me);
    if (world->spec.fault_crash && gate_steps(me)) attempt(me, tell, world->voucher);
    bool never_began = atomic_load(&world->stop) && me->asked_ns == 0;
    if (!never_began) gate_answer(me, answer);
}

/* What an earlier life of the node began, and lost, is not asked again. */
static void serve_all(Actor *me)
{
    const Spec *spec = &me->world->spec;
    uint32_t requests = spec->at_once ? 1 : (uint32_t)spec->requests;
    while (atomic_load(&me->slot->begun) < requests && !atomic_load(&me->world->stop)) {
        atomic_fetch_add(&me->slot->begun, 1);
        serve(me);
    }
}

/* A node that is started again joins a race that is on; in step mode its consumers join the run, its users
 * the next one. */
static uint32_t first_run(const Actor *me)
{
    const World *world = me->world;
    uint32_t go = atomic_load(&world->go);
    bool joins = world->mode == MODE_RACE ||
                 (me->slot->role != ROLE_USER && (world->restarted >> me->node & 1));
    return go > 0 && joins ? go - 1 : go;
}

static Answer keep_watch(Actor *me, VoucherId voucher)
{
    (void)voucher;
    watchdog_work(me);
    return SOLD_OUT;
}

/* A consumer: not asked by anybody, and nobody is answered. */
static Answer consume(Actor *me, VoucherId voucher)
{
    variants[me->world->variant].consumer(me, voucher);
    return SOLD_OUT;
}

static void work_behind(Actor *me)
{
    World *world = me->world;
    if (me->slot->role == ROLE_CONSUMER && variants[world->variant].consumer)
        attempt(me, consume, world->voucher);
    if (me->slot->role == ROLE_WATCHDOG) attempt(me, keep_watch, world->voucher);
    queue_drop_hand(me);
    take_back(me);
    redis_link_close(me->waiting_redis);
    me->waiting_redis = NULL;
}

static void *actor_thread(void *data)
{
    Actor *me = data;
    mysql_thread_init();
    uint32_t run = first_run(me);
    while ((run = gate_start(me, run)) != 0) {
        if (me->slot->role == ROLE_USER)
            serve_all(me);
        else
            work_behind(me);
        gate_done(me);
    }
    mysql_thread_end();
    return NULL;
}

/* ---- building up ------------------------------------------------------------------------------ */

static void *open_redis(const void *address, Error *error)
{
    return redis_link_open(address, error);
}

static void close_redis(void *link)
{
    redis_link_close(link);
}

static void *open_sql(const void *address, Error *error)
{
    return sql_link_open(address, true, error);
}

static void close_sql(void *link)
{
    sql_link_close(link);
}

static void *open_server(const void *data, Error *error)
{
    const ServerPlace *place = data;
    const WorldServers *servers = &place->world->servers;
    ServerLink *opened = calloc(1, sizeof *opened);
    if (!opened) {
        error_set(error, "%s", _("Out of memory."));
        return NULL;
    }
    opened->life = atomic_load(&servers->life[place->server]);
    opened->link = redis_link_open(&servers->address[place->server], error);
    if (opened->link) return opened;
    free(opened);
    return NULL;
}

static void close_server(void *data)
{
    ServerLink *opened = data;
    redis_link_close(opened->link);
    free(opened);
}

static bool make_server_pools(Node *node, int links, Error *error)
{
    for (int i = 0; i < (int)node->world->servers.count; i++) {
        node->place[i] = (ServerPlace){node->world, i};
        node->server_pool[i] = pool_new(links, open_server, close_server, &node->place[i]);
        if (!node->server_pool[i]) return error_set(error, "%s", _("Out of memory."));
    }
    return true;
}

static int count_actors(const Node *node)
{
    int count = 0;
    for (unsigned i = 0; i < node->world->actors; i++)
        if (world_slot(node->world, i)->node == node->number) count++;
    return count;
}

/* Opens the links before the start, so that no user's first step pays for it. */
static bool fill_pool(Pool *pool, int links, Error *error)
{
    void *link[NODE_LINKS];
    int opened = 0;
    while (opened < links && (link[opened] = pool_take(pool, error)) != NULL) opened++;
    for (int i = 0; i < opened; i++) pool_give(pool, link[i]);
    return opened == links;
}

/* The learner's own script goes over connections that can do no harm. */
static bool connect_for_script(Node *node, int links, Error *error)
{
    const OwnRun *own = &node->world->own;
    if (!own->script.name[0]) return true;
    script_replace(own->script.name, own->script.text);
    node->script_pool = pool_new(links, open_redis, close_redis, &own->address);
    if (!node->script_pool) return error_set(error, "%s", _("Out of memory."));
    return fill_pool(node->script_pool, links, error);
}

static bool node_connect(Node *node, Error *error)
{
    int links = node->count < NODE_LINKS ? node->count : NODE_LINKS;
    int own = node->world->spec.consumers + node->world->spec.watchdogs; /* these share theirs with nobody */
    if (links == 0) return true;
    node->redis_pool = pool_new(links + own, open_redis, close_redis, &node->world->redis);
    node->sql_pool = pool_new(links + own, open_sql, close_sql, &node->world->sql);
    if (!node->redis_pool || !node->sql_pool) return error_set(error, _("Out of memory."));
    if (!connect_for_script(node, links, error)) return false;
    return fill_pool(node->redis_pool, links, error) && fill_pool(node->sql_pool, links, error) &&
           make_server_pools(node, links, error);
}

static void actor_init(Actor *me, Node *node, unsigned index)
{
    World *world = node->world;
    *me = (Actor){.world = world,
                  .slot = world_slot(world, index),
                  .ring = world_ring(world, index),
                  .index = (int)index,
                  .node = node->number,
                  .redis_pool = node->redis_pool,
                  .sql_pool = node->sql_pool,
                  .script_pool = node->script_pool,
                  .server_pool = node->server_pool,
                  .shares_links = node->count > NODE_LINKS && world_slot(world, index)->role == ROLE_USER,
                  .random = world->spec.seed * 0x9e3779b97f4a7c15ull + (index + 1) * 0xbf58476d1ce4e5b9ull};
    me->user = me->slot->user;
    if (me->random == 0) me->random = 1;
}

static bool start_threads(Node *node, Error *error)
{
    node->actors = calloc((size_t)node->count + 1, sizeof *node->actors);
    node->threads = calloc((size_t)node->count + 1, sizeof *node->threads);
    if (!node->actors || !node->threads) return error_set(error, _("Out of memory."));

    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    int started = 0;
    for (unsigned i = 0; i < node->world->actors && started < node->count; i++) {
        if (world_slot(node->world, i)->node != node->number) continue;
        actor_init(&node->actors[started], node, i);
        int result = pthread_create(&node->threads[started], &attributes, actor_thread,
                                    &node->actors[started]);
        if (result != 0)
            return error_set(error, _("Cannot start user %d: %s. Try fewer users."), started + 1,
                             strerror(result));
        started++;
    }
    pthread_attr_destroy(&attributes);
    return true;
}

static int node_fail(Node *node, const Error *error)
{
    snprintf(node->slot->message, sizeof node->slot->message, "%.230s", error->text);
    atomic_store(&node->slot->state, NODE_FAILED);
    futex_bump(&node->world->arrivals);
    return 1;
}

static void wait_for_end(World *world)
{
    while (!atomic_load(&world->quit)) futex_wait(&world->quit, 0, 0);
}

static int node_live(Node *node)
{
    Error error = {""};
    node->count = count_actors(node);
    if (!node_connect(node, &error) || !start_threads(node, &error)) return node_fail(node, &error);
    atomic_store(&node->slot->state, NODE_READY);
    futex_bump(&node->world->arrivals);
    wait_for_end(node->world);
    for (int i = 0; i < node->count; i++) pthread_join(node->threads[i], NULL);
    for (int i = 0; i < node->count; i++) {
        Actor *me = &node->actors[i];
        if (me->redis) pool_give(node->redis_pool, me->redis);
        if (me->sql) pool_give(node->sql_pool, me->sql);
        listener_free(me->listener);
        for (int k = 0; k < FLEET_SERVERS; k++)
            if (me->server[k]) pool_give(node->server_pool[k], me->server[k]);
    }
    for (int k = 0; k < FLEET_SERVERS; k++) pool_free(node->server_pool[k]);
    pool_free(node->redis_pool);
    pool_free(node->sql_pool);
    pool_free(node->script_pool);
    free(node->actors);
    free(node->threads);
    return 0;
}

/* Random, version 4 (RFC 9562). */
static void make_uuid(char *text, size_t size)
{
    unsigned char byte[16];
    if (getrandom(byte, sizeof byte, 0) != (ssize_t)sizeof byte) memset(byte, getpid() & 255, sizeof byte);
    byte[6] = (unsigned char)((byte[6] & 15) | 64);
    byte[8] = (unsigned char)((byte[8] & 63) | 128);
    size_t used = 0;
    for (int i = 0; i < 16 && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, i == 4 || i == 6 || i == 8 || i == 10 ? "-%02x"
                                                                                              : "%02x",
                                 byte[i]);
}

/* In a race, who gets a reply does not interrupt the server that is just answering the next one: as
 * many threads as there are users would else cost it half of its time. Where this is refused, the
 * race is a slower one. In step mode the turn must be taken at once. */
static void run_in_batches(const World *world)
{
    const struct sched_param none = {0};
    if (world->mode == MODE_RACE) sched_setscheduler(0, SCHED_BATCH, &none);
}

int node_main(int argc, char **argv)
{
    prctl(PR_SET_NAME, PACKAGE_TARNAME); /* it was started as /proc/self/exe */
    if (argc < 3) return 2;
    mallopt(M_ARENA_MAX, 2);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGINT, SIG_IGN); /* Ctrl-C is for the console */
    Error error;
    World *world = world_attach(atoi(argv[argc - 2]), &error);
    int number = atoi(argv[argc - 1]);
    if (!world || number < 0 || number >= MAX_NODES) return 2;
    run_in_batches(world);
    mysql_library_init(0, NULL, NULL);
    make_uuid(world->node[number].uuid, sizeof world->node[number].uuid);
    Node node = {.world = world, .number = number, .slot = &world->node[number]};
    int status = node_live(&node);
    mysql_library_end();
    world_close(world);
    return status;
}

/* ---- starting one ----------------------------------------------------------------------------------- */

static void quiet_standard_files(void)
{
    int nothing = open("/dev/null", O_RDWR);
    if (nothing < 0) return;
    dup2(nothing, 0);
    dup2(nothing, 1);
    if (isatty(2)) dup2(nothing, 2); /* the screen is the console's; a log is welcome */
    if (nothing > 2) close(nothing);
}

pid_t node_spawn(World *world, int fd, int number, Error *error)
{
    char fd_text[16], number_text[16];
    snprintf(fd_text, sizeof fd_text, "%d", fd);
    snprintf(number_text, sizeof number_text, "%d", number);
    char *const arguments[] = {(char *)paths_program(), "--node", fd_text, number_text, NULL};
    pid_t parent = getpid();

    atomic_store(&world->node[number].state, NODE_STARTING);
    pid_t pid = fork();
    if (pid < 0) {
        error_set(error, _("Cannot start a node: %s."), strerror(errno));
        return -1;
    }
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent) _exit(1); /* the console ended in between */
        fcntl(fd, F_SETFD, 0);
        quiet_standard_files();
        sigset_t none;
        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, NULL);
        execv(paths_program_file(), arguments);
        _exit(127);
    }
    world->node[number].pid = pid;
    return pid;
}
