#!/bin/sh
# Installs the JavaScript clients for the tests in this directory, in the versions pinned in
# package-lock.json. It runs no scripts of packages.
set -eu
cd "$(dirname "$0")"
exec npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
