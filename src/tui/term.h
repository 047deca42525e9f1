/* term.h -- the terminal: taken when the console starts, given back on every way out.
 *
 * Given back means: by term_stop(), at exit(), and from a signal handler when the program crashes
 * (SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT), which then dies of that very signal. Signals that
 * ask for something (SIGTERM, SIGHUP, SIGINT, SIGWINCH, SIGTSTP, SIGCONT) only put their
 * number into a pipe, which the main loop reads. */
#ifndef TUI_TERM_H
#define TUI_TERM_H

#include "base/error.h"

/* False without a usable terminal; nothing has been changed then. */
bool term_start(Error *error);
/* Gives the terminal back. Can be called at any time, also twice. */
void term_stop(void);

/* Readable when a signal has come. */
int term_signal_fd(void);
/* The next signal's number; 0: none. */
int term_signal(void);

/* A key, or KEY_RESIZE, KEY_MOUSE, ...; a character beyond ASCII as -character; 0: nothing there.
 * Never waits, never draws. */
int term_key(void);
/* Whether the terminal is gone: its line is closed and reading gives nothing for ever. */
bool term_lost(void);

/* Takes in the size of the terminal after a SIGWINCH. */
void term_resize(void);
/* Draws everything again from nothing at the next frame. */
void term_redraw(void);
/* Ctrl-Z: gives the terminal back, stops, and takes it again when the shell says so. */
void term_suspend(void);
/* Gives the terminal to another program for a while: its modes and its signals are as they were before the console;
 * Ctrl-C is not for the console then, and Ctrl-Z stops both. */
void term_lend(void);
void term_take_back(void);
/* The width of the screen. */
int term_columns(void);
/* Whether the mouse is ours; then selecting text needs the Shift key in most terminals. */
void term_mouse(bool on);

#endif
