package cli

import (
	"bufio"
	"context"
	_ "embed"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"

	"linnet/internal/config"
	"linnet/internal/exit"
)

// completeWord is the hidden command that the completion scripts call.
const completeWord = "__complete"

// filesFollow is the suggestion that makes a script offer file names.
const filesFollow = ":files"

// suggestion is a possible last word of a command line.
type suggestion struct{ word, help string }

//go:embed completion/linnet.bash
var bashScript string

//go:embed completion/linnet.zsh
var zshScript string

//go:embed completion/linnet.fish
var fishScript string

// completion prints the completion script of a shell.
func completion(_ context.Context, c *call) error {
	scripts := map[string]string{"bash": bashScript, "zsh": zshScript, "fish": fishScript}
	text, ok := scripts[c.args()[0]]
	if !ok {
		return exit.UsageError(fmt.Sprintf("no completion script for %q", c.args()[0]), "Supported shells: "+strings.Join(slices.Sorted(maps.Keys(scripts)), ", ")+".")
	}
	_, err := io.WriteString(c.stdout, text)
	return err
}

// printSuggestions prints a line for each suggestion: the word, a tab, and its help.
func printSuggestions(w io.Writer, words []string) error {
	out := bufio.NewWriter(w)
	for _, c := range suggestions(commands(), words) {
		fmt.Fprintf(out, "%s\t%s\n", c.word, c.help)
	}
	return out.Flush()
}

// suggestions returns the possible completions of the last word, which can be empty.
func suggestions(table []command, words []string) []suggestion {
	if len(words) == 0 {
		words = []string{""}
	}
	before, last := words[:len(words)-1], words[len(words)-1]
	l := parsePartial(table, before)
	var all []suggestion
	switch name, value, assigned := strings.Cut(last, "="); {
	case l.open != nil:
		all = values(l.open.arg, "", last)
	case !l.ended && assigned && strings.HasPrefix(last, "--"):
		if f := flagNamed(l.flags(table), strings.TrimPrefix(name, "--")); f != nil {
			all = values(f.arg, name+"=", value)
		}
	case !l.ended && strings.HasPrefix(last, "-"):
		for _, f := range l.flags(table) {
			all = append(all, suggestion{"--" + f.name, f.help})
		}
	case l.cmd == nil:
		all = nextWords(table, l.words)
	case l.cmd.name == "help":
		all = nextWords(table, strings.Join(l.args, " "))
	default:
		all = values(l.cmd.argument(len(l.args)), "", last)
		if len(l.args) == 0 {
			all = append(all, nextWords(table, l.words)...)
		}
	}
	return slices.DeleteFunc(all, func(c suggestion) bool { return c.word != filesFollow && !strings.HasPrefix(c.word, last) })
}

// partialLine is an incomplete command line.
type partialLine struct {
	words string    // words of the command so far
	cmd   *command  // nil if the command is incomplete
	args  []string  // arguments of the command
	open  *flagSpec // flag that still needs a value
	ended bool      // -- ended the flags
}

// parsePartial parses the words before the completed one. It ignores mistakes, which the command
// reports later.
func parsePartial(table []command, words []string) partialLine {
	var l partialLine
	for _, w := range words {
		switch {
		case l.open != nil:
			l.open = nil
		case w == "--":
			l.ended = true
		case !l.ended && strings.HasPrefix(w, "-") && w != "-":
			if f := flagNamed(l.flags(table), strings.TrimLeft(w, "-")); f != nil && f.arg != "" {
				l.open = f // not found for --NAME=VALUE, which has its value
			}
		case l.cmd == nil:
			l.words = strings.TrimSpace(l.words + " " + w)
			l.cmd = findCommand(table, l.words)
		case len(l.args) == 0 && findCommand(table, l.words+" "+w) != nil:
			l.words += " " + w
			l.cmd = findCommand(table, l.words)
		default:
			l.args = append(l.args, w)
		}
	}
	return l
}

// flags returns the flags that can follow: the options, and the flags of the command or of all
// commands that are still possible.
func (l partialLine) flags(table []command) []flagSpec {
	all := []flagSpec{{"config", "FILE", "Configuration file", ""}, {"help", "", "Explain the command", ""}}
	for _, o := range config.Options() {
		all = append(all, flagSpec{o.Name, o.Arg, o.Help, o.Details})
	}
	if l.cmd != nil {
		return append(all, l.cmd.flags...)
	}
	for _, c := range table {
		for _, f := range c.flags {
			if strings.HasPrefix(c.name+" ", l.words) && flagNamed(all, f.name) == nil {
				all = append(all, f)
			}
		}
	}
	return all
}

func flagNamed(all []flagSpec, name string) *flagSpec {
	if i := slices.IndexFunc(all, func(f flagSpec) bool { return f.name == name }); i >= 0 {
		return &all[i]
	}
	return nil
}

// nextWords returns the words that can follow the words of a command.
func nextWords(table []command, words string) []suggestion {
	var all []suggestion
	for _, c := range table {
		rest, ok := c.name, true
		if words != "" {
			rest, ok = strings.CutPrefix(c.name, words+" ")
		}
		next, more, _ := strings.Cut(rest, " ")
		if !ok || slices.ContainsFunc(all, func(c suggestion) bool { return c.word == next }) {
			continue
		}
		help := c.help
		if more != "" {
			help = "…"
		}
		all = append(all, suggestion{next, help})
	}
	return all
}

// argument returns the n-th argument of a command as in its usage, or "" if there is none.
func (c *command) argument(n int) string {
	names := strings.Fields(c.args)
	if c.max < 0 {
		n = min(n, len(names)-1)
	}
	if n < 0 || n >= len(names) {
		return ""
	}
	return names[n]
}

// literal matches an argument that users type as in the usage.
var literal = regexp.MustCompile(`^[a-z][a-z-]*$`)

// values returns the values of an argument or a flag that its usage lists.
func values(usage, prefix, begun string) []suggestion {
	if usage == "FILE" || usage == "DIR" {
		return []suggestion{{filesFollow, ""}}
	}
	var all []suggestion
	for _, v := range strings.Split(usage, "|") {
		if literal.MatchString(v) && strings.HasPrefix(v, begun) {
			all = append(all, suggestion{prefix + v, ""})
		}
	}
	return all
}
