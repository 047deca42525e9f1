#include "course/lesson_words.h"

#include <stdlib.h>
#include <string.h>

#include "course/array.h"
#include "course/markdown.h"

/* What a heading means, in either language. */
static const struct {
    SectionKind kind;
    const char *heading[LANGUAGE_COUNT];
} headings[] = {
    {SECTION_STORY, {"Story", "故事"}},
    {SECTION_WATCH, {"What to watch", "看什么"}},
    {SECTION_HAPPENED, {"What happened", "发生了什么"}},
    {SECTION_WHY, {"Why", "为什么"}},
    {SECTION_FIX, {"The fix", "怎么改"}},
    {SECTION_JAVA, {"In Java", "在 Java 里"}},
    {SECTION_INTERVIEW, {"Interview", "面试"}},
};
static const char *const goal_heading[LANGUAGE_COUNT] = {"Goal", "目标"};
static const char *const hint_heading[LANGUAGE_COUNT] = {"Hint", "提示"};

/* Of a variant with an exercise, in this order in ExerciseText. */
enum { EXERCISE_PARTS = EXERCISE_HINTS + 2 };
static const char *const exercise_heading[EXERCISE_PARTS][LANGUAGE_COUNT] = {
    {"Exercise", "练习"}, {"Hint 1", "提示 1"}, {"Hint 2", "提示 2"}, {"Hint 3", "提示 3"}, {"Solution", "解答"},
};

/* The blocks of one file, taken from the front. */
typedef struct Words {
    Markdown markdown;
    int next;
    Language language;
    Lesson *lesson;
    Error *error;
} Words;

static bool in_either(const char *const heading[LANGUAGE_COUNT], const char *words)
{
    return strcmp(heading[LANGUAGE_EN], words) == 0 || strcmp(heading[LANGUAGE_ZH], words) == 0;
}

static MarkdownBlock *peek(const Words *words)
{
    return words->next < words->markdown.count ? &words->markdown.blocks[words->next] : NULL;
}

static bool is_heading(const MarkdownBlock *block, int level)
{
    return block && block->block.kind == BLOCK_HEADING && block->block.level == level;
}

/* Where the file goes wrong when something is missing: at the next block, or the last. */
static int line_here(const Words *words)
{
    int last = words->markdown.count - 1;
    if (last < 0) return 1;
    return words->markdown.blocks[words->next <= last ? words->next : last].line;
}

/* Moves the next block out of the file. */
static Block take(Words *words)
{
    MarkdownBlock *block = &words->markdown.blocks[words->next++];
    Block taken = block->block;
    block->block = (Block){0};
    return taken;
}

/* Moves a block to the end of an array of blocks. */
static void take_into(Words *words, Block **blocks, int *count)
{
    *blocks = array_grow(*blocks, *count, sizeof **blocks);
    (*blocks)[(*count)++] = take(words);
}

/* The next block must be a lone paragraph: its words, or NULL after an error that says what for. */
static char *take_paragraph(Words *words, const char *what)
{
    MarkdownBlock *block = peek(words);
    if (!block || block->block.kind != BLOCK_PARAGRAPH) {
        markdown_refuse(&words->markdown, line_here(words), words->error,
                        _("one paragraph is expected here: %s"), what);
        return NULL;
    }
    char *text = block_words(&block->block, 0);
    words->next++;
    return text;
}

static bool read_title(Words *words)
{
    LessonText *text = &words->lesson->text[words->language];
    MarkdownBlock *block = peek(words);
    if (!is_heading(block, 1))
        return markdown_refuse(&words->markdown, line_here(words), words->error,
                               _("the first line must be '# ' and the title of the lesson"));
    text->title = block_words(&block->block, 0);
    words->next++;
    text->summary = take_paragraph(words, _("the lesson in one line"));
    if (!text->summary) return false;
    block = peek(words);
    if (is_heading(block, 2)) return true;
    return markdown_refuse(&words->markdown, line_here(words), words->error,
                           _("a '## ' heading is expected after the lesson's one line"));
}

