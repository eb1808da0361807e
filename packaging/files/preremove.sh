#!/bin/sh
# Runs before removal: stops the service, unless a new version replaces it.
set -e
[ -z "${DPKG_ROOT:-}" ] && [ -d /run/systemd/system ] || exit 0
case "$1" in
remove | 0) systemctl disable --now linnet.service ;;
esac
