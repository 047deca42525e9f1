#include "tui/explore_field.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/i18n.h"
#include "tui/explore_numbers.h"

enum { LABEL_COLUMNS = 8, COUNT_COLUMNS = 10, GAP_COLUMNS = 3, COUNTS_FROM = 40, MARK_COLUMNS = 1 };

/* Cells of one number of preemptions, side by side in `order`. */
typedef struct Group {
    int preemptions;
    long first, count; /* in `order` */
    long row;          /* its first row of the field */
} Group;

static struct {
    unsigned serial;
    Invariant filter;
    long cells, room;
    long *order;    /* places to cells */
    long *place_of; /* cells to places */
    Group group[CLASS_PREEMPTIONS];
    int groups;
    long kept, broken;
    long hand; /* a cell; -1: none */
    bool follow;
    int columns, width; /* cells to a row, and columns of each, as last drawn */
    long rows, top;     /* of the field; the first one in sight */
    int rows_shown;
} field = {.hand = -1, .follow = true};

/* ---- the order of the cells ---------------------------------------------------------------------- */

static bool is_broken(const ExploreCell *cell)
{
    return field.filter == INVARIANT_COUNT ? cell->broken != 0 : cell->broken >> field.filter & 1;
}

static bool make_room(long cells)
{
    if (cells <= field.room) return true;
    long room = cells * 2;
    long *order = realloc(field.order, (size_t)room * sizeof *order);
    if (order) field.order = order;
    long *place_of = realloc(field.place_of, (size_t)room * sizeof *place_of);
    if (place_of) field.place_of = place_of;
    if (order && place_of) field.room = room;
    return order && place_of;
}

/* By preemptions, and within them as they were found: a counting sort. */
static void sort_cells(const Exploration *result)
{
    long count[CLASS_PREEMPTIONS] = {0}, next[CLASS_PREEMPTIONS], first = 0;
    for (long i = 0; i < result->cells; i++) count[result->cell[i].preemptions]++;
    field.groups = 0;
    for (int p = 0; p < CLASS_PREEMPTIONS; p++) {
        next[p] = first;
        if (count[p] > 0) field.group[field.groups++] = (Group){p, first, count[p], 0};
        first += count[p];
    }
    for (long i = 0; i < result->cells; i++) {
        long place = next[result->cell[i].preemptions]++;
        field.order[place] = i;
        field.place_of[i] = place;
    }
}

void explore_field_follow(void)
{
    field.follow = true;
    field.hand = -1;
    field.top = 0;
}

void explore_field_take(const ExploreState *explore, Invariant filter)
{
    const Exploration *result = &explore->result;
    bool fresh = field.serial != explore->serial;
    if (fresh || filter != field.filter) field.follow = true;
    if (fresh) field.hand = -1;
    if (fresh || field.cells != result->cells || filter != field.filter) {
        if (!make_room(result->cells)) return;
        field.serial = explore->serial;
        field.filter = filter;
        field.cells = result->cells;
        sort_cells(result);
        field.broken = 0;
        for (long i = 0; i < result->cells; i++) field.broken += is_broken(&result->cell[i]);
        field.kept = result->cells - field.broken;
    }
    long best = filter == INVARIANT_COUNT ? result->shortest : result->shortest_of[filter];
    if (field.follow && best >= 0 && best < field.cells) field.hand = best;
    if (field.hand < 0 && field.cells > 0) field.hand = field.order[0];
}

void explore_field_count(long *kept, long *broken)
{
    *kept = field.kept;
    *broken = field.broken;
}

/* ---- rows ------------------------------------------------------------------------------------------ */

static long rows_with(int columns)
{
    long row = 0;
    for (int i = 0; i < field.groups; i++) {
        field.group[i].row = row;
        row += (field.group[i].count + columns - 1) / columns;
    }
    return row;
}

/* Before the cells of each number of switches: how many orders there are, and how many break. */
static int counts_columns(const Area *area)
{
    return area->columns >= COUNTS_FROM ? 2 * COUNT_COLUMNS : 0;
}

static int cells_at(const Area *area)
{
    return LABEL_COLUMNS + counts_columns(area) + GAP_COLUMNS;
}

/* Airy where all of it has room, close together where it has not. */
static void lay_out(const Area *area)
{
    int room = area->columns - cells_at(area) - MARK_COLUMNS;
    for (field.width = 2; field.width > 0; field.width--) {
        field.columns = room / field.width > 0 ? room / field.width : 1;
        field.rows = rows_with(field.columns);
        if (field.rows <= area->rows || field.width == 1) return;
    }
}

static const Group *group_of(long place)
{
    for (int i = 0; i < field.groups; i++)
        if (place < field.group[i].first + field.group[i].count) return &field.group[i];
    return NULL;
}

static long row_of(long place)
{
    const Group *group = group_of(place);
    return group ? group->row + (place - group->first) / field.columns : 0;
}

static long column_of(long place)
{
    const Group *group = group_of(place);
    return group ? (place - group->first) % field.columns : 0;
}

/* The cell in this row and column, or the last of the row. */
static long place_at(long row, long column)
{
    for (int i = field.groups - 1; i >= 0; i--) {
        const Group *group = &field.group[i];
        if (row < group->row) continue;
        long place = (row - group->row) * field.columns + column;
        return group->first + (place < group->count ? place : group->count - 1);
    }
    return 0;
}

