#!/usr/bin/env bash
# Generates the Go code of the pages from their templates (internal/web/**/*.templ), and the Brotli
# versions of their files. With --check it fails if anything changes, because a commit lacks it.
# usage: scripts/generate.sh [--check]
set -euo pipefail
cd "$(dirname "$0")/.."
generated() { find internal/web -name '*_templ.go' | sort; }
sum() { (generated; find internal/web/assets/brotli -name '*.br' | sort) | xargs cksum; }
before=$(sum)
scripts/tool.sh templ generate -path internal/web -log-level error
# templ formats each text with fmt.Sprint, which caused two fifths of all allocations of a page.
generated | xargs grep -l 'templ\.JoinStringErrs(' | xargs sed -i.orig -e 's/templ\.JoinStringErrs(/uitext.JoinText(/g' -e 's#^import templruntime .*#&\nimport uitext "linnet/internal/web/ui"#'
sed -i.orig -e 's/uitext\.JoinText(/JoinText(/g' -e '/^import uitext /d' internal/web/ui/*_templ.go
find internal/web -name '*_templ.go.orig' -delete
(cd tools && go run ./brotli)
if [ "${1:-}" = --check ] && [ "$before" != "$(sum)" ]; then
	echo "the generated files of internal/web were out of date; they are now up to date: commit them"
	exit 1
fi
