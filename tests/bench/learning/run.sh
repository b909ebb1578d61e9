#!/usr/bin/env bash
# Regenerates the files of this folder: in each rule set, a learner of depth 3 with LearnFile against an opponent of depth 7
# that never changes. The same engine gives the same files.
set -euo pipefail
cd "$(dirname "$0")/../../.."

cargo build --release --package kroo
lessons=$(mktemp -d)
trap 'rm -rf "$lessons"' EXIT
for variant in awari awari1978 ayoayo oware kalah; do
    "${CARGO_TARGET_DIR:-target}/release/kroo" --variant "$variant" learn trial \
        --rounds 60 --openings 5 --plies 6 --depth 3 --against 7 --seed 1 --out "$lessons/$variant"
    cp "$lessons/$variant.csv" "$lessons/$variant.svg" tests/bench/learning/
done
