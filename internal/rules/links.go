package rules

import (
	"fmt"
	"path"
	"regexp"
	"strings"
)

var (
	pageLink    = regexp.MustCompile(`(?:\]\(|(?:src|srcset)=")([^)"\s]+)`)
	pageHeading = regexp.MustCompile(`(?m)^#{1,6} +(.+)$`)
	codeFence   = regexp.MustCompile("(?ms)^```.*?^```")
	notInAnchor = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
)

// Links checks the relative links of Markdown pages, given by path with their text. A link must
// lead to an existing path and, after #, to a heading of that page. The function exists reports
// whether a path without a page exists.
func Links(pages map[string]string, exists func(path string) bool) []Breach {
	var out []Breach
	for from, text := range pages {
		blank := func(code string) string { return strings.Repeat("\n", strings.Count(code, "\n")) }
		text = codeFence.ReplaceAllStringFunc(text, blank)
		for i, line := range strings.Split(text, "\n") {
			for _, m := range pageLink.FindAllStringSubmatch(line, -1) {
				if strings.Contains(m[1], ":") {
					continue // another site
				}
				target, anchor, hasAnchor := strings.Cut(m[1], "#")
				to := from
				if target != "" {
					to = path.Join(path.Dir(from), target)
				}
				page, isPage := pages[to]
				switch {
				case !isPage && !exists(to):
					out = append(out, Breach{from, i + 1, fmt.Sprintf("%s does not exist", m[1])})
				case isPage && hasAnchor && !anchors(page)[anchor]:
					out = append(out, Breach{from, i + 1, fmt.Sprintf("%s: there is no such heading", m[1])})
				}
			}
		}
	}
	return out
}

// anchors returns the anchors of a page's headings, as GitHub makes them.
func anchors(page string) map[string]bool {
	out := map[string]bool{}
	for _, m := range pageHeading.FindAllStringSubmatch(codeFence.ReplaceAllString(page, ""), -1) {
		text := strings.ToLower(strings.NewReplacer("`", "", "*", "").Replace(strings.TrimSpace(m[1])))
		out[strings.ReplaceAll(notInAnchor.ReplaceAllString(text, ""), " ", "-")] = true
	}
	return out
}
