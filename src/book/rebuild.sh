#!/usr/bin/env bash
# Rebuilds the compiled-in books with the current engine; its next build includes them.
#   src/book/rebuild.sh [WORDS FOR `kroo book build`]      [default: --nodes 10000000 --hash 128]
# The arguments are for games that are not solved, and replace all defaults. Each of their books takes some 20 minutes of one
# processor.
# If killed, it resumes when it is run again.
set -euo pipefail
[ $# -gt 0 ] || set -- --nodes 10000000 --hash 128
cd "$(dirname "$0")/../.."
cargo build --release --quiet
kroo="${CARGO_TARGET_DIR:-target}/release/kroo"
for variant in awari ayoayo oware; do
    "$kroo" book build --variant "$variant" --out "src/core/game/rule_sets/$variant.book" "$@"
done
# The small games are solved, and so are their books.
"$kroo" book build --variant awari1978 --out src/core/game/rule_sets/awari1978.book --solve --positions 200 --hash 256
"$kroo" book build --variant kalah --out src/core/game/rule_sets/kalah.book --solve --positions 2 --hash 1024
