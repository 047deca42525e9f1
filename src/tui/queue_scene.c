#include "tui/queue_scene.h"

static bool has_queues(const Scene *scene, const QueuesView *queues)
{
    return scene->lesson->shows_queue && (queues->in_memory || queues->in_stream);
}

static void of_small_world(const StepView *view, QueueScene *now)
{
    *now = (QueueScene){.queues = &view->queues, .stream = &view->truth.stream, .over = view->over || view->stuck};
}

/* Of the last race's report the history is there as long as no other race began. */
static void of_report(const Scene *scene, QueueScene *now)
{
    *now = (QueueScene){.queues = &scene->report->queues, .stream = &scene->report->truth.stream, .over = true};
}

static void of_race(const Scene *scene, QueueScene *now)
{
    *now = (QueueScene){.queues = &scene->view->race.queues, .stream = &scene->view->snapshot.stream};
}

bool queue_scene(const Scene *scene, QueueScene *now)
{
    if (scene->step) {
        of_small_world(&scene->step->view, now);
        return has_queues(scene, now->queues);
    }
    if (scene->report)
        of_report(scene, now);
    else if (scene->racing && scene->current)
        of_race(scene, now);
    else
        return false;
    if (scene->current) {
        now->points = scene->view->waiting_history;
        now->count = scene->view->history;
    }
    return has_queues(scene, now->queues);
}