static bool inside_section(const Words *words)
{
    MarkdownBlock *block = peek(words);
    return block && !is_heading(block, 1) && !is_heading(block, 2);
}

/* ---- a variant's section ------------------------------------------------------------------- */

static LessonVariant *variant_named(Lesson *lesson, const char *name)
{
    for (int i = 0; i < lesson->variant_count; i++)
        if (strcmp(lesson->variants[i].name, name) == 0) return &lesson->variants[i];
    return NULL;
}

/* Goal or hint: the heading, then one paragraph, then nothing of its own any more. */
static bool read_aside(Words *words, char **into, const char *heading)
{
    int line = line_here(words);
    words->next++;
    if (*into)
        return markdown_refuse(&words->markdown, line, words->error, _("'%s' comes twice"),
                               heading);
    *into = take_paragraph(words, heading);
    if (!*into) return false;
    MarkdownBlock *block = peek(words);
    if (!block || block->block.kind == BLOCK_HEADING) return true;
    return markdown_refuse(&words->markdown, block->line, words->error,
                           _("'%s' is one paragraph; what follows needs a heading"), heading);
}

static Blocks *exercise_part(ExerciseText *text, int part)
{
    if (part == 0) return &text->task;
    return part == EXERCISE_PARTS - 1 ? &text->solution : &text->hint[part - 1];
}

static int exercise_part_named(const char *heading)
{
    int part = 0;
    while (part < EXERCISE_PARTS && !in_either(exercise_heading[part], heading)) part++;
    return part;
}

/* One part of an exercise: all blocks up to the next heading. */
static bool read_exercise_part(Words *words, const LessonVariant *variant, int part)
{
    const char *heading = exercise_heading[part][words->language];
    int line = line_here(words);
    words->next++;
    if (!variant->exercise)
        return markdown_refuse(&words->markdown, line, words->error,
                               _("'%s': variant '%s' has no exercise in the yaml"), heading, variant->name);
    Blocks *into = exercise_part(&variant->exercise->text[words->language], part);
    if (into->count > 0)
        return markdown_refuse(&words->markdown, line, words->error, _("'%s' comes twice"), heading);
    while (inside_section(words) && !is_heading(peek(words), 3)) take_into(words, &into->blocks, &into->count);
    return into->count > 0 ||
           markdown_refuse(&words->markdown, line, words->error, _("'%s' has no text"), heading);
}

static bool read_variant_block(Words *words, const LessonVariant *variant, VariantText *text)
{
    MarkdownBlock *block = peek(words);
    if (!is_heading(block, 3)) {
        take_into(words, &text->blocks, &text->block_count);
        return true;
    }
    char *heading = block_words(&block->block, 0);
    int part = exercise_part_named(heading);
    bool read = true;
    if (in_either(goal_heading, heading))
        read = read_aside(words, &text->goal, heading);
    else if (in_either(hint_heading, heading))
        read = read_aside(words, &text->hint, heading);
    else if (part < EXERCISE_PARTS)
        read = read_exercise_part(words, variant, part);
    else
        take_into(words, &text->blocks, &text->block_count);
    free(heading);
    return read;
}

static bool check_exercise(Words *words, const LessonVariant *variant, int line)
{
    if (!variant->exercise) return true;
    for (int part = 0; part < EXERCISE_PARTS; part++)
        if (exercise_part(&variant->exercise->text[words->language], part)->count == 0)
            return markdown_refuse(&words->markdown, line, words->error,
                                   _("variant '%s' has an exercise: '### %s' is missing"), variant->name,
                                   exercise_heading[part][words->language]);
    return true;
}

