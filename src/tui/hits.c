#include "tui/hits.h"

#include <stddef.h>

enum { MAX_HITS = 256 };

static struct {
    Hit list[MAX_HITS];
    int count;
} hits;

void hits_clear(void)
{
    hits.count = 0;
}

void hits_add(const Area *area, int row, int column, int columns, int what, int argument)
{
    if (hits.count == MAX_HITS || !area_visible(area, row)) return;
    hits.list[hits.count++] = (Hit){area->y + row, area->x + column, columns, what, argument};
}

const Hit *hits_at(int y, int x)
{
    for (int i = hits.count - 1; i >= 0; i--) {
        const Hit *hit = &hits.list[i];
        if (hit->y == y && x >= hit->x && x < hit->x + hit->columns) return hit;
    }
    return NULL;
}
