/* referee_sales.h -- what was sold, counted. Private to referee.c.
 *
 * A sale is an order in the database. In a variant that answers first and writes none there (stock in Redis
 * alone, the user is told a number: ANSWER_ISSUED), it is such an answer. */
#ifndef ENGINE_REFEREE_SALES_H
#define ENGINE_REFEREE_SALES_H

#include "engine/referee.h"

typedef struct Sales {
    long orders;  /* orders, and numbers issued instead of orders */
    long units;   /* vouchers in them: more than orders where baskets hold several */
    long buyers;  /* different users who have one */
    long twice;   /* of them, users who have more than one */
    int64_t first_twice; /* the first of these, 0: none */
    long refused; /* users who went without, though what is left would have filled their basket */
    bool known;   /* whose they are could be read: else orders alone counts, and units is the same */
} Sales;

Sales sales_count(const Case *judged);

#endif
