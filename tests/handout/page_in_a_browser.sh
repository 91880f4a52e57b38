#!/usr/bin/env bash
# page_in_a_browser.sh PROGRAM: the page in Chromium, with real key presses, touches and clicks, on a screen and on a phone.
set -euo pipefail
program=$1
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
command -v python3 >/dev/null || { echo "SKIPPED: python3 is not installed"; exit 77; }
python3 -c "import sys; sys.path.insert(0, '$here'); import browser; sys.exit(0 if browser.find() else 1)" ||
  { echo "SKIPPED: Chromium is not installed"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export XDG_CONFIG_HOME=$folder HOME=$folder
if ! "$program" shot "$folder/a.png" --engine host >/dev/null 2>"$folder/error"; then
  echo "SKIPPED: no pictures here: $(cat "$folder/error")"
  exit 77
fi
"$program" export interleaved_contiguous,sequential --engine host -o "$folder/two.html"
"$program" export interleaved_contiguous --engine host --threads 64 --question -o "$folder/asks.html"
"$program" export interleaved_contiguous,sequential --engine host --threads 64 --question -o "$folder/both.html"
"$program" export sequential --engine host --presented -o "$folder/presented.html"
python3 "$here/page_in_a_browser.py" "$folder/two.html" "$folder/asks.html" "$folder/both.html" "$folder/presented.html"
