#!/usr/bin/env bash
# Makes the Go code of the pages from their templates (internal/web/**/*.templ). With
# --check it fails if that changes anything: somebody has forgotten to.
# usage: scripts/generate.sh [--check]
set -euo pipefail
cd "$(dirname "$0")/.."
made() { find internal/web -name '*_templ.go' | sort; }
sum() { made | xargs cat | cksum; }
before=$(sum)
scripts/tool.sh templ generate -path internal/web -log-level error
# templ formats each text with fmt.Sprint, which made two fifths of all allocations of a page.
made | xargs grep -l 'templ\.JoinStringErrs(' | xargs sed -i.orig -e 's/templ\.JoinStringErrs(/uitext.JoinText(/g' -e 's#^import templruntime .*#&\nimport uitext "linnet/internal/web/ui"#'
sed -i.orig -e 's/uitext\.JoinText(/JoinText(/g' -e '/^import uitext /d' internal/web/ui/*_templ.go
find internal/web -name '*_templ.go.orig' -delete
if [ "${1:-}" = --check ] && [ "$before" != "$(sum)" ]; then
	echo "internal/web/*_templ.go were not what the templates say; they are now: commit them"
	exit 1
fi
