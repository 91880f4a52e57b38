#!/usr/bin/env bash
# export_files.sh PROGRAM: where `export` cannot write, it says so and leaves nothing, and what was there stays; ended while
# it draws, it leaves nothing either.
set -euo pipefail
program=$1
folder=$(mktemp -d)
disk=
pid=
cleanUp() {
  [[ -z $pid ]] || kill -KILL "$pid" 2>/dev/null || true
  [[ -z $disk ]] || umount "$disk" 2>/dev/null || true
  rm -rf "$folder"
}
trap cleanUp EXIT
export XDG_CONFIG_HOME=$folder/config TMPDIR=$folder/temporary
mkdir "$folder/place" "$folder/temporary"
cd "$folder/place"
fail() {
  echo "FAILED: $*: $(cat "$folder/error" 2>/dev/null)"
  exit 1
}

# refused CODE SENTENCE ARGUMENTS...: in the current folder, which it leaves as it is.
refused() {
  local code=$1 sentence=$2 status=0 before
  shift 2
  before=$(ls -lA)
  "$program" export "$@" --engine host >"$folder/out" 2>"$folder/error" || status=$?
  [[ $status == "$code" ]] || fail "$* ended with $status, not with $code"
  grep -q "$sentence" "$folder/error" || fail "$* did not say: $sentence"
  [[ $(ls -lA) == "$before" ]] || fail "$* left: $(ls -lA)"
  echo "$*: told"
}

echo before >there.csv
refused 3 'exists already' sequential -o there.csv
refused 3 'is not a folder' sequential -o there.csv/a.csv
refused 3 'does not exist' sequential -o none/a.csv
refused 3 'is not a folder' sequential --as png -o there.csv/pictures
"$program" export sequential --engine host -o there.csv --force
[[ $(head -c 7 there.csv) == variant ]] || fail "--force did not replace the file"

pictures=yes
"$program" export sequential --engine host --rounds 4 -o a.png 2>/dev/null || pictures=no

# A disk of a few kilobytes, where one can be had; else a limit on the size of files.
disk=$folder/disk
mkdir "$disk"
if mount -t tmpfs -o size=16k tmpfs "$disk" 2>/dev/null; then
  cd "$disk"
  refused 3 'The disk is full' sequential --threads 1024 --values -o a.csv
  if [[ $pictures == yes ]]; then
    refused 3 'The disk is full' sequential -o a.html --rounds 1..2
    refused 3 'The disk is full' sequential --rounds 1..2 --as png -o pictures
    refused 3 'The disk is full' sequential -o a.gif --rounds 1..2
  fi
else
  disk=
  cd "$folder/temporary"
  (ulimit -f 8 && refused 3 'larger than a file may be here' sequential --threads 1024 --values -o a.csv)
fi

[[ $pictures == yes ]] || { echo "no pictures here"; exit 0; }
mkdir "$folder/ended"
cd "$folder/ended"
for signal in INT TERM; do
  env --default-signal=INT "$program" export sequential --engine host --threads 1024 --as png -o pictures \
    --size 3840x2160 >/dev/null 2>"$folder/error" &
  pid=$!
  tries=1500
  until compgen -G '.stridescope-*/round-*' >/dev/null; do
    ((tries-- > 0)) || fail "it draws nothing"
    kill -0 "$pid" 2>/dev/null || fail "it ended before it drew"
    sleep 0.02
  done
  kill "-$signal" "$pid"
  status=0
  wait "$pid" || status=$?
  pid=
  [[ $status == 3 ]] || fail "$signal ended it with $status"
  grep -q Cancelled "$folder/error" || fail "$signal was not told"
  [[ -z $(ls -A) ]] || fail "$signal left $(ls -A)"
  echo "$signal: nothing left"
done
