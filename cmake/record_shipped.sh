#!/usr/bin/env bash
# record_shipped.sh [PROGRAM FOLDER]: makes the recordings that the program comes with anew, on a machine with
# an NVIDIA GPU. One has all variants of one GPU but the merges, with all that is measured of them; the second has
# the merges with their counters; the third, where there are two GPUs, the variants of several GPUs with their times
# over two. They are named after the GPU, and replace those that FOLDER has, whatever GPU made them; times over two
# GPUs stay where there is one. FOLDER gets all or stays as it is. In a package, without arguments: the package's own. Exit
# status 3: there is no GPU; else that of `stridescope record`.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
readonly program=${1:-$here/../../bin/stridescope} folder=${2:-$here/assets/recordings}
readonly limit_mib=32

say() { printf '%s\n' "$*" >&2; }

if ! answer=$("$program" step interleaved_modulo --engine gpu --json); then
  say "The shipped recordings are made on an NVIDIA GPU, and this machine has none that works (see above)."
  exit 3
fi
device=$(sed -nE 's/.*"device":"([^"]*)".*/\1/p' <<<"$answer")
say "Recording on $device"
# As far as the number of its model: h100 of "NVIDIA H100 80GB HBM3", rtx-4090 of "NVIDIA GeForce RTX 4090".
gpu=$(tr '[:upper:]' '[:lower:]' <<<"$device" |
  sed -E 's/(nvidia|geforce|tesla|quadro) *//g; s/^([^0-9]*[0-9][^ -]*).*/\1/; s/[^a-z0-9]+/-/g; s/^-|-$//g')
[[ $gpu == h200 ]] || say "README.md, docs/measured.md and the lessons tell of recordings from an H200."

# "id family" of each variant, in the catalogue's order.
families=$("$program" list --json | grep -oE '"id":"[^"]*","title":"[^"]*","family":"[^"]*"' |
  sed -E 's/"id":"([^"]*)".*"family":"([^"]*)"/\1 \2/')
# Bulk copies and NCCL's reductions have no steps to record. Times over several GPUs have NCCL's, too; docs/measured.md has
# those of bulk copies.
mapfile -t variants < <(sed -nE -e '/^bulk_copy /d' -e '/ (merge|several GPUs)$/!s/ .*//p' <<<"$families")
mapfile -t merges < <(sed -n 's/ merge$//p' <<<"$families")
mapfile -t several < <(sed -n -e '/^nccl_/d' -e 's/ several GPUs$//p' <<<"$families")

made=$(mktemp -d "$folder/.made.XXXXXX")
trap 'rm -rf "$made"' EXIT
"$program" record "${variants[@]}" --timings --timing-reductions int:+,float:+,double:+,int:min \
  --cycles --timelines --costs --prices --machine-code --counters \
  -o "$made/$gpu-variants.stride"
"$program" record "${merges[@]}" --threads 32 -n 32 --counters -o "$made/$gpu-merges.stride"
if "$program" step interleaved_modulo --engine gpu:1 >/dev/null 2>&1; then
  "$program" record "${several[@]}" --engine host --threads 64 -n 1024 --timings-over 2 --timing-reductions int:+,float:+ \
    -o "$made/$gpu-several-gpus.stride"
fi
if (($(cat "$made"/*.stride | wc -c) > limit_mib * 1024 * 1024)); then
  say "The recordings together are larger than $limit_mib MiB, so they were not kept."
  exit 1
fi
[[ ! -e $made/$gpu-several-gpus.stride ]] ||
  find "$folder" -maxdepth 1 -name '*-several-gpus.stride' ! -name "$gpu-*" -delete
mv "$made"/*.stride "$folder"
find "$folder" -maxdepth 1 \( -name '*-variants.stride' -o -name '*-merges.stride' \) ! -name "$gpu-*" -delete
say "$folder has new recordings: ${#variants[@]} variants and ${#merges[@]} merges."
