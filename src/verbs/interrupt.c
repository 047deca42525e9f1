#include "verbs/interrupt.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/i18n.h"

static volatile sig_atomic_t held, asked;
static char line[200];

/* Of the signal itself, so that a shell's loop around us ends, too. */
static void die(void)
{
    ssize_t ignored = write(STDERR_FILENO, line, strlen(line));
    (void)ignored;
    signal(SIGINT, SIG_DFL);
    raise(SIGINT);
}

static void on_interrupt(int number)
{
    (void)number;
    if (held && !asked)
        asked = 1;
    else
        die();
}

void interrupt_catch(void)
{
    snprintf(line, sizeof line, "seckill-lab: %s\n", _("Interrupted before the end: there is no verdict."));
    struct sigaction action = {.sa_handler = on_interrupt, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
}

void interrupt_hold(void)
{
    asked = 0;
    held = 1;
}

bool interrupt_asked(void)
{
    return asked;
}

void interrupt_let_go(void)
{
    held = 0;
}

void interrupt_end(void)
{
    if (!asked) return;
    fflush(stdout);
    die();
}
