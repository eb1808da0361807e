#!/bin/sh
# After the files have gone. What people have written stays in /var/lib/linnet, whatever
# is removed: the last copy of it is nobody's to delete but the operator's.
set -e
[ -z "${DPKG_ROOT:-}" ] && [ -d /run/systemd/system ] || exit 0
systemctl daemon-reload
case "$1" in
purge | 0) [ ! -d /var/lib/linnet ] || echo "What people have written is still in /var/lib/linnet." ;;
esac
