#include "tui/editor.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/i18n.h"
#include "base/text.h"
#include "tui/term.h"

enum { NOT_FOUND = 127, LOOK_MS = 100 };

static bool is_program(const char *name)
{
    const char *path = getenv("PATH");
    char file[4096];
    for (const char *at = path ? path : "/usr/bin:/bin"; at; at = strchr(at, ':')) {
        if (*at == ':') at++;
        int length = (int)strcspn(at, ":");
        snprintf(file, sizeof file, "%.*s/%s", length, at, name);
        if (length > 0 && access(file, X_OK) == 0) return true;
    }
    return false;
}

/* What the learner has chosen, else what is usual; NULL: nothing at all. */
static const char *choose(void)
{
    static const char *const variables[] = {"VISUAL", "EDITOR"};
    static const char *const usual[] = {"sensible-editor", "nano", "vim", "vi", "micro", "emacs"};
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        const char *value = getenv(variables[i]);
        if (value && value[strspn(value, " ")]) return value;
    }
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        if (is_program(usual[i])) return usual[i];
    return NULL;
}

/* By the shell, since $EDITOR may have options: "code --wait". */
static pid_t start(const char *editor, const char *path)
{
    char command[1024];
    if (snprintf(command, sizeof command, "%s \"$@\"", editor) >= (int)sizeof command) return -1;
    char *const words[] = {"sh", "-c", command, (char *)editor, (char *)path, NULL};
    pid_t pid = fork();
    if (pid != 0) return pid;
    static const int signals[] = {SIGINT, SIGQUIT, SIGTSTP, SIGTERM, SIGHUP, SIGPIPE, SIGWINCH, SIGCONT};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) signal(signals[i], SIG_DFL);
    execv("/bin/sh", words);
    _exit(NOT_FOUND);
}

/* Until it ends. Who ends the console meanwhile ends the editor with it. */
static int wait_for(pid_t pid)
{
    int status = 0;
    int handle = (int)syscall(SYS_pidfd_open, pid, 0); /* -1 on an old kernel: then it is looked at now and then */
    while (waitpid(pid, &status, WNOHANG) == 0) {
        struct pollfd from[] = {{.fd = term_signal_fd(), .events = POLLIN}, {.fd = handle, .events = POLLIN}};
        poll(from, 2, handle < 0 ? LOOK_MS : -1);
        for (int number; (number = term_signal()) != 0;) {
            if (number != SIGTERM && number != SIGHUP) continue;
            kill(pid, number);
            waitpid(pid, &status, 0);
            raise(number); /* for the main loop */
            if (handle >= 0) close(handle);
            return 0;
        }
    }
    if (handle >= 0) close(handle);
    return status;
}

static bool judge(int status, const char *editor, Error *error)
{
    char shown[40];
    text_clean(shown, sizeof shown, editor, strlen(editor));
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return true;
    if (WIFEXITED(status) && WEXITSTATUS(status) == NOT_FOUND)
        return error_set(error, _("The editor \"%s\" is not here: set VISUAL or EDITOR to one that is."), shown);
    if (WIFEXITED(status))
        return error_set(error, _("The editor \"%s\" ended with status %d: your file is as it left it."), shown,
                         WEXITSTATUS(status));
    return error_set(error, _("The editor \"%s\" was ended by signal %d: your file is as it left it."), shown,
                     WTERMSIG(status));
}

bool editor_run(const char *path, Error *error)
{
    const char *editor = choose();
    if (!editor) return error_set(error, "%s", _("There is no editor here: install nano, or set EDITOR."));
    term_lend();
    pid_t pid = start(editor, path);
    int failed = pid < 0 ? errno : 0;
    int status = pid > 0 ? wait_for(pid) : 0;
    term_take_back();
    if (failed) return error_set(error, _("The editor cannot be started: %s."), strerror(failed));
    return judge(status, editor, error);
}