static bool read_variant(Words *words)
{
    const MarkdownBlock *heading = peek(words);
    const char *name = heading->block.spans[0].text;
    int line = heading->line;
    LessonVariant *variant = variant_named(words->lesson, name);
    if (!variant)
        return markdown_refuse(&words->markdown, line, words->error,
                               _("the lesson has no variant '%s'"), name);
    VariantText *text = &variant->text[words->language];
    if (text->title)
        return markdown_refuse(&words->markdown, line, words->error, _("variant '%s' comes twice"),
                               name);
    text->title = block_words(&heading->block, 1);
    words->next++;
    if (!*text->title)
        return markdown_refuse(&words->markdown, line, words->error,
                               _("variant '%s' needs a title behind its name"), variant->name);
    while (inside_section(words))
        if (!read_variant_block(words, variant, text)) return false;
    if (!check_exercise(words, variant, line)) return false;
    if (text->block_count > 0) return true;
    return markdown_refuse(&words->markdown, line, words->error, _("variant '%s' has no text"),
                           variant->name);
}

/* ---- any other section --------------------------------------------------------------------- */

static SectionKind kind_of(const char *heading)
{
    for (size_t i = 0; i < sizeof headings / sizeof headings[0]; i++)
        if (in_either(headings[i].heading, heading)) return headings[i].kind;
    return SECTION_OTHER;
}

static bool has_section(const LessonText *text, SectionKind kind)
{
    for (int i = 0; i < text->section_count; i++)
        if (text->sections[i].kind == kind) return true;
    return false;
}

static bool read_section(Words *words)
{
    LessonText *text = &words->lesson->text[words->language];
    const MarkdownBlock *block = peek(words);
    int line = block->line;
    char *heading = block_words(&block->block, 0);
    SectionKind kind = kind_of(heading);
    bool twice = kind != SECTION_OTHER && has_section(text, kind);
    words->next++;
    text->sections = array_grow(text->sections, text->section_count, sizeof *text->sections);
    Section *section = &text->sections[text->section_count++];
    section->kind = kind;
    section->heading = heading;
    if (twice)
        return markdown_refuse(&words->markdown, line, words->error, _("section '%s' comes twice"),
                               heading);
    while (inside_section(words)) take_into(words, &section->blocks, &section->block_count);
    if (section->block_count > 0) return true;
    return markdown_refuse(&words->markdown, line, words->error, _("section '%s' has no text"),
                           heading);
}

/* ---- the file ------------------------------------------------------------------------------ */

static bool read_sections(Words *words)
{
    while (is_heading(peek(words), 2)) {
        const Block *heading = &peek(words)->block;
        bool names_variant = heading->span_count > 0 && heading->spans[0].style == SPAN_CODE;
        if (!(names_variant ? read_variant(words) : read_section(words))) return false;
    }
    if (words->next == words->markdown.count) return true;
    return markdown_refuse(&words->markdown, line_here(words), words->error,
                           _("a file has one title only; use '## '"));
}

static bool check_complete(Words *words)
{
    const LessonText *text = &words->lesson->text[words->language];
    int line = line_here(words);
    for (size_t i = 0; i < sizeof headings / sizeof headings[0]; i++)
        if (!has_section(text, headings[i].kind))
            return markdown_refuse(&words->markdown, line, words->error,
                                   _("section '## %s' is missing"),
                                   headings[i].heading[words->language]);
    for (int i = 0; i < words->lesson->variant_count; i++)
        if (!words->lesson->variants[i].text[words->language].title)
            return markdown_refuse(&words->markdown, line, words->error,
                                   _("section '## `%s` ...' is missing"),
                                   words->lesson->variants[i].name);
    return true;
}

bool lesson_words_read(const char *path, const char *name, Language language, Lesson *lesson,
                       Error *error)
{
    Words words = {.language = language, .lesson = lesson, .error = error};
    if (!markdown_read(path, name, &words.markdown, error)) return false;
    bool read = read_title(&words) && read_sections(&words) && check_complete(&words);
    markdown_clear(&words.markdown);
    return read;
}
