#!/bin/sh
# Runs after installation: creates the user, and starts the service if the distribution starts new
# services, or restarts a running one. DPKG_ROOT is set if dpkg installs into another root.
set -e
root=${DPKG_ROOT:-}
if command -v systemd-sysusers >/dev/null 2>&1; then
	systemd-sysusers ${root:+--root="$root"} linnet.conf
elif [ -z "$root" ] && ! getent passwd linnet >/dev/null; then
	useradd --system --home-dir /var/lib/linnet --shell /usr/sbin/nologin linnet
fi
[ -z "$root" ] && [ -d /run/systemd/system ] || exit 0
systemctl daemon-reload
# dpkg: "configure" and the previous version; rpm: the number of installed versions.
case "$1 ${2:-}" in
"configure " | "1 ")
	systemctl preset linnet.service
	if systemctl --quiet is-enabled linnet.service; then
		systemctl start linnet.service
		echo "Linnet is running on http://127.0.0.1:8420. The setup link is in: journalctl -u linnet"
	else
		echo "Start Linnet with: systemctl enable --now linnet. The setup link is in: journalctl -u linnet"
	fi
	;;
*) systemctl try-restart linnet.service ;;
esac
