#!/usr/bin/env bash
# Claims of the lessons from 13 on, proved by exploring: see test_claims.c.
. "$LAB_SOURCE/tests/claims/part.sh" 13 99
