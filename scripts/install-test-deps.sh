#!/usr/bin/env bash
# Installs what the tests need beside Go: a Redis server program, a browser, the
# JavaScript clients, what looks for faults of pages in the browser, the shells that
# complete commands, what sets the manual page, and what installs packages of RPM. What
# it may not install it names; the tests that need it are then skipped, or fail if
# LINNET_REQUIRE names it.
set -euo pipefail
cd "$(dirname "$0")/.."

have() { command -v "$1" >/dev/null 2>&1; }

as_root() {
	if [ "$(id -u)" -eq 0 ]; then
		"$@"
	elif have sudo && sudo -n true 2>/dev/null; then
		sudo -n "$@"
	else
		return 1
	fi
}

# apt PROGRAM PACKAGE...: installs packages if the program is missing.
apt() {
	local program=$1
	shift
	have "$program" && return 0
	if ! have apt-get; then
		echo "not installed: $* (no apt-get here)"
	elif as_root env DEBIAN_FRONTEND=noninteractive sh -c \
		'apt-get update -q >/dev/null && apt-get install -q -y --no-install-recommends "$@" >/dev/null' sh "$@"; then
		echo "installed: $*"
	else
		echo "not installed: $* (needs root, sudo without a password, and the network)"
	fi
}

apt redis-server redis-server
apt node nodejs npm
apt npm npm
apt gcc gcc libc6-dev
apt chromium chromium
apt zsh zsh
apt fish fish
apt groff groff-base
apt ffmpeg ffmpeg
apt rpm rpm

# packages DIRECTORY WHAT: installs the packages of npm that a directory pins.
packages() {
	if ! have npm; then
		echo "not installed: $2 (no npm)"
	elif [ "$1/node_modules/.package-lock.json" -nt "$1/package-lock.json" ]; then
		echo "in place: $2"
	elif "$1/install.sh"; then
		echo "installed: $2"
	else
		echo "not installed: $2 (npm ci failed)"
	fi
}

packages test/clients "JavaScript clients"
packages test/axe "axe-core"
