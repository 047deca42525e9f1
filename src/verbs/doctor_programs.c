/* doctor_programs.c -- this program, what it is linked with, and the files it reads. */
#include "verbs/doctor.h"

#include <hiredis/hiredis.h>
#include <jansson.h>
#include <mysql.h>
#include <stdio.h>
#include <sys/utsname.h>
#include <unistd.h>
#include <yaml.h>

#include "base/i18n.h"
#include "base/paths.h"
#include "course/course.h"

static void look_at_program(Findings *findings)
{
    Part *part = findings_add(findings, "program", N_("program"));
    struct utsname machine;
    uname(&machine);
    snprintf(part->found, sizeof part->found, "%s, %.40s %.60s", PACKAGE_STRING, machine.sysname,
             machine.release);
}

static void look_at_libraries(Findings *findings)
{
    Part *part = findings_add(findings, "libraries", N_("libraries"));
    snprintf(part->found, sizeof part->found,
             "hiredis %d.%d.%d, MariaDB/MySQL client %s, jansson %s, libyaml %s", HIREDIS_MAJOR,
             HIREDIS_MINOR, HIREDIS_PATCH, mysql_get_client_info(), JANSSON_VERSION,
             yaml_get_version_string());
#ifndef HAVE_HIREDIS_SSL
    part->state = PART_NOTE;
    snprintf(part->advice, sizeof part->advice, "%s",
             _("rediss:// (TLS) needs hiredis_ssl, which was not there when this was built; all "
               "else works."));
#endif
}

static void look_at_lessons(Findings *findings)
{
    Part *part = findings_add(findings, "lessons", N_("lessons"));
    Error error;
    Course *course = course_load(&error);
    if (!course) {
        part->state = PART_MISSING;
        snprintf(part->found, sizeof part->found, "%s", paths_data());
        snprintf(part->advice, sizeof part->advice, "%s", error.text);
        return;
    }
    int variants = 0;
    for (int i = 0; i < course->count; i++) variants += course->lessons[i].variant_count;
    snprintf(part->found, sizeof part->found, _("%d lessons, %d variants, in %s"), course->count,
             variants, paths_data());
    course_free(course);
}

static void look_at_catalogue(Findings *findings)
{
    Part *part = findings_add(findings, "catalogue", N_("Chinese"));
    char name[4200];
    snprintf(name, sizeof name, "%s/zh_CN/LC_MESSAGES/" PACKAGE_TARNAME ".mo", paths_locale());
    snprintf(part->found, sizeof part->found, "%.255s", paths_locale());
    if (access(name, R_OK) == 0) return;
    part->state = PART_MISSING;
    snprintf(part->advice, sizeof part->advice, "%s",
             _("The Chinese messages are not there: build or install the program again."));
}

static void look_at_state(Findings *findings)
{
    Part *part = findings_add(findings, "state", N_("progress"));
    snprintf(part->found, sizeof part->found, "%.255s", paths_state());
    if (access(paths_state(), W_OK) == 0) return;
    part->state = PART_NOTE;
    snprintf(part->advice, sizeof part->advice, "%s",
             _("This directory cannot be written: your progress will not be remembered. Set "
               "XDG_STATE_HOME."));
}

void doctor_programs(Findings *findings)
{
    look_at_program(findings);
    look_at_libraries(findings);
    look_at_lessons(findings);
    look_at_catalogue(findings);
    look_at_state(findings);
}
