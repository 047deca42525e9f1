/* queue_scene.h -- the queues of what is on the screen: of a race, of its report, or of a small world. */
#ifndef TUI_QUEUE_SCENE_H
#define TUI_QUEUE_SCENE_H

#include "tui/scene.h"

typedef struct QueueScene {
    const QueuesView *queues;
    const StreamView *stream;
    const long *points; /* how many waited, over time; NULL where time is moves */
    int count;
    bool over;          /* nobody is going to store anything any more */
} QueueScene;

/* False when the lesson has no queue, or nothing ran yet. */
bool queue_scene(const Scene *scene, QueueScene *now);

#endif
