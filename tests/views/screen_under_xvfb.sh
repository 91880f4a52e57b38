#!/bin/sh
# The real program's window on a large virtual screen: at its first start it grows with the monitor's size in millimetres, or
# with the desktop's scale (Xft.dpi), later it has the size that it was left with, but never more than the screen. Exit status
# 77 where a tool is missing.
#   screen_under_xvfb.sh PROGRAM [inside]
set -eu
needed='xvfb-run xdotool' screen=3840x2160
# shellcheck source=tests/views/program_on_a_display.sh
. "$(dirname "$0")/program_on_a_display.sh"

# opensAt WIDTHxHEIGHT WHEN
opensAt() {
  openWindow
  xdotool getwindowgeometry "$window" | grep -q "Geometry: $1" ||
    fail "$2: not $1 but $(xdotool getwindowgeometry "$window")"
  echo "$2: $1"
}
close() {
  xdotool key ctrl+q
  expectEnded Ctrl+Q
}

# The monitor's size, as monitor_size.cpp tells it. AddressSanitizer wants to come before what is preloaded.
opensOn() {
  rm -f "$settings"
  export LD_PRELOAD="${program%/*}/monitor_size.so" STRIDESCOPE_MONITOR_MM="$1"
  startWindow
  unset LD_PRELOAD STRIDESCOPE_MONITOR_MM
  settle
  xdotool getwindowgeometry "$window" | grep -q "Geometry: $2" ||
    fail "on a monitor of $1 mm: not $2 but $(xdotool getwindowgeometry "$window")"
  close
  echo "on a monitor of $1 mm: $2"
}
if [ -z "${STRIDESCOPE_SANITIZED:-}" ]; then
  opensOn 508 3200x2000  # 192 dots an inch: texts are twice as large
  opensOn 597 2400x1500  # 163: one and a half times, in quarters rounded down
  opensOn 1020 1600x1000 # 95
  opensOn 160 2400x1500  # an aspect ratio, as televisions tell it: taken for 597
  rm -f "$settings"
fi

opensAt 2400x1500 'a first start on a monitor of unknown size'
xdotool windowsize --sync "$window" 1400 900
settle
close
"$probe" dpi 192
opensAt 1400x900 'a second start, whatever the scale is by then'
close
rm "$settings"
opensAt 3200x2000 'a first start at 192 dots an inch'
close
sed -i 's/"window_width": [0-9]*/"window_width": 9000/; s/"window_height": [0-9]*/"window_height": 9000/' "$settings"
opensAt 3840x2160 'settings from a larger screen'
close
rm "$settings"
"$probe" dpi 288
opensAt 3840x2160 'a scale that asks for more than there is'
close
