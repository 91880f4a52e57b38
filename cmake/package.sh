#!/usr/bin/env bash
# package.sh BUILD DIST: DIST/stridescope-VERSION-linux-x86_64/ and its .tar.gz, which run where they are unpacked; the
# same as a .deb, where there is dpkg; and a second archive with NVRTC alone, which unpacks over the first, where the
# build found CUDA's libraries. Made on Debian 12, they start on glibc 2.34 and newer.
set -euo pipefail
readonly build=$1 dist=$2
readonly limit_mib=40
check=$(dirname "${BASH_SOURCE[0]}")/check_symbol_versions.sh
readonly check

say() { printf '%s\n' "$*" >&2; }

version=$(sed -nE 's/^CMAKE_PROJECT_VERSION:STATIC=//p' "$build/CMakeCache.txt")
name=stridescope-$version-linux-$(uname -m)
readonly name

# archive FOLDER FILE: FOLDER holds $name. The same content makes the same archive.
archive() {
  tar --create --directory "$1" --sort=name --owner=0 --group=0 --numeric-owner --mtime='@0' "$name" | gzip -9n >"$2"
  say "$2: $(du -h --apparent-size "$2" | cut -f1)"
}

install() { # install COMPONENT PREFIX
  cmake --install "$build" --component "$1" --prefix "$2" --strip >/dev/null
}

rm -rf "${dist:?}/$name" "$dist/$name.tar.gz" "$dist/$name-nvrtc.tar.gz"
mkdir -p "$dist"
install stridescope "$dist/$name"
"$check" "$dist/$name"/bin/* "$dist/$name"/lib/*
archive "$dist" "$dist/$name.tar.gz"
if (($(stat -c %s "$dist/$name.tar.gz") > limit_mib * 1024 * 1024)); then
  say "package: $dist/$name.tar.gz is larger than $limit_mib MiB."
  exit 1
fi

if command -v dpkg-deb >/dev/null; then
  deb=$(realpath "$(mktemp -d "$dist/deb.XXXXXX")")
  (cd "$build" && cpack -G DEB -B "$deb" >"$deb/log" 2>&1) || {
    cat "$deb/log" >&2
    exit 1
  }
  rm -f "$dist"/stridescope_*.deb
  mv "$deb"/stridescope_*.deb "$dist"
  rm -rf "$deb"
  say "$(du -h --apparent-size "$dist"/stridescope_*.deb)"
else
  say "No dpkg on this machine, so there is no .deb."
fi

nvrtc=$(mktemp -d "$dist/nvrtc.XXXXXX")
trap 'rm -rf "$nvrtc"' EXIT
install nvrtc "$nvrtc/$name"
if [[ -d $nvrtc/$name ]]; then
  "$check" "$nvrtc/$name"/lib/*
  archive "$nvrtc" "$dist/$name-nvrtc.tar.gz"
else
  say "No NVRTC on this machine, so there is no archive with it."
fi
