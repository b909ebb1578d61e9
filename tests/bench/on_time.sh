#!/bin/sh
# Plays moves at 5 to 20 ms in all rule sets, two games at once, and prints for each rule set the maximum delay and the longest
# stall of the machine meanwhile (`tests/executable/on_time.rs`). Fails if a delay exceeds the stalls.
#
# usage: tests/bench/on_time.sh [MOVES]     10,000 by default: a minute and a half
set -eu
cd "$(dirname "$0")/../.."
KROO_ON_TIME_MOVES=${1:-10000} cargo test --release --package kroo --test executable -- \
    --exact on_time::no_move_is_later_than_the_machine_explains --ignored --nocapture
