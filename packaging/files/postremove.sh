#!/bin/sh
# Runs after removal. The data stays in /var/lib/linnet, also after a purge: only the operator deletes
# the last copy.
set -e
[ -z "${DPKG_ROOT:-}" ] && [ -d /run/systemd/system ] || exit 0
systemctl daemon-reload
case "$1" in
purge | 0) [ ! -d /var/lib/linnet ] || echo "The data is still in /var/lib/linnet." ;;
esac
