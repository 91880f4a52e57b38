#!/usr/bin/env bash
# lint.sh [BUILD]: every check of the sources that needs no run of the program; with BUILD clang-tidy, too. Goes through
# all of them before it fails.
set -uo pipefail
readonly build=${1:-}
failed=0

# report NAME: the status of the command before it decides.
report() {
  local status=$?
  if ((status == 0)); then
    printf 'ok      %s\n' "$1" >&2
  else
    printf 'FAILED  %s\n' "$1" >&2
    failed=1
  fi
}

# Our C++; the kernels (*.cu) are set as a textbook sets them.
find app bench kernels tests cmake -type f '(' -name '*.cpp' -o -name '*.h' ')' -print0 |
  xargs -0 clang-format --dry-run -Werror
report "formatting (clang-format)"

long=$(find app/views app/shell -type f -exec wc -l {} + | awk '$1 > 400 && $2 != "total"')
[[ -z $long ]] || ! printf '%s\n' "$long"
report "window files of at most 400 lines"

# A panel's own declaration is in the register of all, views/panels.h.
crossing=$(grep -rn '#include "views/' app/views/*/ | grep -vE '^app/views/([a-z]+)/[^"]*"views/(\1|shared)/' |
  grep -vE '^app/views/[a-z]+/[a-z_]+_panel\.cpp:[^"]*"views/panels\.h"' |
  grep -vE '^app/views/(frame|transport|reading|forms)/[^"]*"views/(frame|transport|reading|forms|compare)/')
[[ -z $crossing ]] || ! printf '%s\n' "$crossing"
report "the window's folders include themselves and shared/"

tooltips=$(grep -rnE 'ImGui::(SetTooltip|SetItemTooltip|BeginTooltip|BeginItemTooltip)' app/views | grep -v '^app/views/shared/tooltip.cpp:')
[[ -z $tooltips ]] || ! printf '%s\n' "$tooltips"
report "tooltips from views/shared/tooltip.h"

# NVIDIA's libraries are opened by what worker processes alone link (tests/modules), what a person wrote by others. The
# window looks up one function of the X library that GLFW has opened.
opening=$(grep -rnE '\bdlm?open\b' app kernels --include='*.cpp' --include='*.h' |
  grep -vE '^app/(engine/(gpu/shared_library|sandbox/confinement|access/kernel_library)|shell/run_window)\.cpp:')
[[ -z $opening ]] || ! printf '%s\n' "$opening"
report "libraries are opened in worker processes"

foreign=$(find . '(' -path ./build -o -path ./dist -o -path ./.git ')' -prune -o -type f -print |
  grep -E '/(imgui|implot|imstb_|stb_|glad|gl3w|TextEditor|catch|doctest|sqlite3|json\.|CLI)[^/]*\.(c|cpp|h|hpp)$' |
  grep -v '^./cmake/imgui_test_hooks_off.cpp$')
[[ -z $foreign ]] || ! printf '%s\n' "$foreign"
report "no third-party source"

shellcheck dev cmake/*.sh .ci/run .ci/nightly
report "shell scripts (shellcheck)"

if [[ -n $build ]]; then
  findings=$(run-clang-tidy -quiet -extra-arg=-Wno-unknown-warning-option -extra-arg=-Qunused-arguments \
    -extra-arg=-fno-openmp -p "$build" "^$PWD/(app|kernels)/" 2>/dev/null |
    grep -E '(warning|error): ' | sort -u)
  [[ -z $findings ]] || ! printf '%s\n' "$findings"
  report "clang-tidy"
fi

exit $failed
