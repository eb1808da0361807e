#!/bin/sh
# Installs the JavaScript clients that the tests of this directory run, in the
# versions that package-lock.json pins. No script of a package is run.
set -eu
cd "$(dirname "$0")"
exec npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
