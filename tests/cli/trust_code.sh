#!/bin/bash
# The operator that a recording carries is compiled with --trust-code only: before, after and without the command.
set -eu
program=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export TMPDIR=$folder
file=$folder/lecture.stride

said() { # that OUTPUT holds TEXT
  case $1 in *"$2"*) ;; *) echo "No '$2' in: $1"; exit 1 ;; esac
}

if ! said=$("$program" --trust-code record sequential --engine host --combine 'a ^ b' --identity 0 -o "$file" 2>&1); then
  case $said in *"No C++ compiler"*) echo "skipped: $said"; exit 77 ;; esac
  echo "$said"
  exit 1
fi

# No compiler is called: there is none of this name.
out=$(CXX=no-such-compiler "$program" verify --engine "$file")
said "$out" "traces not compared"
said "$out" "--trust-code"
said "$out" "0 equal, 0 different, 1 not compared"
for yes in "--trust-code verify --engine $file" "verify --engine $file --trust-code"; do
  # shellcheck disable=SC2086  # words
  out=$("$program" $yes)
  said "$out" "result right, traces equal"
  said "$out" "1 equal, 0 different, 0 not compared"
  # shellcheck disable=SC2086
  if out=$(CXX=no-such-compiler "$program" $yes 2>&1); then
    echo "equal without a compiler: $out"
    exit 1
  fi
  said "$out" "no-such-compiler"
done

# What the person types needs no such word, and a recording shows what it carries without running it.
"$program" step sequential --engine host --combine 'a ^ b' --identity 0 >"$folder/typed"
out=$(CXX=no-such-compiler "$program" step --engine "$file")
said "$out" "a ^ b"
