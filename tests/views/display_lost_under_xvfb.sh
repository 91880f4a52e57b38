#!/bin/sh
# The real window whose X server ends, or answers nobody: the program ends with exit status 3 and a sentence, keeps its
# settings, and leaves no file half written. Exit status 77 where Xvfb or xdotool is missing.
set -eu
program=$1
for tool in Xvfb xdotool; do
  command -v "$tool" >/dev/null || { echo "SKIPPED: $tool is not installed"; exit 77; }
done
folder=$(mktemp -d)
server='' pid=''
cleanUp() {
  for process in $pid $server; do kill -KILL "$process" 2>/dev/null || true; done
  rm -rf "$folder"
}
trap cleanUp EXIT
fail() {
  echo "FAILED: $*: $(cat "$folder/output" 2>/dev/null)"
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
hasEnded() { ! grep -q '^State:[[:space:]]*[^Z]' "/proc/$pid/status"; }
startServer() {
  : >"$folder/number"
  Xvfb -displayfd 5 -screen 0 1280x720x24 -nolisten tcp 5>"$folder/number" 2>/dev/null &
  server=$!
  waitFor 20 test -s "$folder/number" || { echo "SKIPPED: Xvfb does not start here"; exit 77; }
  DISPLAY=:$(cat "$folder/number")
  export DISPLAY
}
endServer() {
  kill -KILL "$server"
  wait "$server" 2>/dev/null || true
  server=''
}
startProgram() {
  # A shell has what it starts in the background ignore SIGINT.
  env --default-signal=INT -u WAYLAND_DISPLAY "$program" >"$folder/output" 2>&1 &
  pid=$!
}
# expectEnded SECONDS SENTENCE
expectEnded() {
  waitFor "$1" hasEnded || fail "it did not end"
  status=0
  wait "$pid" || status=$?
  pid=''
  [ "$status" -eq 3 ] || fail "exit status $status"
  grep -q "^stridescope: $2" "$folder/output" || fail "no sentence"
  ! grep -q "fatal IO error" "$folder/output" || fail "Xlib's words"
}

export XDG_CONFIG_HOME="$folder/config" XDG_DATA_HOME="$folder/data" TMPDIR="$folder/temporary"
mkdir "$XDG_CONFIG_HOME" "$TMPDIR"

startServer
startProgram
waitFor 60 xdotool search --onlyvisible --name Stridescope || fail "no window"
sleep 1
rm -f "$XDG_CONFIG_HOME/stridescope/settings.json"
endServer
expectEnded 20 'The window was closed: the connection to the display .* broke\.'
[ -s "$XDG_CONFIG_HOME/stridescope/settings.json" ] || fail "no settings were kept"
[ -z "$(ls -A "$TMPDIR")" ] || fail "it left $(ls -A "$TMPDIR")"
echo "a server that ends: told"

# A server that is stopped takes a connection and says nothing.
startServer
kill -STOP "$server"
startProgram
sleep 2
hasEnded && fail "it ended at once"
kill -INT "$pid"
expectEnded 10 'Cancelled\.'
echo "a server that does not answer: Ctrl-C ends the start"
startProgram
expectEnded 60 'No window can be opened: the display .* did not answer within 15 s\.'
echo "a server that does not answer: told"
