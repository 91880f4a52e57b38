#!/usr/bin/env bash
# symbol_versions.sh CHECK PROGRAM: the program starts on the systems that the package is for. Exit status 77 where the
# package is not made: newer systems than Debian 12 give newer versions of their symbols.
set -euo pipefail
readonly check=$1 program=$2 newest=2.36
here=$(getconf GNU_LIBC_VERSION | cut -d' ' -f2)
if [[ $(printf '%s\n' "$here" $newest | sort -V | tail -n 1) != "$newest" ]]; then
  echo "SKIPPED: the package is made on Debian 12, with glibc $newest; this is glibc $here"
  exit 77
fi
"$check" "$program"
