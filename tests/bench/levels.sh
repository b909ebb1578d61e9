#!/usr/bin/env bash
# The ladder of levels, measured: each plays the one below it in every rule set. benchmarks.md has the table.
#   tests/bench/levels.sh [ROUNDS [VARIANT…]]
# `full` gets 200,000 nodes a move, about what a tenth of a second gives it; the others are held back by themselves.
set -euo pipefail
cd "$(dirname "$0")/../.."

rounds=${1:-100}
variants=("${@:2}")
[ ${#variants[@]} -gt 0 ] || variants=(awari awari1978 ayoayo oware kalah)
build=${CARGO_TARGET_DIR:-target}/release
cargo build --release --quiet

for variant in "${variants[@]}"; do
    for pair in "beginner initiation" "amateur beginner" "grandmaster amateur" "full grandmaster"; do
        read -r upper lower <<<"$pair"
        elo=$("$build/referee" --variant "$variant" --rounds "$rounds" --random-plies 4 --seed 7 \
            --concurrency "${CONCURRENCY:-2}" \
            --engine cmd="$build/kroo" name="$upper" option.Level="$upper" nodes=200000 \
            --engine cmd="$build/kroo" name="$lower" option.Level="$lower" nodes=200000 | grep '^Elo')
        printf '%-10s %-12s over %-12s %s\n' "$variant" "$upper" "$lower" "$elo"
    done
done
