#include "tui/prompt.h"

#include <curses.h>
#include <fcntl.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <readline/history.h>
#include <readline/readline.h>

#include "base/paths.h"
#include "base/text.h"
#include "tui/term.h"

enum { QUEUE = 64, HISTORY_LINES = 500, ESCAPE = 27 };

static struct {
    PromptHandler handler;
    bool open;
    char *entered; /* a line that was ended with Enter */
    bool ended;    /* Enter, or Ctrl-D on an empty line */
    unsigned char queue[QUEUE];
    int head, tail;
    Text offers;
    int first; /* first column of the line that is shown */
} prompt;

/* ---- what readline asks of us ---------------------------------------------------------------- */

static int queue_take(FILE *ignored)
{
    (void)ignored;
    return prompt.head < prompt.tail ? prompt.queue[prompt.head++] : EOF;
}

static int queue_waiting(void)
{
    return prompt.head < prompt.tail;
}

static void display_nothing(void)
{
}

static void line_ended(char *line)
{
    prompt.ended = true;
    prompt.entered = line;
    /* Readline would show its prompt again at once. */
    rl_callback_handler_remove();
}

static void matches_show(char **matches, int count, int longest)
{
    (void)longest;
    text_reset(&prompt.offers);
    for (int i = 1; i <= count; i++) text_format(&prompt.offers, i > 1 ? "  %s" : "%s", matches[i]);
}

static char *match_next(const char *word, int state)
{
    static char **list;
    static int at;
    (void)word;
    if (state == 0) {
        char *before = strndup(rl_line_buffer, (size_t)rl_point - strlen(word));
        list = before ? prompt.handler.complete(prompt.handler.context, before, word) : NULL;
        at = 0;
        free(before);
    }
    if (list && list[at]) return list[at++];
    free(list);
    list = NULL;
    return NULL;
}

static char **matches_find(const char *word, int start, int end)
{
    (void)start;
    (void)end;
    rl_attempted_completion_over = 1; /* never file names */
    return rl_completion_matches(word, match_next);
}

/* ---- begin and end ------------------------------------------------------------------------------
 */

static const char *history_path(void)
{
    static char path[4096];
    snprintf(path, sizeof path, "%s/history", paths_state());
    return path;
}

/* Readline sets the locale from the environment when it starts; ours must stay. */
static void initialize_in_our_locale(void)
{
    char *ours = strdup(setlocale(LC_CTYPE, NULL));
    char *before = getenv("LC_ALL") ? strdup(getenv("LC_ALL")) : NULL;
    if (ours) setenv("LC_ALL", ours, 1);
    rl_initialize();
    if (before)
        setenv("LC_ALL", before, 1);
    else
        unsetenv("LC_ALL");
    if (ours) setlocale(LC_CTYPE, ours);
    free(before);
    free(ours);
}

void prompt_start(const PromptHandler *handler)
{
    prompt.handler = *handler;
    rl_readline_name = "seckill-lab";
    rl_catch_signals = 0;
    rl_catch_sigwinch = 0;
    rl_change_environment = 0;
    rl_prep_term_function = NULL;
    rl_deprep_term_function = NULL;
    rl_redisplay_function = display_nothing;
    rl_getc_function = queue_take;
    rl_input_available_hook = queue_waiting;
    rl_attempted_completion_function = matches_find;
    rl_completion_display_matches_hook = matches_show;
    rl_completer_word_break_characters = " ";
    rl_completer_quote_characters = NULL;
    FILE *nowhere = fopen("/dev/null", "r+");
    if (nowhere) {
        fcntl(fileno(nowhere), F_SETFD, FD_CLOEXEC);
        rl_outstream = nowhere;
    }
    initialize_in_our_locale();
    rl_variable_bind("bell-style", "none");
    rl_variable_bind("enable-bracketed-paste", "off");
    rl_variable_bind("show-all-if-ambiguous", "on");
    rl_variable_bind("completion-query-items", "0");
    rl_variable_bind("editing-mode", "emacs");
    using_history();
    stifle_history(HISTORY_LINES);
    read_history(history_path());
}

