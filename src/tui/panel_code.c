/* The listing, with the line where each user stands: names while they are few, counts of the
 * crowd when they are many. */
#include <stdio.h>
#include <string.h>

#include "engine/mover.h"
#include "tui/code.h"
#include "tui/panel.h"

enum { LEAST_ROWS = 6, NARROW = 60, NAMES = SMALL_WORLD * 3 };

static struct {
    int crowd[LISTING_LINES]; /* actors at a source line */
    char names[LISTING_LINES][NAMES + 1]; /* "AB", "Ac1" */
    int most;
    int rows;
    int mark; /* columns for names or counts */
    bool small;
} shown;

static void add_name(const Spec *spec, int actor, int line)
{
    char name[12];
    char *names = shown.names[line];
    mover_name(spec, actor, name);
    if (strlen(names) + strlen(name) <= NAMES) strcat(names, name);
}

static void names_update(const Spec *spec, const RaceProgress *race)
{
    for (int i = 0; i < race->actor_views; i++) {
        const ActorView *actor = &race->actor[i];
        if (actor->line <= 0 || actor->line >= LISTING_LINES) continue;
        if (shown.crowd[actor->line] > 0) add_name(spec, actor->actor, actor->line); /* else it is done */
    }
}

/* In step mode: everybody who stands before a step, or waits in one. */
static void step_update(const Spec *spec, const StepView *view)
{
    shown.small = true;
    for (int i = 0; i < view->actors; i++) {
        const StepActor *actor = &view->actor[i];
        if (actor->line <= 0 || actor->line >= LISTING_LINES) continue;
        add_name(spec, i, actor->line);
        shown.crowd[actor->line]++;
    }
}

static int code_update(const Scene *scene, int columns)
{
    (void)columns;
    const RaceProgress *race = &scene->view->race;
    memset(shown.crowd, 0, sizeof shown.crowd);
    memset(shown.names, 0, sizeof shown.names);
    shown.most = 0;
    int actors = spec_actors(scene->spec);
    shown.mark = 2;
    if (actors <= SMALL_WORLD)
        shown.mark += actors + (actors - spec_user_actors(scene->spec)); /* "c1" is two */
    else
        for (int rest = actors; rest > 9; rest /= 10) shown.mark++;
    if (scene->step) {
        step_update(scene->spec, &scene->step->view);
    } else if (scene->racing && scene->current) {
        memcpy(shown.crowd, race->crowd, sizeof shown.crowd);
        for (int i = 0; i < LISTING_LINES; i++)
            if (shown.crowd[i] > shown.most) shown.most = shown.crowd[i];
        shown.small = race->actors <= SMALL_WORLD;
        if (shown.small) names_update(scene->spec, race);
    }
    return scene->variant->listing.count;
}

static void mark_draw(const Area *area, int row, int source_line)
{
    if (source_line <= 0 || source_line >= LISTING_LINES || shown.crowd[source_line] == 0) return;
    char mark[NAMES + 1];
    if (shown.small)
        snprintf(mark, sizeof mark, "%s", shown.names[source_line]);
    else
        snprintf(mark, sizeof mark, "%d", shown.crowd[source_line]);
    bool most = shown.small || shown.crowd[source_line] == shown.most;
    area_put_right(area, row, area->columns, shown.mark - 1, most ? STYLE_ACCENT : STYLE_TEXT,
                   mark);
}

/* Digits of the largest line number. */
static int number_columns(const Listing *listing)
{
    int columns = 2;
    for (int i = 0; i < listing->count; i++)
        if (listing->lines[i].source_line >= 100) columns = 3;
    return columns;
}

/* The text of a line; narrow screens halve its indentation. */
static void text_draw(const Area *area, int row, int column, const char *text)
{
    int indent = (int)strspn(text, " "), room = area->columns - column - shown.mark;
    int shift = area->columns < NARROW ? indent / 2 : indent;
    code_draw(area, row, column + shift, room - shift, text + indent);
}

int panel_code_rows(void)
{
    return shown.rows;
}

/* In step mode: the line of the actor under the hand, or of anybody when that one is done; 0: none. */
static int line_in_step(const Scene *scene)
{
    if (!scene->step) return 0;
    const StepView *view = &scene->step->view;
    int line = scene->hand < view->actors ? view->actor[scene->hand].line : 0;
    for (int i = 0; line == 0 && i < view->actors; i++) line = view->actor[i].line;
    return line;
}

/* First line in sight: where the learner scrolled to, or as near to it as the most crowded line of
 * a race allows. */
static int top_row(const Scene *scene, int rows)
{
    const Listing *listing = &scene->variant->listing;
    int top = scene->listing_top, crowded = -1;
    int stands = line_in_step(scene);
    for (int i = 0; stands > 0 && i < listing->count; i++)
        if (listing->lines[i].source_line == stands) crowded = i;
    for (int i = 0; shown.most > 0 && i < listing->count; i++) {
        int line = listing->lines[i].source_line;
        if (line < LISTING_LINES && shown.crowd[line] == shown.most) crowded = i;
    }
    if (crowded >= top + rows - 1) top = crowded - rows + 2;
    if (crowded >= 0 && crowded < top) top = crowded;
    if (top > listing->count - rows) top = listing->count - rows;
    return top < 0 ? 0 : top;
}

static void code_draw_panel(const Scene *scene, const Area *area)
{
    const Listing *listing = &scene->variant->listing;
    int digits = number_columns(listing);
    int rows = area->rows, top = top_row(scene, rows);
    shown.rows = rows;

    for (int row = 0; row < rows && top + row < listing->count; row++) {
        const ListingLine *line = &listing->lines[top + row];
        char number[16];
        snprintf(number, sizeof number, "%d", line->source_line);
        if (line->source_line > 0)
            area_put_right(area, row, 1 + digits, digits, STYLE_QUIET, number);
        text_draw(area, row, digits + 3, line->text);
        mark_draw(area, row, line->source_line);
    }
    if (top > 0) area_put(area, 0, digits + 1, 1, STYLE_QUIET, theme_glyph(GLYPH_MORE_UP));
    if (top + rows < listing->count)
        area_put(area, rows - 1, digits + 1, 1, STYLE_QUIET, theme_glyph(GLYPH_MORE_DOWN));
}

const Panel panel_code = {"code", 1, LEAST_ROWS, code_update, code_draw_panel};
