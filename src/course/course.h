/* course.h -- the lessons: what lessons/NN-id.yaml states, what lessons/{en,zh}/NN-id.md tells, and
 * the listing that is cut from the source. Loaded once, then read only. */
#ifndef COURSE_COURSE_H
#define COURSE_COURSE_H

#include "base/error.h"
#include "base/i18n.h"
#include "engine/spec.h"

/* A run of text of one kind, as md4c found it. */
typedef enum SpanStyle { SPAN_PLAIN, SPAN_STRONG, SPAN_EMPHASIS, SPAN_CODE } SpanStyle;
typedef struct Span {
    SpanStyle style;
    char *text; /* UTF-8, no newline */
} Span;

typedef enum BlockKind {
    BLOCK_PARAGRAPH, /* `level`: depth of the list it belongs to, 0 outside of lists */
    BLOCK_HEADING,   /* level 3 and below, inside a section */
    BLOCK_ITEM,      /* of a list; `level` is its depth, `number` > 0 in a numbered one */
    BLOCK_CODE,      /* one Span a line */
    BLOCK_ROW        /* of a table: one Span a cell; `number` counts from 1, the head */
} BlockKind;

typedef struct Block {
    BlockKind kind;
    int level, number;
    Span *spans;
    int span_count;
} Block;

/* What a section is about. The md files mark it by their heading; see docs/adding-a-lesson.md. */
typedef enum SectionKind {
    SECTION_STORY,     /* ## Story          ## 故事 */
    SECTION_WATCH,     /* ## What to watch  ## 看什么 */
    SECTION_HAPPENED,  /* ## What happened  ## 发生了什么 */
    SECTION_WHY,       /* ## Why            ## 为什么 */
    SECTION_FIX,       /* ## The fix        ## 怎么改 */
    SECTION_JAVA,      /* ## In Java        ## 在 Java 里 */
    SECTION_INTERVIEW, /* ## Interview      ## 面试 */
    SECTION_OTHER
} SectionKind;

typedef struct Section {
    SectionKind kind;
    char *heading;
    Block *blocks;
    int block_count;
} Section;

/* One variant's words in one language: "## `check-then-update` Check, then act". */
typedef struct VariantText {
    char *title;   /* "Check, then act" */
    Block *blocks; /* a paragraph or two; ### Goal and ### Hint are taken out of them */
    int block_count;
    char *goal; /* NULL when none is given */
    char *hint;
} VariantText;

typedef struct LessonText {
    char *title;   /* "Oversell" */
    char *summary; /* the first paragraph: one line for the course view */
    Section *sections;
    int section_count;
} LessonText;

typedef struct ListingLine {
    int source_line; /* in the file of the variant; 0 for the blank line between two functions */
    char *text;      /* tabs widened, UTF-8 */
} ListingLine;

typedef struct Listing {
    ListingLine *lines; /* the purchase, then the functions of its file that it calls */
    int count;
    uint64_t hash; /* of the text: in every schedule line */
} Listing;

/* Blocks of text that belong together. */
typedef struct Blocks {
    Block *blocks;
    int count;
} Blocks;

enum { EXERCISE_HINTS = 3, EXERCISE_WORLDS = 4 };

/* The words of an exercise: "### Exercise", "### Hint 1" to 3, "### Solution" of its variant. */
typedef struct ExerciseText {
    Blocks task, hint[EXERCISE_HINTS], solution;
} ExerciseText;

/* A script that the learner mends; see exercise.h. */
typedef struct Exercise {
    char *script;   /* "sell_midway.lua": as it is shipped, with its faults */
    char *solution; /* "solutions/sell_midway.lua", below lua/ as well */
    ScriptKeys keys; /* what the learner's script may touch */
    Spec world[EXERCISE_WORLDS]; /* small worlds in which nothing may break: what must hold is in `keeps` */
    int worlds;
    ExerciseText text[LANGUAGE_COUNT];
    /* The variant as it is shipped, while the learner's script stands in its place. */
    bool put_on;
    Listing shipped_listing;
    Spec shipped_small, shipped_race;
    char *shipped_shortest;
} Exercise;

typedef struct LessonVariant {
    char *name;
    const Variant *code;
    VariantText text[LANGUAGE_COUNT];
    Listing listing;
    Spec small;     /* the small world: for step and explore, faults included */
    Spec race;      /* race defaults */
    char *shortest; /* claimed: the moves of the shortest schedule that breaks something, or NULL */
    bool mended;    /* breaks nothing */
    Exercise *exercise; /* NULL: none */
} LessonVariant;

typedef struct Lesson {
    char *number; /* "02" */
    char *name;   /* "oversell" */
    LessonText text[LANGUAGE_COUNT];
    LessonVariant *variants;
    int variant_count;
    bool shows_stock, shows_ids, shows_queue, shows_locks; /* panels: the yaml's list */
} Lesson;

typedef struct Course {
    Lesson *lessons;
    int count;
} Course;

/* Loads everything below paths_data(). A mistake in a file: NULL, with file, line and reason. */
Course *course_load(Error *error);
Course *course_load_from(const char *directory, Error *error);
void course_free(Course *course);
void blocks_free(Block *blocks, int count);

/* By number ("02", "2"), by name ("oversell") or both ("02-oversell"). NULL when there is none. */
const Lesson *course_lesson(const Course *course, const char *name);
const LessonVariant *lesson_variant(const Lesson *lesson, const char *name);
/* "LESSON[/VARIANT]", the form of the command line; without a variant the lesson's first. False
 * with a line that names what exists. */
bool course_find(const Course *course, const char *name, const Lesson **lesson,
                 const LessonVariant **variant, Error *error);

/* The words of the language in force. */
const LessonText *lesson_text(const Lesson *lesson);
const VariantText *variant_text(const LessonVariant *variant);

#endif
