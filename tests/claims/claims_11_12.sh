#!/usr/bin/env bash
# Claims of the lessons 11 and 12, proved by exploring: see test_claims.c.
. "$LAB_SOURCE/tests/claims/part.sh" 11 12
