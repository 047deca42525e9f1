/* variant.h -- the register of everything that can be bought with: one line a variant. */
#ifndef ENGINE_VARIANT_H
#define ENGINE_VARIANT_H

#include "engine/steps.h"

typedef struct Variant {
    const char *lesson;    /* "oversell" */
    const char *name;      /* "check-then-update" */
    Purchase purchase;
    const char *file;      /* "src/shop/oversell.c" */
    const char *function;  /* "buy_check_then_update": where its listing begins */
    Consumer consumer;     /* works behind the users, on Spec.consumers threads of each node; NULL: none */
    const char *consumer_function; /* listed below the purchase */
} Variant;

/* Defined in shop/register.c, which is the one file a new lesson changes. */
extern const Variant variants[];
extern const int variant_count;

/* NULL when there is none. */
const Variant *variant_find(const char *lesson, const char *name);

#endif
