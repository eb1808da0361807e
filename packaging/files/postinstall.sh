#!/bin/sh
# After the files of the package are in place: the user of the service is made, and the
# service started as the distribution does with new ones, or started again with the new
# version if it runs. DPKG_ROOT is set where dpkg installs into another root.
set -e
root=${DPKG_ROOT:-}
if command -v systemd-sysusers >/dev/null 2>&1; then
	systemd-sysusers ${root:+--root="$root"} linnet.conf
elif [ -z "$root" ] && ! getent passwd linnet >/dev/null; then
	useradd --system --home-dir /var/lib/linnet --shell /usr/sbin/nologin linnet
fi
[ -z "$root" ] && [ -d /run/systemd/system ] || exit 0
systemctl daemon-reload
# dpkg: "configure" and the version before; rpm: the number of versions that are there.
case "$1 ${2:-}" in
"configure " | "1 ")
	systemctl preset linnet.service
	if systemctl --quiet is-enabled linnet.service; then
		systemctl start linnet.service
		echo "Linnet runs on http://127.0.0.1:8420. The link for the set-up: journalctl -u linnet"
	else
		echo "To start Linnet: systemctl enable --now linnet. The link for the set-up: journalctl -u linnet"
	fi
	;;
*) systemctl try-restart linnet.service ;;
esac
