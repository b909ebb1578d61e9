#!/usr/bin/env bash
# A tournament in parts on this machine, joined at the end:
#   local.sh PARTS JOBS FOLDER ARGUMENT...
# plays PARTS parts, JOBS at a time, with the referee's ARGUMENTs, and leaves journals, games and results in FOLDER.
# Started again, it goes on where it was. The referee is $REFEREE, or `referee`; with RUNNER=xargs parallel is not used.
set -euo pipefail
[ $# -ge 4 ] || { sed -n '2,5p' "$0" >&2; exit 1; }
parts=$1 jobs=$2 folder=$3
shift 3
export folder parts referee=${REFEREE:-referee}
mkdir -p "$folder"

play() {
    local part=$1
    shift
    "$referee" "$@" --shard "$part/$parts" --journal "$folder/part-$part.journal" --resume >"$folder/part-$part.log"
}
export -f play

if [ "${RUNNER:-parallel}" = parallel ] && command -v parallel >/dev/null; then
    parallel --quote --halt soon,fail=1 --jobs "$jobs" bash -c 'play "$@"' _ {} "$@" ::: $(seq "$parts")
else
    seq "$parts" | xargs -P "$jobs" -I PART bash -c 'play "$@"' _ PART "$@"
fi
rm -f "$folder/games.ogn"
"$referee" merge "$folder"/part-*.journal --games-out "$folder/games.ogn" --json "$folder/results.json"
