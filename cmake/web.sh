# shellcheck shell=bash disable=SC2154 # $cache and what is called are those of ./dev
# The browser edition's toolchain and sources, for ./dev, which reads this file: Emscripten, as Debian 13 has it, and what
# others wrote (web_sources.txt). Elsewhere a Debian 13 is made in the cache's folder, and everything runs in there.

readonly web_suite=trixie web_packages=(emscripten cmake ninja-build make m4 tcl xz-utils)
readonly web_root=$cache/web-$web_suite
web_chroot=

# shellcheck source=cmake/debian_mirror.sh
source cmake/debian_mirror.sh

# inWeb COMMAND...: in this folder, where Emscripten is. In the chroot the folder has the same path, and the libraries of
# headers alone are this machine's.
inWeb() {
  if [[ -z $web_chroot ]]; then
    "$@"
    return
  fi
  local inside=("$web_root" "$PWD" "$cache")
  # shellcheck disable=SC2016 # the inner shell's own arguments
  unshare --mount bash -euc '
    root=$1 here=$2 cache=$3
    shift 3
    mkdir -p "$root$here" "$root$cache"
    mount --bind "$here" "$root$here"
    mount --bind "$cache" "$root$cache"
    mount --bind /usr/include "$root/usr/include"
    mount -t proc proc "$root/proc"
    exec chroot "$root" env -i HOME=/root XDG_CACHE_HOME="${cache%/*}" LC_ALL=C.UTF-8 PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin \
      bash -c "cd \"\$0\" && exec \"\$@\"" "$here" "$@"' inWeb "${inside[@]}" "$@"
}

hasEmscripten() { command -v emcc >/dev/null && command -v emcmake >/dev/null; }

# False, with a sentence, where Emscripten cannot be had.
needEmscripten() {
  if [[ -x $web_root/usr/bin/emcc ]]; then
    web_chroot=yes
    return 0
  fi
  # Older ones know too little of C++20.
  if grep -qs "^VERSION_CODENAME=$web_suite\$" /etc/os-release; then
    (needPackages "${web_packages[@]}") && hasEmscripten && return 0
  fi
  local mirror
  mirror=$(debianMirror)
  if ((EUID != 0)) || [[ -z $mirror ]] || ! (needPackages debootstrap); then
    say "./dev: the browser edition is built with Debian 13's Emscripten. It is there on Debian 13, and on another Debian as root, where ./dev makes a Debian 13 of its own for it."
    return 1
  fi
  say "Making a Debian 13 with Emscripten in $web_root (3 GB; some minutes)"
  rm -rf "$web_root.partial"
  if ! debootstrap --variant=minbase "$web_suite" "$web_root.partial" "$mirror" >"$cache/web.log" 2>&1 ||
    ! chroot "$web_root.partial" env -i DEBIAN_FRONTEND=noninteractive HOME=/root LC_ALL=C PATH=/usr/bin:/bin:/usr/sbin:/sbin \
      apt-get -qy install --no-install-recommends "${web_packages[@]}" >>"$cache/web.log" 2>&1; then
    say "./dev: that did not succeed, most likely for want of a network; $cache/web.log has what was said. The same command tries again."
    return 1
  fi
  mv "$web_root.partial" "$web_root"
  web_chroot=yes
}

# The archives, whole and as they were when they were listed. False, with a sentence, where they cannot be had.
needWebArchives() {
  local folder=$1 mirror hash path file
  mkdir -p "$folder"
  mirror=$(debianMirror)
  while read -r hash path; do
    file=$folder/${path##*/}
    sha256sum --status -c <<<"$hash  $file" 2>/dev/null && continue
    say "Fetching ${path##*/}"
    if ! /usr/lib/apt/apt-helper download-file "${mirror%/}/$path" "$file" "SHA256:$hash" >"$cache/web.log" 2>&1; then
      say "./dev: ${path##*/} could not be fetched from $mirror, most likely for want of a network ($cache/web.log). The same command tries again."
      return 1
    fi
  done <cmake/web_sources.txt
}

# needWebSources: sets web_sources, the folder of what others wrote, unpacked and built. False where that cannot be had.
needWebSources() {
  local key
  key=$(cat cmake/web_sources.txt cmake/web_sources.sh | cksum | cut -d' ' -f1)
  web_sources=$cache/web-sources-$key
  [[ ! -d $web_sources ]] || return 0
  needWebArchives "$cache/web-archives" || return 1
  say "Building GMP, MPFR and SQLite's one file for the browser"
  inWeb cmake/web_sources.sh "$cache/web-archives" "$web_sources" >"$cache/web.log" 2>&1 ||
    fail "the sources of the browser edition could not be built; $cache/web.log has what was said."
}

# buildWeb PRESET TARGET
buildWeb() {
  local preset=$1 target=$2
  needImguiArchive "$preset"
  local stamp=build/$preset/.configured inputs
  inputs=$(printf '%s\n' "$PWD" "$web_sources" "$(cksum CMakePresets.json)")
  if [[ ! -f build/$preset/build.ninja || ! -f $stamp || $(<"$stamp") != "$inputs" ]]; then
    say "Configuring build/$preset"
    rm -f "build/$preset/CMakeCache.txt"
    inWeb emcmake cmake --preset "$preset" "-DSTRIDESCOPE_WEB_SOURCES=$web_sources" \
      "-DSTRIDESCOPE_IMGUI_ARCHIVE=${STRIDESCOPE_IMGUI_ARCHIVE:-}" >&2 ||
      fail "CMake could not configure build/$preset; its message is above."
    printf '%s\n' "$inputs" >"$stamp"
  fi
  inWeb ninja -C "build/$preset" "$target" |
    sed -u -e '/^ninja: Entering directory/d' -e '/Re-checking globbed directories/d' -e '/no work to do/d' >&2 ||
    fail "the build failed; the compiler's message is above."
}

# Compares the events of all traces of the catalogue by the page's executor with those of build/release, one by one.
# Prints how many there are, and how many differ; false if any does.
webTracesAgree() {
  build release catalogue_events
  local folder=build/web_traces events=build/release/tests/catalogue_events code=0
  rm -rf $folder
  mkdir -p $folder
  $events ask $folder && inWeb node tests/web/executor_answers.js build/web_executor/bin/stridescope_web_executor $folder &&
    $events answers $folder $folder/page && $events write $folder/machine && $events compare $folder/machine $folder/page || code=1
  rm -rf $folder # 1 GB
  return $code
}
