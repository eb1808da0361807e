package cli

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"linnet/internal/config"
)

// wordsOfLine returns the arguments of a shell line, without redirections and variables.
func wordsOfLine(line string) []string {
	line, _, _ = strings.Cut(line, " > ")
	var all []string
	for _, w := range regexp.MustCompile(`(?:[^\s']|'[^']*')+`).FindAllString(line, -1) {
		all = append(all, strings.ReplaceAll(w, "'", ""))
	}
	for len(all) > 0 && all[0] != "linnet" {
		all = all[1:]
	}
	return all[1:]
}

// TestHelpHasExamples expects examples in the help of every command, and parses each of them.
func TestHelpHasExamples(t *testing.T) {
	table := commands()
	for i := range table {
		cmd := &table[i]
		var b bytes.Buffer
		if err := printHelp(&b, cmd); err != nil {
			t.Fatal(err)
		}
		lines := examples(cmd.name)
		if len(lines) == 0 {
			t.Errorf("%s has no example", cmd.name)
		}
		for _, line := range lines {
			if !strings.Contains(b.String(), "\n  "+line+"\n") {
				t.Errorf("the help of %s lacks %q:\n%s", cmd.name, line, b.String())
			}
			l, err := parseLine(table, wordsOfLine(line))
			if err != nil || l.cmd == nil || l.cmd.name != cmd.name {
				t.Errorf("%s: the program does not take %q: %v", cmd.name, line, err)
			}
		}
	}
}

// TestOverviewFitsAScreen expects every command in an overview of at most 50 lines with 80 columns.
func TestOverviewFitsAScreen(t *testing.T) {
	var b bytes.Buffer
	if err := help(t.Context(), &call{line: &line{}, stdout: &b}); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
	if len(lines) > 50 {
		t.Errorf("the overview has %d lines", len(lines))
	}
	for _, l := range lines {
		if len([]rune(l)) > 80 {
			t.Errorf("longer than 80 columns: %q", l)
		}
	}
	for _, c := range commands() {
		if word, _, _ := strings.Cut(c.name, " "); !regexp.MustCompile(`(?m)^  (.*[ ,])?` + word + `\b`).MatchString(b.String()) {
			t.Errorf("the overview lacks %s", word)
		}
	}
}

// TestHelpIsShort expects imperative help of at most nine words. Details belong to the help of the
// command.
func TestHelpIsShort(t *testing.T) {
	check := func(name, help, details string) {
		t.Helper()
		if n := len(strings.Fields(help)); n > 9 || help == "" || strings.HasSuffix(help, ".") {
			t.Errorf("%s: %d words: %q", name, n, help)
		}
		if details != "" && !strings.HasSuffix(details, ".") {
			t.Errorf("%s: the details are not sentences: %q", name, details)
		}
	}
	for _, c := range commands() {
		check(c.name, c.help, c.details)
		for _, f := range c.flags {
			check(c.name+" --"+f.name, f.help, f.details)
		}
	}
	for _, o := range config.Options() {
		check("--"+o.Name, o.Help, o.Details)
	}
}

// TestHelpListsSubcommands expects all subcommands in the help of a first word.
func TestHelpListsSubcommands(t *testing.T) {
	var b bytes.Buffer
	if err := help(t.Context(), &call{line: &line{args: []string{"instance"}}, stdout: &b}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"linnet instance show", "linnet instance rule add TEXT", "linnet help instance SUBCOMMAND"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("missing %q:\n%s", want, b.String())
		}
	}
}
