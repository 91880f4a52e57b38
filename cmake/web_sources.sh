#!/usr/bin/env bash
# web_sources.sh ARCHIVES FOLDER: unpacks what the browser edition is built from (web_sources.txt) into FOLDER, and builds
# what has a configure script, with Emscripten. FOLDER is there only once it is whole.
set -euo pipefail
archives=$(realpath "$1")
folder=$2
partial=$folder.partial
rm -rf "$partial"
mkdir -p "$partial"
partial=$(realpath "$partial")

unpack() { # ARCHIVE NAME
  mkdir "$partial/$2"
  tar -xf "$archives/$1" -C "$partial/$2" --strip-components=1
}
unpack sqlite3_3.46.1.orig.tar.xz sqlite
unpack gmp_6.3.0+dfsg.orig.tar.xz gmp
unpack mpfr4_4.2.2.orig.tar.xz mpfr
unpack giflib_5.2.2.orig.tar.gz giflib
unpack libmd_1.1.0.orig.tar.xz libmd
unpack md4c_0.5.2.orig.tar.gz md4c

# What builds the tools that the builds themselves run; and the same compiler for WebAssembly, without Emscripten's wrapper,
# which takes seconds for each of a configure script's tests. What those link may lack is found where the page is linked.
clangs=(/usr/lib/llvm-*/bin/clang)
clang=${clangs[-1]}
native="$clang -fuse-ld=lld"
wasm="$clang --target=wasm32-unknown-emscripten --sysroot=/usr/share/emscripten/cache/sysroot -nostdlib
  -Wl,--allow-undefined -Wl,--no-entry -Wno-unused-command-line-argument"
options=(--host=none --build=x86_64-pc-linux-gnu --disable-shared --prefix="$partial/built" CC="${wasm//$'\n'/ }" CFLAGS=-O2
  AR="${clang%clang}llvm-ar" NM="${clang%clang}llvm-nm" RANLIB="${clang%clang}llvm-ranlib")
jobs=$(nproc)

# All of SQLite in one file, as its own build makes it.
cd "$partial/sqlite"
make -f Makefile.linux-gcc TOP=. BCC="$native" sqlite3.c >make.log

# GMP without its texts, which Debian's archive does not have.
cd "$partial/gmp"
mkdir -p doc
touch doc/Makefile.in
./configure "${options[@]}" --disable-assembly CC_FOR_BUILD="$native" ac_cv_func_obstack_vprintf=no >configure.log
make -j"$jobs" SUBDIRS='mpn mpz mpq mpf printf scanf' >make.log
make SUBDIRS= install-exec install-data >>make.log

cd "$partial/mpfr"
./configure "${options[@]}" --disable-thread-safe --with-gmp="$partial/built" >configure.log
make -j"$jobs" -C src install >make.log

rm -rf "$folder"
mv "$partial" "$folder"
