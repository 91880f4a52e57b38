#!/usr/bin/env bash
# Builds the host's kernels with Clang, too, and compares the events of all traces of the catalogue, one by one, with
# those of build/release. The order of evaluation is tested with Clang's kernels as well. Needs Clang (./dev fuzz
# installs it) and what ./dev build needs. Prints how many traces and events there are, and how many differ.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
command -v clang++ >/dev/null || {
  echo "There is no clang++ here. Install Clang, then run this again." >&2
  exit 1
}
for preset in release clang; do
  cmake --preset "$preset" >/dev/null
  cmake --build --preset "$preset" --target catalogue_events
done
cmake --build --preset clang --target recording_host_test
build/clang/tests/recording_host_test --gtest_brief=1 --gtest_filter='EvaluationOrder.*'

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for preset in release clang; do
  "build/$preset/tests/catalogue_events" write "$folder/$preset"
done
build/release/tests/catalogue_events compare "$folder/release" "$folder/clang"
