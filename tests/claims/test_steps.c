/* Step mode on real servers: who waits for a row is known at once and never misjudged, a deadlock is a
 * result like any other, running a prefix again gives the same timeline, and what is impossible
 * changes nothing.
 *
 * Some programs are made up, so this test has a register of its own and is its own nodes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "engine/actor.h"
#include "engine/baton.h"
#include "engine/explore.h"
#include "engine/stepper.h"
#include "engine/variant.h"
#include "lab.h"
#include "store/row_waits.h"

/* ---- the programs ---------------------------------------------------------------------------- */

Answer buy_check_in_transaction(Actor *me, VoucherId voucher); /* of lesson 04 */
Answer buy_check_then_insert(Actor *me, VoucherId voucher);
Answer buy_check_then_update(Actor *me, VoucherId voucher);    /* of lesson 02 */

/* Every other actor takes the same two rows in the other order. Who takes the stock first takes two:
 * InnoDB rolls back the transaction that has changed less, and between equals it chooses as it
 * likes, which would make two runs of one schedule differ. */
Answer buy_crossed(Actor *me, VoucherId voucher)
{
    bool stock_first = me->index % 2 == 0;
    sql_begin(me);
    if (stock_first) sql_decrement_if_any(me, voucher);
    if (stock_first) sql_decrement_if_any(me, voucher);
    OrderId id = me->index + 1;
    bool written = sql_insert_order(me, voucher, id);
    if (!stock_first && written) sql_decrement_if_any(me, voucher);
    if (!written) {
        sql_rollback(me);
        return DUPLICATE;
    }
    sql_commit(me);
    return ordered(id);
}

const Variant variants[] = {
    {"steps", "check-in-transaction", buy_check_in_transaction, "src/shop/one_order.c", "", NULL, NULL},
    {"steps", "check-then-insert", buy_check_then_insert, "src/shop/one_order.c", "", NULL, NULL},
    {"steps", "check-then-update", buy_check_then_update, "src/shop/oversell.c", "", NULL, NULL},
    {"steps", "crossed", buy_crossed, "tests/claims/test_steps.c", "", NULL, NULL},
};
const int variant_count = sizeof variants / sizeof variants[0];

const Variant *variant_find(const char *lesson, const char *name)
{
    (void)lesson;
    for (int i = 0; i < variant_count; i++)
        if (strcmp(variants[i].name, name) == 0) return &variants[i];
    return NULL;
}

/* `actors` requests of one user at once. */
static Spec spec_of(const char *variant, int actors)
{
    return (Spec){.variant = variant_find("steps", variant),
                  .users = 1,
                  .requests = actors,
                  .at_once = true,
                  .stock = 2 * actors,
                  .nodes = 1,
                  .seed = 1,
                  .clock = 1800000000,
                  .stock_in_sql = true,
                  .unique_order = strcmp(variant, "crossed") == 0,
                  .keeps = {[NO_OVERSELL] = true, [ANSWER_TRUE] = true}};
}

/* ---- a stepper with everything that looks at it --------------------------------------------------- */

typedef struct Table {
    Stepper *stepper;
    Observer *observer;
    SqlLink *link; /* to ask the server behind the stepper's back */
    StepView view;
    Text *trouble;
} Table;

static bool table_open(Table *table, const Spec *spec, Text *trouble)
{
    Error error = {""};
    SqlAddress sql;
    stores_addresses(lab_stores(), NULL, &sql);
    table->trouble = trouble;
    table->observer = observer_open(lab_stores(), &error);
    table->link = sql_link_open(&sql, true, &error);
    table->stepper = table->observer && table->link ? stepper_open(lab_stores(), spec, &error) : NULL;
    if (!table->stepper) text_format(trouble, "cannot be opened: %s\n", error.text);
    return table->stepper != NULL;
}

static void table_close(Table *table)
{
    stepper_close(table->stepper);
    observer_close(table->observer);
    sql_link_close(table->link);
    *table = (Table){0};
}

static bool table_reset(Table *table)
{
    Error error = {""};
    if (stepper_reset(table->stepper, &error)) return true;
    text_format(table->trouble, "reset: %s\n", error.text);
    return false;
}

