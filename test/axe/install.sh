#!/bin/sh
# Installs axe-core, which tests of internal/web run in a browser, in the version pinned in
# package-lock.json. It runs no scripts of packages.
set -eu
cd "$(dirname "$0")"
exec npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
