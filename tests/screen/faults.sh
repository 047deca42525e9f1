#!/usr/bin/env bash
# faults.sh -- locks on the screen while a race runs; faults armed, listed, taken back, hit; a node killed and
# started, a server killed and brought back in mid-race; the crash table. In both languages.
. "$(dirname "$0")/screen_lib.sh"

# A line with signs that a pattern takes for its own.
line() {
    screen_type ":$1"
    screen_keys Enter
}

declare -A word=(
    [en.ready]='MariaDB ready' [zh.ready]='MariaDB 就绪'
    [en.none]='ARMED  nothing' [zh.none]='已布置  无'
    [en.armed]='1 stall A@insert-order=60000  *armed' [zh.armed]='1 stall A@insert-order=60000  *已布置'
    [en.back]='Fault 2 is taken back' [zh.back]='故障 2 已收回'
    [en.lock]='^ *lock:order:1 *Redis A n1  .*[0-9]\.[0-9] s' [zh.lock]='^ *lock:order:1 *Redis A n1  .*[0-9]\.[0-9] 秒'
    [en.hit]='1 stall A@insert.* hit 1$' [zh.hit]='1 stall A@insert.* 命中 1$'
    [en.gone]='lock:order.* Redis left by A n1' [zh.gone]='lock:order.* Redis 由 A n1 遗留'
    [en.table]='28 crashes, .*4 told nothing, yet it happened' [zh.table]='崩溃 28 次，.*4 次没有答复却已发生'
    [en.row]='^  *after  *1  *1  10.0 s  A:nothing B:try.*! untold'
    [zh.row]='^  *之后  *1  *1  10.0 秒 A:无 B:请稍.*! 未告知'
    [en.step]='moves, [0-9]* switch' [zh.step]='步，切换'
)

for language in en zh; do
    screen_state=faults-$language
    screen_start 80x24 --lang "$language" --lesson redis-lock/set-nx-ex --users 1
    screen_wait "${word[$language.ready]}" || continue
    screen_keys f
    check "$language nothing is armed" screen_wait "${word[$language.none]}"
    screen_keys s
    check "$language the key begins its line" screen_wait '^ :stall A@insert-order=3000'
    screen_keys C-u
    screen_type 'stall A@insert-order=60000'
    screen_wait '=60000' >/dev/null
    screen_keys Enter
    check "$language armed and listed" screen_wait "${word[$language.armed]}"
    line 'error *@rollback'
    check "$language a second one" screen_wait '2 error \*@rollback'
    screen_keys Down d
    check "$language is taken back" screen_wait "${word[$language.back]}"
    check "$language and gone" screen_wait_gone '2 error'
    check "$language aligned" screen_aligned 80x24
    screen_keys r
    check "$language the lock: home, holder, lease" screen_wait "${word[$language.lock]}"
    check "$language the fault hit" screen_wait "${word[$language.hit]}"
    check "$language the race is aligned" screen_aligned 80x24
    screen_command 'crash n1'
    check "$language the holder is gone, its lock is left" screen_wait "${word[$language.gone]}"
    check "$language the race comes to its end" screen_wait '^ r .* T '
    screen_keys T
    check "$language crash table" screen_wait "${word[$language.table]}"
    screen_keys PPage NPage NPage
    check "$language told nothing, yet it happened" screen_wait "${word[$language.row]}"
    check "$language the table is aligned" screen_aligned 80x24
    screen_keys Enter
    check "$language a row is stepped through" screen_wait "${word[$language.step]}"
    screen_keys q
    screen_wait_end
done

# ---- a race that is held, and broken by hand ---------------------------------------------------------------
screen_state=faults
screen_start 160x50 --lang en --lesson mis-delete/delete-blind
screen_wait 'MariaDB ready' || exit 1
screen_keys r
check 'the overlap is held, with both names' screen_wait 'x overlap: A n1 and B n2 inside at once'
check 'the mis-delete is held, with both names' screen_wait 'x mis-delete: A n1 freed the lock of B n2'
check 'and still there when the race is over' screen_wait 'one-per-user is BROKEN'
check 'marked' screen_wait 'x lock:order:1 *Redis'

screen_command 'lesson redis-lock/set-nx-ex'
screen_command 'users 20'
line 'stall *@insert-order=60000'
check 'armed for everybody' screen_wait 'Armed for the next race: stall \*@insert-order=60000'
screen_keys r
check 'many locks' screen_wait 'LOCKS'
check 'the value of one' screen_wait 'value 1'
screen_command 'expire lock:order:99'
check 'a key that is not there' screen_wait 'There is no key lock:order:99 now'
screen_command 'start n1'
check 'a node that runs' screen_wait 'Node 1 is running'
screen_command 'crash n2'
check 'a node is killed' screen_wait 'is dead\|left by'
screen_command 'crash n2'
check 'a dead one cannot be' screen_wait 'Node 2 is dead'
screen_command 'start n2'
screen_command 'freeze n2 50'
check 'started again: it can be frozen' screen_wait_gone 'Node 2 is dead'
screen_keys f
screen_keys K
check 'Redis is killed in mid-race' screen_wait 'Redis is down'
screen_keys u
check 'and comes back' screen_wait_gone 'Redis is down'
screen_keys x
check 'the race ends' screen_wait 'r again'
screen_keys M
check 'MariaDB without a race' screen_wait 'MariaDB is down\|MariaDB.*is down'
screen_keys u
check 'comes back, too' screen_wait 'MariaDB ready'

# ---- what is wrong changes nothing --------------------------------------------------------------------------
screen_command 'disarm 1'
screen_wait 'ARMED  nothing' >/dev/null
screen_command 'stall A@nowhere=5'
check 'a step that is none' screen_wait 'There is no step "nowhere"'
screen_command 'stall A@commit'
check 'half a fault' screen_wait 'it reads WHO@STEP=MS'
screen_command 'crash n9@commit'
check 'a node that is none' screen_wait 'there is no node 9'
screen_command 'crash n1'
check 'only in a race' screen_wait 'start one first'
screen_command 'kill nginx'
check 'a server that is none' screen_wait ':kill takes redis or mariadb'
screen_command 'disarm 4'
check 'a number that is none' screen_wait 'There is no such fault armed'
check 'nothing is armed after all' screen_wait 'ARMED  nothing'
screen_command 'twice'
check 'twice' screen_wait 'comes twice'
screen_keys q
check 'it ends' screen_wait_end
check 'with status 0' [ "${screen_status:-}" = 0 ]
check_done
