#!/usr/bin/env bash
# Runs a tool in the current directory's module, in the version pinned in
# scripts/tools/go.mod. That is a separate module, so that the program does not depend on
# the tools.
# usage: scripts/tool.sh NAME [ARGUMENT...]
set -euo pipefail
pinned=$(cd "$(dirname "$0")/tools" && pwd)/go.mod
exec "${GO:-go}" tool -modfile="$pinned" "$@"
