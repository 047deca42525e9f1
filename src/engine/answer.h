/* answer.h -- what a user is told at the end of a request. */
#ifndef ENGINE_ANSWER_H
#define ENGINE_ANSWER_H

#include <stdbool.h>
#include <stdint.h>

typedef enum AnswerKind {
    ANSWER_ORDERED,   /* "yes, your order is number ..." */
    ANSWER_SOLD_OUT,
    ANSWER_DUPLICATE, /* "you have bought already" */
    ANSWER_BUSY,      /* "try again later" */
    ANSWER_NOT_BEGUN,
    ANSWER_ENDED,
    ANSWER_ERROR,     /* an error left the purchase, like an exception */
    ANSWER_UNKNOWN,   /* the connection broke in the middle: nobody knows */
    ANSWER_ISSUED,    /* lesson 01: an id, without an order */
    ANSWER_NOT_FOUND, /* "there is no such order": said of one that was promised */
    ANSWER_COUNT
} AnswerKind;

typedef struct Answer {
    AnswerKind kind;
    int64_t id; /* the order's, for ORDERED and ISSUED */
} Answer;

/* JSON name: "ordered", "sold_out", ... */
const char *answer_name(AnswerKind kind);
/* For people, translated. */
const char *answer_words(AnswerKind kind);
/* A "no" promises that there is no order. ERROR counts as a no; UNKNOWN promises nothing. */
bool answer_is_no(AnswerKind kind);

#endif
