/* bench_queue.c -- how fast one consumer stores orders, against the same transactions in a bare loop. */
#include "base/clock.h"
#include "base/i18n.h"
#include "engine/race.h"
#include "engine/step_kind.h"
#include "verbs/bench.h"

enum { ORDERS = 2000, HELD_BACK_MS = 2000 };

/* The consumer begins when the users are through, so that it has the machine for itself. */
static bool store_by_consumer(Figures *figures, Stores *stores, Spec *spec, Error *error)
{
    static Report report;
    spec->users = ORDERS;
    spec->stock = ORDERS;
    spec->faults = 1;
    spec->fault[0] = (Fault){.kind = FAULT_STALL, .actor = -1, .node = -1, .consumer = 1,
                             .step = STEP_QUEUE_TAKE, .ms = HELD_BACK_MS};
    if (!race_run(stores, spec, &report, error)) return false;
    if (report.stored != ORDERS) return error_set(error, "%s", _("Not every order was stored. Run it again."));
    double began = report.yes_seconds > HELD_BACK_MS / 1e3 ? report.yes_seconds : HELD_BACK_MS / 1e3;
    figures->queue.per_second = ORDERS / (report.stored_seconds - began);
    return true;
}

static bool store_one(SqlLink *link, int64_t id, Error *error)
{
    static const char count[] = "SELECT COUNT(*) FROM tb_voucher_order WHERE user_id = ? AND voucher_id = ?";
    static const char take[] = "UPDATE tb_seckill_voucher SET stock = stock - 1 WHERE voucher_id = ? AND stock > 0";
    static const char insert[] = "INSERT INTO tb_voucher_order (id, user_id, voucher_id) VALUES (?, ?, ?)";
    int64_t voucher = 1, whose[] = {id, voucher}, row[] = {id, id, voucher};
    SqlResult result;
    return sql_link_text(link, "START TRANSACTION", NULL, error) == STORE_OK &&
           sql_link_run(link, count, 2, whose, &result, error) == STORE_OK &&
           sql_link_run(link, take, 1, &voucher, &result, error) == STORE_OK &&
           sql_link_run(link, insert, 3, row, &result, error) == STORE_OK &&
           sql_link_text(link, "COMMIT", NULL, error) == STORE_OK;
}

static bool store_in_loop(Figures *figures, Stores *stores, const Spec *spec, Error *error)
{
    ShopSetup setup;
    SqlAddress address;
    spec_setup(spec, &setup);
    stores_addresses(stores, NULL, &address);
    if (!stores_prepare(stores, &setup, error)) return false;
    SqlLink *link = sql_link_open(&address, true, error);
    if (!link) return false;
    bool ok = store_one(link, ORDERS, error); /* its statements are prepared then */
    uint64_t begin = clock_now_ns();
    for (int i = 1; ok && i < ORDERS; i++) ok = store_one(link, i, error);
    figures->queue.rival_per_second = (ORDERS - 1) / ((double)(clock_now_ns() - begin) / 1e9);
    sql_link_close(link);
    return ok;
}

bool bench_queue(Figures *figures, Stores *stores, const Course *course, Error *error)
{
    const Lesson *lesson;
    const LessonVariant *variant;
    if (!course_find(course, "async-queue/dual-write", &lesson, &variant, error)) return false;
    Spec spec = variant->race;
    figures->queue.orders = ORDERS;
    return store_by_consumer(figures, stores, &spec, error) && store_in_loop(figures, stores, &spec, error);
}
