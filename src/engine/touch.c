#include "engine/touch.h"

#include "base/hash.h"

uint64_t touch_key(const char *key)
{
    return hash_string(hash_string(HASH_START, "key "), key);
}

uint64_t touch_voucher(int64_t voucher)
{
    return hash_number(hash_string(HASH_START, "voucher "), voucher);
}

uint64_t touch_orders(int64_t voucher, int64_t user)
{
    return hash_number(hash_number(hash_string(HASH_START, "orders "), voucher), user);
}

uint64_t touch_table(int number)
{
    return hash_number(hash_string(HASH_START, "table "), number);
}

uint64_t touch_order_of_asking(void)
{
    return hash_string(HASH_START, "order of asking");
}

uint64_t touch_entries(void)
{
    return touch_key("stream.orders");
}

uint64_t touch_group(void)
{
    return touch_key("stream.orders g1");
}

uint64_t touch_late(void)
{
    return hash_string(HASH_START, "late");
}

uint64_t touch_pending(int consumer)
{
    return hash_number(hash_string(HASH_START, "pending "), consumer);
}

uint64_t touch_queue(int node)
{
    return hash_number(hash_string(HASH_START, "queue "), node);
}

uint64_t touch_shared(int node)
{
    return hash_number(hash_string(HASH_START, "shared "), node);
}

uint64_t touch_leases(void)
{
    return hash_string(HASH_START, "leases");
}

uint64_t touch_watch(int node)
{
    return hash_number(hash_string(HASH_START, "watch "), node);
}

uint64_t touch_node(int number)
{
    return hash_number(hash_string(HASH_START, "node "), number);
}

uint64_t touch_server(int number)
{
    return hash_number(hash_string(HASH_START, "server "), number);
}

uint64_t touch_servers(void)
{
    return hash_string(HASH_START, "servers");
}

static bool writes(const Touch *touch, int index)
{
    return touch->writes >> index & 1;
}

void touch_add(Touch *touch, uint64_t resource, bool write)
{
    for (int i = 0; i < touch->count; i++) {
        if (touch->resource[i] != resource) continue;
        if (write) touch->writes |= (uint8_t)(1u << i);
        return;
    }
    if (touch->count == MAX_TOUCHES) {
        /* No room: from here on it conflicts with every writer, and, writing, with everything. */
        touch->all_sql = true;
        if (write) touch->writes |= (uint8_t)(1u << (MAX_TOUCHES - 1));
        return;
    }
    touch->resource[touch->count] = resource;
    if (write) touch->writes |= (uint8_t)(1u << touch->count);
    touch->count++;
}

void touch_add_writes(Touch *touch, const Touch *from)
{
    for (int i = 0; i < from->count; i++)
        if (writes(from, i)) touch_add(touch, from->resource[i], true);
}

/* Reads a snapshot, or has more resources than there is room for, and may meet whatever `other` does. */
static bool meets_all(const Touch *touch, const Touch *other)
{
    if (!touch->all_sql) return false;
    return other->writes || (touch->writes && (other->count > 0 || other->all_sql));
}

bool touch_conflict(const Touch *a, const Touch *b)
{
    if (meets_all(a, b) || meets_all(b, a)) return true;
    for (int i = 0; i < a->count; i++)
        for (int j = 0; j < b->count; j++)
            if (a->resource[i] == b->resource[j] && (writes(a, i) || writes(b, j))) return true;
    return false;
}

bool touch_both_write(const Touch *a, const Touch *b)
{
    for (int i = 0; i < a->count; i++)
        for (int j = 0; j < b->count; j++)
            if (a->resource[i] == b->resource[j] && writes(a, i) && writes(b, j)) return true;
    return false;
}
