#!/usr/bin/env bash
# Installs what the tests need beside Go: a Redis server program, and the
# JavaScript clients. What it may not install it names; the tests that need it
# are then skipped, or fail if LINNET_REQUIRE names it.
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

clients=test/clients
if [ -f $clients/package-lock.json ]; then
	if ! have npm; then
		echo "not installed: JavaScript clients (no npm)"
	elif [ $clients/node_modules/.package-lock.json -nt $clients/package-lock.json ]; then
		echo "JavaScript clients are in place"
	elif $clients/install.sh; then
		echo "installed: JavaScript clients"
	else
		echo "not installed: JavaScript clients (npm ci failed)"
	fi
fi
