#!/usr/bin/env bash
# record_shipped.sh SCRIPT PROGRAM: checks which recordings SCRIPT asks for, by the program's own list of
# variants, and that the old ones stay if something fails. A stand-in takes the place of the program where it
# would need a GPU.
set -euo pipefail
script=$1 program=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() {
  echo "FAILED: $*: $(cat "$folder/error" "$folder/calls" 2>/dev/null)"
  exit 1
}
mkdir "$folder/recordings"
oldOnes() {
  printf 'old variants' >"$folder/recordings/h100-variants.stride"
  printf 'old merges' >"$folder/recordings/h100-merges.stride"
}
# run [GPU] [RECORD]: the status of a run in which step on the GPU, and each record, ends with these.
cat >"$folder/stand_in" <<END
#!/usr/bin/env bash
case \$1 in
  list) exec "$program" "\$@" ;;
  step) [[ "\$*" != *gpu:1* || \${GPUS:-1} == 2 ]] || exit 3; printf '{"format":1,"engine":{"kind":"gpu","device":"%s"}}\n' "\${DEVICE:-NVIDIA H100 80GB HBM3}"; exit \$GPU ;;
  record) printf '%s\n' "\$*" >>"$folder/calls"; printf 'new' >"\${@: -1}"; exit \$RECORD ;;
esac
END
chmod +x "$folder/stand_in"
run() {
  local status=0
  oldOnes
  rm -f "$folder/calls"
  GPU=${1:-0} RECORD=${2:-0} "$script" "$folder/stand_in" "$folder/recordings" 2>"$folder/error" || status=$?
  return $status
}
has() { [[ $(cat "$folder/recordings/h100-variants.stride" "$folder/recordings/h100-merges.stride") == "$1" ]]; }

run || fail "a good run ends with $?"
has newnew || fail "the recordings were not replaced"
[[ $(find "$folder/recordings" -mindepth 1 | wc -l) == 2 ]] || fail "something is left beside them"
[[ $(wc -l <"$folder/calls") == 2 ]] || fail "there are not two recordings"
shipped=$(sed -n 1p "$folder/calls") merges=$(sed -n 2p "$folder/calls")
[[ $shipped == "record warm_up many_blocks "*" --timings --timing-reductions int:+,float:+,double:+,int:min --cycles --timelines --costs --prices --machine-code --counters -o "* ]] ||
  fail "the variants are others"
[[ $shipped != *k_way_merge* && $shipped != *bulk_copy* && $(wc -w <<<"${shipped%% --*}") == 41 ]] || fail "it is not all variants but the merges"
[[ $merges == "record k_way_merge k_way_merge_near k_way_merge_interleaved --threads 32 -n 32 --counters -o "* ]] ||
  fail "the merges are others"

GPUS=2 run || fail "a good run on two GPUs ends with $?"
[[ $(wc -l <"$folder/calls") == 3 && -s $folder/recordings/h100-several-gpus.stride ]] || fail "there are not three recordings"
[[ $(sed -n 3p "$folder/calls") == "record host_adds nvlink_message peer_loads ring tree --engine host "*" --timings-over 2 "* ]] ||
  fail "the variants of several GPUs are others"
run || fail "a good run on one GPU ends with $?"
[[ -s $folder/recordings/h100-several-gpus.stride ]] || fail "times over two GPUs went where there is one"
rm "$folder/recordings/h100-several-gpus.stride"

# others DEVICE NAME: on that GPU the recordings have that name, and the old ones are gone.
others() {
  DEVICE=$1 run || fail "a run on $1 ends with $?"
  [[ $(cd "$folder/recordings" && echo *) == "$2-merges.stride $2-variants.stride" ]] ||
    fail "of $1 there are $(ls "$folder/recordings")"
  rm "$folder/recordings"/*
}
others "NVIDIA H200" h200
others "NVIDIA A100-SXM4-40GB" a100
others "NVIDIA GeForce RTX 4090 Laptop GPU" rtx-4090
others "NVIDIA RTX 6000 Ada Generation" rtx-6000
others "Tesla T4" t4
others "NVIDIA TITAN V" titan-v

status=0
run 3 || status=$?
[[ $status == 3 ]] || fail "without a GPU it ends with $status"
grep -q "NVIDIA GPU, and this machine has none that works" "$folder/error" || fail "it does not say that there is no GPU"
[[ ! -e $folder/calls ]] || fail "it recorded without a GPU"
has "old variantsold merges" || fail "without a GPU the recordings were replaced"

status=0
run 0 1 || status=$?
[[ $status == 1 ]] || fail "a wrong result ends with $status"
has "old variantsold merges" || fail "wrong recordings were kept"
echo "all right"
