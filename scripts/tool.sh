#!/usr/bin/env bash
# Runs a tool in the current directory's module, in the version pinned in
# scripts/tools/go.mod. That is a separate module, so that the program does not depend on
# the tools.
# usage: scripts/tool.sh NAME [ARGUMENT...]
set -euo pipefail
pinned=$(cd "$(dirname "$0")/tools" && pwd)/go.mod
# -modfile is not allowed in the workspaces of tools and test, which the tool itself needs.
program=$(GOWORK=off "${GO:-go}" tool -modfile="$pinned" -n "$1")
exec "$program" "${@:2}"
