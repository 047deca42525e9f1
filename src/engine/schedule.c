#include "engine/schedule.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/i18n.h"
#include "base/text.h"

/* ---- one move --------------------------------------------------------------------------------- */

enum { NUMBER_MOST = 100000, SETTING_MOST = 1000000000 };

/* Reads a positive number that ends the word; 0 when it is not one, or is above `most`. */
static int whole_number(const char *text, int most)
{
    if (!isdigit((unsigned char)text[0])) return 0;
    char *end;
    long number = strtol(text, &end, 10);
    return *end == '\0' && number >= 1 && number <= most ? (int)number : 0;
}

/* The key must be clean: it will be shown as it is. */
static bool keyed(const char *key, Move *move)
{
    size_t length = strlen(key);
    *move = (Move){.kind = MOVE_CLOCK};
    if (length == 0 || length >= sizeof move->key) return false;
    return strcmp(text_clean(move->key, sizeof move->key, key, length), key) == 0;
}

/* How moves are spelled: a word, or a number between two. Letters and keys are not in here. */
static const struct MoveForm {
    MoveKind kind;
    const char *before, *behind;
    bool numbered;
} forms[] = {
    {MOVE_USER, "u", "", true},
    {MOVE_CONSUMER, "c", "", true},
    {MOVE_WATCHDOG, "w", "", true},
    {MOVE_CLOCK, "clk", "", false},
    {MOVE_CRASH, "!n", "", true},
    {MOVE_START, "^n", "", true},
    {MOVE_FREEZE, "~n", "", true},
    {MOVE_FAILOVER, "failover", "", false},
    {MOVE_CUT, "cut", "", false},
    {MOVE_MEND, "mend", "", false},
    {MOVE_SERVER_KILL, "!s", "", true},
    {MOVE_SERVER_KEPT, "^s", "", true},
    {MOVE_SERVER_EMPTY, "^s", ":empty", true},
};
enum { FORMS = sizeof forms / sizeof forms[0] };

static bool has_form(const struct MoveForm *form, const char *word, Move *move)
{
    char number[24];
    size_t before = strlen(form->before), behind = strlen(form->behind), length = strlen(word);
    *move = (Move){.kind = form->kind};
    if (!form->numbered) return strcmp(word, form->before) == 0;
    if (length < before + behind || length - before - behind >= sizeof number) return false;
    if (strncmp(word, form->before, before) != 0 || strcmp(word + length - behind, form->behind) != 0)
        return false;
    snprintf(number, sizeof number, "%.*s", (int)(length - before - behind), word + before);
    move->number = whole_number(number, NUMBER_MOST) - 1;
    return move->number >= 0;
}

static bool move_parse(const char *word, Move *move)
{
    if (word[0] >= 'A' && word[0] <= 'Z' && word[1] == '\0') {
        *move = (Move){.kind = MOVE_USER, .number = word[0] - 'A'};
        return true;
    }
    if (strncmp(word, "clk:", 4) == 0) return keyed(word + 4, move);
    for (int i = 0; i < FORMS; i++)
        if (has_form(&forms[i], word, move)) return true;
    return false;
}

/* "A*3": cuts the word at the star, returns how often; 0 when the number is wrong. */
static int cut_repeat(char *word)
{
    if (strncmp(word, "clk:", 4) == 0) return 1; /* a key may hold a star */
    char *star = strchr(word, '*');
    if (!star) return 1;
    *star = '\0';
    return whole_number(star + 1, NUMBER_MOST);
}

static bool is_no_move(const char *word, size_t length, Error *error)
{
    char shown[SCHEDULE_KEY + 32];
    text_clean(shown, sizeof shown, word, length);
    return error_set(error, _("\"%s\" is no move. Moves are A B ... clk !n1 ^n1, or A*3."), shown);
}

bool schedule_parse(const char *text, Schedule *schedule, Error *error)
{
    schedule->count = 0;
    char word[SCHEDULE_KEY + 16];
    while (*(text += strspn(text, " \t\r\n"))) {
        size_t length = strcspn(text, " \t\r\n");
        if (length >= sizeof word) {
            char shown[24];
            return error_set(error, _("\"%s...\" is too long for a move."),
                             text_clean(shown, sizeof shown, text, length));
        }
        memcpy(word, text, length);
        word[length] = '\0';
        Move move;
        int times = cut_repeat(word);
        if (times == 0 || !move_parse(word, &move)) return is_no_move(text, length, error);
        text += length;
        if (times > SCHEDULE_MOVES - schedule->count)
            return error_set(error, _("A schedule has at most %d moves."), SCHEDULE_MOVES);
        while (times-- > 0) schedule->move[schedule->count++] = move;
    }
    return true;
}

/* ---- writing ------------------------------------------------------------------------------------ */

const char *schedule_actor(int actor, char *text)
{
    if (actor < 26)
        snprintf(text, 12, "%c", 'A' + actor);
    else
        snprintf(text, 12, "u%d", actor + 1);
    return text;
}

static void move_write(const Move *move, char *text, int size)
{
    char actor[12];
    if (move->kind == MOVE_USER) snprintf(text, (size_t)size, "%s", schedule_actor(move->number, actor));
    for (int i = 0; i < FORMS && move->kind != MOVE_USER; i++) {
        if (forms[i].kind != move->kind) continue;
        if (forms[i].numbered)
            snprintf(text, (size_t)size, "%s%d%s", forms[i].before, move->number + 1, forms[i].behind);
        else
            snprintf(text, (size_t)size, "%s%s%s", forms[i].before, move->key[0] ? ":" : "", move->key);
    }
}

