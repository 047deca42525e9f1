#include "tui/plain.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/i18n.h"
#include "base/text.h"
#include "course/progress.h"
#include "course/schedule_text.h"
#include "engine/explore.h"
#include "engine/race.h"
#include "tui/flow.h"
#include "tui/plain_step.h"
#include "verbs/explore_print.h"
#include "verbs/interrupt.h"
#include "verbs/report_print.h"
#include "tui/wish.h"

enum { STATUS_USAGE = 2, STATUS_FILES = 3, COLUMNS = 76, LINE_SIZE = 2000, WAIT_MS = 60000 };

typedef struct Walk {
    const ConsoleOptions *options;
    Course *course;
    Progress *progress;
    const Lesson *lesson;
    const LessonVariant *variant;
    Wish wish;
    Stores *stores; /* NULL until the first command that needs them */
    Observer *observer;
    PlainStep *step; /* NULL: no world stands in step mode */
    Report report; /* of the last race */
    const Lesson *raced_lesson;
    const LessonVariant *raced_variant;
    bool has_report, quit;
    bool unkept_said; /* that progress cannot be written */
} Walk;

typedef struct Word {
    const char *name;
    const char *argument; /* how it is called; NULL: none */
    void (*run)(Walk *walk, const char *argument, int extra);
    int extra;
    const char *help; /* N_(); NULL: a wish's own */
} Word;

static const Word *word_at(int index); /* NULL past the last */

static void keep(Walk *walk)
{
    if (progress_save(walk->progress) || walk->unkept_said) return;
    walk->unkept_said = true;
    puts(progress_unkept());
}

/* ---- telling
 * --------------------------------------------------------------------------------------- */

static void blocks_print(const Block *blocks, int count)
{
    Flow flow = {0};
    flow_blocks(&flow, blocks, count, COLUMNS);
    flow_print(&flow, stdout);
    flow_free(&flow);
}

static void where_print(const Walk *walk)
{
    printf(_("Lesson %s, %s. Variant %s: %s.\n"), walk->lesson->number,
           lesson_text(walk->lesson)->title, walk->variant->name,
           variant_text(walk->variant)->title);
}

static void tell_lessons(Walk *walk, const char *argument, int extra)
{
    (void)argument;
    (void)extra;
    for (int i = 0; i < walk->course->count; i++) {
        const Lesson *lesson = &walk->course->lessons[i];
        int raced = 0;
        for (int v = 0; v < lesson->variant_count; v++)
            raced += progress_raced(walk->progress, lesson->name, lesson->variants[v].name);
        printf(ngettext("%s %s. %s Raced: %d of %d variant.\n", "%s %s. %s Raced: %d of %d variants.\n",
                        (unsigned long)lesson->variant_count), lesson->number,
               lesson_text(lesson)->title, lesson_text(lesson)->summary, raced,
               lesson->variant_count);
    }
}

static void tell_text(Walk *walk, const char *argument, int extra)
{
    (void)argument;
    (void)extra;
    const LessonText *text = lesson_text(walk->lesson);
    printf(_("%s. %s\n"), text->title, text->summary);
    for (int i = 0; i < text->section_count; i++) {
        printf("\n%s\n\n", text->sections[i].heading);
        blocks_print(text->sections[i].blocks, text->sections[i].block_count);
    }
    progress_note_read(walk->progress, walk->lesson->name);
}

static void tell_variants(Walk *walk, const char *argument, int extra)
{
    (void)argument;
    (void)extra;
    for (int i = 0; i < walk->lesson->variant_count; i++) {
        const LessonVariant *variant = &walk->lesson->variants[i];
        printf(_("%d %s. %s%s\n"), i + 1, variant->name, variant_text(variant)->title,
               variant == walk->variant ? _(" (open)") : "");
    }
}

static void tell_code(Walk *walk, const char *argument, int extra)
{
    (void)argument;
    (void)extra;
    const VariantText *text = variant_text(walk->variant);
    const Listing *listing = &walk->variant->listing;
    where_print(walk);
    blocks_print(text->blocks, text->block_count);
    if (text->goal) printf(_("Goal: %s\n"), text->goal);
    if (walk->variant->exercise)
        printf(_("Exercise: mend %s yourself: seckill-lab exercise %s/%s\n"), walk->variant->exercise->script,
               walk->lesson->name, walk->variant->name);
    printf("\n%s\n", walk->variant->code->file);
    for (int i = 0; i < listing->count; i++)
        printf("%4d  %s\n", listing->lines[i].source_line, listing->lines[i].text);
}

