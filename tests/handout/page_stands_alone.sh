#!/usr/bin/env bash
# page_stands_alone.sh PROGRAM: the page of a ladder variant is well formed, small, and asks nothing of a network.
set -euo pipefail
program=$1
command -v python3 >/dev/null || { echo "SKIPPED: python3 is not installed"; exit 77; }
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export XDG_CONFIG_HOME=$folder
cd "$folder"

if ! "$program" shot a.png --engine host >/dev/null 2>error; then
  echo "SKIPPED: no pictures here: $(cat error)"
  exit 77
fi
"$program" export interleaved_contiguous --engine host -o one.html
(($(stat -c %s one.html) < 8 * 1024 * 1024)) || { echo "FAILED: it has $(stat -c %s one.html) bytes"; exit 1; }
"$program" export warp_shuffle,missing_barrier --engine host --threads 64 --rounds 1..3 --question --theme dark -o two.html
"$program" export sequential,interleaved_modulo,warp_shuffle --engine host --threads 64 --rounds 1..2 -o three.html
python3 "$here/check_page.py" one.html steps=10 variants=1
python3 "$here/check_page.py" two.html variants=2
python3 "$here/check_page.py" three.html steps=6 variants=3
# What `shot` draws, it draws.
"$program" shot shot.png --round 2 --engine host >/dev/null 2>&1
"$program" export interleaved_contiguous --rounds 2 --engine host -o export.png
cmp shot.png export.png || { echo "FAILED: the picture is not that of shot"; exit 1; }
