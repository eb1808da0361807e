#!/usr/bin/env bash
# Runs unmodified Mastodon clients against the built command.
set -euo pipefail
cd "$(dirname "$0")/../test"
"${GO:-go}" test -timeout 10m ./clients/
