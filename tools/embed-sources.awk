# embed-sources.awk -- writes a C file that holds the text of every file named on the command line.
# Usage, from the top of the source tree: awk -f tools/embed-sources.awk src/shop/*.c

BEGIN {
    print "/* Made by tools/embed-sources.awk from the files compiled into this program. */"
    print "#include \"course/shop_sources.h\"\n"
    print "#include <string.h>\n"
    print "static const struct {\n    const char *file, *text;\n} sources[] = {"
}

FNR == 1 {
    if (NR > 1) print "     },"
    printf "    {\"%s\",\n     \"\"\n", FILENAME
}

{
    gsub(/\\/, "&&")
    gsub(/"/, "\\\"")
    gsub(/\?/, "\\?") # no trigraphs
    gsub(/\t/, "\\t")
    printf "     \"%s\\n\"\n", $0
}

END {
    if (NR > 0) print "     },"
    else print "    {\"\", \"\"},"
    print "};\n"
    print "const char *shop_source(const char *file)\n{"
    print "    for (size_t i = 0; i < sizeof sources / sizeof sources[0]; i++)"
    print "        if (strcmp(sources[i].file, file) == 0) return sources[i].text;"
    print "    return NULL;\n}"
}
