#!/bin/bash
# driver_faults.sh PROGRAM FOLDER KIND [every]: what the commands do where NVIDIA's driver goes wrong. FOLDER has the
# stand-in driver as libcuda.so.1 (tests/engine_gpu/stand_in_driver.h); at its K-th call it does KIND: fail, crash, exit,
# hang. Each command falls back, names the fault, leaves no process, and never loads the driver into its own process.
# K is 0, 1, 3, 7 and the commands are few; with `every` each K that is reached, and every command that uses a GPU.
set -euo pipefail
program=$1 stand_in=$2 kind=$3 every=${4:-}
# Seconds that one call of the driver may take: few where it hangs, and else enough for the stand-in's longest, which
# fills much memory.
limit=0.5
[[ $kind == hang ]] || limit=30
readonly limit
readonly patience=60  # seconds for the whole command on a busy machine; a driver that is waited for takes for
                      # ever

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export LD_LIBRARY_PATH="$stand_in" STRIDESCOPE_STAND_IN_LOG="$folder/log" STRIDESCOPE_KERNEL_CACHE="$folder/cache"
export XDG_CONFIG_HOME="$folder/config" XDG_DATA_HOME="$folder/data"
mkdir "$folder/cache"

failures=0 runs=0 slowest=0
fail() {
  echo "FAILED: $kind at call $call: $*"
  head -n 12 "$folder/output" | sed 's/^/    /'
  failures=$((failures + 1))
}

# Whether a process runs that the command started: it has our folder in its environment.
is_any_left() { env -u XDG_CONFIG_HOME grep -qz "^XDG_CONFIG_HOME=$XDG_CONFIG_HOME" /proc/[0-9]*/environ 2>/dev/null; }

# run STATUS ARGUMENT...: the command with the fault at `call`; `output` is all that it said, `reached` whether the fault
# came. STATUS: exit codes that are right, as a pattern of `case`.
run() {
  local right=$1 status=0 begin end
  shift
  : >"$STRIDESCOPE_STAND_IN_LOG"
  begin=$(date +%s%N)
  STRIDESCOPE_STAND_IN_FAULT="$kind:$call" timeout -k 5 "$patience" "$program" --driver-limit "$limit" "$@" \
    >"$folder/output" 2>&1 </dev/null || status=$?
  end=$(date +%s%N)
  runs=$((runs + 1))
  ((slowest >= (end - begin) / 1000000)) || slowest=$(((end - begin) / 1000000))
  reached=$(grep -c " $kind cu" "$STRIDESCOPE_STAND_IN_LOG") || true
  [[ " $right " == *" $status "* ]] || fail "'$*' ended with $status"
  if grep -vE '^(gpu-query|gpu-worker|gpu-access-worker|own-kernel-worker|timing-worker) ' "$STRIDESCOPE_STAND_IN_LOG" >"$folder/others"; then
    fail "'$*' loaded the driver into its own process: $(head -n 1 "$folder/others")"
  fi
  ! is_any_left || { sleep 1 && ! is_any_left; } || fail "'$*' left a process"
}

# expect PATTERN ARGUMENT...: the last command said that.
expect() {
  local pattern=$1
  shift
  grep -qE "$pattern" <(tr -s ' \n' ' ' <"$folder/output") || fail "'$*' did not say '$pattern'"
}

# What a sentence on the fault has.
case $kind in
  fail) fault='(Could not|could not|was stopped by the GPU)' ;;
  crash) fault='was killed by SIGSEGV .Segmentation fault. in cu[A-Z]' ;;
  exit) fault='ended with exit code [0-9]+ in cu[A-Z]' ;;
  # One call's limit, or that of all calls of opening a GPU, 1.6 times as long, where the worker was slow to start.
  hang) fault="cu[A-Za-z]+ did not return within 0\\.[58] s" ;;
  *) echo "There is no fault '$kind'." && exit 2 ;;
esac

# The stand-in runs no kernel: what the GPU cannot do is done by the CPU executor.
export STRIDESCOPE_STAND_IN_REFUSES_LAUNCHES=1
if [[ -z $every ]]; then
  for call in 0 1 3 7; do
    run 0 doctor
    expect "to do .*$fault" doctor
    run 0 step sequential
    expect 'engine: CPU executor' step
    expect "$fault" step
    expect 'result [0-9]+, expected [0-9]+: equal' step
    run 0 time sequential -n 2^10 --samples 2
    expect "$fault" time
    expect 'The CPU is timed instead' time
    run 0 why sequential --size 2^10
    expect "$fault" why
  done
else
  # sweep STATUS ARGUMENT...: each call that the command's processes come to.
  sweep() {
    call=0
    while true; do
      run "$@"
      ((reached > 0)) || break
      call=$((call + 1))
    done
    echo "${*:2}: $call calls"
  }
  for refuses in 1 ''; do
    # Where launches are accepted, results are those of no kernel: 1, a wrong result, is right, too.
    export STRIDESCOPE_STAND_IN_REFUSES_LAUNCHES=$refuses
    also=$([[ -n $refuses ]] || echo ' 1')
    sweep 0 doctor
    sweep "0$also" step sequential
    sweep "0$also" step sequential --cycles
    sweep "0$also" time sequential -n 2^10 --samples 2
    sweep "0$also" time sequential -n 2^10 --samples 2 --graph --baselines
    sweep "0$also" why sequential --size 2^10
    sweep "0$also" counters sequential
    sweep "0$also" timeline sequential --size 2^16
    sweep "0$also" compare sequential interleaved_contiguous
    sweep "0$also" quiz sequential
    sweep "0$also" record sequential -o "$folder/run.stride" --force
    sweep '0 1 3' record sequential --cycles --counters --timelines --costs --machine-code -o "$folder/run.stride" --force
    sweep "0$also" export sequential --as md -o "$folder/run.md" --force
    sweep "0$also" shot "$folder/shot.png" --size 640x400
    sweep '0 1 3' verify sequential --quick
    sweep 3 step sequential --engine gpu
  done
fi
echo "$runs runs, the slowest of $slowest ms"
exit "$((failures > 0))"