void prompt_stop(void)
{
    if (prompt.open) rl_callback_handler_remove();
    prompt.open = false;
    write_history(history_path());
    text_free(&prompt.offers);
}

void prompt_open(const char *text)
{
    prompt.open = true;
    prompt.ended = false;
    prompt.head = prompt.tail = prompt.first = 0;
    text_reset(&prompt.offers);
    rl_callback_handler_install("", line_ended);
    if (*text) rl_insert_text(text);
}

bool prompt_is_open(void)
{
    return prompt.open;
}

const char *prompt_offers(void)
{
    return text_string(&prompt.offers);
}

/* ---- keys
 * ---------------------------------------------------------------------------------------- */

static void feed(const char *bytes)
{
    prompt.head = prompt.tail = 0;
    while (*bytes && prompt.tail < QUEUE) prompt.queue[prompt.tail++] = (unsigned char)*bytes++;
    while (prompt.head < prompt.tail && !prompt.ended) rl_callback_read_char();
}

static const char *sequence(int key)
{
    static const struct {
        int key;
        const char *bytes;
    } sequences[] = {
        {KEY_LEFT, "\033[D"}, {KEY_RIGHT, "\033[C"}, {KEY_UP, "\033[A"},      {KEY_DOWN, "\033[B"},
        {KEY_HOME, "\001"},   {KEY_END, "\005"},     {KEY_BACKSPACE, "\177"}, {KEY_DC, "\033[3~"},
        {KEY_ENTER, "\r"},    {KEY_BTAB, "\t"},
    };
    for (size_t i = 0; i < sizeof sequences / sizeof *sequences; i++)
        if (sequences[i].key == key) return sequences[i].bytes;
    return NULL;
}

static void cancel(void)
{
    rl_replace_line("", 0);
    rl_callback_handler_remove();
    prompt.open = false;
}

static void finish(void)
{
    char *line = prompt.entered;
    prompt.entered = NULL;
    prompt.open = false;
    char *text = line;
    while (text && *text == ' ') text++;
    if (text && *text) {
        HIST_ENTRY *last =
            history_length > 0 ? history_get(history_base + history_length - 1) : NULL;
        if (!last || strcmp(last->line, text) != 0) add_history(text);
        prompt.handler.run(prompt.handler.context, text);
    }
    free(line);
}

void prompt_key(int key)
{
    text_reset(&prompt.offers);
    if (key < 0) { /* beyond ASCII: whole characters, not bytes */
        char bytes[5] = {0};
        text_encode((uint32_t)-key, bytes);
        rl_insert_text(bytes);
        return;
    }
    if (key == ESCAPE) {
        int next = term_key(); /* Alt and a letter come as two keys at once */
        if (next <= 0 || next > 127) {
            cancel();
            return;
        }
        char both[3] = {ESCAPE, (char)next, 0};
        feed(both);
    } else if (key == 3 || key == 7) { /* Ctrl-C, Ctrl-G */
        cancel();
        return;
    } else if ((key == KEY_BACKSPACE || key == 127 || key == 8) && rl_end == 0) {
        cancel(); /* nothing is left to take back but the line itself */
        return;
    } else if (key < 128) {
        char one[2] = {(char)key, 0};
        feed(one);
    } else if (sequence(key)) {
        feed(sequence(key));
    }
    if (prompt.ended) finish();
}

/* ---- drawing
 * --------------------------------------------------------------------------------------- */

void prompt_draw(const Area *line, int *column)
{
    char *before = strndup(rl_line_buffer, (size_t)rl_point);
    if (!before) return;
    int cursor = text_columns(before), room = line->columns - 3;
    free(before);
    /* A long line moves left as far as the cursor needs it. */
    if (cursor < prompt.first) prompt.first = cursor;
    if (cursor > prompt.first + room) prompt.first = cursor - room;

    const char *text = rl_line_buffer;
    int skipped = 0;
    while (*text && skipped < prompt.first) skipped += text_char_columns(text_next(&text));
    area_put(line, 0, 1, 1, STYLE_KEY, ":");
    area_put(line, 0, 2, 0, STYLE_TEXT, text);
    *column = 2 + cursor - skipped;
}
