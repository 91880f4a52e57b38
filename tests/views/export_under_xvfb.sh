#!/bin/sh
# The real program on a virtual display: Ctrl+E and Enter make a page of what is shown, the form's list and Save a sheet of
# questions and a film; the window is closed while a file is made, and nothing is left. Exit status 77 where a tool is missing.
#   export_under_xvfb.sh PROGRAM [inside]
set -eu
needed='xvfb-run xdotool'
# shellcheck source=tests/views/program_on_a_display.sh
. "$(dirname "$0")/program_on_a_display.sh"
mkdir "$folder/place" "$folder/temporary"
export TMPDIR="$folder/temporary"
cd "$folder/place"
isEmpty() { [ -z "$(ls -A "$1")" ]; }

openWindow
press ctrl+e
xdotool key Return # how far it is changes, and it does not rest
waitFor 60 test -s interleaved_contiguous.html || fail "no page: $(ls -A)"
tail -c 20 interleaved_contiguous.html | grep -q '</html>' || fail "half a page"
[ "$(ls -A)" = interleaved_contiguous.html ] || fail "beside the page: $(ls -A)"
waitFor 10 isEmpty "$TMPDIR" || fail "left in the temporary folder: $(ls -A "$TMPDIR")"
echo "Ctrl+E: a page"

# Again: it is not replaced unasked, and closing the window ends what is made.
before=$(stat -c %Y%i interleaved_contiguous.html)
press ctrl+e Return
[ "$(stat -c %Y%i interleaved_contiguous.html)" = "$before" ] || fail "the page was replaced"
press ctrl+a
enter other.html
xdotool key Return
isBegun() { ! isEmpty "$TMPDIR"; }
waitFor 20 isBegun || fail "nothing is made"
sleep 1
xdotool key ctrl+q
expectEnded "closed while a page is made"
waitFor 15 isEmpty "$TMPDIR" || fail "left in the temporary folder: $(ls -A "$TMPDIR")"
rm -f interleaved_contiguous.html other.html # the second, if it was whole by then
isEmpty . || fail "left: $(ls -A)"
echo "closed meanwhile: nothing left"

# saveAs Y_OF_KIND Y_OF_SAVE FILE: with the mouse, where a window of 1600x1000 has the list, its line and Save.
clickAt() {
  xdotool mousemove --window "$window" "$1" "$2"
  settle
  xdotool click 1
  sleep 0.3
}
saveAs() {
  press ctrl+e
  clickAt 878 183
  clickAt 721 "$1"
  settle
  clickAt 544 "$2"
  waitFor 120 test -s "$3" || fail "no $3: $(ls -A)"
  settle
}
openWindow
saveAs 362 306 interleaved_contiguous-questions.html
grep -q ', sheet [0-9]*<.title>' interleaved_contiguous-questions.html || fail "no questions: $(head -c 300 ./*-questions.html)"
saveAs 266 388 interleaved_contiguous.gif
[ "$(head -c 6 interleaved_contiguous.gif)" = GIF89a ] || fail "no film"
[ "$(ls -A | wc -l)" -eq 2 ] || fail "beside them: $(ls -A)"
press ctrl+q
expectEnded Ctrl+Q
echo "a sheet of questions and a film by the form"
