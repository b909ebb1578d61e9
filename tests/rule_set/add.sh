#!/usr/bin/env bash
# Shows that a rule set is one new file and one line: copies the project to a folder of its own, adds two rule sets there
# (Kalah and Oware with three seeds a pit), builds what it needs, and lets them be played.
#   tests/rule_set/add.sh             all of it: some ten minutes on two cores
#   tests/rule_set/add.sh check       only compiles the copy, with its tests
set -euo pipefail
cd "$(dirname "$0")/../.."
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
copy=$target/rule-set
rules=$PWD/tests/rule_set

# The tree as git knows it, with what has changed since; times are kept, so that cargo builds only what is new.
mkdir -p "$copy"
find "$copy" -mindepth 1 -delete
git ls-files -z --cached --others --exclude-standard | while IFS= read -r -d '' file; do
    [ -e "$file" ] && printf '%s\0' "$file"
done | xargs -0 cp -p --parents -t "$copy"

cd "$copy"
add() {
    cp -p "$rules/$1.rs" src/core/game/rule_sets/
    sed -i "s/^\( *\)kalah::Kalah;/&\n\1$1::$2;/" src/core/game/variant.rs
}
add owarelittle OwareLittle
add kalahlittle KalahLittle
changed=$(diff -rq "$OLDPWD/src" src | sed "s|$OLDPWD/||" || true)
printf '%s\n' "$changed"
[ "$(grep -c . <<<"$changed")" = 3 ]
[ "$(diff "$OLDPWD/src/core/game/variant.rs" src/core/game/variant.rs | grep -c '^[<>]')" = 2 ]

if [ "${1:-}" = check ]; then
    CARGO_TARGET_DIR=$target cargo check --locked --quiet --workspace --exclude kroo-endgame-mpi --tests
    rm -rf "$copy"
    exit
fi

# The dependencies are those of the tests, compiled already; our own code is not worth optimising here.
export CARGO_TARGET_DIR=$target CARGO_PROFILE_DEV_OPT_LEVEL=1
cargo test --locked --quiet --package kroo-engine-tests -- rule_set:: properties::
cargo build --locked --quiet --bin kroo --bin referee

played=$(mktemp -d)
trap 'rm -r "$played"' EXIT
for variant in kalahlittle owarelittle; do
    printf 'rules\nquit\n' | "$target/debug/kroo" play --variant "$variant" | grep -q "Whoever has more seeds"
    "$target/debug/kroo" --variant "$variant" perft 5
    "$target/debug/kroo" endgame build --variant "$variant" --seeds 7 --out "$played/$variant"
    "$target/debug/referee" --engine cmd="$target/debug/kroo" nodes=500 name=one \
        --engine cmd="$target/debug/kroo" nodes=500 name=two option.Level=amateur \
        --rounds 1 --variant "$variant" --games-out "$played/$variant.ogn" >"$played/report"
    grep -c "^\[Variant" "$played/$variant.ogn"
done
cd "$OLDPWD"
rm -rf "$copy"
