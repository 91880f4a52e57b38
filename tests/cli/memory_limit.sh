#!/usr/bin/env bash
# Whatever memory there is, a command does what it shall or says in a sentence that it cannot, with exit status 3 (a
# library cannot be opened) or 4 (memory ran out on the way).
# Exit status 77 where the program cannot be limited: beside a sanitizer's shadow.
set -euo pipefail
program=$1
if ! (ulimit -v 4000000 && exec "$program" --version) >/dev/null 2>&1; then
  echo "SKIPPED: the program does not start with a limit on its address space"
  exit 77
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
ulimit -c 0
"$program" record sequential k_way_merge --engine host -o recording.stride >/dev/null 2>&1 || true

faults=0
# try KIB ARGUMENTS...
try() {
  local kib=$1 status=0
  shift
  (ulimit -v "$kib" && exec "$program" "$@") >output 2>error || status=$?
  if [[ $status == 0 ]] || { [[ $status == 3 ]] && grep -qE '\.$' output error; }; then return; fi
  if [[ $status == 4 ]] && grep -qiE 'out of memory.*\.$|could not be allocated.*\.$' output error; then return; fi
  echo "FAILED: $* with $kib KiB ended with $status: $(tail -n 2 error)"
  faults=$((faults + 1))
}

# Closer together in .ci/nightly.
part=1
[[ -z ${STRIDESCOPE_WHOLE_SWEEPS:-} ]] || part=4
for ((kib = 40000; kib < 2000000; kib += kib / part)); do
  (ulimit -v $kib && exec "$program" --version) >/dev/null 2>&1 || continue # too little for the loader
  try $kib list --json
  try $kib step sequential --engine host --json
  try $kib step sequential --engine host -n 2^22
  try $kib record sequential warp_shuffle --engine host -o new.stride --force
  try $kib verify sequential --quick --engine host
  try $kib verify --engine recording.stride sequential
  try $kib step sequential --engine recording.stride
  try $kib shot new.png --engine host
  try $kib time --size 2^16 --samples 3 --baselines
done

# A file of 40 MB is told to be none of lists in a little more than that.
for piece in '[' '[],' '[['; do
  { printf '['; yes "$piece" | tr -d '\n'; } 2>/dev/null | head -c 40000000 >lists.json || true
  status=0
  (ulimit -v 700000 && exec "$program" step k_way_merge --engine host --lists lists.json) >output 2>error || status=$?
  if [[ $status != 2 ]]; then
    echo "FAILED: lists of $piece ended with $status: $(tail -n 2 error)"
    faults=$((faults + 1))
  fi
done
[[ $faults == 0 ]]
