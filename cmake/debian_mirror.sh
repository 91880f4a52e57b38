# shellcheck shell=bash
# For scripts that make a Debian of their own, which read this file.

# Debian's archive, as this machine's own apt has it.
debianMirror() {
  if [[ -n ${STRIDESCOPE_DEBIAN_MIRROR:-} ]]; then
    printf '%s\n' "$STRIDESCOPE_DEBIAN_MIRROR"
    return
  fi
  # shellcheck disable=SC2016 # apt replaces these
  LC_ALL=C apt-get indextargets --format '$(REPO_URI) $(ORIGIN) $(LABEL) $(COMPONENT)' 'Created-By: Packages' 2>/dev/null |
    awk '$2 == "Debian" && $3 == "Debian" && $4 == "main" { print $1; exit }'
}
