#include "engine/referee.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/i18n.h"
#include "engine/referee_locks.h"
#include "engine/referee_sales.h"

typedef void (*Judge)(const Case *judged, Verdict *verdict, Finding *finding);

void referee_say(Verdict *verdict, VerdictState state, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(verdict->detail, sizeof verdict->detail, format, arguments);
    va_end(arguments);
    verdict->state = state;
}

static bool broken_if(Verdict *verdict, bool broken)
{
    verdict->state = broken ? VERDICT_BROKEN : VERDICT_KEPT;
    return broken;
}

/* ---- the answers, as a list -------------------------------------------------------------------- */

typedef struct Answers {
    AnswerEntry *entry; /* those that were fully written */
    long count;
} Answers;

static Answers answers_copy(const World *world)
{
    Answers answers = {0};
    uint64_t told = atomic_load(&world->answer_count);
    if (told > world->answer_capacity) told = world->answer_capacity;
    answers.entry = malloc((size_t)(told + 1) * sizeof *answers.entry);
    if (!answers.entry) return answers;
    const AnswerEntry *all = world_answers(world);
    for (uint64_t i = 0; i < told; i++)
        if (all[i].kind != 0) answers.entry[answers.count++] = all[i];
    return answers;
}

static int by_id(const void *left, const void *right)
{
    const AnswerEntry *a = left, *b = right;
    if (a->id != b->id) return a->id < b->id ? -1 : 1;
    return (a->told_ns > b->told_ns) - (a->told_ns < b->told_ns);
}

static int by_asked(const void *left, const void *right)
{
    const AnswerEntry *a = left, *b = right;
    return (a->asked_ns > b->asked_ns) - (a->asked_ns < b->asked_ns);
}

static int by_told(const void *left, const void *right)
{
    const AnswerEntry *a = left, *b = right;
    return (a->told_ns > b->told_ns) - (a->told_ns < b->told_ns);
}

static void answers_sort(const Answers *answers, int (*order)(const void *, const void *))
{
    if (answers->count > 1) qsort(answers->entry, (size_t)answers->count, sizeof *answers->entry, order);
}

static bool is_told(const AnswerEntry *entry, AnswerKind kind)
{
    return entry->kind == (uint32_t)kind + 1;
}

/* ---- stock ---------------------------------------------------------------------------------------- */

long referee_demand(const Spec *spec)
{
    if (spec->window != WINDOW_OPEN) return 0;
    bool once_each = spec->keeps[ONE_PER_USER] || spec->breaks[ONE_PER_USER];
    long total = (long)spec->users * spec->requests;
    return once_each ? spec->users : total;
}

/* Baskets that hold several are counted in vouchers. */
static void say_sold(const Spec *spec, const Sales *sales, Verdict *verdict)
{
    if (spec->baskets > 0)
        referee_say(verdict, VERDICT_KEPT,
                    ngettext("%ld vouchers in %ld order, for %ld in stock",
                             "%ld vouchers in %ld orders, for %ld in stock", (unsigned long)sales->orders),
                    sales->units, sales->orders, spec->stock);
    else
        referee_say(verdict, VERDICT_KEPT,
                    ngettext("%ld order for %ld in stock", "%ld orders for %ld in stock",
                             (unsigned long)sales->orders),
                    sales->orders, spec->stock);
}

static void judge_no_oversell(const Case *judged, Verdict *verdict, Finding *finding)
{
    (void)finding;
    const Snapshot *truth = judged->truth;
    const Spec *spec = judged->spec;
    Sales sales = sales_count(judged);
    say_sold(spec, &sales, verdict);
    if (broken_if(verdict, sales.units > spec->stock)) return;
    if (spec->stock_in_sql && truth->stock < 0)
        referee_say(verdict, VERDICT_BROKEN, _("the stock in the database is %ld"), truth->stock);
    if (spec->stock_in_redis && truth->has_redis_stock && truth->redis_stock < 0)
        referee_say(verdict, VERDICT_BROKEN, _("the stock in Redis is %ld"), truth->redis_stock);
}

/* Of baskets, a few may stay in stock that nobody wants so few of. */
static void judge_baskets_sold(const Case *judged, const Sales *sales, Verdict *verdict)
{
    if (!sales->known) {
        referee_say(verdict, VERDICT_UNKNOWN, "%s", _("the orders could not be read"));
        return;
    }
    referee_say(verdict, VERDICT_KEPT, _("%ld of %ld sold; %ld who went without would have been content with the rest"),
                sales->units, judged->spec->stock, sales->refused);
    broken_if(verdict, sales->refused > 0 && judged->spec->window == WINDOW_OPEN);
}

