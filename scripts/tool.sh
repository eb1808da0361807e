#!/usr/bin/env bash
# Runs a tool in the version that scripts/tools/go.mod pins. The tools have a
# module of their own, so that they add nothing to the program's.
# usage: scripts/tool.sh NAME [ARGUMENT...]
set -euo pipefail
cd "$(dirname "$0")/.."
exec "${GO:-go}" tool -modfile=scripts/tools/go.mod "$@"
