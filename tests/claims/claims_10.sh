#!/usr/bin/env bash
# Claims of lesson 10, proved by exploring: see test_claims.c.
. "$LAB_SOURCE/tests/claims/part.sh" 10 10
