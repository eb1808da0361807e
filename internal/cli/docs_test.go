package cli

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"linnet/internal/config"
)

// TestOptionsAreDocumented compares the tables of docs/admin/configure.md with the options. Each
// option has one row, with its default.
func TestOptionsAreDocumented(t *testing.T) {
	documented := map[string]string{}
	for line := range strings.Lines(readDoc(t, "../../docs/admin/configure.md")) {
		cells := strings.Split(line, "|")
		if len(cells) != 5 {
			continue // not a row with three columns
		}
		for _, name := range codeNames.FindAllStringSubmatch(cells[1], -1) {
			if _, ok := documented[name[1]]; ok {
				t.Errorf("%s has two rows", name[1])
			}
			documented[name[1]] = strings.TrimSpace(cells[2])
		}
	}
	for _, o := range config.Options() {
		text, ok := documented[o.Name]
		if !ok {
			t.Errorf("--%s has no row", o.Name)
		}
		if o.Default != "" && !strings.HasPrefix(o.Default, "https://acme") && text != "`"+o.Default+"`" {
			t.Errorf("--%s: the default is %s, not %s", o.Name, o.Default, text)
		}
		delete(documented, o.Name)
	}
	delete(documented, "config") // it names the file and is not in the table
	for _, key := range instanceKeys {
		if _, ok := documented[key]; !ok && key != "open" { // a short form of registrations
			t.Errorf("the instance setting %s has no row", key)
		}
		delete(documented, key)
	}
	for name := range documented {
		t.Errorf("there is no option or setting %s", name)
	}
}

var codeNames = regexp.MustCompile("`([a-z0-9._-]+)`")

func readDoc(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

var (
	codeBlocks  = regexp.MustCompile("(?ms)^```\\w*\n(.*?)^```")
	inlineCode  = regexp.MustCompile("`([^`\n]+)`")
	shellExtras = regexp.MustCompile(`\s+#.*|\s+(?:>|&&|\|) .*`)
	quoted      = regexp.MustCompile(`"[^"]*"|'[^']*'`)
	settingName = regexp.MustCompile(`\bLINNET_[A-Z0-9_]+`)
)

// TestDocsShowRealCommands parses every linnet command in the documentation, and looks up every
// LINNET_ variable.
func TestDocsShowRealCommands(t *testing.T) {
	other := []string{"LINNET_CONFIG", "LINNET_DOMAIN", "LINNET_PASSWORD", "LINNET_PASSWORD_FILE", "LINNET_REQUIRE", "LINNET_SEED", "LINNET_TORTURE", "LINNET_LARGE",
		"LINNET_RELEASE_KEY_FILE", "LINNET_RELEASE_KEY_PASSWORD_FILE"}
	known, table, seen := append(config.Variables(), other...), commands(), 0
	for _, page := range pages(t) {
		text := readDoc(t, page)
		for _, name := range settingName.FindAllString(text, -1) {
			if !slices.Contains(known, name) {
				t.Errorf("%s: there is no option %s", page, name)
			}
		}
		for _, line := range shownCommands(text) {
			seen++
			if name := strings.TrimPrefix(line, "linnet "); findCommand(table, name) != nil || isPrefix(table, name) {
				continue // a command or group of commands, mentioned by name
			}
			if l, err := parseLine(table, wordsOfLine(line)); err != nil || l.cmd == nil {
				t.Errorf("%s: the program does not take %q: %v", page, line, err)
			}
		}
	}
	if seen < 100 {
		t.Errorf("only %d commands were found", seen)
	}
}

// shownCommands returns the linnet commands in code blocks, and inline ones in full form.
func shownCommands(text string) (out []string) {
	var lines []string
	for _, block := range codeBlocks.FindAllStringSubmatch(text, -1) {
		lines = append(lines, strings.Split(block[1], "\n")...)
	}
	for _, m := range inlineCode.FindAllStringSubmatch(codeBlocks.ReplaceAllString(text, ""), -1) {
		lines = append(lines, m[1])
	}
	for _, line := range lines {
		line = strings.TrimPrefix(strings.TrimSpace(line), "runuser -u linnet -- ")
		if strings.HasPrefix(line, "linnet ") && !strings.Contains(line, "__") && !strings.Contains(line, "COMMAND") {
			out = append(out, shellExtras.ReplaceAllString(quoted.ReplaceAllString(line, "text"), ""))
		}
	}
	return out
}

// pages returns the paths of README.md and all documents.
func pages(t *testing.T) []string {
	t.Helper()
	out := []string{"../../README.md"}
	err := filepath.WalkDir("../../docs", func(path string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(path, ".md") {
			out = append(out, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
