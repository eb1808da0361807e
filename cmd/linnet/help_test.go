package main

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
)

// wordsOfLine are the arguments of a line of a shell, without what redirects it or sets
// the environment.
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

// The help of every command has examples, each of which is a line that the program
// takes as that command.
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
