/* baton.h -- step mode: exactly one actor runs between two gates, the one that has the baton.
 *
 * An actor that comes to a gate publishes its next step, passes the baton on, and waits for its own
 * turn. Who is next is decided by whoever has the baton, from world memory alone:
 *   1. the next entry of the plan, while there is one;
 *   2. past the plan, with run_on: the same actor, else the first that can move and does not sleep;
 *   3. else the scheduler (the console) gets the baton and decides.
 * So a whole schedule is walked from thread to thread without asking the console.
 * While an actor waits inside a server for a row, every baton goes to the scheduler, since only the
 * server knows who can move.
 *
 * Sleep sets (Godefroid): an actor is put to sleep where its next step was explored already in a
 * run that differs only in the order of steps that do not conflict; it wakes when a step that
 * conflicts with its own is made. A run in which only sleepers could move is a repetition. */
#ifndef ENGINE_BATON_H
#define ENGINE_BATON_H

#include "engine/classes.h"
#include "engine/gate.h"

/* ---- for actors ---- */

/* Tells what the actor will send next. */
void baton_publish(Actor *me, const StepCall *call);
/* Comes to rest in `state`; passes the baton on, if it has it. */
void baton_arrive(Actor *me, ActorState state);
/* Returns when it is this actor's turn; throws when the run is given up. */
void baton_wait(Actor *me);
/* The reply is there: an actor that the scheduler saw waiting is not waiting any more. Until it comes
 * to its next gate, every baton still goes to the scheduler: nobody else knows where it will stand. */
void baton_step_over(Actor *me);

/* ---- for the scheduler ---- */

/* Chooses and gives the turn. False: nobody by the rules above; the scheduler has the baton. */
bool baton_pass(World *world, uint32_t from);
/* Gives the turn to this actor, whatever the plan says. False when it cannot move. */
bool baton_give(World *world, uint32_t actor);
/* The actor with the baton waits inside a server: takes the baton from it. False when its step came
 * to an end in between. */
bool baton_take_from_waiting(World *world, uint32_t actor);
/* Everybody leaves the run at hand: those at a gate throw, those inside a server come back when the
 * transactions before them are rolled back. All then stand at the start again. */
void baton_give_up(World *world);
/* Forgets the last run: no move, no answer, nobody done. Every actor must stand at the start, and be
 * released next by bumping `go`. */
void baton_rewind(World *world);
/* The run has as many moves as there is room for, and can have no more. */
bool baton_is_full(const World *world);
/* Who can move, as bits: actors at a gate, but for those that stand before a local lock which
 * another one holds; ACTOR_CLOCK while a lease lives; ACTOR_CRASH + n while node n may be killed. */
ActorSet baton_enabled(const World *world);
/* Who is left in front of a step at the end of a run. */
void baton_left(const World *world, Left left[STEP_ACTORS]);
/* Actors at a gate that a local lock keeps out. */
ActorSet baton_locked_out(const World *world);
/* What the actor's next move reads and writes; also of the clock and of crashes. */
Touch baton_touch(const World *world, uint32_t actor);
/* Notes a move of the clock or a crash, before the scheduler makes it. False: it cannot be. */
bool baton_note(World *world, uint32_t actor);

#endif