static void tell_help(Walk *walk, const char *argument, int extra)
{
    (void)walk;
    (void)argument;
    (void)extra;
    puts(_("A number opens the lesson of that number. Otherwise:"));
    const Word *word;
    for (int i = 0; (word = word_at(i)); i++) {
        const OptionKind *wish = word->help ? NULL : wish_kind((WishField)word->extra);
        const char *value = wish ? wish->value : word->argument;
        printf(_("%s%s%s: %s\n"), word->name, value ? " " : "", value ? _(value) : "",
               _(wish ? wish->help : word->help));
    }
}

/* ---- going on
 * ------------------------------------------------------------------------------------------- */

/* The stores are one world's at a time. */
static void step_end(Walk *walk)
{
    plain_step_close(walk->step);
    walk->step = NULL;
}

static void open_variant(Walk *walk, const Lesson *lesson, const LessonVariant *variant)
{
    step_end(walk);
    walk->lesson = lesson;
    walk->variant = variant ? variant : &lesson->variants[0];
    progress_note_last(walk->progress, walk->lesson->name, walk->variant->name);
    keep(walk);
    where_print(walk);
}

static void go_lesson(Walk *walk, const char *argument, int extra)
{
    (void)extra;
    Error error;
    const Lesson *lesson;
    const LessonVariant *variant;
    if (course_find(walk->course, argument, &lesson, &variant, &error))
        open_variant(walk, lesson, variant);
    else
        puts(error.text);
}

static void go_step(Walk *walk, const char *argument, int step)
{
    (void)argument;
    int next = (int)(walk->lesson - walk->course->lessons) + step;
    if (next < 0)
        puts(_("This is the first lesson."));
    else if (next >= walk->course->count)
        puts(_("This is the last lesson."));
    else
        open_variant(walk, &walk->course->lessons[next], NULL);
}

static void go_variant(Walk *walk, const char *argument, int extra)
{
    (void)extra;
    int count = walk->lesson->variant_count, number = atoi(argument);
    const LessonVariant *variant = lesson_variant(walk->lesson, argument);
    if (!*argument)
        variant = &walk->lesson->variants[(walk->variant - walk->lesson->variants + 1) % count];
    else if (number >= 1 && number <= count)
        variant = &walk->lesson->variants[number - 1];
    if (variant)
        open_variant(walk, walk->lesson, variant);
    else
        puts(_("This lesson has no such variant. Its variants are listed by: variants"));
}

static void set_wish(Walk *walk, const char *argument, int field)
{
    Error error;
    if (!wish_set(&walk->wish, (WishField)field, argument, &error))
        puts(error.text);
    else if (*argument)
        printf(_("%s: %s\n"), wish_kind((WishField)field)->name, argument);
    else
        printf(_("%s: as the lesson has it.\n"), wish_kind((WishField)field)->name);
}

static void set_language(Walk *walk, const char *argument, int extra)
{
    (void)extra;
    if (i18n_start(argument))
        where_print(walk);
    else
        printf(_("There is no language \"%s\": en or zh.\n"), argument);
}

static void leave(Walk *walk, const char *argument, int extra)
{
    (void)argument;
    (void)extra;
    walk->quit = true;
}

/* ---- the stores
 * ------------------------------------------------------------------------------------------- */

static bool stores_needed(Walk *walk)
{
    Error error;
    if (walk->observer) return true;
    puts(_("Starting the servers."));
    fflush(stdout);
    const ConsoleOptions *options = walk->options;
    if (!walk->stores) walk->stores = stores_open(options->redis_url, options->mysql_url, &error);
    if (walk->stores && stores_wait(walk->stores, WAIT_MS, &error) &&
        (walk->observer = observer_open(walk->stores, &error)))
        return true;
    puts(error.text);
    return false;
}

static void race(Walk *walk, const char *argument, int extra)
{
    (void)argument;
    (void)extra;
    Error error;
    Spec spec;
    if (!stores_needed(walk)) return;
    step_end(walk);
    wish_spec(&walk->wish, walk->variant, &spec);
    printf(ngettext("%d user buys.\n", "%d users buy.\n", (unsigned long)spec.users), spec.users);
    fflush(stdout);
    if (!race_run(walk->stores, &spec, &walk->report, &error)) {
        puts(error.text);
        return;
    }
    walk->has_report = true;
    walk->raced_lesson = walk->lesson;
    walk->raced_variant = walk->variant;
    progress_note_raced(walk->progress, walk->lesson->name, walk->variant->name);
    keep(walk);
    report_print(walk->lesson, walk->variant, &walk->report);
}

static void tell_report(Walk *walk, const char *argument, int extra)
{
    (void)argument;
    (void)extra;
    if (walk->has_report)
        report_print(walk->raced_lesson, walk->raced_variant, &walk->report);
    else
        puts(_("Nothing has raced yet. Start with: race"));
}

/* ---- step mode, and exploring
 * ------------------------------------------------------------------------------------------- */

