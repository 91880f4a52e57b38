#!/bin/sh
# The real program on a virtual display: rounds of four variants are predicted with the keys and the mouse. What was
# answered is in the score's file, which outlives the window, is left alone when it is damaged, and is deleted
# from the palette, behind a question. The exit status is 77 if a tool is missing. With PICTURES=FOLDER each
# step leaves a picture there, for a person.
#   predict_under_xvfb.sh PROGRAM [inside]
set -eu
needed="xvfb-run xdotool${PICTURES:+ xwd}"
# shellcheck source=tests/views/program_on_a_display.sh
. "$(dirname "$0")/program_on_a_display.sh"
score=$XDG_DATA_HOME/stridescope/score.json
shown=0
look() {
  [ -n "${PICTURES:-}" ] || return 0
  sleep 0.7
  shown=$((shown + 1))
  xwd -silent -id "$window" -out "$PICTURES/$(printf %02d "$shown")-$1.xwd"
}

isTitled() { case $(xdotool getwindowname "$window") in *"$wanted"*) true ;; *) false ;; esac; }
# choose WORDS TITLE: the variant of that title, by the palette.
choose() {
  press ctrl+p
  enter "$1"
  press Return
  wanted=$2
  waitFor 20 isTitled || fail "the palette chose no $2: $(xdotool getwindowname "$window")"
  settle
}
# asked CONCEPT ASKED RIGHT: so the score says of it.
asked() {
  waitFor 20 grep -q "\"$1\": *{[^}]*\"asked\": *$2,[^}]*\"right\": *$3," "$score" ||
    fail "$1 is not $3 of $2: $(cat "$score")"
}

openWindow
xdotool mousemove --window "$window" 1590 995
press Escape g # nothing is pinned
look hidden
press Right Right # it stays hidden
look held
press F6 F6 # Lanes
# To the label of warp 0, wherever the walk begins: the pointer may have been over a thread in the first frames.
press Left Left Left Left Left Left Left Left Left
for _ in 0 1 2 3 4 5 6 7; do press Right m; done
look marked
press Escape Return
look revealed
asked 'active threads' 1 1
echo 'interleaved, contiguous: stride 16 by the keyboard alone'

press Right h Down h Down Down h
look hints
press s Return # stride 32 is skipped, 64 not answered
look unanswered
asked 'active threads' 1 1
press r Return Right Return
look 128
# The write: thread 0, marked with the mouse. To see it again is no new question.
press Right
xdotool mousemove --window "$window" 456 552 mousedown 1
settle
xdotool mousemove --window "$window" 458 552 mouseup 1
settle
look write
press Return
asked 'active threads' 2 2
press r Return
asked 'active threads' 2 2
echo 'interleaved, contiguous: the last round with the mouse'

choose 'warp shuffle' 'warp shuffle'
look shuffle
press Home r # the load, before anything is told
look nothing
press s m Return # by 16: nothing is pointed at, so nothing is marked
look by-16
press Right h h h Return Right
look by-4
echo 'warp shuffle: three rounds'

choose 'no barrier between strides' 'no barrier'
press Home r Return Right
look race-hidden
press h Return
look race
press shift+Right shift+Right shift+Right
look race-pass
echo 'no barrier between strides: a race'

choose 'k-way merge, far half' 'k-way merge'
press Home r Return Right Return Right Return Right
look merge-hidden
press h Return
look merge
press a # nothing was wrong
press e
look explore
press g
[ "$(grep -c . "$score")" -gt 0 ] || fail 'no score'
press ctrl+q
expectEnded Ctrl+Q
asked 'active threads' 3 2
echo 'k-way merge, and back to Explore'

# A damaged score is told and left.
echo 'damaged' >"$score"
openWindow
press Escape g
look damaged
press Return ctrl+q
expectEnded Ctrl+Q
[ "$(cat "$score")" = damaged ] || fail "the damaged score is $(cat "$score")"
openWindow
press Escape g ctrl+p
enter 'Delete the score'
press Return
press Right Return # Enter alone keeps it
waitFor 20 test ! -e "$score" || fail "the score is still there: $(cat "$score")"
press ctrl+q
expectEnded Ctrl+Q
echo 'a damaged score is left alone, and deleted from the palette'
