#!/bin/sh
# The real window opens on a virtual display, draws, saves its state once and closes by itself; and without any display
# it says so in a sentence. Exit status 77 where there is no xvfb-run: CTest shows the test as skipped.
set -eu
program=$1
if ! command -v xvfb-run >/dev/null; then
  echo "SKIPPED: xvfb-run is not installed (xvfb, xauth)"
  exit 77
fi
output=$(timeout 60 xvfb-run -a -n "${STRIDESCOPE_DISPLAY:-99}" -s '-screen 0 1600x1000x24' "$program" 20)
echo "$output"
case $output in
  "frames 20 saves 1 size 1200x800 "*) ;;
  *) echo "FAILED: expected 20 frames, one save and a window of 1200x800"; exit 1 ;;
esac
status=0
sentence=$(env -u DISPLAY -u WAYLAND_DISPLAY timeout 20 "$program" 20 2>&1) || status=$?
echo "$sentence"
case $status:$sentence in
  "3:No window can be opened: "*) ;;
  *) echo "FAILED: expected exit status 3 and a sentence without a display"; exit 1 ;;
esac
