#include "tui/term.h"

#include <curses.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <term.h>
#include <termios.h>
#include <unistd.h>

#include "base/i18n.h"

static struct {
    volatile sig_atomic_t taken;
    struct termios saved;
    SCREEN *screen;
    WINDOW *keys; /* a pad: reading keys from it never draws */
    int pipe[2];
    /* What the handler of a crash writes; made beforehand, since it may call nothing of curses. */
    char farewell[256];
    size_t farewell_length;
} term = {.pipe = {-1, -1}};

/* ---- giving back --------------------------------------------------------------------------- */

static void farewell_add(const char *sequence)
{
    if (!sequence || sequence == (char *)-1) return;
    size_t length = strlen(sequence);
    if (term.farewell_length + length > sizeof term.farewell) return;
    memcpy(term.farewell + term.farewell_length, sequence, length);
    term.farewell_length += length;
}

static void farewell_make(void)
{
    term.farewell_length = 0;
    farewell_add("\033[?1006l\033[?1002l\033[?1000l"); /* mouse off */
    farewell_add(exit_attribute_mode);
    farewell_add(cursor_normal);
    farewell_add(keypad_local);
    farewell_add(exit_ca_mode);
    farewell_add("\r");
}

static void on_crash(int number)
{
    if (term.taken) {
        term.taken = 0;
        ssize_t ignored = write(STDOUT_FILENO, term.farewell, term.farewell_length);
        (void)ignored;
        tcsetattr(STDIN_FILENO, TCSANOW, &term.saved);
    }
    signal(number, SIG_DFL);
    raise(number);
}

void term_stop(void)
{
    if (!term.taken) return;
    term.taken = 0;
    endwin();
    tcsetattr(STDIN_FILENO, TCSANOW, &term.saved);
}

/* ---- signals ------------------------------------------------------------------------------- */

static void on_signal(int number)
{
    int saved = errno;
    unsigned char byte = (unsigned char)number;
    ssize_t ignored = write(term.pipe[1], &byte, 1);
    (void)ignored;
    errno = saved;
}

static void handle(int number, void (*handler)(int), int flags)
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, NULL);
}

