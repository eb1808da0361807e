#!/usr/bin/env bash
# Runs a command in each module of the project: the program, the tools of those who
# work on it, the tests of whole servers, and what builds releases. The latter three
# have modules of their own, so that what they need is nothing that the program needs.
# usage: scripts/modules.sh COMMAND [ARGUMENT...]
set -euo pipefail
cd "$(dirname "$0")/.."
for module in . tools test packaging; do
	(cd "$module" && "$@")
done
