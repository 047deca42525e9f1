# setup.sh -- installs what is missing and builds in build/. Read by ./run and ./check, which set
# $top (the source tree) and $self (their own name). POSIX sh; paths may hold blanks.

. "$top/tools/parts.sh"

build=$top/build
log=$build/build.log

say() {
    printf '%s: %s\n' "$self" "$1" >&2
}

# A line that the next one overwrites; nothing where nobody watches.
progress() {
    [ -t 2 ] && printf '\r\033[K%s: %s' "$self" "$1" >&2
    return 0
}

progress_end() {
    [ -t 2 ] && printf '\r\033[K' >&2
    return 0
}

stop() {
    progress_end
    say "$2"
    exit "$1"
}

# ---- packages -------------------------------------------------------------------------------

as_root=
find_root() {
    [ "$(id -u)" -eq 0 ] && return 0
    command -v sudo >/dev/null 2>&1 || return 1
    as_root=sudo
    # Without a terminal nobody can type the password.
    sudo -n true 2>/dev/null || [ -t 0 ]
}

apt_install() {
    # shellcheck disable=SC2086 # the list is words
    $as_root env DEBIAN_FRONTEND=noninteractive LC_ALL=C apt-get install --yes --quiet \
        --no-install-recommends -o DPkg::Lock::Timeout=120 $1 </dev/null
}

# Older releases have the version in the name of this one package.
apt_names() {
    for an_name in $1; do
        if [ "$an_name" = mariadb-server-core ] && ! apt-cache show "$an_name" >/dev/null 2>&1; then
            an_found=$(apt-cache pkgnames mariadb-server-core- | sort | tail -n 1)
            an_name=${an_found:-$an_name}
        fi
        printf '%s ' "$an_name"
    done
}

apt_update() {
    $as_root env LC_ALL=C apt-get update --quiet </dev/null
}

install_by_apt() {
    say "these Debian packages are missing, to build the lab and to run its own private servers:"
    say "    $1"
    find_root || stop 3 "please install them as root:  apt-get install --no-install-recommends $1"
    say "installing them with apt-get${as_root:+ and sudo} (no service is started or changed) ..."
    mkdir -p "$build"
    {
        if ! ls /var/lib/apt/lists/*_Packages* >/dev/null 2>&1; then apt_update; fi
        apt_install "$(apt_names "$1")" || { apt_update && apt_install "$(apt_names "$1")"; }
    } >"$log" 2>&1 && return 0
    tail -n 15 "$log" >&2
    stop 3 "these packages could not be installed; the whole story is in $log"
}

# ensure_parts run|check: returns when everything is here.
ensure_parts() {
    ep_column=0 ep_missing=
    for ep_manager in $parts_managers; do
        ep_column=$((ep_column + 1))
        command -v "$ep_manager" >/dev/null 2>&1 || continue
        ep_missing=$(parts_missing "$ep_column" "$1")
        [ -n "$ep_missing" ] || return 0
        [ "$ep_manager" = apt-get ] || break
        install_by_apt "$ep_missing"
        ep_missing=$(parts_missing 1 "$1")
        [ -z "$ep_missing" ] || stop 3 "still missing after the installation: $ep_missing"
        return 0
    done
    case $ep_manager in
    dnf) ep_how="sudo dnf install" ;;
    pacman) ep_how="sudo pacman -S --needed" ;;
    apk) ep_how="apk add" ;;
    zypper) ep_how="sudo zypper install" ;;
    esac
    if [ -n "$ep_missing" ]; then
        say "these packages are missing, to build the lab and to run its own private servers:"
        stop 3 "    $ep_how $ep_missing"
    fi
    ep_missing=$(parts_missing 1 "$1")
    [ -z "$ep_missing" ] || stop 3 "please install (names as on Debian): $ep_missing"
}

# The look at every library takes a moment: it is repeated only when something may have changed.
# The programs are looked for each time, since it costs nothing.
ensure_parts_once() {
    if [ "$build/.parts-$1" -nt "$top/tools/parts.sh" ] &&
        [ "$build/.parts-$1" -nt "$top/configure.ac" ] &&
        part_found 'cmd:redis-server|redis-check-rdb' && part_found 'cmd:mariadbd|mysqld'; then
        return 0
    fi
    ensure_parts "$1"
    mkdir -p "$build"
    # What was not there when this was configured is used from now on.
    rm -f "$build/config.status"
    : >"$build/.parts-$1"
    # Whoever can test can run.
    [ "$1" = run ] || : >"$build/.parts-run"
}

# ---- building -------------------------------------------------------------------------------

# Runs a command, its output into the log, a line of progress meanwhile.
logged() {
    { "$@" 2>&1 </dev/null || echo "$?" >"$build/.failed"; } | tee -a "$log" |
        while IFS= read -r lg_line; do
            case $lg_line in
            '  '[ACG]*' '*) progress "building ${lg_line##* } ..." ;;
            checking*) progress "looking at this machine: ${lg_line%%...*}" ;;
            esac
        done
    [ ! -e "$build/.failed" ]
}

build_failed() {
    progress_end
    grep -n -B 2 -A 12 -i -E 'error|cannot|undefined|not found:' "$log" | tail -n 40 >&2
    # Perhaps a part was taken away: look again next time.
    rm -f "$build"/.parts-*
    stop 1 "the build failed; all of its output is in $log"
}

# build_lab [MAKE-TARGET...]: what is up to date costs one run of make.
build_lab() {
    mkdir -p "$build"
    if command -v flock >/dev/null 2>&1; then
        exec 9>"$build/.lock"
        flock 9
    fi
    rm -f "$build/.failed"
    : >"$log"
    if [ ! -f "$top/configure" ]; then
        progress "making configure ..."
        (cd "$top" && logged autoreconf -i) || build_failed
    fi
    if [ ! -f "$build/config.status" ]; then
        (cd "$build" && logged ../configure --quiet --prefix="${PREFIX:-/usr/local}") || build_failed
    fi
    jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)
    logged make -C "$build" --no-print-directory -j"$jobs" "$@" || build_failed
    progress_end
    # The program must not keep the lock.
    exec 9>&-
}