const char *schedule_write(const Schedule *schedule, char *text, int size)
{
    int used = 0;
    text[0] = '\0';
    for (int i = 0; i < schedule->count; i++) {
        char word[SCHEDULE_KEY + 8];
        move_write(&schedule->move[i], word, sizeof word);
        int wanted = (int)strlen(word) + (i > 0);
        if (used + wanted + 5 > size) {
            snprintf(text + used, (size_t)(size - used), " ...");
            return text;
        }
        used += snprintf(text + used, (size_t)(size - used), i > 0 ? " %s" : "%s", word);
    }
    return text;
}

void schedule_add_user(Schedule *schedule, int actor)
{
    if (schedule->count == SCHEDULE_MOVES) return;
    schedule->move[schedule->count++] = (Move){.kind = MOVE_USER, .number = actor};
}

/* ---- the pasteable line ---------------------------------------------------------------------------- */

/* Names of lessons and variants: small letters, digits and "-". */
static bool copy_name(const char *from, size_t length, char *to, size_t size)
{
    if (length == 0 || length >= size) return false;
    for (size_t i = 0; i < length; i++)
        if (!islower((unsigned char)from[i]) && !isdigit((unsigned char)from[i]) && from[i] != '-')
            return false;
    memcpy(to, from, length);
    to[length] = '\0';
    return true;
}

static bool setting_parse(const char *word, ScheduleLine *line)
{
    static const char *const names[] = {"users=", "requests=", "nodes="};
    int *const places[] = {&line->users, &line->requests, &line->nodes};
    for (int i = 0; i < 3; i++) {
        size_t length = strlen(names[i]);
        if (strncmp(word, names[i], length) != 0) continue;
        *places[i] = whole_number(word + length, SETTING_MOST);
        return *places[i] > 0;
    }
    if (strncmp(word, "stock=", 6) != 0) return false;
    line->stock = whole_number(word + 6, SETTING_MOST);
    return line->stock > 0 || strcmp(word + 6, "0") == 0;
}

/* What a schedule cannot say: an error instead of a step. */
static bool error_parse(const char *text, ScheduleLine *line, Error *error)
{
    if (line->errors == SCHEDULE_ERRORS)
        return error_set(error, _("A schedule line has at most %d errors."), SCHEDULE_ERRORS);
    return fault_parse(FAULT_ERROR, text, &line->error[line->errors++], error);
}

static bool settings_parse(const char *text, size_t length, ScheduleLine *line, Error *error)
{
    char settings[256], shown[80];
    if (length >= sizeof settings) return error_set(error, "%s", _("The schedule line is too long."));
    memcpy(settings, text, length);
    settings[length] = '\0';
    char *rest = NULL;
    for (char *word = strtok_r(settings, " \t", &rest); word; word = strtok_r(NULL, " \t", &rest)) {
        if (strncmp(word, "error=", 6) == 0) {
            if (!error_parse(word + 6, line, error)) return false;
        } else if (!setting_parse(word, line)) {
            return error_set(error, _("\"%s\" is no setting. Settings are users=N requests=N stock=N nodes=N."),
                             text_clean(shown, sizeof shown, word, strlen(word)));
        }
    }
    return true;
}

/* Up to 16 hexadecimal digits, and nothing else. */
static bool hash_parse(const char *text, size_t length, uint64_t *hash)
{
    if (length == 0 || length > 16 || strspn(text, "0123456789abcdefABCDEF") < length) return false;
    *hash = strtoull(text, NULL, 16);
    return true;
}

bool schedule_line_parse(const char *text, ScheduleLine *line, Error *error)
{
    memset(line, 0, sizeof *line);
    line->stock = -1;
    text += strspn(text, " \t\r\n");
    size_t head = strcspn(text, " \t");
    const char *slash = memchr(text, '/', head);
    const char *at = memchr(text, '@', head);
    const char *colon = strstr(text, " :");
    if (!slash || !at || at < slash || !colon || colon < text + head)
        return error_set(error, "%s",
                         _("A schedule line reads LESSON/VARIANT@HASH users=2 stock=1 : A A B B."));
    if (!copy_name(text, (size_t)(slash - text), line->lesson, sizeof line->lesson) ||
        !copy_name(slash + 1, (size_t)(at - slash - 1), line->variant, sizeof line->variant))
        return error_set(error, "%s", _("The schedule line names no lesson and variant."));
    if (!hash_parse(at + 1, (size_t)(text + head - at - 1), &line->hash))
        return error_set(error, "%s", _("The schedule line's hash is not a hexadecimal number."));
    if (!settings_parse(text + head, (size_t)(colon - text) - head, line, error)) return false;
    return schedule_parse(colon + 2, &line->schedule, error);
}

const char *schedule_line_write(const ScheduleLine *line, char *text, int size)
{
    int used = snprintf(text, (size_t)size, "%s/%s@%08" PRIx64, line->lesson, line->variant, line->hash);
    if (line->users > 0 && used < size)
        used += snprintf(text + used, (size_t)(size - used), " users=%d", line->users);
    if (line->requests > 0 && used < size)
        used += snprintf(text + used, (size_t)(size - used), " requests=%d", line->requests);
    if (line->stock >= 0 && used < size)
        used += snprintf(text + used, (size_t)(size - used), " stock=%ld", line->stock);
    if (line->nodes > 0 && used < size)
        used += snprintf(text + used, (size_t)(size - used), " nodes=%d", line->nodes);
    for (int i = 0; i < line->errors && used < size; i++) {
        char fault[200];
        fault_write(&line->error[i], fault, sizeof fault);
        used += snprintf(text + used, (size_t)(size - used), " error=%s", fault + strlen("error "));
    }
    if (used + 4 < size) {
        used += snprintf(text + used, (size_t)(size - used), " : ");
        schedule_write(&line->schedule, text + used, size - used);
    }
    return text;
}
