#!/usr/bin/env bash
# Runs a command in each module of the project: the program, the development tools, the
# tests of whole servers, and the build of releases. The last three are separate modules,
# so that the program does not depend on their dependencies.
# usage: scripts/modules.sh COMMAND [ARGUMENT...]
set -euo pipefail
cd "$(dirname "$0")/.."
for module in . tools test packaging; do
	(cd "$module" && "$@")
done
