#!/usr/bin/env bash
# Claims of the lessons 10 to 12, proved by exploring: see test_claims.c.
. "$LAB_SOURCE/tests/claims/part.sh" 10 12
