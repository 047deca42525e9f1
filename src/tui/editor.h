/* editor.h -- the learner's own editor, on the terminal that the console gives away for that time. */
#ifndef TUI_EDITOR_H
#define TUI_EDITOR_H

#include "base/error.h"

/* Opens `path` in $VISUAL, $EDITOR, or the first editor found here, and waits for its end. The terminal is the
 * console's again then, also when there is no editor or it failed: then false, with a line that says what to do. */
bool editor_run(const char *path, Error *error);

#endif
