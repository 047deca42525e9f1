/* scene.h -- all that a panel may see: copies of the state, made once a frame. */
#ifndef TUI_SCENE_H
#define TUI_SCENE_H

#include "course/course.h"
#include "engine/lab.h"

enum { SMALL_WORLD = 8 }; /* so many actors are shown one by one, more are counted */

typedef struct Scene {
    const LabView *view;
    const Lesson *lesson;
    const LessonVariant *variant;
    const Spec *spec;     /* the world on the screen: of the race, or of the next one */
    const Report *report; /* of this variant's last race; NULL: it has not been raced */
    bool current;         /* the numbers in `view` are of this variant */
    bool racing;
    const StepState *step; /* step mode: what is shown is this small world; else NULL */
    int lease;         /* in step mode: which lease the clock ends next */
    int hand;          /* in step mode: the actor under the hand */
    int timeline_back; /* so many lines was the timeline scrolled back from its end */
    bool roomy;      /* a wide screen: panels may show their large form */
    bool tight;      /* a small screen: panels show what cannot be left out */
    int listing_top; /* first line of the listing that is shown */
    uint64_t now_ns;
} Scene;

/* "A" in a small world, "u17" in a crowd, "u17b" for the second of a user's requests that come at
 * the same time. Returns `text`. */
char *scene_actor(const Spec *spec, int actor, int64_t user, char *text, int size);
/* The verdict to show now. */
const Verdict *scene_verdict(const Scene *scene, Invariant invariant);

#endif
