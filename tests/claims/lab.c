#include "lab.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/i18n.h"
#include "base/paths.h"
#include "engine/node.h"

static Stores *stores;
static int cases, failures;

bool lab_child(int argc, char **argv, int *status)
{
    paths_keep_program();
    if (argc > 1 && strcmp(argv[1], "--keeper") == 0)
        *status = sandbox_keeper_main(argc, argv);
    else if (argc > 1 && strcmp(argv[1], "--node") == 0)
        *status = node_main(argc, argv);
    else
        return false;
    return true;
}

static _Noreturn void bail_out(const Error *error)
{
    printf("Bail out! %s\n", error->text);
    exit(1);
}

Stores *lab_stores(void)
{
    Error error = {""};
    if (stores) return stores;
    i18n_start("en");
    stores = stores_open(NULL, NULL, &error);
    if (!stores || !stores_wait(stores, 60000, &error)) bail_out(&error);
    return stores;
}

bool lab_long(void)
{
    const char *wanted = getenv("SECKILL_LAB_LONG");
    return wanted && *wanted;
}

void lab_case(const char *name, Text *trouble)
{
    bool fine = trouble->length == 0;
    printf("%s %d - %s\n", fine ? "ok" : "not ok", ++cases, name);
    failures += !fine;
    char *rest = NULL;
    for (char *line = fine ? NULL : strtok_r(trouble->data, "\n", &rest); line;
         line = strtok_r(NULL, "\n", &rest))
        printf("# %s\n", line);
    fflush(stdout);
    text_free(trouble);
}

int lab_done(void)
{
    printf("1..%d\n", cases);
    stores_close(stores);
    return failures > 0;
}
