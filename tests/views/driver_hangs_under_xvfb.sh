#!/bin/sh
# The real program on a virtual display, on a machine whose NVIDIA driver hangs in its K-th call for longer than anybody
# waits: the window opens, runs the CPU executor, and closes at once, by Ctrl+Q as by a signal, whatever a worker is stuck
# in; settings are kept and no process is left. Exit status 77 where xvfb-run or xdotool is missing, and where the build
# has no GPU engine.
set -eu
needed='xvfb-run xdotool'
# shellcheck source=tests/views/program_on_a_display.sh
. "$(dirname "$0")/program_on_a_display.sh"

stand_in=$(dirname "$program")/../tests/stand_in
if [ ! -e "$stand_in/libcuda.so.1" ]; then
  echo "SKIPPED: this build has no stand-in for NVIDIA's driver"
  exit 77
fi
export LD_LIBRARY_PATH="$stand_in" STRIDESCOPE_STAND_IN_LOG="$folder/log" STRIDESCOPE_KERNEL_CACHE="$folder/cache"
mkdir "$folder/cache"

# Without NVRTC no worker comes to its later calls.
compiles=no
if "$program" doctor 2>/dev/null | grep -q '^ok  *NVRTC'; then compiles=yes; fi

# Whether a worker is stuck.
hangs() { grep -q ' hang cu' "$STRIDESCOPE_STAND_IN_LOG"; }

# closeBy HOW K SECONDS ARGUMENT...: opens the window with these arguments, waits until a worker hangs and so many seconds
# more, and closes it.
closeBy() {
  how=$1 call=$2 wait=$3
  shift 3
  rm -rf "$XDG_CONFIG_HOME"
  mkdir "$XDG_CONFIG_HOME"
  : >"$STRIDESCOPE_STAND_IN_LOG"
  export STRIDESCOPE_STAND_IN_FAULT="hang:$call"
  startWindow "$@" # it shows that it waits, and does not rest
  waitFor 20 hangs || fail "no worker hangs in call $call"
  sleep "$wait"
  hasEnded && fail "it ended too early"
  ! grep -qE 'libcuda|libnvrtc|libcupti|libnvidia-ml|stand_in' "/proc/$pid/maps" || fail "the window has NVIDIA's libraries"
  begin=$(date +%s%N)
  case $how in
    ctrl+q) xdotool key ctrl+q ;;
    *) kill -"$how" "$pid" ;;
  esac
  expectEnded "$how in call $call"
  took=$((($(date +%s%N) - begin) / 1000000))
  # The driver may take 60 s here: what waits for it takes as long.
  [ "$took" -lt 10000 ] || fail "$how in call $call took $took ms"
  ! grep -vE '^(gpu-query|gpu-worker|gpu-access-worker|own-kernel-worker|timing-worker) ' "$STRIDESCOPE_STAND_IN_LOG" || fail "others loaded the driver"
  echo "closed by $how in call $call after $took ms"
}

closeBy ctrl+q 1 1 --driver-limit 60
closeBy TERM 1 0 --driver-limit 60
# As the GPU is made ready, after the engine stands.
[ "$compiles" = no ] || closeBy TERM 14 1 --driver-limit 60
# Given up already.
closeBy ctrl+q 1 3 --driver-limit 0.5