static void step_open(Walk *walk, const Spec *spec, const Schedule *moves)
{
    Error error = {""};
    const VariantText *text = variant_text(walk->variant);
    if (!stores_needed(walk)) return;
    step_end(walk);
    if (text->goal) printf(_("Goal: %s\n"), text->goal);
    walk->step = plain_step_open(walk->stores, walk->observer, walk->lesson, walk->variant, spec, moves, &error);
    if (walk->step)
        puts(_("You are the scheduler. Moves: move A, move A B B. Also: undo, restart, stand, hint."));
    else
        puts(error.text);
}

static void step(Walk *walk, const char *argument, int extra)
{
    (void)extra;
    static Schedule moves;
    Error error = {""};
    Spec spec = walk->variant->small;
    moves.count = 0;
    if (*argument && (!schedule_parse(argument, &moves, &error) || !schedule_text_fits(&spec, &moves, &error)))
        puts(error.text);
    else
        step_open(walk, &spec, &moves);
}

static void replay(Walk *walk, const char *line, int extra)
{
    (void)extra;
    static Schedule moves;
    Error error = {""};
    const Lesson *lesson;
    const LessonVariant *variant;
    Spec spec;
    if (!schedule_text_read(walk->course, line, &lesson, &variant, &spec, &moves, &error)) {
        puts(error.text);
        return;
    }
    if (lesson != walk->lesson || variant != walk->variant) open_variant(walk, lesson, variant);
    step_open(walk, &spec, &moves);
}

typedef enum StepWord { STEP_MOVE, STEP_UNDO, STEP_RESTART, STEP_STAND } StepWord;

static void step_word(Walk *walk, const char *argument, int word)
{
    if (!walk->step) {
        puts(_("No world stands in step mode. Open it with: step"));
        return;
    }
    if (word == STEP_MOVE) plain_step_move(walk->step, argument);
    if (word == STEP_UNDO) plain_step_undo(walk->step);
    if (word == STEP_RESTART) plain_step_restart(walk->step);
    if (word == STEP_STAND) plain_step_tell(walk->step);
}

static void tell_hint(Walk *walk, const char *argument, int extra)
{
    (void)argument;
    (void)extra;
    const VariantText *text = variant_text(walk->variant);
    if (text->hint)
        printf(_("Hint: %s\n"), text->hint);
    else
        puts(_("This variant has no hint."));
}

/* The first Ctrl-C ends it with what it has. */
static void explore(Walk *walk, const char *argument, int extra)
{
    (void)argument;
    (void)extra;
    enum { SLICE_MS = 100 };
    Error error = {""};
    ExploreOptions options = {.prune = true, .preemptions = -1};
    const Spec *spec = &walk->variant->small;
    if (spec->preemptions > 0) options.preemptions = spec->preemptions;
    if (!stores_needed(walk)) return;
    step_end(walk);
    puts(_("Exploring. Ctrl-C ends it early."));
    fflush(stdout);
    interrupt_catch();
    interrupt_hold();
    Explorer *explorer = explorer_open(walk->stores, spec, &options, &error);
    while (explorer && !interrupt_asked() && explorer_slice(explorer, SLICE_MS)) {
    }
    signal(SIGINT, SIG_DFL);
    const Exploration *result = explorer ? explorer_result(explorer) : NULL;
    if (!explorer)
        puts(error.text);
    else if (result->failed)
        puts(result->error.text);
    else
        explore_print(walk->lesson, walk->variant, result);
    if (explorer) explorer_close(explorer);
}

static void ask(Walk *walk, const char *argument, int sql)
{
    if (!stores_needed(walk)) return;
    char *answer =
        sql ? observer_sql(walk->observer, argument) : observer_redis(walk->observer, argument);
    puts(answer ? answer : "");
    free(answer);
}

/* ---- words
 * ----------------------------------------------------------------------------------------------------
 */

