#!/usr/bin/env bash
# deb.sh DEB SUITE [ROOT]: installs the .deb in a bare root of that suite (bookworm, trixie), which is made in ROOT if it
# is not there, starts it, asks what a double click on a recording opens, and removes it again. As root, with debootstrap,
# which it installs where apt has it, and Debian's archive. Exit status 77, with the reason: no such root can be had here.
set -euo pipefail
readonly deb=$1 suite=$2
# shellcheck source=cmake/debian_mirror.sh
source "$(dirname "${BASH_SOURCE[0]}")/../../cmake/debian_mirror.sh"
skip() {
  printf 'SKIPPED: deb.sh: %s: %s\n' "$suite" "$*" >&2
  exit 77
}
fail() {
  printf 'deb.sh: %s: %s\n' "$suite" "$*" >&2
  exit 1
}
inside() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive "$@"; }

((EUID == 0)) || skip "only root can make a Debian of its own"
command -v debootstrap >/dev/null || apt-get install -y -qq --no-install-recommends debootstrap >/dev/null 2>&1 || true
command -v debootstrap >/dev/null || skip "there is no debootstrap"
made=
if (($# > 2)); then
  root=$3
else
  made=$(mktemp -d)
  root=$made/$suite
fi
readonly root made
cleanUp() {
  ! mountpoint -q "$root/proc" || umount "$root/proc" || return
  [[ -z $made ]] || rm -rf --one-file-system "$made"
}
trap cleanUp EXIT
if [[ ! -d $root/usr ]]; then
  mirror=$(debianMirror)
  [[ -n $mirror ]] || skip "apt knows no archive of Debian"
  debootstrap --variant=minbase "$suite" "$root" "$mirror" >/dev/null || skip "debootstrap made no root from $mirror"
fi
mount --bind /proc "$root/proc"
cp "$deb" "$root/tmp/stridescope.deb"
inside apt-get update -qq
inside apt-get install -y -qq --no-install-recommends /tmp/stridescope.deb libegl-mesa0 libgl1-mesa-dri >/dev/null 2>&1 ||
  fail "apt does not install it"

inside stridescope --version
inside stridescope step sequential --round 3 | grep -q 'Stride 32' || fail "it does not step"
rm -f "$root"/tmp/one.stride "$root"/tmp/window.png
inside stridescope record sequential --output /tmp/one.stride >/dev/null 2>&1 || fail "it does not record"
inside stridescope shot /tmp/window.png --size 1280x720 --engine /tmp/one.stride || fail "it does not draw its window"
[[ -s $root/tmp/window.png ]] || fail "there is no picture"

# The window itself runs until it is ended.
inside apt-get install -y -qq --no-install-recommends xvfb xauth >/dev/null 2>&1 || fail "there is no Xvfb"
status=0
inside timeout 8 xvfb-run -a stridescope /tmp/one.stride >/dev/null 2>&1 || status=$?
((status == 124)) || fail "the window ended with $status"

# What a desktop has: the type of the file, and what opens it.
inside apt-get install -y -qq --no-install-recommends shared-mime-info desktop-file-utils libglib2.0-bin >/dev/null 2>&1
[[ $(inside gio info -a standard::content-type /tmp/one.stride) == *application/x-stridescope* ]] ||
  fail "a recording has no type"
[[ $(inside gio mime application/x-stridescope) == *stridescope.desktop* ]] || fail "nothing opens a recording"
inside desktop-file-validate /usr/share/applications/stridescope.desktop || fail "the menu entry is wrong"

inside apt-get remove -y -qq stridescope >/dev/null 2>&1 || fail "apt does not remove it"
for left in usr/bin/stridescope usr/lib/stridescope usr/share/applications/stridescope.desktop \
  usr/share/mime/packages/stridescope.xml usr/share/icons/hicolor/scalable/apps/stridescope.svg; do
  [[ ! -e $root/$left ]] || fail "/$left is left"
done
printf 'deb.sh: %s: installed, started, opened by its type, removed\n' "$suite"
