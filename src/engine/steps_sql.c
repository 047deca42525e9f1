/* The steps of MariaDB and MySQL. See steps.h. */
#include "engine/steps_core.h"

enum { DUPLICATE_KEY = 1062 };

#define VOUCHER_ROW "tb_seckill_voucher"

/* ---- the voucher's row -------------------------------------------------------------------- */

/* In a transaction a read sees one snapshot of everything; a write may have to wait while the rows
 * written before it stay locked: with whom it then ends in a deadlock depends on the order of both. */
static void touch_transaction(const Actor *me, Touch *touch, bool writes)
{
    if (!me->in_transaction) return;
    if (writes)
        touch_add_writes(touch, &me->written);
    else
        touch->all_sql = true;
}

static SqlResult voucher_step(Actor *me, StepCall *call, const char *statement, int count,
                              const int64_t *parameters,
                              int64_t (*value_of)(const SqlResult *result))
{
    Touch touch = {0};
    bool writes = value_of == value_affected;
    if (gate_steps(me)) {
        touch_add(&touch, touch_voucher(call->argument), writes);
        touch_transaction(me, &touch, writes);
    }
    call->touch = &touch;
    return sql_step(me, call, statement, count, parameters, 0, value_of);
}

VoucherRow sql_select_voucher(Actor *me, VoucherId voucher)
{
    StepCall call = {.step = STEP_SELECT_VOUCHER, .argument = voucher};
    SqlResult row = voucher_step(
        me, &call,
        "SELECT stock, version, UNIX_TIMESTAMP(begin_time), UNIX_TIMESTAMP(end_time)"
        " FROM " VOUCHER_ROW " WHERE voucher_id = ?",
        1, &voucher, value_first);
    return (VoucherRow){.stock = (long)row.value[0], .version = (long)row.value[1],
                        .begin = row.value[2], .end = row.value[3]};
}

long sql_select_stock(Actor *me, VoucherId voucher)
{
    StepCall call = {.step = STEP_SELECT_STOCK, .argument = voucher};
    SqlResult row = voucher_step(me, &call, "SELECT stock FROM " VOUCHER_ROW " WHERE voucher_id = ?",
                                 1, &voucher, value_first);
    return (long)row.value[0];
}

static long update(Actor *me, StepId step, VoucherId voucher, int64_t second, const char *statement,
                   int count, const int64_t *parameters)
{
    StepCall call = {.step = step, .argument = voucher, .second = second};
    return voucher_step(me, &call, statement, count, parameters, value_affected).affected;
}

long sql_decrement_stock(Actor *me, VoucherId voucher)
{
    return update(me, STEP_DECREMENT, voucher, 0,
                  "UPDATE " VOUCHER_ROW " SET stock = stock - 1 WHERE voucher_id = ?", 1, &voucher);
}

long sql_set_stock(Actor *me, VoucherId voucher, long stock)
{
    return update(me, STEP_SET_DB_STOCK, voucher, stock,
                  "UPDATE " VOUCHER_ROW " SET stock = ? WHERE voucher_id = ?", 2,
                  (int64_t[]){stock, voucher});
}

long sql_decrement_if_version(Actor *me, VoucherId voucher, long seen)
{
    return update(me, STEP_DECREMENT_VERSION, voucher, seen,
                  "UPDATE " VOUCHER_ROW " SET stock = stock - 1, version = version + 1"
                  " WHERE voucher_id = ? AND version = ?",
                  2, (int64_t[]){voucher, seen});
}

long sql_decrement_if_stock(Actor *me, VoucherId voucher, long seen)
{
    return update(me, STEP_DECREMENT_STOCK, voucher, seen,
                  "UPDATE " VOUCHER_ROW " SET stock = stock - 1 WHERE voucher_id = ? AND stock = ?",
                  2, (int64_t[]){voucher, seen});
}

long sql_decrement_if_any(Actor *me, VoucherId voucher)
{
    return update(me, STEP_DECREMENT_ANY, voucher, 0,
                  "UPDATE " VOUCHER_ROW " SET stock = stock - 1 WHERE voucher_id = ? AND stock > 0", 1,
                  &voucher);
}

bool sql_raise_fence(Actor *me, VoucherId voucher, long token)
{
    return update(me, STEP_RAISE_FENCE, voucher, token,
                  "UPDATE " VOUCHER_ROW " SET token = ? WHERE voucher_id = ? AND token < ?", 3,
                  (int64_t[]){token, voucher, token}) == 1;
}

