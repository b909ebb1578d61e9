#!/usr/bin/env bash
# Measures the strengths below the full one. docs/experiments.csv has the rows.
#   tests/bench/levels.sh [ROUNDS [VARIANT…]]          each level against the one below it
#   tests/bench/levels.sh scale [ROUNDS [VARIANT…]]    each 100 Elo of the scale against the next
# `full` gets 200,000 nodes a move, about a tenth of a second; the other levels have limits of their own.
set -euo pipefail
cd "$(dirname "$0")/../.."

scale=false
if [ "${1:-}" = scale ]; then
    scale=true
    shift
fi
rounds=${1:-100}
variants=("${@:2}")
[ ${#variants[@]} -gt 0 ] || variants=(awari awari1978 ayoayo oware kalah avalanche)
build=${CARGO_TARGET_DIR:-target}/release
cargo build --release --quiet

# match VARIANT UPPER OPTIONS LOWER OPTIONS: prints the result of the first against the second.
match() {
    local variant=$1 upper=$2 upper_options=$3 lower=$4 lower_options=$5
    # The options are several words.
    # shellcheck disable=SC2086
    "$build/referee" --variant "$variant" --rounds "$rounds" --random-plies 4 --seed 7 --concurrency "${CONCURRENCY:-2}" \
        --engine cmd="$build/kroo" name="$upper" $upper_options nodes=200000 \
        --engine cmd="$build/kroo" name="$lower" $lower_options nodes=200000 | grep -E '^(Elo|Games)' |
        while read -r line; do printf '%-10s %-12s over %-12s %s\n' "$variant" "$upper" "$lower" "$line"; done
}

for variant in "${variants[@]}"; do
    if $scale; then
        read -r least most < <(printf 'setoption name UCI_Variant value %s\nsetoption name UCI_LimitStrength value true
setoption name UCI_Elo value 2000\nquit\n' "$variant" | "$build/kroo" | sed -n 's/.* from \([0-9]*\) to \([0-9]*\) Elo.*/\1 \2/p')
        for ((elo = least; elo + 100 <= most; elo += 100)); do
            limited="option.UCI_LimitStrength=true option.UCI_Elo"
            match "$variant" "$((elo + 100))" "$limited=$((elo + 100))" "$elo" "$limited=$elo"
        done
    else
        for pair in "beginner initiation" "amateur beginner" "grandmaster amateur" "full grandmaster"; do
            read -r upper lower <<<"$pair"
            match "$variant" "$upper" "option.Level=$upper" "$lower" "option.Level=$lower"
        done
    fi
done