/* ---- drawing ------------------------------------------------------------------------------------------- */

static void cells_draw(const ExploreState *explore, const Area *area, int row, const Group *group,
                       long from)
{
    for (int column = 0; column < field.columns && from + column < group->count; column++) {
        long index = field.order[group->first + from + column];
        const ExploreCell *cell = &explore->result.cell[index];
        bool broken = is_broken(cell);
        Style style = index == field.hand ? STYLE_HAND : broken ? STYLE_BROKEN : STYLE_QUIET;
        int at = cells_at(area) + column * field.width;
        area_put(area, row, at, 1, style, theme_glyph(broken ? GLYPH_BROKEN : GLYPH_UNKNOWN));
        hits_add(area, row, at, field.width, HIT_CELL, (int)index);
    }
}

static void counts_draw(const Exploration *result, const Area *area, int row, int preemptions)
{
    double all = result->by_preemptions[preemptions];
    double broken = result->violating_by_preemptions[preemptions];
    int end = LABEL_COLUMNS + COUNT_COLUMNS;
    char text[40];
    area_put_right(area, row, end, COUNT_COLUMNS - 1, STYLE_TEXT,
                   count_text(all, text, sizeof text));
    area_put_right(area, row, end + COUNT_COLUMNS, COUNT_COLUMNS - 1, broken > 0 ? STYLE_BROKEN : STYLE_QUIET,
                   count_text(broken, text, sizeof text));
}

static void head_draw(const Area *area)
{
    int end = LABEL_COLUMNS + COUNT_COLUMNS;
    area_put_right(area, 0, LABEL_COLUMNS, LABEL_COLUMNS, STYLE_TITLE, _("SWITCHES"));
    if (counts_columns(area) == 0) return;
    area_put_right(area, 0, end, COUNT_COLUMNS - 1, STYLE_QUIET, _("schedules"));
    area_put_right(area, 0, end + COUNT_COLUMNS, COUNT_COLUMNS - 1, STYLE_QUIET, _("broken"));
}

void explore_field_draw(const ExploreState *explore, const Area *whole)
{
    Area cells = area_part(whole, 1, 0, whole->rows - 1, whole->columns), *area = &cells;
    head_draw(whole);
    lay_out(area);
    field.rows_shown = area->rows;
    if (field.hand >= 0 && field.hand < field.cells) {
        long row = row_of(field.place_of[field.hand]);
        if (row < field.top) field.top = row;
        if (row >= field.top + area->rows) field.top = row - area->rows + 1;
    }
    if (field.top > field.rows - area->rows) field.top = field.rows - area->rows;
    if (field.top < 0) field.top = 0;
    for (int i = 0; i < field.groups; i++) {
        const Group *group = &field.group[i];
        for (long from = 0; from < group->count; from += field.columns) {
            long row = group->row + from / field.columns - field.top;
            if (row < 0 || row >= area->rows) continue;
            char label[16];
            snprintf(label, sizeof label, "%d", group->preemptions);
            if (from == 0 || row == 0)
                area_put_right(area, (int)row, LABEL_COLUMNS, 3, STYLE_QUIET, label);
            if (from == 0 && counts_columns(area))
                counts_draw(&explore->result, area, (int)row, group->preemptions);
            cells_draw(explore, area, (int)row, group, from);
        }
    }
    scroll_marks(area, (int)field.top, (int)field.rows);
}

/* ---- moving -------------------------------------------------------------------------------------------- */

/* The next broken cell behind `place`, round and round. */
static long next_broken(const Exploration *result, long place)
{
    for (long i = 1; i <= field.cells; i++) {
        long at = (place + i) % field.cells;
        if (is_broken(&result->cell[field.order[at]])) return at;
    }
    return place;
}

void explore_field_move(const ExploreState *explore, Motion motion)
{
    if (field.cells == 0 || field.hand < 0 || field.columns == 0) return;
    long place = field.place_of[field.hand], row = row_of(place), column = column_of(place);
    long page = field.rows_shown > 1 ? field.rows_shown - 1 : 1;
    switch (motion) {
    case MOTION_LEFT:
        place--;
        break;
    case MOTION_RIGHT:
        place++;
        break;
    case MOTION_UP:
        if (row > 0) place = place_at(row - 1, column);
        break;
    case MOTION_DOWN:
        if (row + 1 < field.rows) place = place_at(row + 1, column);
        break;
    case MOTION_PAGE_UP:
        place = place_at(row > page ? row - page : 0, column);
        break;
    case MOTION_PAGE_DOWN:
        place = place_at(row + page < field.rows ? row + page : field.rows - 1, column);
        break;
    case MOTION_HOME:
        place = 0;
        break;
    case MOTION_END:
        place = field.cells - 1;
        break;
    case MOTION_TAB:
        place = next_broken(&explore->result, place);
        break;
    default:
        return;
    }
    if (place < 0 || place >= field.cells) return;
    field.follow = false;
    field.hand = field.order[place];
}

bool explore_field_point(long cell)
{
    if (cell < 0 || cell >= field.cells) return false;
    bool there = field.hand == cell;
    field.hand = cell;
    field.follow = false;
    return there;
}

const ExploreCell *explore_field_hand(const ExploreState *explore)
{
    if (field.serial != explore->serial || field.hand < 0 || field.hand >= explore->result.cells)
        return NULL;
    return &explore->result.cell[field.hand];
}
