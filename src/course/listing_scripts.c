/* The scripts that a listing names belong to it: a purchase that says unlock.lua is read together with
 * lua/unlock.lua, and its hash is a hash of both. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/i18n.h"
#include "base/paths.h"
#include "base/text.h"
#include "course/array.h"
#include "course/listing.h"
#include "course/shop_sources.h"

enum { NAME = 64, SCRIPTS = 8, LONGEST = 1024, TAB = 4 };

typedef struct Names {
    char name[SCRIPTS][NAME];
    int count;
} Names;

static bool is_name(char letter)
{
    return isalnum((unsigned char)letter) || letter == '_';
}

static void add_name(Names *names, const char *text, size_t length)
{
    if (length == 0 || length >= NAME || names->count == SCRIPTS) return;
    char *name = names->name[names->count];
    snprintf(name, NAME, "%.*s", (int)length, text);
    for (int i = 0; i < names->count; i++)
        if (strcmp(names->name[i], name) == 0) return;
    names->count++;
}

/* Words that end in .lua, in code and in comments. */
static void find_names(const Listing *listing, Names *names)
{
    for (int i = 0; i < listing->count; i++) {
        const char *line = listing->lines[i].text;
        for (const char *dot = strstr(line, ".lua"); dot; dot = strstr(dot + 1, ".lua")) {
            const char *start = dot;
            while (start > line && is_name(start[-1])) start--;
            if (start < dot && !is_name(dot[4])) add_name(names, start, (size_t)(dot - start) + 4);
        }
    }
}

static void add_line(Listing *listing, const char *text)
{
    listing->lines = array_grow(listing->lines, listing->count, sizeof *listing->lines);
    listing->lines[listing->count++] = (ListingLine){0, strdup(text)};
    listing->hash = hash_string(hash_string(listing->hash, text), "\n");
}

/* The hash is of the bytes; shown is what a terminal can bear. */
static void add_own_line(Listing *listing, const char *bytes, size_t length)
{
    Text line = {0};
    for (size_t i = 0; i < length; i++) {
        if (bytes[i] == '\t')
            do text_append_char(&line, ' ');
            while (line.length % TAB != 0);
        else if (bytes[i] != '\r')
            text_append_char(&line, bytes[i]);
    }
    char clean[LONGEST];
    text_clean(clean, sizeof clean, text_string(&line), line.length);
    listing->lines = array_grow(listing->lines, listing->count, sizeof *listing->lines);
    listing->lines[listing->count++] = (ListingLine){0, strdup(clean)};
    listing->hash = hash_string(hash_bytes(listing->hash, bytes, length), "\n");
    text_free(&line);
}

static void add_own(Listing *listing, const char *text)
{
    add_line(listing, "");
    while (*text) {
        size_t length = strcspn(text, "\n");
        add_own_line(listing, text, length);
        text += length + (text[length] == '\n');
    }
}

static bool add_script(Listing *listing, const char *name, Error *error)
{
    char path[4096], line[LONGEST];
    snprintf(path, sizeof path, "%s/lua/%s", paths_data(), name);
    FILE *file = fopen(path, "re");
    if (!file)
        return error_set(error, _("lua/%s, which the listing names, cannot be read: %s"), name,
                         strerror(errno));
    add_line(listing, "");
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        add_line(listing, line);
    }
    fclose(file);
    return true;
}

bool listing_add_scripts(Listing *listing, const OwnScript *own, Error *error)
{
    Names names = {.count = 0};
    find_names(listing, &names);
    for (int i = 0; i < names.count; i++) {
        if (own && strcmp(own->name, names.name[i]) == 0)
            add_own(listing, own->text);
        else if (!add_script(listing, names.name[i], error))
            return false;
    }
    return true;
}

bool listing_make(const Variant *code, const OwnScript *own, Listing *listing, Error *error)
{
    const char *source = shop_source(code->file);
    *listing = (Listing){0};
    if (source && listing_cut(source, code->function, code->consumer_function, listing) &&
        listing_add_scripts(listing, own, error))
        return true;
    listing_clear(listing);
    return false;
}
