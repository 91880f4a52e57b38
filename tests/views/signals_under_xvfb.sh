#!/bin/sh
# The real program on a virtual display, told to end by a signal: it closes as by Ctrl+Q, keeps its settings and leaves
# nothing of a custom operator behind, whether that stands or is still being tried. Exit status 77 where xvfb-run, xdotool
# or a C++ compiler is missing: CTest shows a skipped test.
set -eu
needed='xvfb-run xdotool c++'
# shellcheck source=tests/views/program_on_a_display.sh
. "$(dirname "$0")/program_on_a_display.sh"

export TMPDIR="$folder/temporary"
isLeft() { [ -n "$(ls -A "$TMPDIR")" ]; }

# stepOperator COMBINE: types it into the window's overlay, with the identity 0; until it is being compiled.
stepOperator() {
  press Escape Escape ctrl+p
  enter 'custom operator'
  press Return ctrl+a
  enter "$1"
  press Return ctrl+a
  enter '0'
  xdotool key Return
  waitFor 10 isLeft
}

# endBy SIGNAL COMBINE: opens the window, steps that operator in it, sends the signal.
endBy() {
  rm -rf "$XDG_CONFIG_HOME" "$TMPDIR"
  mkdir "$XDG_CONFIG_HOME" "$TMPDIR"
  openWindow
  # On a busy machine a field may take the keyboard late, and keys go elsewhere: once more, then.
  stepOperator "$2" || stepOperator "$2" || stepOperator "$2" || fail "no operator was compiled"
  sleep 1
  hasEnded && fail "it ended too early"
  kill -"$1" "$pid"
  expectEnded "$1"
  ! isLeft || fail "$1 left $(ls -A "$TMPDIR")"
  echo "closed by $1: $2"
}

endBy TERM 'a + b'
endBy INT 'a + b'
endBy TERM 'while (true) { } return a;'
