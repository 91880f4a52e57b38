#!/usr/bin/env bash
# The program itself, ended while `record` writes: by Ctrl-C and by SIGTERM it leaves nothing; killed, it
# leaves a temporary file, which the next start removes, but never that of a run that lives. The same holds
# for an operator's folder.
set -euo pipefail
program=$1
folder=$(mktemp -d)
pid=
cleanUp() {
  [[ -z $pid ]] || kill -KILL "$pid" 2>/dev/null || true
  rm -rf "$folder"
}
trap cleanUp EXIT
fail() {
  echo "FAILED: $*: $(cat "$folder/error")"
  exit 1
}
mkdir "$folder/place" "$folder/temporary"
export TMPDIR=$folder/temporary XDG_CONFIG_HOME=$folder
cd "$folder/place"

# begin FOLDER ARGUMENTS...: starts the program; until there is something in the folder.
begin() {
  local where=$1 tries=3000
  shift
  # A shell has what it starts in the background ignore SIGINT.
  env --default-signal=INT "$program" "$@" >/dev/null 2>"$folder/error" &
  pid=$!
  while [[ -z $(ls -A "$where") ]]; do
    ((tries-- > 0)) || fail "it does not write"
    kill -0 "$pid" 2>/dev/null || fail "it ended before it wrote"
    sleep 0.02
  done
}
# Some seconds of writing.
beginRecord() { begin . record k_way_merge --threads 1024 -n 100 --engine host -o new.stride; }
# hasEndedWith STATUS...
hasEndedWith() {
  local status=0
  wait "$pid" || status=$?
  pid=
  [[ " $* " == *" $status "* ]] || fail "it ended with $status, not with $*"
}
isEmpty() { [[ -z $(ls -A "$1") ]]; }

for signal in INT TERM HUP; do
  beginRecord
  begun=$(date +%s%3N)
  kill "-$signal" "$pid"
  hasEndedWith 3
  grep -q Cancelled "$folder/error" || fail "$signal was not told"
  isEmpty . || fail "$signal left $(ls -A)"
  echo "$signal: ended after $(($(date +%s%3N) - begun)) ms"
done

beginRecord
kill -KILL "$pid"
hasEndedWith 137
isEmpty . && fail "a killed run left nothing: there is nothing to test"
"$program" list >/dev/null
isEmpty . || fail "not swept: $(ls -A)"
echo "KILL: swept"

beginRecord
# What it has written to is locked; a file that has just been made need not be.
until [[ -s $(ls -A) ]] || ! kill -0 "$pid" 2>/dev/null; do sleep 0.02; done
kill -STOP "$pid"
"$program" list >/dev/null
isEmpty . && fail "a run that lives was swept"
kill -CONT "$pid"
hasEndedWith 0 1
[[ $(ls -A) == new.stride ]] || fail "a whole run left $(ls -A)"
echo "STOP: not swept"

command -v c++ >/dev/null || exit 0
begin "$TMPDIR" step sequential --engine host --combine 'while (true) { } return a;' --identity 0
kill -KILL "$pid"
hasEndedWith 137
isEmpty "$TMPDIR" && fail "a killed run left no folder: there is nothing to test"
# The compiler that it started holds the folder until it has ended by itself.
for ((tries = 120; tries > 0; --tries)); do
  "$program" list >/dev/null
  isEmpty "$TMPDIR" && break
  sleep 0.5
done
((tries > 0)) || fail "not swept: $(ls -A "$TMPDIR")"
echo "an operator's folder: swept"