static void judge_no_undersell(const Case *judged, Verdict *verdict, Finding *finding)
{
    (void)finding;
    if (!judged->complete) {
        referee_say(verdict, VERDICT_UNKNOWN, "%s", _("not every request was answered"));
        return;
    }
    Sales sales = sales_count(judged);
    if (judged->spec->baskets > 0) {
        judge_baskets_sold(judged, &sales, verdict);
        return;
    }
    long wanted = referee_demand(judged->spec);
    long sellable = wanted < judged->spec->stock ? wanted : judged->spec->stock;
    long sold = sales.orders;
    referee_say(verdict, VERDICT_KEPT, _("%ld of %ld sold, %ld wanted one"), sold, judged->spec->stock, wanted);
    broken_if(verdict, sold < sellable);
}

/* The counter and the buyers; where a variant keeps no set of buyers, the orders speak for them. */
static void judge_redis_books(const Case *judged, const Sales *sales, Verdict *verdict)
{
    const Snapshot *truth = judged->truth;
    const Spec *spec = judged->spec;
    bool in_set = truth->has_buyers && spec->baskets == 0;
    long sold = in_set ? truth->buyers : sales->units;
    long left = truth->has_redis_stock ? truth->redis_stock : 0;
    bool balance = left + sold == spec->stock;
    bool same = !in_set || !sales->known || truth->buyers == sales->buyers;
    if (!balance || !spec->stock_in_sql)
        referee_say(verdict, VERDICT_KEPT, _("Redis: %ld left + %ld sold, began with %ld"), left, sold,
                    spec->stock);
    if (balance && !same)
        referee_say(verdict, VERDICT_KEPT, _("Redis: buyers %ld, users with an order %ld"), truth->buyers,
                    sales->buyers);
    broken_if(verdict, !balance || !same);
}

static void judge_books_balance(const Case *judged, Verdict *verdict, Finding *finding)
{
    (void)finding;
    const Snapshot *truth = judged->truth;
    const Spec *spec = judged->spec;
    Sales sales = sales_count(judged);
    verdict->state = VERDICT_KEPT;
    if (spec->stock_in_sql) {
        referee_say(verdict, VERDICT_KEPT, ngettext("database: %ld left + %ld order, began with %ld",
                                                    "database: %ld left + %ld orders, began with %ld",
                                                    (unsigned long)truth->orders), truth->stock,
            truth->orders, spec->stock);
        if (broken_if(verdict, truth->stock + sales.units != spec->stock)) return;
    }
    if (spec->stock_in_redis) judge_redis_books(judged, &sales, verdict);
}

/* ---- orders ----------------------------------------------------------------------------------------- */

static void judge_one_per_user(const Case *judged, Verdict *verdict, Finding *finding)
{
    Sales sales = sales_count(judged);
    long users = judged->truth->duplicate_users;
    if (sales.twice > users) users = sales.twice; /* numbers told twice to one user */
    referee_say(verdict, VERDICT_KEPT, "%s", _("no user has two orders"));
    if (!broken_if(verdict, users > 0)) return;
    referee_say(verdict, VERDICT_BROKEN, ngettext("%ld user has more than one order",
                                          "%ld users have more than one order", (unsigned long)users),
        users);
    finding->user = sales.first_twice;
}

static void judge_sale_window(const Case *judged, Verdict *verdict, Finding *finding)
{
    (void)finding;
    const World *world = judged->world;
    long outside = judged->spec->window == WINDOW_OPEN ? 0 : judged->truth->orders;
    bool timed = judged->orders && !judged->spec->clock && outside == 0;
    for (long i = 0; timed && i < judged->order_count; i++) {
        int64_t created = judged->orders[i].created;
        if (created != 0 && (created < world->begin || created >= world->end)) outside++;
    }
    referee_say(verdict, VERDICT_KEPT, ngettext("%ld order outside the sale window", "%ld orders outside the sale window",
                                                (unsigned long)outside), outside);
    broken_if(verdict, outside > 0);
}

static int order_by_id(const void *left, const void *right)
{
    const OrderRow *a = left, *b = right;
    return (a->id > b->id) - (a->id < b->id);
}