static bool signals_start(Error *error)
{
    static const int asking[] = {SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGWINCH, SIGTSTP, SIGCONT};
    static const int crashing[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    static char stack[65536]; /* a crash may be a stack that is full */

    if (pipe2(term.pipe, O_CLOEXEC | O_NONBLOCK) != 0)
        return error_set(error,
                         _("No more files can be opened: close some programs and try again."));

    stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
    sigaltstack(&alternate, NULL);
    for (size_t i = 0; i < sizeof crashing / sizeof *crashing; i++)
        handle(crashing[i], on_crash, (int)SA_RESETHAND | SA_ONSTACK | SA_NODEFER);
    for (size_t i = 0; i < sizeof asking / sizeof *asking; i++)
        handle(asking[i], on_signal, SA_RESTART);
    signal(SIGPIPE, SIG_IGN);
    return true;
}

int term_signal_fd(void)
{
    return term.pipe[0];
}

int term_signal(void)
{
    unsigned char byte;
    return read(term.pipe[0], &byte, 1) == 1 ? byte : 0;
}

/* ---- taking -------------------------------------------------------------------------------- */

static void modes_set(void)
{
    raw(); /* Ctrl-C and Ctrl-Z come as keys, so that they reach the console and no node */
    noecho();
    nonl();
    set_escdelay(25);
    curs_set(0);
    leaveok(stdscr, FALSE);
    scrollok(stdscr, FALSE);
    idlok(stdscr, TRUE);
}

bool term_start(Error *error)
{
    if (tcgetattr(STDIN_FILENO, &term.saved) != 0)
        return error_set(
            error,
            _("The console needs a terminal. Without one, use the verbs: seckill-lab --help."));

    int found = 0;
    bool usable = setupterm(NULL, STDOUT_FILENO, &found) == OK && cursor_address;
    if (found > 0) del_curterm(cur_term); /* it was asked for that question only */
    if (!usable)
        return error_set(error,
                         _("The terminal \"%s\" cannot place a cursor: set TERM, or use --plain."),
                         getenv("TERM") ? getenv("TERM") : "");

    /* Before curses looks: it takes over only the signals that nobody has. */
    if (!signals_start(error)) return false;
    term.screen = newterm(NULL, stdout, stdin);
    if (!term.screen)
        return error_set(error, _("The terminal \"%s\" is unknown here: set TERM, or use --plain."),
                         getenv("TERM") ? getenv("TERM") : "");
    farewell_make();
    term.taken = 1;
    atexit(term_stop);

    modes_set();
    term.keys = newpad(1, 1);
    keypad(term.keys, TRUE);
    nodelay(term.keys, TRUE);
    term_mouse(true);
    return true;
}

void term_mouse(bool on)
{
    mousemask(on ? BUTTON1_PRESSED | BUTTON1_CLICKED | BUTTON4_PRESSED | BUTTON5_PRESSED : 0, NULL);
    mouseinterval(0);
}

/* ---- keys ---------------------------------------------------------------------------------- */

static int key_read(void)
{
    wint_t key;
    int kind = wget_wch(term.keys, &key);
    if (kind == ERR) return 0;
    if (kind == KEY_CODE_YES || key < 128) return (int)key;
    return -(int)key;
}

/* The rest of a key's sequence that the terminal's description does not have, from behind ESC [ or
 * ESC O. What is known everywhere is a key all the same; of the others no byte may be taken for a
 * letter. */
static int sequence_read(void)
{
    static const struct {
        const char *bytes;
        int key;
    } known[] = {
        {"A", KEY_UP},     {"B", KEY_DOWN},   {"C", KEY_RIGHT}, {"D", KEY_LEFT},  {"H", KEY_HOME},
        {"F", KEY_END},    {"1~", KEY_HOME},  {"4~", KEY_END},  {"7~", KEY_HOME}, {"8~", KEY_END},
        {"5~", KEY_PPAGE}, {"6~", KEY_NPAGE}, {"3~", KEY_DC},   {"Z", KEY_BTAB},  {"M", KEY_ENTER},
    };
    char bytes[32];
    size_t length = 0;
    for (int key = key_read(); key > 0 && key < 128 && length < sizeof bytes - 1;
         key = key_read()) {
        bytes[length++] = (char)key;
        if (key >= '@' && key <= '~') break;
    }
    bytes[length] = '\0';
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].bytes, bytes) == 0) return known[i].key;
    return KEY_RESIZE; /* a key that does nothing */
}

int term_key(void)
{
    enum { ESCAPE = 27 };
    int key = key_read();
    if (key != ESCAPE) return key;
    int next = key_read(); /* comes at once, or it is a key of its own */
    if (next == '[' || next == 'O') return sequence_read();
    if (next > 0)
        ungetch(next);
    else if (next < 0)
        unget_wch((wchar_t)-next);
    return ESCAPE;
}

bool term_lost(void)
{
    struct termios now;
    return tcgetattr(STDIN_FILENO, &now) != 0 && errno != EINTR;
}

/* ---- size, and stopping for a while ---------------------------------------------------------- */

void term_resize(void)
{
    struct winsize size;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_row == 0 || size.ws_col == 0)
        return;
    resizeterm(size.ws_row, size.ws_col);
    term_redraw();
}

void term_redraw(void)
{
    clearok(curscr, TRUE);
}

void term_suspend(void)
{
    endwin();
    tcsetattr(STDIN_FILENO, TCSANOW, &term.saved);
    signal(SIGTSTP, SIG_DFL);
    kill(0, SIGTSTP); /* the whole job, as a terminal does it */

    handle(SIGTSTP, on_signal, SA_RESTART);
    refresh(); /* takes the terminal back, with the modes of curses */
    term_resize();
}

void term_lend(void)
{
    def_prog_mode();
    endwin();
    tcsetattr(STDIN_FILENO, TCSANOW, &term.saved);
    handle(SIGINT, SIG_IGN, 0);
    handle(SIGQUIT, SIG_IGN, 0);
    handle(SIGTSTP, SIG_DFL, 0);
}

void term_take_back(void)
{
    handle(SIGINT, on_signal, SA_RESTART);
    handle(SIGQUIT, on_signal, SA_RESTART);
    handle(SIGTSTP, on_signal, SA_RESTART);
    reset_prog_mode();
    flushinp();
    refresh();
    term_resize();
}

int term_columns(void)
{
    return COLS;
}
