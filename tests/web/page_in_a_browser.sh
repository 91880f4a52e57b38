#!/usr/bin/env bash
# page_in_a_browser.sh FOLDER PROGRAM [OPTIONS]: the browser edition (./dev web) in Chromium, beside the program on this machine.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
command -v python3 >/dev/null || { echo "SKIPPED: python3 is not installed"; exit 77; }
python3 -c "import sys; sys.path.insert(0, '$here/../handout'); import browser; sys.exit(0 if browser.find() else 1)" ||
  { echo "SKIPPED: Chromium is not installed"; exit 77; }
exec python3 "$here/page_in_a_browser.py" "$@"