/* ---- orders ---------------------------------------------------------------------------------- */

static SqlResult orders_step(Actor *me, int64_t user, StepCall *call, const char *statement, int count,
                             const int64_t *parameters, unsigned tolerated,
                             int64_t (*value_of)(const SqlResult *result))
{
    Touch touch = {0};
    bool writes = value_of == value_affected;
    if (gate_steps(me)) {
        touch_add(&touch, touch_orders(call->argument, user), writes);
        touch_transaction(me, &touch, writes);
    }
    call->touch = &touch;
    return sql_step(me, call, statement, count, parameters, tolerated, value_of);
}

static long count_orders(Actor *me, VoucherId voucher, int64_t user)
{
    StepCall call = {.step = STEP_COUNT_ORDERS, .argument = voucher, .second = user};
    SqlResult row = orders_step(
        me, user, &call, "SELECT COUNT(*) FROM tb_voucher_order WHERE user_id = ? AND voucher_id = ?", 2,
        (int64_t[]){user, voucher}, 0, value_first);
    return (long)row.value[0];
}

long sql_count_my_orders(Actor *me, VoucherId voucher)
{
    return count_orders(me, voucher, me->user);
}

long sql_count_orders_of(Actor *me, Order order)
{
    return count_orders(me, order.voucher, order.user);
}

bool sql_find_order(Actor *me, Order order)
{
    StepCall call = {.step = STEP_FIND_ORDER, .argument = order.voucher, .second = order.id};
    SqlResult row = orders_step(me, order.user, &call, "SELECT COUNT(*) FROM tb_voucher_order WHERE id = ?", 1,
                                &order.id, 0, value_first);
    return row.value[0] > 0;
}

bool sql_store_order(Actor *me, Order order)
{
    StepCall call = {.step = STEP_INSERT_ORDER, .argument = order.voucher, .second = order.user};
    SqlResult result = orders_step(
        me, order.user, &call, "INSERT INTO tb_voucher_order (id, user_id, voucher_id) VALUES (?, ?, ?)", 3,
        (int64_t[]){order.id, order.user, order.voucher}, DUPLICATE_KEY, value_affected);
    return result.affected == 1;
}

bool sql_insert_order(Actor *me, VoucherId voucher, OrderId id)
{
    return sql_store_order(me, (Order){id, me->user, voucher});
}

long sql_insert_ignore_order(Actor *me, VoucherId voucher, OrderId id)
{
    StepCall call = {.step = STEP_INSERT_IGNORE, .argument = voucher, .second = me->user};
    SqlResult result = orders_step(
        me, me->user, &call, "INSERT IGNORE INTO tb_voucher_order (id, user_id, voucher_id) VALUES (?, ?, ?)", 3,
        (int64_t[]){id, me->user, voucher}, 0, value_affected);
    return result.affected;
}

OrderId sql_insert_auto_increment(Actor *me, int table)
{
    static const char *const statement[2] = {"INSERT INTO tb_order_0 (user_id) VALUES (?)",
                                             "INSERT INTO tb_order_1 (user_id) VALUES (?)"};
    table = table & 1;
    Touch touch = {0};
    touch_add(&touch, touch_table(table), true);
    StepCall call = {.step = STEP_INSERT_AUTO, .argument = table, .touch = &touch};
    return (OrderId)sql_step(me, &call, statement[table], 1, &me->user, 0, value_insert_id).insert_id;
}

/* ---- transactions ---------------------------------------------------------------------------- */

void sql_begin(Actor *me)
{
    Touch nothing = {0};
    StepCall call = {.step = STEP_BEGIN, .touch = &nothing};
    sql_text_step(me, &call, "START TRANSACTION");
}

/* What the transaction wrote becomes visible, and its row locks fall, in this step. */
void sql_commit(Actor *me)
{
    Touch published = me->written;
    StepCall call = {.step = STEP_COMMIT, .touch = &published};
    sql_text_step(me, &call, "COMMIT");
}

void sql_rollback(Actor *me)
{
    Touch taken_back = me->written;
    StepCall call = {.step = STEP_ROLLBACK, .touch = &taken_back};
    sql_text_step(me, &call, "ROLLBACK");
}
