#!/usr/bin/env bash
# Claims of the lessons 00 to 06, proved by exploring: see test_claims.c.
. "$LAB_SOURCE/tests/claims/part.sh" 00 06
