#!/usr/bin/env bash
# Generates the Go code of the pages from their templates (internal/web/**/*.templ). With
# --check it fails if the code changes, because a commit lacks it.
# usage: scripts/generate.sh [--check]
set -euo pipefail
cd "$(dirname "$0")/.."
generated() { find internal/web -name '*_templ.go' | sort; }
sum() { generated | xargs cat | cksum; }
before=$(sum)
scripts/tool.sh templ generate -path internal/web -log-level error
# templ formats each text with fmt.Sprint, which caused two fifths of all allocations of a page.
generated | xargs grep -l 'templ\.JoinStringErrs(' | xargs sed -i.orig -e 's/templ\.JoinStringErrs(/uitext.JoinText(/g' -e 's#^import templruntime .*#&\nimport uitext "linnet/internal/web/ui"#'
sed -i.orig -e 's/uitext\.JoinText(/JoinText(/g' -e '/^import uitext /d' internal/web/ui/*_templ.go
find internal/web -name '*_templ.go.orig' -delete
if [ "${1:-}" = --check ] && [ "$before" != "$(sum)" ]; then
	echo "the generated code of internal/web was out of date; it is now up to date: commit it"
	exit 1
fi