/* clang-format off */
static const Word words[] = {
    {"lessons", NULL, tell_lessons, 0, N_("all lessons, and how far you are")},
    {"lesson", N_("NAME"), go_lesson, 0,
     N_("open a lesson: its number, its name, or name/variant")},
    {"next", NULL, go_step, 1, N_("the next lesson")},
    {"previous", NULL, go_step, -1, N_("the lesson before")},
    {"text", NULL, tell_text, 0, N_("the lesson's text")},
    {"variants", NULL, tell_variants, 0, N_("the ways to write the purchase in this lesson")},
    {"variant", N_("NAME"), go_variant, 0,
     N_("open a variant: its number or name; without one, the next")},
    {"code", NULL, tell_code, 0, N_("the variant's words and its code")},
    {"race", NULL, race, 0, N_("let all users buy at once, and print the report")},
    {"step", N_("[MOVES]"), step, 0, N_("step mode: you say who moves; MOVES are made at once, for instance A A B")},
    {"move", N_("MOVES"), step_word, STEP_MOVE, N_("make these moves in step mode")},
    {"undo", NULL, step_word, STEP_UNDO, N_("one move back")},
    {"restart", NULL, step_word, STEP_RESTART, N_("back to the start")},
    {"stand", NULL, step_word, STEP_STAND, N_("where everybody stands, and the line that does it again")},
    {"hint", NULL, tell_hint, 0, N_("what helps to reach the goal")},
    {"replay", N_("LINE"), replay, 0, N_("carry out a pasted schedule line")},
    {"explore", NULL, explore, 0, N_("run every schedule of the small world")},
    {"report", NULL, tell_report, 0, N_("the last report once more")},
    {"users", NULL, set_wish, WISH_USERS, NULL},
    {"stock", NULL, set_wish, WISH_STOCK, NULL},
    {"requests", NULL, set_wish, WISH_REQUESTS, NULL},
    {"nodes", NULL, set_wish, WISH_NODES, NULL},
    {"seed", NULL, set_wish, WISH_SEED, NULL},
    {"pace", NULL, set_wish, WISH_PACE, NULL},
    {"redis", N_("COMMAND"), ask, false, N_("ask Redis")},
    {"sql", N_("QUERY"), ask, true, N_("ask the database")},
    {"lang", "en|zh", set_language, 0, N_("English or Chinese")},
    {"help", NULL, tell_help, 0, N_("these words")},
    {"quit", NULL, leave, 0, N_("leave; progress is kept")},
};
/* clang-format on */

static const Word *word_at(int index)
{
    return index < (int)(sizeof words / sizeof *words) ? &words[index] : NULL;
}

static bool all_digits(const char *text)
{
    return *text && strspn(text, "0123456789") == strlen(text);
}

static void line_run(Walk *walk, char *line)
{
    size_t end = strlen(line);
    while (end > 0 && (line[end - 1] == ' ' || line[end - 1] == '\n' || line[end - 1] == '\r'))
        line[--end] = '\0';
    while (*line == ' ') line++;
    if (!*line) return;
    if (all_digits(line)) {
        go_lesson(walk, line, 0);
        return;
    }
    size_t length = strcspn(line, " ");
    char *argument = line + length;
    while (*argument == ' ') *argument++ = '\0';
    const Word *word;
    for (int i = 0; (word = word_at(i)); i++) {
        if (strcmp(word->name, line) != 0) continue;
        if (word->argument && word->argument[0] != '[' && !*argument && word->run != go_variant)
            printf(_("%s needs %s.\n"), line, _(word->argument));
        else
            word->run(walk, argument, word->extra);
        return;
    }
    char shown[120];
    printf(_("There is no word \"%s\". All are listed by: help\n"),
           text_clean(shown, sizeof shown, line, strlen(line)));
}

/* ---- begin and end
 * ------------------------------------------------------------------------------------------------
 */

static bool walk_begin(Walk *walk, Error *error)
{
    const char *last = progress_last(walk->progress), *name = progress_last_variant(walk->progress);
    walk->lesson = last ? course_lesson(walk->course, last) : NULL;
    if (walk->lesson && name) walk->variant = lesson_variant(walk->lesson, name);
    if (!walk->lesson) walk->lesson = &walk->course->lessons[0];
    if (walk->options->lesson &&
        !course_find(walk->course, walk->options->lesson, &walk->lesson, &walk->variant, error))
        return false;
    if (!walk->variant) walk->variant = &walk->lesson->variants[0];
    return true;
}

static void walk_on(Walk *walk)
{
    char line[LINE_SIZE];
    puts(_("seckill-lab, as plain text. Type a word and press Enter; help lists the words."));
    tell_lessons(walk, "", 0);
    where_print(walk);
    keep(walk);
    while (!walk->quit) {
        if (isatty(STDIN_FILENO)) fputs("> ", stdout);
        fflush(stdout);
        if (!fgets(line, sizeof line, stdin)) break;
        line_run(walk, line);
    }
}

int plain_run(const ConsoleOptions *options)
{
    Error error;
    Walk walk = {.options = options, .course = course_load(&error)};
    if (!walk.course) {
        fprintf(stderr, "seckill-lab: %s\n", error.text);
        return STATUS_FILES;
    }
    int status = 0;
    walk.progress = progress_load();
    wish_start(&walk.wish, options);
    if (walk_begin(&walk, &error))
        walk_on(&walk);
    else {
        fprintf(stderr, "seckill-lab: %s\n", error.text);
        status = STATUS_USAGE;
    }
    progress_save(walk.progress);
    progress_free(walk.progress);
    step_end(&walk);
    if (walk.observer) observer_close(walk.observer);
    if (walk.stores) stores_close(walk.stores);
    course_free(walk.course);
    return status;
}
