/* keeper_spawn.c -- starts one server process that cannot outlive the keeper. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "store/keeper.h"

/* Ten thousand connections need as many descriptors. */
static void raise_descriptor_limit(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
}

static void default_signals(void)
{
    for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

static bool take_place(int place, const char *path, int flags)
{
    int fd = open(path, flags | O_CLOEXEC, 0600);
    return fd >= 0 && dup2(fd, place) == place;
}

static void stay_on_one_cpu(void)
{
    int cpu = sched_getcpu();
    cpu_set_t one;
    CPU_ZERO(&one);
    if (cpu < 0 || cpu >= CPU_SETSIZE) return;
    CPU_SET(cpu, &one);
    sched_setaffinity(0, sizeof one, &one);
}

/* In the child. The order matters: first the promise to die with the keeper, then the question
 * whether it has died already, after which the promise would come too late. */
static void become(const Launch *launch, char *const environment[], pid_t keeper)
{
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != keeper) _exit(127);
    default_signals();
    raise_descriptor_limit();
    if (launch->one_cpu) stay_on_one_cpu();
    if (chdir(launch->home) != 0 ||
        !take_place(0, launch->input ? launch->input : "/dev/null", O_RDONLY) ||
        !take_place(1, launch->log, O_WRONLY | O_CREAT | O_APPEND) || dup2(1, 2) != 2)
        _exit(127);
    execve(launch->program, launch->words, environment);
    _exit(127);
}

pid_t keeper_spawn(const Launch *launch)
{
    /* Nothing of the learner's environment that could steer a server. */
    char home_word[SANDBOX_PATH + 16], tmp_word[SANDBOX_PATH + 16], library_word[1024] = "";
    snprintf(home_word, sizeof home_word, "HOME=%s", launch->home);
    snprintf(tmp_word, sizeof tmp_word, "TMPDIR=%s", launch->home);
    const char *library = getenv("LD_LIBRARY_PATH");
    if (library) snprintf(library_word, sizeof library_word, "LD_LIBRARY_PATH=%s", library);
    char *const environment[] = {
        "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C", "TZ=UTC", home_word, tmp_word,
        library ? library_word : NULL,        NULL};
    pid_t keeper = getpid();
    pid_t child = fork();
    if (child == 0) become(launch, environment, keeper);
    return child > 0 ? child : 0;
}
