# shellcheck shell=sh disable=SC2154
# What the tests of the real window on a virtual display share; read by them with `.`, after they have set
#   needed  the tools, of which one that is missing skips the test (exit status 77)
#   screen  its size, 1920x1200 unless set
# with "$0" and the test's own arguments, PROGRAM, which has the program display_probe beside it, and, on the display,
# `inside`. Leaves `program`, `probe`, and a new `folder` that is removed at the end, with the program that `pid` names.
program=$1
probe=$(dirname "$program")/display_probe
for tool in $needed; do
  if ! command -v "$tool" >/dev/null; then
    echo "SKIPPED: $tool is missing of: $needed"
    exit 77
  fi
done
if [ "${2:-}" != inside ]; then
  exec timeout 580 xvfb-run -a -n "${STRIDESCOPE_DISPLAY:-99}" -s "-noreset -screen 0 ${screen:-1920x1200}x24" "$0" "$program" inside
fi

folder=$(mktemp -d)
pid=
cleanUp() {
  [ -z "$pid" ] || kill -KILL "$pid" 2>/dev/null || true
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

# settle: until the program rests, or after some ten seconds. What keys and clicks do is on the screen then.
settle() { "$probe" settle "$pid"; }
# In hundredths of a second, the program's: fields 14 and 15 of stat.
usedTicks() { sed 's/.*) //' "/proc/$pid/stat" | awk '{ print $12 + $13 }'; }
# How often the program's first thread, which draws, has gone to sleep.
sleeps() { sed -n 's/^voluntary_ctxt_switches:[[:space:]]*//p' "/proc/$pid/task/$pid/status"; }
# restsFor SECONDS WITHIN: whether it takes, for so long, no more than 1 % of a core; WITHIN seconds may pass before. Leaves
# what it `used`.
restsFor() {
  rested=0 looks=0 before=$(usedTicks)
  while [ "$rested" -lt $((2 * $1)) ]; do
    [ "$looks" -lt $((2 * ($1 + $2))) ] || return 1
    sleep 0.5
    looks=$((looks + 1)) rested=$((rested + 1))
    used=$(($(usedTicks) - before))
    if [ "$used" -gt "$1" ]; then rested=0 before=$((before + used)); fi
  done
}
# press KEY...: one after the other, each until the program rests. A key is let go at once: held down for longer, on a laden
# machine, it would repeat.
press() {
  for key in "$@"; do
    xdotool key --delay 0 "$key"
    settle
  done
}
# enter TEXT: types it.
enter() {
  xdotool type --delay 30 "$1"
  settle
}

export XDG_CONFIG_HOME="$folder/config" XDG_DATA_HOME="$folder/data"
settings=$XDG_CONFIG_HOME/stridescope/settings.json
mkdir "$XDG_CONFIG_HOME"

# What has ended is a zombie until it is waited for.
hasEnded() { ! grep -q '^State:[[:space:]]*[^Z]' "/proc/$pid/status"; }
# Whether a process runs that the program started: it has our folder in its environment. Others may run the program, too.
isAnyLeft() { env -u XDG_CONFIG_HOME grep -qz "^XDG_CONFIG_HOME=$XDG_CONFIG_HOME" /proc/[0-9]*/environ 2>/dev/null; }

# startWindow ARGUMENT...: starts the program; its window is `window`, and has the keyboard.
startWindow() {
  # A shell has what it starts in the background ignore SIGINT.
  env --default-signal=INT "$program" "$@" >"$folder/output" 2>&1 &
  pid=$!
  waitFor 30 xdotool search --onlyvisible --name Stridescope || fail "no window"
  window=$(xdotool search --onlyvisible --name Stridescope | head -n 1)
  xdotool windowfocus --sync "$window"
}
# What the search for a GPU finds is told at a first start. Where there is none, its process has ended by then.
hasNoChild() { [ -z "$(cat "/proc/$pid"/task/*/children 2>/dev/null)" ]; }
# openWindow ARGUMENT...: the same, until it rests.
openWindow() {
  startWindow "$@"
  waitFor 5 hasNoChild || true
  settle
}

# expectEnded HOW: it ends soon, with exit status 0, its settings kept and no process left.
expectEnded() {
  waitFor 20 hasEnded || fail "$1 did not close it"
  status=0
  wait "$pid" || status=$?
  pid=
  [ "$status" -eq 0 ] || fail "exit status $status after $1"
  [ -f "$settings" ] || fail "no settings.json after $1"
  ! isAnyLeft || fail "$1 left a process"
}
