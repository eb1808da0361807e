#!/bin/sh
# Before the files go, unless another version takes their place: the service ends.
set -e
[ -z "${DPKG_ROOT:-}" ] && [ -d /run/systemd/system ] || exit 0
case "$1" in
remove | 0) systemctl disable --now linnet.service ;;
esac
