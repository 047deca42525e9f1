#include "tui/panel.h"

enum { MAX_PANELS = 12, GAP = 1 };

typedef struct Share {
    const Panel *panel;
    int wanted, rows;
} Share;

static int shares_update(Share *share, const Panel *const *panels, const Scene *scene, int columns)
{
    int count = 0;
    for (; *panels && count < MAX_PANELS; panels++) {
        int wanted = (*panels)->update(scene, columns);
        if (wanted > 0) share[count++] = (Share){*panels, wanted, 0};
    }
    return count;
}

static int share_least(const Share *share)
{
    return share->wanted < share->panel->least ? share->wanted : share->panel->least;
}

/* Gives every panel its least, the important ones first, and then the rest in the same order. */
static void shares_divide(Share *share, int count, int rows)
{
    for (int pass = 0; pass < 2; pass++) {
        for (int rank = 0; rank < MAX_PANELS; rank++) {
            for (int i = 0; i < count; i++) {
                Share *one = &share[i];
                if (one->panel->rank != rank) continue;
                if (pass == 0) {
                    int need = share_least(one) + GAP;
                    if (need - GAP > rows) continue;
                    one->rows = need - GAP;
                    rows -= need;
                } else if (one->rows > 0 && rows > 0) {
                    int more = one->wanted - one->rows;
                    if (more > rows) more = rows;
                    one->rows += more;
                    rows -= more;
                }
            }
        }
        if (pass == 0) rows += GAP; /* none behind the last */
    }
}

int panels_wanted(const Panel *const *panels, const Scene *scene, int columns)
{
    Share share[MAX_PANELS];
    int count = shares_update(share, panels, scene, columns), wanted = 0;
    for (int i = 0; i < count; i++) wanted += share[i].wanted + (i > 0 ? GAP : 0);
    return wanted;
}

void panels_draw(const Panel *const *panels, const Scene *scene, const Area *area, int rows)
{
    Share share[MAX_PANELS];
    int count = shares_update(share, panels, scene, area->columns), row = 0;
    shares_divide(share, count, rows);
    for (int i = 0; i < count; i++) {
        if (share[i].rows == 0) continue;
        Area part = area_part(area, row, 0, share[i].rows, area->columns);
        share[i].panel->draw(scene, &part);
        row += share[i].rows + GAP;
    }
}

void panel_title(const Area *area, const char *title, const char *right)
{
    int behind = area_put(area, 0, 0, 0, STYLE_TITLE, title);
    if (right)
        area_put_right(area, 0, area->columns, area->columns - behind - 2, STYLE_QUIET, right);
}

void panel_number(const Area *area, int row, const char *label, Style style, const char *number)
{
    int behind = area_put(area, row, 2, area->columns - 10, STYLE_TEXT, label);
    area_put_right(area, row, area->columns, area->columns - behind - 1, style, number);
}
