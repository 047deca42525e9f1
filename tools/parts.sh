# parts.sh -- what the lab is made of, and how each system calls it. Read by ./run and ./check.
#
# One part a line. `probe` is how it is looked for: cmd:A|B a program, pc:A|B a library by
# pkg-config. `for` is run (to build and run) or check (to test). Then the package's name on each
# family of systems. None of these packages starts a service on Debian and Ubuntu.

parts_table() {
    cat <<'END'
# probe                             for   apt                 dnf                        pacman       apk                      zypper
cmd:cc|gcc|clang                    run   gcc                 gcc                        gcc          gcc                      gcc
file:/usr/include/stdio.h           run   libc6-dev           glibc-devel                glibc        musl-dev                 glibc-devel
cmd:make                            run   make                make                       make         make                     make
cmd:autoreconf                      run   autoconf            autoconf                   autoconf     autoconf                 autoconf
cmd:automake                        run   automake            automake                   automake     automake                 automake
cmd:pkg-config                      run   pkg-config          pkgconf-pkg-config         pkgconf      pkgconf                  pkgconf-pkg-config
cmd:msgfmt                          run   gettext             gettext                    gettext      gettext-dev              gettext-tools
pc:hiredis                          run   libhiredis-dev      hiredis-devel              hiredis      hiredis-dev              hiredis-devel
pc:mysqlclient|libmariadb           run   libmariadb-dev      mariadb-connector-c-devel  mariadb-libs mariadb-connector-c-dev  libmariadb-devel
pc:ncursesw                         run   libncurses-dev      ncurses-devel              ncurses      ncurses-dev              ncurses-devel
pc:readline                         run   libreadline-dev     readline-devel             readline     readline-dev             readline-devel
pc:yaml-0.1                         run   libyaml-dev         libyaml-devel              libyaml      yaml-dev                 libyaml-devel
pc:md4c                             run   libmd4c-dev         md4c-devel                 md4c         md4c-dev                 md4c-devel
pc:jansson                          run   libjansson-dev      jansson-devel              jansson      jansson-dev              libjansson-devel
cmd:redis-server|redis-check-rdb    run   redis-tools         redis                      valkey       redis                    redis
cmd:mariadbd|mysqld                 run   mariadb-server-core mariadb-server             mariadb      mariadb                  mariadb
cmd:mariadb-install-db|mysqld       run   mariadb-server-core mariadb-server             mariadb      mariadb                  mariadb
cmd:bash                            check bash                bash                       bash         bash                     bash
pc:cmocka                           check libcmocka-dev       libcmocka-devel            cmocka       cmocka-dev               libcmocka-devel
cmd:tmux                            check tmux                tmux                       tmux         tmux                     tmux
END
}

# The package managers, in the order of the table's columns.
parts_managers="apt-get dnf pacman apk zypper"

# part_found PROBE: is it here? Servers live where an ordinary user's PATH does not look.
part_found() {
    pf_names=${1#*:}
    pf_path=$PATH
    PATH=$PATH:/usr/sbin:/usr/local/sbin:/sbin
    pf_answer=1
    while [ -n "$pf_names" ]; do
        pf_name=${pf_names%%|*}
        case $1 in
        cmd:*) command -v "$pf_name" >/dev/null 2>&1 && pf_answer=0 ;;
        pc:*) pkg-config --exists "$pf_name" 2>/dev/null && pf_answer=0 ;;
        file:*) [ -e "$pf_name" ] && pf_answer=0 ;;
        esac
        case $pf_names in *"|"*) pf_names=${pf_names#*|} ;; *) pf_names= ;; esac
    done
    PATH=$pf_path
    return $pf_answer
}

# parts_missing COLUMN PURPOSE: the packages of column 1 (apt) to 5 (zypper) whose part is not here.
parts_missing() {
    parts_table | while read -r pm_probe pm_for pm_apt pm_dnf pm_pacman pm_apk pm_zypper; do
        case $pm_probe in '#') continue ;; esac
        [ "$pm_for" = check ] && [ "$2" != check ] && continue
        part_found "$pm_probe" && continue
        case $1 in
        1) echo "$pm_apt" ;;
        2) echo "$pm_dnf" ;;
        3) echo "$pm_pacman" ;;
        4) echo "$pm_apk" ;;
        5) echo "$pm_zypper" ;;
        esac
    done | awk '!seen[$0]++' | tr '\n' ' '
}