static MoveResult table_move(Table *table, int actor)
{
    Error error = {""};
    Move move = {.kind = MOVE_USER, .number = actor};
    MoveResult result = stepper_move(table->stepper, &move, &error);
    if (result == MOVE_FAILED) text_format(table->trouble, "move of %c: %s\n", 'A' + actor, error.text);
    return result;
}

/* Makes the moves; any that is impossible or fails is trouble. */
static bool table_walk(Table *table, const char *letters)
{
    for (const char *at = letters; *at; at++) {
        MoveResult result = table_move(table, *at - 'A');
        if (result == MOVE_FAILED) return false;
        if (result == MOVE_IMPOSSIBLE) {
            text_format(table->trouble, "%s: move %d of %c is impossible\n", letters,
                        (int)(at - letters) + 1, *at);
            return false;
        }
    }
    return true;
}

static void table_look(Table *table)
{
    stepper_view(table->stepper, table->observer, &table->view);
}

static void expect(Text *trouble, bool holds, const char *what)
{
    if (!holds) text_format(trouble, "not so: %s\n", what);
}

/* ---- waiting for a row ------------------------------------------------------------------------------- */

/* What the stepper believes of each actor, against what the server says now. */
static bool beliefs_are_true(Table *table)
{
    Error error = {""};
    RowWaits waits;
    const World *world = stepper_world(table->stepper);
    if (!row_waits_read(table->link, &waits, &error)) {
        text_format(table->trouble, "the server does not say who waits: %s\n", error.text);
        return false;
    }
    bool right = true;
    for (uint32_t i = 0; i < world->actors; i++) {
        const Slot *slot = world_slot(world, i);
        bool believed = atomic_load(&slot->state) == ACTOR_WAITING;
        uint64_t id = atomic_load(&slot->sql_id);
        bool waits_now = id != 0 && row_waits_has(&waits, id);
        if (believed != waits_now)
            text_format(table->trouble, "after %d moves %c is believed %s, and the server says it %s\n",
                        (int)atomic_load(&world->move_count), 'A' + (int)i,
                        believed ? "waiting" : "moving", waits_now ? "waits" : "does not");
        right = right && believed == waits_now;
    }
    return right;
}

