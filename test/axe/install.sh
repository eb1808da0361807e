#!/bin/sh
# Installs axe-core, which the tests of internal/web run in a browser, in the
# version that package-lock.json pins. No script of a package is run.
set -eu
cd "$(dirname "$0")"
exec npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
