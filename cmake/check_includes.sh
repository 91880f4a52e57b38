#!/usr/bin/env bash
# Which folder may include what. CMake's link lists keep a target from headers it is not linked to; this also sees what
# reaches a target through another one's link list, and headers of the system.
set -euo pipefail

# folder | prefixes of ours that it may include, besides its own
readonly layers='
kernels/recording      |
kernels/recording/host | recording trace
kernels                | recording trace
app/trace              | recording
app/instrument         | recording trace
app/analysis           | recording trace
app/engine             | recording trace analysis instrument kernels
app/timing             | recording trace analysis engine kernels
app/twin               | recording trace analysis kernels
app/session            | recording trace analysis instrument engine timing kernels
app/draw               |
app/shell              | trace draw
app/views              | recording trace analysis instrument engine timing session twin draw shell kernels
app/cli                | recording trace analysis instrument engine timing session twin kernels
'
readonly ours='recording|kernels|trace|instrument|analysis|engine|timing|session|twin|draw|views|shell|cli'
readonly window_headers='imgui[^/]*|implot[^/]*|TextEditor|glad/.*|GLFW/.*|EGL/.*|GL/.*'
readonly cuda_headers='cuda[^/]*|nvrtc|cupti[^/]*|nvml|cooperative_groups.*|crt/.*'

found=0
complain() { # complain FILE INCLUDED REASON
  printf '%s: includes %s: %s\n' "$1" "$2" "$3"
  found=1
}

# may FOLDER PREFIX
may() {
  local folder allowed
  while IFS='|' read -r folder allowed; do
    [[ ${folder// /} == "$1" ]] || continue
    [[ " $allowed ${1#*/} " == *" $2 "* ]]
    return
  done <<<"$layers"
  return 1
}

readonly include_line='^([^:]+):[^<"]*[<"]([^>"]+)[>"]'
readonly layer_of_file='^(kernels/recording/host|kernels/recording|kernels|app/[^/]+)/'
while read -r line; do
  [[ $line =~ $include_line ]]
  file=${BASH_REMATCH[1]} included=${BASH_REMATCH[2]}
  [[ $file =~ $layer_of_file ]] || continue
  folder=${BASH_REMATCH[1]} # app/engine/gpu/x.cpp lies in app/engine
  if [[ $included == views/*_view.h && ${file%.*}.h != "app/$included" && $file != app/views/workbench.* ]]; then
    complain "$file" "$included" "a view knows no other view; the workbench brings them together"
  elif [[ $included == ../* ]]; then
    complain "$file" "$included" "a path that climbs goes round the link lists"
  elif [[ $included =~ ^($ours)/ ]]; then
    prefix=${BASH_REMATCH[1]}
    may "$folder" "$prefix" || complain "$file" "$included" "$folder may not include $prefix/"
  elif [[ $included =~ ^($cuda_headers)\.h$ && $folder/ != kernels/* && $file != app/engine/gpu/* && $file != app/timing/peers/* ]]; then
    complain "$file" "$included" "only app/engine/gpu and the timing's peers include CUDA's headers"
  elif [[ $included =~ ^($window_headers)\.h$ && ! $folder =~ ^app/(draw|views|shell)$ ]]; then
    complain "$file" "$included" "only draw, views and shell know the window's libraries"
  fi
done < <(grep -rE '^[[:space:]]*#[[:space:]]*include[[:space:]]*[<"]' app kernels --include='*.h' --include='*.cpp')

exit $found
