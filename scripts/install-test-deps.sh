#!/usr/bin/env bash
# Installs the programs that tests need in addition to Go: a Redis server, a browser,
# the JavaScript clients, Mastodon.py, the page checks for the browser, shells with
# completion, groff for the manual page, and rpm for packages. It lists programs that
# it can't install. Tests that need them are skipped, or fail if LINNET_REQUIRE names the program.
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
apt chromium-headless-shell chromium-headless-shell # tests need half the time with it
have chromium-headless-shell || apt chromium chromium
apt zsh zsh
apt fish fish
apt groff groff-base
apt ffmpeg ffmpeg
apt rpm rpm
# A library, not a program. Debian's Python need not be the first on PATH.
python3 -c 'import mastodon' 2>/dev/null || /usr/bin/python3 -c 'import mastodon' 2>/dev/null ||
	apt mastodon.py python3-mastodon

# packages DIRECTORY WHAT: installs the npm packages pinned in a directory.
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
