#!/usr/bin/env bash
# Runs a tool on the module of the current directory, in the version that
# scripts/tools/go.mod pins. The tools have a module of their own, so that they add
# nothing to the program's.
# usage: scripts/tool.sh NAME [ARGUMENT...]
set -euo pipefail
pinned=$(cd "$(dirname "$0")/tools" && pwd)/go.mod
exec "${GO:-go}" tool -modfile="$pinned" "$@"
