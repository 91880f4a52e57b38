#!/usr/bin/env bash
# A limit on the size of files (SIGXFSZ, EFBIG) is a sentence and exit status 3, and leaves nothing.
set -euo pipefail
program=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export XDG_CACHE_HOME=$folder/cache

# expect KIB SENTENCE OUTPUT ARGUMENTS...
expect() {
  local kib=$1 sentence=$2 output=$3 status=0
  shift 3
  (ulimit -f "$kib" && exec "$program" "$@") >"$output" 2>error || status=$?
  if [[ $status != 3 ]] || ! grep -q "$sentence" error; then
    echo "FAILED: $* ended with $status: $(cat error)"
    exit 1
  fi
  rm -rf error cache output
  [[ -z $(ls -A) ]] || { echo "FAILED: $* left $(ls -A)"; exit 1; }
  echo "$*: told"
}

expect 8 'larger than a file may be here' /dev/null record sequential --engine host -o a.stride
expect 8 'could not be written in full' output step sequential --engine host --json
expect 8 'could not be written in full' output list --json
# Without OpenGL there is no picture to be written.
if "$program" shot a.png --engine host 2>/dev/null; then
  rm -rf a.png cache
  expect 8 'larger than a file may be here' /dev/null shot a.png --engine host
fi
