#!/usr/bin/env bash
# The documented limits of recordings (docs/recording.md): a file with as much of each table as one may hold is written,
# read back and drawn. Prints what that takes. For .ci/nightly, after ./dev build; needs 4 GB of disk and of memory.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
cmake --build --preset release --target largest_recordings
program=build/release/bin/stridescope
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
build/release/tests/largest_recordings "$folder"

# As many numbers of a person's own as an experiment takes, and as many events as a trace holds (508 lists of one
# number, in 1024 threads, are just more).
seq 1 16777216 | awk '{ print $1 % 1000 }' >"$folder/numbers.txt"
"$program" record many_blocks --input "$folder/numbers.txt" --engine host -o "$folder/numbers.stride"
awk 'BEGIN { printf "["; for (i = 0; i < 508; ++i) printf "%s[%d]", i ? "," : "", i * 7919 % 1000; print "]" }' \
  >"$folder/lists.json"
status=0
"$program" record k_way_merge --threads 1024 --lists "$folder/lists.json" --engine host -o "$folder/events.stride" || status=$?
((status == 4)) # the trace is cut at the limit

TIMEFORMAT=%1R
for file in "$folder"/*.stride; do
  seconds=$({ time timeout 120 "$program" shot "$folder/picture.png" --engine "$file" >&2; } 2>&1)
  printf '%-30s drawn in %5s s\n' "$(basename "$file")" "$seconds"
done
