#include "tui/glow.h"

static const uint64_t glow_ns = 700000000;

/* The latest change of all: one more frame after it went out is enough. */
static uint64_t last_change_ns;

void glow_set(Glow *glow, long value, uint64_t now_ns)
{
    if (glow->seen && glow->value != value) {
        glow->changed_ns = now_ns;
        last_change_ns = now_ns;
    }
    glow->value = value;
    glow->seen = true;
}

bool glow_lit(const Glow *glow, uint64_t now_ns)
{
    return glow->changed_ns != 0 && now_ns - glow->changed_ns < glow_ns;
}

uint64_t glow_next(uint64_t now_ns)
{
    if (last_change_ns == 0 || now_ns - last_change_ns >= glow_ns) return 0;
    return last_change_ns + glow_ns;
}
