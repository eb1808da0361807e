package rules

import (
	"bytes"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strings"
)

// trace is a pattern that must not occur in the project, with the reason.
type trace struct {
	pattern *regexp.Regexp
	reason  string
}

// traces returns patterns for text that other readers cannot understand. The patterns do not match
// themselves.
func traces() []trace {
	return []trace{
		{regexp.MustCompile(`(^|[^\w./-])/(work|root|tmp)/[\w.-]`), "a path of one machine"},
		{regexp.MustCompile(`(?i)\b(issue|ticket|bug|pull request|PR|gh) ?#[0-9]+`), "a number that only a tracker explains"},
		{regexp.MustCompile(`(?i)\b(cl[a]ude|anth[r]opic|ch[a]tgpt|op[e]nai|cop[i]lot|l[l]m)\b`), "a word about how the text was written"},
		{regexp.MustCompile(`(?i)\b(design|ux|style|mastodon-api)\.md\b`), "a document that is not in the project"},
		{regexp.MustCompile(`\b(TO[D]O|FIX[M]E|X[X]X)\b`), "work left over"},
	}
}

// Words reports traces in all text files of the tree.
func Words(fsys fs.FS) ([]Breach, error) {
	var out []Breach
	patterns := traces()
	err := walk(fsys, func(p string) error {
		if !readable(p) {
			return nil
		}
		text, err := fs.ReadFile(fsys, p)
		if err != nil {
			return fmt.Errorf("read text: %w", err)
		}
		if bytes.IndexByte(text[:min(len(text), 8000)], 0) >= 0 {
			return nil
		}
		for i, line := range bytes.Split(text, []byte("\n")) {
			for _, t := range patterns {
				if m := t.pattern.Find(line); m != nil {
					out = append(out, Breach{Path: p, Line: i + 1, Text: fmt.Sprintf("%q: %s", strings.TrimSpace(string(m)), t.reason)})
				}
			}
		}
		return nil
	})
	return sortBreaches(out), err
}

// readable reports whether a file is a text of the project.
func readable(p string) bool {
	switch path.Ext(p) {
	case ".go", ".md", ".sh", ".yml", ".yaml", ".html", ".css", ".js", ".mjs", ".ts", ".txt", ".txtar", ".lua", ".service", ".conf", ".mk":
		return true
	}
	switch path.Base(p) {
	case "Makefile", "Dockerfile", "run", "NOTICE", "go.mod":
		return true
	}
	return false
}
