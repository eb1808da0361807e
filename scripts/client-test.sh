#!/usr/bin/env bash
# Runs unmodified Mastodon clients against the built command.
set -euo pipefail
cd "$(dirname "$0")/.."
[ -d test/clients ] || { echo "no clients to run"; exit 0; }
"${GO:-go}" test -timeout 10m ./test/clients/
