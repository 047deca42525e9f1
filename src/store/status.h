/* status.h -- how a call to a store ended. Two kinds of trouble are never mixed up. */
#ifndef STORE_STATUS_H
#define STORE_STATUS_H

typedef enum StoreStatus {
    STORE_OK,
    STORE_REFUSED, /* the server answered, and its answer was no */
    STORE_LOST     /* the connection broke: whether the command ran is not known */
} StoreStatus;

#endif
