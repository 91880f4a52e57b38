#!/bin/sh
# The real program on a virtual display: it opens its window, takes keys and a new size, closes by Ctrl+Q, keeps its
# settings and the round, says once only what it says of a machine without a GPU, and leaves nothing running; at rest and
# minimised it takes no time. Exit status 77 where xvfb-run or xdotool is missing: CTest shows a skipped test.
#   program_under_xvfb.sh PROGRAM [inside]
set -eu
needed='xvfb-run xdotool'
# shellcheck source=tests/views/program_on_a_display.sh
. "$(dirname "$0")/program_on_a_display.sh"

# The first start, left with another round and no other experiment; the second one begins there.
openWindow
press Escape # leaves what a first start asks
xdotool mousemove --window "$window" 1548 101 click 1 # dismisses what a start without a GPU says
settle
press Right Right
# Where there is no GPU what changes is drawn alone; a window of another size is drawn whole.
inParts=$("$probe" hash 0 0 1600 1000)
xdotool windowsize --sync "$window" 1590 1000
settle
xdotool windowsize --sync "$window" 1600 1000
settle
[ "$("$probe" hash 0 0 1600 1000)" = "$inParts" ] || fail "what steps drew is not what the whole window shows"
messageStrip() { "$probe" hash 8 82 1580 40; }
dismissed=$(messageStrip)
xdotool key ctrl+q
expectEnded Ctrl+Q
grep -q '"round": 6' "$settings" || fail "the first start's round was not kept: $(cat "$settings")"
openWindow
[ "$(messageStrip)" = "$dismissed" ] || fail "the second start greets again"
xdotool key ctrl+q
expectEnded Ctrl+Q
grep -q '"round": 6' "$settings" || fail "the second start began at another round: $(cat "$settings")"
rm -r "$XDG_CONFIG_HOME/stridescope"

openWindow
case $(xdotool getwindowname "$window") in
  *"interleaved, contiguous"*) ;;
  *) fail "the title does not name the variant: $(xdotool getwindowname "$window")" ;;
esac

# A window of OpenGL shows no text to a script: the keys' effect is read off the settings below, and off the title.
press Right Left
xdotool key space space # plays and pauses: it would not rest in between
settle
press 4
titleNamesSequential() { xdotool getwindowname "$window" | grep -q 'sequential'; }
waitFor 20 titleNamesSequential || fail "key 4 did not choose the sequential variant: $(xdotool getwindowname "$window")"
press Escape # leaves what a first start asks
# Dismisses what a start without a GPU offers.
xdotool mousemove --window "$window" 1548 101 click 1
settle
# A click on the Ladder's fifth rung, where a window of 1600x1000 has it.
xdotool mousemove --window "$window" 120 590 click 1
titleNamesFirstAdd() { xdotool getwindowname "$window" | grep -q 'first add'; }
waitFor 20 titleNamesFirstAdd || fail "a click did not choose the fifth variant: $(xdotool getwindowname "$window")"
press t
xdotool windowsize --sync "$window" 1200 800
settle
kill -0 "$pid" 2>/dev/null || fail "it ended too early"

# At rest it draws nothing.
xdotool mousemove 1900 1190
settle
restsFor 5 4 || fail "at rest it used $used hundredths of a second"
# Nor does it look every now and then whether there is something to draw.
asleep=$(sleeps)
sleep 4
woken=$(($(sleeps) - asleep))
[ "$woken" -le 4 ] || fail "at rest it woke $woken times in 4 s"

# So it does in every mode: Present, Predict, Compare, and Explore again.
for mode in p g c Escape; do
  press "$mode"
  restsFor 3 4 || fail "at rest after $mode it used $used hundredths of a second"
done

# Minimised it rests, too, though a run is being played; it draws again when it is restored.
xdotool key Home space
sleep 0.3
"$probe" minimize "$window"
restsFor 3 2 || fail "minimised it used $used hundredths of a second"
picture=$("$probe" hash 0 0 1200 800)
"$probe" restore "$window"
isDrawnAgain() { [ "$("$probe" hash 0 0 1200 800)" != "$picture" ]; }
waitFor 20 isDrawnAgain || fail "it does not draw again when it is restored"

# The tour's speaker notes have a window of their own, which takes no time at rest either; its keys are the first one's.
press space # pauses
press ctrl+p
enter 'lecture tour'
press Return shift+F4
hasNotes() { notes=$(xdotool search --name '^Speaker notes'); }
waitFor 20 hasNotes || fail "the speaker notes have no window"
restsFor 3 4 || fail "with the speaker notes it used $used hundredths of a second"
xdotool windowfocus --sync "$notes"
press 4
waitFor 20 titleNamesSequential || fail "a key in the notes' window did nothing: $(xdotool getwindowname "$window")"
press 5 shift+F4
waitFor 20 titleNamesFirstAdd || fail "a second key in the notes' window did nothing"
hasNoNotes() { ! hasNotes; }
waitFor 20 hasNoNotes || fail "the speaker notes' window stays"
xdotool windowfocus --sync "$window"
press shift+F4
waitFor 20 hasNotes || fail "the speaker notes do not come again"
sleep 6 # other windows may stand before it now
press shift+F4
hasNotes || fail "the speaker notes are closed in place of coming to the front"
notesHaveKeyboard() { [ "$(xdotool getwindowfocus)" = "$notes" ]; }
waitFor 20 notesHaveKeyboard || fail "the speaker notes do not come to the front"
besideNotes() { "$probe" hash 970 100 200 500; } # panels of the first window, which are wider without the tour
before=$(besideNotes)
xdotool key Escape
waitFor 20 hasNoNotes || fail "Escape does not close the speaker notes"
xdotool windowfocus --sync "$window"
settle
[ "$(besideNotes)" = "$before" ] || fail "Escape in the speaker notes did something in the first window"

# Closing in the middle of work: the CPU's reductions are being timed.
press ctrl+p
enter 'start timing'
xdotool key Return
isBusy() {
  before=$(usedTicks)
  sleep 1
  [ $(($(usedTicks) - before)) -gt 30 ]
}
waitFor 10 isBusy || fail "it does not time anything"
xdotool key ctrl+q
expectEnded Ctrl+Q
grep -q '"theme": "light"' "$settings" || fail "the theme was not kept: $(cat "$settings")"
grep -q '"variant": "first_add_on_load"' "$settings" || fail "the variant was not kept: $(cat "$settings")"
grep -q '"window_width": 1200' "$settings" || fail "the size was not kept: $(cat "$settings")"
[ ! -e "$settings.new" ] || fail "a temporary file was left"
echo "opened, stepped, resized and closed"