static void note_liar(Finding *finding, const AnswerEntry *entry)
{
    finding->actor = (int)entry->actor;
    finding->id = entry->id;
}

static void judge_answer_true(const Case *judged, Verdict *verdict, Finding *finding)
{
    if (!judged->orders) {
        referee_say(verdict, VERDICT_UNKNOWN, "%s", _("the orders could not be read"));
        return;
    }
    Answers answers = answers_copy(judged->world);
    size_t size = (size_t)(judged->order_count + 1) * sizeof(OrderRow);
    OrderRow *orders = malloc(size);
    if (!answers.entry || !orders) {
        free(answers.entry);
        free(orders);
        referee_say(verdict, VERDICT_UNKNOWN, "%s", _("out of memory"));
        return;
    }
    memcpy(orders, judged->orders, (size_t)judged->order_count * sizeof *orders);
    qsort(orders, (size_t)judged->order_count, sizeof *orders, order_by_id);
    answers_sort(&answers, by_id);

    /* Both lists run by id. "unknown" has id 0: it excuses one order of its user each. */
    long missing = 0, untold = 0, at = 0;
    for (long i = 0; i < judged->order_count; i++) {
        while (at < answers.count &&
               (answers.entry[at].id < orders[i].id || !is_told(&answers.entry[at], ANSWER_ORDERED))) {
            if (is_told(&answers.entry[at], ANSWER_ORDERED) && missing++ == 0)
                note_liar(finding, &answers.entry[at]);
            at++;
        }
        if (at < answers.count && answers.entry[at].id == orders[i].id) {
            at++;
            continue;
        }
        bool excused = false;
        for (long j = 0; !excused && j < answers.count && answers.entry[j].id == 0; j++) {
            if (!is_told(&answers.entry[j], ANSWER_UNKNOWN) || answers.entry[j].user != orders[i].user)
                continue;
            answers.entry[j].user = -1;
            excused = true;
        }
        if (!excused && untold++ == 0) finding->user = orders[i].user;
    }
    for (; at < answers.count; at++)
        if (is_told(&answers.entry[at], ANSWER_ORDERED) && missing++ == 0)
            note_liar(finding, &answers.entry[at]);
    free(answers.entry);
    free(orders);

    referee_say(verdict, VERDICT_KEPT, "%s", _("every answer fits the orders"));
    if (missing > 0)
        referee_say(verdict, VERDICT_BROKEN, ngettext("%ld told \"ordered\" has no such order",
                                                      "%ld told \"ordered\" have no such order",
                                                      (unsigned long)missing), missing);
    else if (untold > 0)
        referee_say(verdict, VERDICT_BROKEN, ngettext("%ld order of which nobody was told",
                                                      "%ld orders of which nobody was told",
                                                      (unsigned long)untold), untold);
}

/* ---- ids ------------------------------------------------------------------------------------------------ */

static void judge_unique_ids(const Case *judged, Verdict *verdict, Finding *finding)
{
    Answers answers = answers_copy(judged->world);
    answers_sort(&answers, by_id);
    long issued = 0, twice = 0;
    const AnswerEntry *before = NULL;
    for (long i = 0; i < answers.count; i++) {
        const AnswerEntry *entry = &answers.entry[i];
        if (!is_told(entry, ANSWER_ISSUED) && !is_told(entry, ANSWER_ORDERED)) continue;
        issued++;
        if (before && before->id == entry->id && twice++ == 0)
            *finding = (Finding){(int)before->actor, (int)entry->actor, 0, entry->id};
        before = entry;
    }
    referee_say(verdict, VERDICT_KEPT, ngettext("%ld of %ld ids is not new", "%ld of %ld ids are not new",
                                                (unsigned long)twice), twice, issued);
    broken_if(verdict, twice > 0);
    free(answers.entry);
}

static void judge_ids_ascend(const Case *judged, Verdict *verdict, Finding *finding)
{
    Answers asked = answers_copy(judged->world), told = answers_copy(judged->world);
    answers_sort(&asked, by_asked);
    answers_sort(&told, by_told);
    long fell = 0, at = 0;
    const AnswerEntry *greatest = NULL;
    for (long i = 0; i < asked.count; i++) {
        const AnswerEntry *entry = &asked.entry[i];
        for (; at < told.count && told.entry[at].told_ns < entry->asked_ns; at++)
            if (told.entry[at].id != 0 && (!greatest || told.entry[at].id > greatest->id))
                greatest = &told.entry[at];
        if (!greatest || entry->id == 0 || entry->id > greatest->id) continue;
        if (fell++ == 0)
            *finding = (Finding){(int)greatest->actor, (int)entry->actor, 0, entry->id};
    }
    referee_say(verdict, VERDICT_KEPT, ngettext("%ld id is not above one handed out before",
                                                "%ld ids are not above one handed out before",
                                                (unsigned long)fell), fell);
    broken_if(verdict, fell > 0);
    free(asked.entry);
    free(told.entry);
}

