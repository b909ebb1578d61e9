#!/usr/bin/env bash
# Builds the books that are compiled in, again, with the engine as it stands; the next build of the engine has them.
#   src/book/rebuild.sh [WORDS FOR `kroo book build`]      such as --positions 500 --nodes 20000000 --threads 2
# Killed at any moment, it goes on from there when it is run again.
set -euo pipefail
cd "$(dirname "$0")/../.."
cargo build --release --quiet
for variant in awari awari1978 ayoayo oware kalah; do
    "${CARGO_TARGET_DIR:-target}/release/kroo" book build --variant "$variant" --out "src/game/rule_sets/$variant.book" "$@"
done
