#!/bin/sh
# Plays moves at 5 to 20 ms in all rule sets, two games at once, and says for each rule set how late the latest was and how
# long the machine itself stood still meanwhile (`tests/executable/on_time.rs`). Fails if a move was later than that explains.
#
# usage: tests/bench/on_time.sh [MOVES]     10,000 by default: a minute and a half
set -eu
cd "$(dirname "$0")/../.."
KROO_ON_TIME_MOVES=${1:-10000} cargo test --release --package kroo --test executable -- \
    --exact on_time::no_move_is_later_than_the_machine_explains --nocapture