/* ---- all of them ----------------------------------------------------------------------------------------- */

static const Judge judges[INVARIANT_COUNT] = {
    [NO_OVERSELL] = judge_no_oversell,     [NO_UNDERSELL] = judge_no_undersell,
    [ONE_PER_USER] = judge_one_per_user,   [BOOKS_BALANCE] = judge_books_balance,
    [ANSWER_TRUE] = judge_answer_true,     [UNIQUE_IDS] = judge_unique_ids,
    [IDS_ASCEND] = judge_ids_ascend,       [SALE_WINDOW] = judge_sale_window,
    [MUTUAL_EXCLUSION] = judge_mutual_exclusion, [OWNER_RELEASE] = judge_owner_release,
    [PROGRESS] = judge_progress,           [FAIR_ORDER] = judge_fair_order,
};

static bool is_judged(const Spec *spec, int invariant)
{
    return (spec->breaks[invariant] || spec->keeps[invariant]) && judges[invariant];
}

/* Judged once the queues are drained: a race that was stopped before says nothing about them. */
static bool waits_for_queues(const Case *judged, int invariant)
{
    static const bool of_stored[INVARIANT_COUNT] = {
        [NO_UNDERSELL] = true, [BOOKS_BALANCE] = true, [ANSWER_TRUE] = true, [PROGRESS] = true};
    return judged->stopped && judged->waiting > 0 && of_stored[invariant];
}

static bool needs_stores(int invariant)
{
    static const bool without[INVARIANT_COUNT] = {
        [UNIQUE_IDS] = true, [IDS_ASCEND] = true, [MUTUAL_EXCLUSION] = true, [OWNER_RELEASE] = true,
        [PROGRESS] = true, [FAIR_ORDER] = true};
    return !without[invariant];
}

void referee_judge(const Case *judged, Verdict verdict[INVARIANT_COUNT], Finding *findings)
{
    for (int i = 0; i < INVARIANT_COUNT; i++) {
        Finding finding = {-1, -1, 0, 0};
        verdict[i] = (Verdict){VERDICT_NONE, ""};
        if (is_judged(judged->spec, i)) {
            if (needs_stores(i) && !judged->truth->sql_ok)
                referee_say(&verdict[i], VERDICT_UNKNOWN, "%s", _("the database does not answer"));
            else if (waits_for_queues(judged, i))
                referee_say(&verdict[i], VERDICT_UNKNOWN, "%s", _("stopped while orders were waiting in a queue"));
            else
                judges[i](judged, &verdict[i], &finding);
        }
        if (findings) findings[i] = finding;
    }
}

void referee_glance(const Spec *spec, const Snapshot *now, Verdict verdict[INVARIANT_COUNT])
{
    for (int i = 0; i < INVARIANT_COUNT; i++) {
        verdict[i] = (Verdict){VERDICT_NONE, ""};
        if (is_judged(spec, i)) verdict[i].state = VERDICT_UNKNOWN;
    }
    if (!now->sql_ok) return;
    Snapshot lasting = *now; /* a counter in Redis below 0 may be one that is just given back to */
    lasting.has_redis_stock = false;
    Case seen = {.spec = spec, .truth = &lasting};
    Finding ignored;
    Verdict glance;
    static const Invariant visible[] = {NO_OVERSELL, ONE_PER_USER};
    for (unsigned i = 0; i < sizeof visible / sizeof visible[0]; i++) {
        if (!is_judged(spec, visible[i])) continue;
        judges[visible[i]](&seen, &glance, &ignored);
        if (glance.state == VERDICT_BROKEN) verdict[visible[i]] = glance;
    }
    if (spec->window != WINDOW_OPEN && is_judged(spec, SALE_WINDOW) && now->orders > 0)
        referee_say(&verdict[SALE_WINDOW], VERDICT_BROKEN, ngettext("%ld order outside the sale window",
                    "%ld orders outside the sale window", (unsigned long)now->orders), now->orders);
}
