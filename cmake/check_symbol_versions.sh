#!/usr/bin/env bash
# check_symbol_versions.sh FILE...: whether these programs and libraries start on the systems that the package is for:
# glibc 2.34 and GCC 11's run-time libraries, which Ubuntu 22.04 and RHEL 9 have. One built on a newer system may need more.
set -euo pipefail
readonly limits='GLIBC_2.34 GLIBCXX_3.4.29 CXXABI_1.3.13 GCC_7.0.0'

found=0
for file in "$@"; do
  # What the loader demands before it starts them: "0x09691974 0x00 09 GLIBC_2.34".
  for version in $(objdump -p "$file" | sed -nE 's/^ +0x[0-9a-f]+ 0x[0-9a-f]+ [0-9]+ ((GLIBC|GLIBCXX|CXXABI|GCC)_[A-Z0-9_.]+)$/\1/p'); do
    for limit in $limits; do
      [[ ${version%%_*} == "${limit%%_*}" && $version != "$limit" ]] || continue
      [[ $(printf '%s\n' "$version" "$limit" | sort -V | tail -n 1) == "$version" ]] || continue
      symbols=$(objdump -T "$file" | awk -v version="$version" 'index($0, version) { print $NF }' | xargs)
      printf '%s needs %s for %s; the package is for systems with %s and newer. ' "$file" "$version" "$symbols" "$limit" >&2
      printf 'Make it on Debian 12; of what is new there, name an older version in cmake/older_symbols.h.\n' >&2
      found=1
    done
  done
done
exit $found
