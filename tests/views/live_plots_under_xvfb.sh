#!/bin/sh
# The real program on a virtual display, hands off: while timing, the Timings panel's picture goes on changing without any
# input, on each of its tabs; when it was stopped, nothing is drawn any more. Exit status 77 where a tool is missing.
#   live_plots_under_xvfb.sh PROGRAM [inside]
set -eu
needed='xvfb-run xdotool'
# shellcheck source=tests/views/program_on_a_display.sh
. "$(dirname "$0")/program_on_a_display.sh"

# Places in a window of 1600x1000 at its first start, without a message.
clickAt() {
  xdotool mousemove --window "$window" "$1" "$2"
  settle
  xdotool click 1
}
timingsPicture() { "$probe" hash 1064 530 520 320; }
handsOff() { xdotool mousemove --window "$window" 1590 990; }

# Nothing moves, and it takes no time.
isAtRest() {
  picture=$(timingsPicture)
  restsFor 3 4 && [ "$(timingsPicture)" = "$picture" ]
}

# expectChanges TAB: the picture changes eight times; on a machine that does nothing else that takes two seconds.
expectChanges() {
  changes=0 looks=0
  last=$(timingsPicture)
  while [ "$changes" -lt 8 ]; do
    [ "$looks" -lt 240 ] || fail "the picture of $1 stands still: $changes changes in 60 s"
    sleep 0.25
    looks=$((looks + 1))
    now=$(timingsPicture)
    [ "$now" = "$last" ] || changes=$((changes + 1))
    last=$now
  done
  echo "$1: $changes changes in $looks times 0.25 s"
}

# While it times it never rests: what was done is seen where the palette stands, and nothing else moves.
palettePicture() { "$probe" hash 500 150 600 350; }
hasPaletteChanged() { [ "$(palettePicture)" != "$palette" ]; }
# expectInPalette WHAT XDOTOOL'S-WORDS...
expectInPalette() {
  what=$1 palette=$(palettePicture)
  shift
  xdotool "$@"
  waitFor 20 hasPaletteChanged || fail "while timing, $what"
}

# The program's memory, in KiB.
memory() { awk -v name="$1:" '$1 == name { print $2 }' "/proc/$pid/status"; }

openWindow
memoryBefore=$(memory VmRSS)
press Escape # leaves what a first start asks
clickAt 1548 101  # dismisses what a start without a GPU says
settle
for tab in 'live 1096' 'ladder 1161' 'by size 1219'; do
  clickAt "${tab##* }" 568
  settle
  clickAt 1125 596  # starts
  sleep 0.3
  handsOff
  # Devices are opened, inputs filled.
  before=$(timingsPicture)
  hasChanged() { [ "$(timingsPicture)" != "$before" ]; }
  waitFor 30 hasChanged || fail "nothing is timed on ${tab% *}"
  expectChanges "${tab% *}"
  expectInPalette 'Ctrl+P opens no palette' key ctrl+p
  expectInPalette 'the palette takes no text' type --delay 30 'stop timing'
  expectInPalette 'Enter does not close the palette' key Return
  settle
  waitFor 1 isAtRest || fail "it does not come to rest: $used hundredths of a second"
done
grown=$((($(memory VmHWM) - memoryBefore) / 1024))
echo "memory: at most $grown MiB more than before"
# AddressSanitizer keeps what was freed.
[ "$grown" -lt 300 ] || [ -n "${STRIDESCOPE_SANITIZED:-}" ] || fail "timing took $grown MiB"
xdotool key ctrl+q
expectEnded Ctrl+Q
