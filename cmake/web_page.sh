#!/usr/bin/env bash
# web_page.sh FOLDER: puts the browser edition together, out of what was built: static files that any server can serve, under
# any path. What is large is packed with gzip, and the page unpacks it.
set -euo pipefail
folder=$1
rm -rf "$folder"
mkdir -p "$folder/fonts" "$folder/recordings"
cp app/web/page/* "$folder"
cp assets/stridescope.svg "$folder/icon.svg"
cp build/web/bin/stridescope_web.js build/web_executor/bin/stridescope_web_executor.js "$folder"

# pack FROM TO; packSmall takes some seconds and is by 4 % smaller: for what a person waits for.
pack() { gzip -9nc "$1" >"$2.gz"; }
packSmall() { if command -v zopfli >/dev/null; then zopfli --i5 -c "$1" >"$2.gz"; else pack "$@"; fi; }
packSmall build/web/bin/stridescope_web.wasm "$folder/stridescope_web.wasm"
packSmall build/web_executor/bin/stridescope_web_executor.wasm "$folder/stridescope_web_executor.wasm"
for font in Inter-Regular.otf Inter-SemiBold.otf Inter-Bold.otf JetBrainsMono-Regular.ttf JetBrainsMono-Bold.ttf; do
  file=$(find /usr/share/fonts -name "$font" -print -quit)
  [[ -n $file ]] || { echo "web_page.sh: the font $font is not installed" >&2; exit 1; }
  # The page reads the outlines of a font's characters: not how letters are set in pairs, nor hints for small sizes.
  if /usr/bin/python3 -m fontTools.subset "$file" --unicodes='*' --layout-features='' --no-hinting \
    --output-file="$folder/fonts/$font" 2>/dev/null; then
    packSmall "$folder/fonts/$font" "$folder/fonts/$font"
    rm "$folder/fonts/$font"
  else
    packSmall "$file" "$folder/fonts/$font"
  fi
done
names=()
for recording in assets/recordings/*.stride; do
  pack "$recording" "$folder/recordings/${recording##*/}"
  names+=("{\"name\":\"${recording##*/}\",\"bytes\":$(stat -c %s "$folder/recordings/${recording##*/}.gz")}")
done
(IFS=,; printf '[%s]\n' "${names[*]}") >"$folder/recordings.json"
cp LICENSE THIRD_PARTY.md "$folder"

# The packages that ./dev package has made beside the folder, with links to them. The browser does not keep them.
version=$(sed -nE 's/^CMAKE_PROJECT_VERSION:STATIC=//p' build/web/CMakeCache.txt)
links=
for package in "$folder"/../stridescope[-_]"$version"*.deb "$folder"/../stridescope[-_]"$version"*.tar.gz; do
  [[ -f $package && $package != *-nvrtc.tar.gz ]] || continue
  mkdir -p "$folder/packages"
  cp "$package" "$folder/packages"
  links+="<li><a href=\"packages/${package##*/}\" download>${package##*/}</a></li>"
done
if [[ -n $links ]]; then
  links="<p>Packages: install the .deb with apt, or unpack the archive and start <code>bin/stridescope</code>.</p><ul>$links</ul>"
else
  links="<p>There is no package beside this page. Ask the person who gave you its address for one.</p>"
fi
sed -i "s|<!-- packages -->|$links|" "$folder/package.html"
# The service worker's own text has the list of what it keeps, and what they are.
mapfile -t files < <(cd "$folder" && find . -type f ! -name offline.js ! -path './packages/*' ! -path './recordings/*' -printf '%P\n' | sort)
mapfile -t asked_for < <(cd "$folder" && find recordings -type f | sort)
{
  printf 'const kEdition = "%s", kFiles = ["./"' "$(cd "$folder" && cat "${files[@]}" "${asked_for[@]}" | sha256sum | cut -c1-16)"
  printf ', "%s"' "${files[@]}"
  printf '], kAskedFor = ["%s"' "${asked_for[0]}"
  printf ', "%s"' "${asked_for[@]:1}"
  printf '];\n'
  cat app/web/page/offline.js
} >"$folder/offline.js"
echo "$PWD/$folder: $(du -sh --apparent-size "$folder" | cut -f1), of which the page and its executor take $(cat "$folder"/*.gz "$folder"/*.js | wc -c | numfmt --to=iec)" >&2
