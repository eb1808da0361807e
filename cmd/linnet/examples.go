package main

import (
	_ "embed" // examples.txt
	"strings"
)

// exampleText has the words of each command, and indented below them lines that show how
// it is used, as somebody would type them. Every command has some; a test reads them all.
//
//go:embed examples.txt
var exampleText string

// examples are those of a command.
func examples(name string) []string {
	var out []string
	at := ""
	for line := range strings.Lines(exampleText) {
		line = strings.TrimRight(line, "\n")
		if example, ok := strings.CutPrefix(line, "\t"); !ok {
			at = line
		} else if at == name {
			out = append(out, example)
		}
	}
	return out
}
