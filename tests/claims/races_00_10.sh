#!/usr/bin/env bash
# Races of the lessons 00 to 10.
set -- 00 10
. "$LAB_SOURCE/tests/claims/races.sh"
