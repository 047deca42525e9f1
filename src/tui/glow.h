/* glow.h -- numbers that are bright for a moment after they changed. */
#ifndef TUI_GLOW_H
#define TUI_GLOW_H

#include <stdbool.h>
#include <stdint.h>

typedef struct Glow {
    long value;
    uint64_t changed_ns;
    bool seen;
} Glow;

/* Takes in the value of this moment. The first one is no change. */
void glow_set(Glow *glow, long value, uint64_t now_ns);
bool glow_lit(const Glow *glow, uint64_t now_ns);
/* When the next glow goes out: the screen must be drawn once more then. 0: none is lit. */
uint64_t glow_next(uint64_t now_ns);

#endif
