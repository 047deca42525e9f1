/* main.c -- the way in. */
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--version") == 0) {
        puts(PACKAGE_STRING);
        return 0;
    }
    fputs("usage: seckill-lab [--version]\n", stderr);
    return 2;
}
