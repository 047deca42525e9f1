#!/usr/bin/env bash
# Races of the lessons from 11 on.
set -- 11 99
. "$LAB_SOURCE/tests/claims/races.sh"
