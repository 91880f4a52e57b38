#!/bin/sh
# The real program on a virtual display with the keyboards of other countries: the text grows by Ctrl and +, wherever that
# key is, shrinks by Ctrl and -, digits choose variants, Ctrl+Z takes that back, ? opens all keys, F6, Tab and arrows reach the Ladder and the bar, F11 fills the screen;
# and keys that come faster than frames are all taken. Exit status 77 where a tool is missing.
#   keys_under_xvfb.sh PROGRAM [inside]
set -eu
needed='xvfb-run xdotool setxkbmap'
# shellcheck source=tests/views/program_on_a_display.sh
. "$(dirname "$0")/program_on_a_display.sh"
picture() { "$probe" hash 0 0 1900 1190; }
isAsBefore() { [ "$(picture)" = "$before" ]; }
isAnother() { ! isAsBefore; }
hasAnotherTitle() { [ "$(xdotool getwindowname "$window")" != "$before" ]; }
hasTitle() { [ "$(xdotool getwindowname "$window")" = "$1" ]; }
hasSize() { xdotool getwindowgeometry "$window" | grep -q "$1"; }

for layout in us de fr; do
  rm -rf "$XDG_CONFIG_HOME"
  mkdir "$XDG_CONFIG_HOME"
  setxkbmap "$layout"
  openWindow
  press ctrl+plus ctrl+plus ctrl+plus ctrl+minus
  # On a French keyboard digits are typed with Shift, and two of their keys are Dear ImGui's keys for other characters.
  for digit in 4 6 1; do
    before=$(xdotool getwindowname "$window")
    press "$digit"
    waitFor 20 hasAnotherTitle || fail "$layout: $digit chose no variant: $before"
  done
  last=$(xdotool getwindowname "$window")
  press ctrl+z
  waitFor 20 hasTitle "$before" || fail "$layout: Ctrl and Z did not go back to $before"
  press ctrl+shift+z
  waitFor 20 hasTitle "$last" || fail "$layout: Ctrl, Shift and Z did not go to $last again"
  press alt+Left
  waitFor 20 hasTitle "$before" || fail "$layout: Alt and Left did not go back to $before"
  press 3
  press ctrl+q
  expectEnded Ctrl+Q
  grep -q '"text_size": 120' "$settings" || fail "$layout: Ctrl and + or - did not change the text: $(cat "$settings")"
  openWindow
  press ctrl+0 ctrl+plus
  xdotool mousemove --window "$window" 1590 990
  press question Escape # once before: its glyphs may have the font atlas packed anew, which shades some edges otherwise
  before=$(picture)
  press question
  waitFor 20 isAnother || fail "$layout: ? opened nothing"
  press Escape
  waitFor 20 isAsBefore || fail "$layout: Escape did not close what ? opened"

  # The keyboard goes to the Ladder, two rows further and chooses; then to the bar's second field, to its second entry.
  press F6 Down Down Return
  press Escape Tab Tab Return Down Return Escape
  press period
  press ctrl+q
  expectEnded Ctrl+Q
  grep -q '"text_size": 110' "$settings" || fail "$layout: Ctrl and 0 did not reset the text: $(cat "$settings")"
  echo "$layout: text size and ? by character"
  for kept in '"variant": "sequential"' '"type": "unsigned"' '"speed": 2.0'; do
    grep -q "$kept" "$settings" || fail "$layout: the keyboard alone did not come to $kept: $(cat "$settings")"
  done
  echo "$layout: the Ladder, a field of the bar and the speed by the keyboard alone"
done
setxkbmap us

# The first start's doors by the keyboard alone: the tour; at the next start F6 goes to the Ladder.
rm -rf "$XDG_CONFIG_HOME"
mkdir "$XDG_CONFIG_HOME"
isAt() { case $(xdotool getwindowname "$window") in *"$1"*) true ;; *) false ;; esac; }
openWindow
press F6 Return
waitFor 20 isAt warm-up || fail "the first door does not lead to the tour: $(xdotool getwindowname "$window")"
press ctrl+q
expectEnded Ctrl+Q
openWindow
press F6 Down Return
waitFor 20 isAt many || fail "the doors are there again: $(xdotool getwindowname "$window")"
echo "first start: its doors once"

press Escape F11
waitFor 20 hasSize 1920x1200 || fail "F11: $(xdotool getwindowgeometry "$window")"
press F11
waitFor 20 hasSize 1600x1000 || fail "F11 again: $(xdotool getwindowgeometry "$window")"
echo "F11: the whole screen, and back"

# Two hundred presses a second, back and forth, at last at the round where they began.
xdotool mousemove --window "$window" 1590 990
press t t
before=$(picture)
for _ in $(seq 30); do xdotool key --delay 5 Right Right Right Right Right Left Left Left Left Left; done
settle
waitFor 20 isAsBefore || fail "of 300 keys some were lost"
press ctrl+q
expectEnded Ctrl+Q
