#!/usr/bin/env bash
# Claims of the lessons 08 and 09, proved by exploring: see test_claims.c.
. "$LAB_SOURCE/tests/claims/part.sh" 08 09
