#!/usr/bin/env bash
# interrupted.sh PROGRAM [all]: Ctrl-C ends the program soon in each phase of the longest runs that there are: recording,
# analysis, questions, text, JSON, pages, pictures, reading a recording and a file of input. It says so and leaves nothing.
# Without `all`, two of them: the others are for .ci/nightly.
set -euo pipefail
program=$(realpath "$1") which=${2:-few}
folder=$(mktemp -d)
pid=
cleanUp() {
  [[ -z $pid ]] || kill -KILL "$pid" 2>/dev/null || true
  rm -rf "$folder"
}
trap cleanUp EXIT
fail() {
  echo "FAILED: $*: $(cat "$folder/error")"
  exit 1
}
mkdir "$folder/place" "$folder/temporary"
# A search for leaks in what is large would be timed, too.
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
export TMPDIR=$folder/temporary XDG_CONFIG_HOME=$folder XDG_CACHE_HOME=$folder/cache
cd "$folder/place"
longest=0

# interrupt SECONDS ARGUMENTS...: after so long; nothing is said of a run that has ended by then.
interrupt() {
  local after=$1 status=0 begun took
  shift
  # A shell has what it starts in the background ignore SIGINT.
  env --default-signal=INT "$program" "$@" >/dev/null 2>"$folder/error" &
  pid=$!
  sleep "$after"
  if grep -q '^State:[[:space:]]*Z' "/proc/$pid/status" 2>/dev/null || ! kill -0 "$pid" 2>/dev/null; then
    rm -rf ./*
    wait "$pid" || status=$?
    pid=
    [[ $status -le 4 ]] || fail "$* ended with $status"
    echo "$*: had ended after $after s"
    return
  fi
  begun=$(date +%s%3N)
  kill -INT "$pid"
  wait "$pid" || status=$?
  pid=
  took=$(($(date +%s%3N) - begun))
  ((took <= longest)) || longest=$took
  echo "$* after $after s: ended within $took ms"
  # It was about to end by itself.
  if [[ $status != 3 ]] && ((took < 1000)); then
    rm -rf ./*
    return
  fi
  [[ $status == 3 ]] || fail "$* ended with $status"
  grep -q 'Cancelled' "$folder/error" || fail "$* said nothing"
  # A machine may be busy; what does not look would take minutes.
  ((took < 10000)) || fail "$* took $took ms to end"
  [[ -z $(ls -A .) ]] || fail "$* left $(ls -A .)"
  [[ -z $(ls -A "$TMPDIR") ]] || fail "$* left $(ls -A "$TMPDIR")"
}

merge=(k_way_merge --threads 1024 -n 1000 --engine host)
interrupt 1.5 quiz "${merge[@]}"
interrupt 1.5 step "${merge[@]}" --json
if [[ $which == all ]]; then
  "$program" record "${merge[@]}" -o ../recording.stride >/dev/null 2>&1 || true
  seq 1 16000000 >../input
  for after in 0.3 0.8 1.5 3 6 10; do
    interrupt "$after" step "${merge[@]}"
    interrupt "$after" step "${merge[@]}" --json
    interrupt "$after" quiz "${merge[@]}" --export sheet.html
    interrupt "$after" quiz k_way_merge --threads 1024 --engine ../recording.stride
    interrupt "$after" compare k_way_merge k_way_merge --threads 1024 -n 1000 --engine host
    interrupt "$after" step sequential -n 2^24 --type double --data random --engine host
    interrupt "$after" step left_to_right -n 2^24 --type float --engine host
    interrupt "$after" step sequential --input ../input --engine host
    interrupt "$after" export "${merge[@]}" -o rounds.csv --values
    interrupt "$after" export "${merge[@]}" -o page.html
    interrupt "$after" export sequential,interleaved_contiguous,warp_shuffle --threads 1024 --engine host -o page.html
    interrupt "$after" export interleaved_contiguous --threads 1024 --engine host -o film.gif --size 3200x2000
    interrupt "$after" export interleaved_contiguous --threads 1024 --engine host --as png -o pictures
    interrupt "$after" shot picture.png --variant k_way_merge --threads 1024 -n 1000 --engine host --size 3840x2160
    interrupt "$after" verify --full --engine host
    interrupt "$after" verify --engine ../recording.stride
    interrupt "$after" counters k_way_merge --threads 1024 -n 1000
    interrupt "$after" why sequential --size 2^24
  done
fi
echo "the longest took $longest ms"