static int by_time(const void *left, const void *right)
{
    const double *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

/* B asks for the row that A has changed: it must be seen waiting, with A to blame, and be free again
 * when A commits. */
static bool wait_once(Table *table, double *found_ms)
{
    if (!table_reset(table) || !table_walk(table, "AAABB")) return false;
    uint64_t began = clock_now_ns();
    MoveResult result = table_move(table, 1);
    *found_ms = (double)(clock_now_ns() - began) / 1e6;
    expect(table->trouble, result == MOVE_WAITS, "B waits for the row that A has changed");
    bool right = beliefs_are_true(table) && table_walk(table, "AAA") && beliefs_are_true(table);
    table_look(table);
    const StepRow *row = &table->view.row[5];
    expect(table->trouble, !row->waits && row->waited_until == 8, "B goes on when A has committed");
    expect(table->trouble, row->value == 1 && row->code == 0, "B's step then changes its row");
    return right && table->trouble->length == 0 && table_walk(table, "BBB");
}

static void test_waits(int times)
{
    Text trouble = {0};
    Table table = {0};
    Spec spec = spec_of("check-in-transaction", 2);
    double *ms = calloc((size_t)times, sizeof *ms);
    bool fine = ms && table_open(&table, &spec, &trouble);
    for (int i = 0; fine && i < times; i++) fine = wait_once(&table, &ms[i]);
    if (fine) {
        qsort(ms, (size_t)times, sizeof *ms, by_time);
        printf("# a wait is found after %.2f ms (half of %d), %.2f ms at most\n", ms[times / 2], times,
               ms[times - 1]);
    }
    free(ms);
    table_close(&table);
    lab_case("a step that waits for a row is found, and never misjudged", &trouble);
}

/* Who waits on whom is said by name. The server's view of it may be 0.1 s old, so it is asked until it
 * is there. */
static void test_blamed(void)
{
    Text trouble = {0};
    Table table = {0};
    Spec spec = spec_of("check-in-transaction", 2);
    if (table_open(&table, &spec, &trouble) && table_reset(&table) && table_walk(&table, "AAABBB")) {
        uint64_t limit = clock_now_ns() + 5000000000ull;
        do {
            table_look(&table);
        } while (table.view.actor[1].waits_for != 0 && clock_now_ns() < limit);
        expect(&trouble, table.view.actor[1].state == ACTOR_WAITING, "B waits");
        expect(&trouble, table.view.actor[1].waits_for == 0, "it waits for A");
        expect(&trouble, strcmp(table.view.actor[1].waiting_on, "a row of tb_seckill_voucher") == 0,
               "for a row of tb_seckill_voucher");
        expect(&trouble, strcmp(table.view.row[5].result, "waits") == 0, "the timeline says so");
        expect(&trouble, !table.view.over, "the run is not over");
    }
    table_close(&table);
    lab_case("the one who holds the row is named", &trouble);
}

/* Three requests, moved at random as long as anybody can move: whatever happens, the stepper and
 * the server agree after every move, and nobody is left behind. */
static bool wander_once(Table *table, unsigned *seed)
{
    const World *world = stepper_world(table->stepper);
    if (!table_reset(table)) return false;
    for (ActorSet enabled; (enabled = baton_enabled(world)) != 0;) {
        int actor;
        do {
            actor = rand_r(seed) % 3;
        } while (!(enabled >> actor & 1));
        if (table_move(table, actor) >= MOVE_IMPOSSIBLE || !beliefs_are_true(table)) return false;
    }
    bool over = atomic_load(&world->done) == world->actors;
    expect(table->trouble, over, "everybody comes to the end");
    return over;
}

static void test_wandering(const char *variant, int times)
{
    Text trouble = {0};
    Table table = {0};
    char name[120];
    unsigned seed = 20261130;
    Spec spec = spec_of(variant, 3);
    bool fine = table_open(&table, &spec, &trouble);
    for (int i = 0; fine && i < times; i++) fine = wander_once(&table, &seed);
    table_close(&table);
    snprintf(name, sizeof name, "%s: at random, stepper and server agree on who waits", variant);
    lab_case(name, &trouble);
}

/* ---- deadlock -------------------------------------------------------------------------------------------- */

/* A has the voucher's row and B the index entry; each then asks for the other's. */
static void test_deadlock(void)
{
    Text trouble = {0};
    Table table = {0};
    Spec spec = spec_of("crossed", 2);
    if (table_open(&table, &spec, &trouble) && table_reset(&table) && table_walk(&table, "AAABBAB")) {
        beliefs_are_true(&table);
        table_look(&table);
        const StepRow *first = &table.view.row[5], *second = &table.view.row[6];
        expect(&trouble, first->waited_until == 6 && !first->waits, "A's wait ends with B's request");
        expect(&trouble, first->code == 0 && first->status == STORE_OK, "A goes on");
        expect(&trouble, second->code == 1213 && second->status == STORE_REFUSED, "B is the victim");
        expect(&trouble, strcmp(second->result, "1213 deadlock") == 0, "the timeline says 1213 deadlock");
        expect(&trouble, table_walk(&table, "BA"), "B rolls back, A commits");
        table_look(&table);
        expect(&trouble, table.view.over && table.view.actor[1].answer == ANSWER_ERROR, "B gets an error");
        expect(&trouble, table.view.truth.orders == 1, "A's order is the only one");
        if (trouble.length > 0)
            text_format(&trouble, "A: %s (%u), B: %s (%u)\n", first->result, first->code, second->result,
                        second->code);
    }
    table_close(&table);
    lab_case("a deadlock is a result in the timeline", &trouble);
}

static const Exploration *explore(Explorer **explorer, const Spec *spec, bool prune, Text *trouble)
{
    Error error = {""};
    ExploreOptions options = {.prune = prune, .preemptions = -1};
    *explorer = explorer_open(lab_stores(), spec, &options, &error);
    if (!*explorer) {
        text_format(trouble, "cannot be explored: %s\n", error.text);
        return NULL;
    }
    while (explorer_slice(*explorer, 1000)) {
    }
    const Exploration *result = explorer_result(*explorer);
    if (!result->complete) text_format(trouble, "not complete: %s\n", result->error.text);
    return result;
}

static double outcome_schedules(const Exploration *exploration, const ExploreOutcome *wanted)
{
    for (int i = 0; i < exploration->outcomes; i++)
        if (strcmp(exploration->outcome[i].text, wanted->text) == 0)
            return exploration->outcome[i].schedules;
    return 0;
}

/* With deadlocks in it, too, pruned and naive exploring come to the same. */
static void test_deadlock_explored(void)
{
    Text trouble = {0};
    Explorer *left = NULL, *right = NULL;
    Spec spec = spec_of("crossed", 2);
    const Exploration *pruned = explore(&left, &spec, true, &trouble);
    const Exploration *naive = explore(&right, &spec, false, &trouble);
    if (pruned && naive) {
        int deadlocks = 0;
        if (pruned->unpruned != naive->unpruned || pruned->outcomes != naive->outcomes)
            text_format(&trouble, "%.0f schedules and %d outcomes pruned, %.0f and %d naive\n",
                        pruned->unpruned, pruned->outcomes, naive->unpruned, naive->outcomes);
        for (int i = 0; i < naive->outcomes; i++) {
            const ExploreOutcome *outcome = &naive->outcome[i];
            deadlocks += strstr(outcome->text, "=error") != NULL;
            if (outcome_schedules(pruned, outcome) != outcome->schedules)
                text_format(&trouble, "%s: %.0f pruned, %.0f naive\n", outcome->text,
                            outcome_schedules(pruned, outcome), outcome->schedules);
        }
        expect(&trouble, deadlocks > 0, "some schedules end in a deadlock");
        expect(&trouble, naive->violating_any == 0, "a deadlock breaks nothing");
        printf("# crossed: %.0f schedules, %ld runs pruned, %d outcomes\n", naive->unpruned, pruned->runs,
               naive->outcomes);
    }
    explorer_close(left);
    explorer_close(right);
    lab_case("crossed: pruned and naive exploring agree, deadlocks included", &trouble);
}

/* ---- the same again ------------------------------------------------------------------------------------------ */

static void compare_rows(const StepRow *a, const StepRow *b, int index, Text *trouble)
{
    bool same = a->actor == b->actor && a->step == b->step && a->line == b->line &&
                strcmp(a->command, b->command) == 0 && strcmp(a->words, b->words) == 0 &&
                strcmp(a->result, b->result) == 0 && a->waits == b->waits &&
                a->waited_until == b->waited_until && a->value == b->value && a->status == b->status &&
                a->code == b->code && a->answered == b->answered &&
                (!a->answered || (a->answer == b->answer && a->answer_id == b->answer_id));
    if (!same) text_format(trouble, "row %d: %s %s, then %s %s\n", index + 1, a->command, a->result,
                           b->command, b->result);
}

static void compare_views(const StepView *a, const StepView *b, Text *trouble)
{
    if (a->rows != b->rows) text_format(trouble, "%d rows, then %d\n", a->rows, b->rows);
    for (int i = 0; i < a->rows && i < b->rows; i++) compare_rows(&a->row[i], &b->row[i], i, trouble);
    for (int i = 0; i < a->actors; i++) {
        const StepActor *left = &a->actor[i], *right = &b->actor[i];
        if (left->state != right->state || left->line != right->line ||
            strcmp(left->command, right->command) != 0)
            text_format(trouble, "%c stands at %s, then at %s\n", 'A' + i, left->command, right->command);
    }
    for (int i = 0; i < INVARIANT_COUNT; i++)
        if (a->verdict[i].state != b->verdict[i].state)
            text_format(trouble, "%s is judged otherwise\n", invariant_name((Invariant)i));
    if (a->truth.stock != b->truth.stock || a->truth.orders != b->truth.orders)
        text_format(trouble, "stock %ld, orders %ld, then %ld and %ld\n", a->truth.stock, a->truth.orders,
                    b->truth.stock, b->truth.orders);
    if (a->over != b->over || a->preemptions != b->preemptions || strcmp(a->schedule, b->schedule) != 0)
        text_format(trouble, "schedule %s, then %s\n", a->schedule, b->schedule);
}

/* After every move, the prefix is run again on the same stepper, as undo and redo do. */
static void test_undo(const char *variant, const char *letters)
{
    enum { MOVES = 32 };
    Text trouble = {0};
    Table table = {0};
    char name[120], prefix[MOVES];
    Spec spec = spec_of(variant, 2);
    int moves = (int)strlen(letters);
    StepView *views = calloc(MOVES, sizeof *views);
    bool fine = views && table_open(&table, &spec, &trouble) && table_reset(&table);
    for (int i = 0; fine && i < moves; i++) {
        fine = table_walk(&table, (char[]){letters[i], '\0'});
        table_look(&table);
        views[i] = table.view;
    }
    for (int i = moves - 1; fine && i >= 0; i--) {
        snprintf(prefix, sizeof prefix, "%.*s", i + 1, letters);
        fine = table_reset(&table) && table_walk(&table, prefix);
        table_look(&table);
        compare_views(&views[i], &table.view, &trouble);
    }
    free(views);
    table_close(&table);
    snprintf(name, sizeof name, "%s: undo equals running the prefix again", variant);
    lab_case(name, &trouble);
}

/* ---- what cannot be -------------------------------------------------------------------------------------- */

static void refuse(Table *table, const Move *move, const char *because)
{
    static StepView before;
    Error error = {""};
    table_look(table);
    before = table->view;
    MoveResult result = stepper_move(table->stepper, move, &error);
    if (result != MOVE_IMPOSSIBLE || !strstr(error.text, because))
        text_format(table->trouble, "\"%s\" was expected: result %d, %s\n", because, result, error.text);
    table_look(table);
    compare_views(&before, &table->view, table->trouble);
}

static void test_impossible(void)
{
    Text trouble = {0};
    Table table = {0};
    Spec spec = spec_of("check-in-transaction", 2);
    if (table_open(&table, &spec, &trouble) && table_reset(&table) && table_walk(&table, "AAABBB")) {
        refuse(&table, &(Move){.kind = MOVE_USER, .number = 1}, "B cannot move: it waits for a row lock.");
        refuse(&table, &(Move){.kind = MOVE_USER, .number = 2}, "no actor C: this world has 2");
        refuse(&table, &(Move){.kind = MOVE_USER, .number = 30}, "no actor u31: this world has 2");
        refuse(&table, &(Move){.kind = MOVE_CLOCK}, "No lease can run out here");
        refuse(&table, &(Move){.kind = MOVE_CRASH, .number = 0}, "Node 1 cannot be killed here");
        refuse(&table, &(Move){.kind = MOVE_CONSUMER, .number = 0}, "no actor c1: this world has 2");
        table_walk(&table, "AAA");
        refuse(&table, &(Move){.kind = MOVE_USER, .number = 0}, "A cannot move: its request is answered.");
        table_walk(&table, "BBB");
        table_look(&table);
        expect(&trouble, table.view.over && table.view.truth.orders == 2, "the run goes on as if nothing were");
    }
    table_close(&table);
    lab_case("an impossible move says why, and changes nothing", &trouble);
}

/* An explorer's plan, too, is refused where it asks for somebody who cannot move. */
static void test_impossible_plan(void)
{
    Text trouble = {0};
    Error error = {""};
    Spec spec = spec_of("check-in-transaction", 2);
    Stepper *stepper = stepper_open(lab_stores(), &spec, &error);
    static const uint16_t waits[] = {0, 0, 0, 1, 1, 1, 1}, fine[] = {0, 0, 0, 1, 1, 1, 0};
    if (!stepper) text_format(&trouble, "cannot be opened: %s\n", error.text);
    for (int i = 0; stepper && i < 20; i++) {
        expect(&trouble, stepper_run(stepper, waits, 7, false, 0, &error) == RUN_IMPOSSIBLE,
               "a plan that moves a waiting actor is impossible");
        expect(&trouble, stepper_run(stepper, fine, 7, false, 0, &error) == RUN_COMPLETE,
               "the next plan is carried out");
    }
    stepper_close(stepper);
    lab_case("an impossible plan is told from one that fails", &trouble);
}

int main(int argc, char **argv)
{
    int status;
    if (lab_child(argc, argv, &status)) return status;
    int times = lab_long() ? 1000 : 100;
    test_waits(times);
    test_blamed();
    test_wandering("check-in-transaction", times / 4);
    test_wandering("crossed", times / 4);
    test_deadlock();
    test_deadlock_explored();
    test_undo("check-then-update", "ABBBBAAA");
    test_undo("check-in-transaction", "AAABBBAAABBB");
    test_undo("check-then-insert", "AABBABBA");
    test_undo("crossed", "AAABBABBA");
    test_impossible();
    test_impossible_plan();
    return lab_done();
}
