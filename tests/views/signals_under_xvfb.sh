#!/bin/sh
# The real program on a virtual display, told to end by a signal: it closes as by Ctrl+Q, keeps its settings and leaves
# nothing of a custom operator behind, whether that stands or is still being tried. Exit status 77 where xvfb-run, xdotool
# or a C++ compiler is missing: CTest shows a skipped test.
set -eu
program=$1
for tool in xvfb-run xdotool c++; do
  if ! command -v "$tool" >/dev/null; then
    echo "SKIPPED: $tool is not installed (xvfb, xauth, xdotool, g++)"
    exit 77
  fi
done
if [ "${2:-}" != inside ]; then
  exec timeout 170 xvfb-run -a -s '-screen 0 1920x1200x24' "$0" "$program" inside
fi

folder=$(mktemp -d)
pid=
cleanUp() {
  [ -z "$pid" ] || kill -KILL "$pid" 2>/dev/null || true
  rm -rf "$folder"
}
trap cleanUp EXIT
fail() {
  echo "FAILED: $*: $(cat "$folder/output")"
  exit 1
}
# waitFor SECONDS COMMAND...: until it succeeds.
waitFor() {
  tries=$(($1 * 10))
  shift
  while ! "$@" >/dev/null 2>&1; do
    tries=$((tries - 1))
    [ "$tries" -gt 0 ] || return 1
    sleep 0.1
  done
}

export XDG_CONFIG_HOME="$folder/config" TMPDIR="$folder/temporary"
settings=$XDG_CONFIG_HOME/stridescope/settings.json
isLeft() { [ -n "$(ls -A "$TMPDIR")" ]; }
hasEnded() { ! grep -q '^State:[[:space:]]*[^Z]' "/proc/$pid/status"; }

# Whether a process runs that the program started: it has our folder in its environment. Others may run the program, too.
isAnyLeft() { env -u XDG_CONFIG_HOME grep -qz "^XDG_CONFIG_HOME=$XDG_CONFIG_HOME" /proc/[0-9]*/environ 2>/dev/null; }

# stepOperator COMBINE: types it into the window's overlay, with the identity 0; until it is being compiled.
stepOperator() {
  xdotool key Escape Escape ctrl+p
  sleep 0.5
  xdotool type --delay 30 'custom operator'
  xdotool key Return
  sleep 0.5
  xdotool key ctrl+a
  xdotool type --delay 30 "$1"
  sleep 1
  xdotool key Return
  sleep 2  # the next field takes the keyboard some frames later
  xdotool key ctrl+a
  xdotool type --delay 30 '0'
  xdotool key Return
  waitFor 10 isLeft
}

# endBy SIGNAL COMBINE: opens the window, steps that operator in it, sends the signal.
endBy() {
  rm -rf "$XDG_CONFIG_HOME" "$TMPDIR"
  mkdir "$XDG_CONFIG_HOME" "$TMPDIR"
  # A shell has what it starts in the background ignore SIGINT.
  env --default-signal=INT "$program" >"$folder/output" 2>&1 &
  pid=$!
  waitFor 30 xdotool search --onlyvisible --name Stridescope || fail "no window"
  window=$(xdotool search --onlyvisible --name Stridescope | head -n 1)
  xdotool windowfocus --sync "$window"
  sleep 1
  # On a busy machine a field may take the keyboard late, and keys go elsewhere: once more, then.
  stepOperator "$2" || stepOperator "$2" || stepOperator "$2" || fail "no operator was compiled"
  sleep 1
  hasEnded && fail "it ended too early"
  kill -"$1" "$pid"
  waitFor 20 hasEnded || fail "$1 did not close it"
  status=0
  wait "$pid" || status=$?
  pid=
  [ "$status" -eq 0 ] || fail "exit status $status after $1"
  isLeft && fail "$1 left $(ls -A "$TMPDIR")"
  [ -f "$settings" ] || fail "no settings.json after $1"
  isAnyLeft && fail "$1 left a process"
  echo "closed by $1: $2"
}

endBy TERM 'a + b'
endBy INT 'a + b'
endBy TERM 'while (true) { } return a;'
