#!/usr/bin/env bash
# Checks the prose of the Markdown pages, the command help, the messages of the UI, the comments and new
# commit subjects. At most 3 % of the sentences of each may use a construction that tools/prose counts.
# Comments are checked by directory against ceilings that may only fall: scripts/prose.sh --update
# lowers them.
set -euo pipefail
cd "$(dirname "$0")/.."
# Subjects before this commit do not follow the rules.
first_checked=98afcad
prose=$(mktemp)
trap 'rm -f "$prose"' EXIT
"${GO:-go}" build -C tools -o "$prose" ./prose
find . \( -name node_modules -o -name .git -o -name .cache -o -name dist \) -prune -o -name '*.md' -print0 |
	xargs -0 "$prose" --max 3 --quiet
"${GO:-go}" run ./cmd/linnet man | "$prose" --max 3 --quiet -
"$prose" --max 3 --quiet internal/locale/catalogues/de.po
find cmd internal tools test packaging -name node_modules -prune -o -name '*.go' ! -name '*_templ.go' -print0 |
	xargs -0 "$prose" --ceilings tools/prose/ceilings.txt "$@"
if git rev-parse --quiet --verify "$first_checked^{commit}" >/dev/null 2>&1; then
	subjects=$(git log --no-merges --format=%s "$first_checked..HEAD")
	"$prose" --subjects - <<<"$subjects"
	"$prose" --max 3 --quiet - <<<"$subjects"
else
	echo "commit subjects are not checked: this is no clone with its history"
fi
