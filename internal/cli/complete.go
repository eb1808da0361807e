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

// completeWord is the command by which the scripts of shells ask what could follow.
// It stands in no table: nobody types it.
const completeWord = "__complete"

// filesFollow is the suggestion that tells a script to offer files.
const filesFollow = ":files"

// suggestion is a word that could stand at the end of a command line.
type suggestion struct{ word, help string }

//go:embed completion/linnet.bash
var bashScript string

//go:embed completion/linnet.zsh
var zshScript string

//go:embed completion/linnet.fish
var fishScript string

// completion prints the script of a shell.
func completion(_ context.Context, c *call) error {
	scripts := map[string]string{"bash": bashScript, "zsh": zshScript, "fish": fishScript}
	text, ok := scripts[c.args()[0]]
	if !ok {
		return exit.UsageError(fmt.Sprintf("no completion for %q", c.args()[0]), "Supported: "+strings.Join(slices.Sorted(maps.Keys(scripts)), ", ")+".")
	}
	_, err := io.WriteString(c.stdout, text)
	return err
}

// printSuggestions writes what could stand in place of the last of words, a line each:
// the word, a tab, and what it means.
func printSuggestions(w io.Writer, words []string) error {
	out := bufio.NewWriter(w)
	for _, c := range suggestions(commands(), words) {
		fmt.Fprintf(out, "%s\t%s\n", c.word, c.help)
	}
	return out.Flush()
}

// suggestions returns what could stand in place of the last of words, which may be
// empty or the beginning of something.
func suggestions(table []command, words []string) []suggestion {
	if len(words) == 0 {
		words = []string{""}
	}
	before, last := words[:len(words)-1], words[len(words)-1]
	l := readSoFar(table, before)
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
		all = following(table, l.words)
	case l.cmd.name == "help":
		all = following(table, strings.Join(l.args, " "))
	default:
		all = values(l.cmd.argument(len(l.args)), "", last)
		if len(l.args) == 0 {
			all = append(all, following(table, l.words)...)
		}
	}
	return slices.DeleteFunc(all, func(c suggestion) bool { return c.word != filesFollow && !strings.HasPrefix(c.word, last) })
}

// soFar is a command line that somebody has not finished.
type soFar struct {
	words string    // of the command, as far as there are such
	cmd   *command  // nil if its words are not complete
	args  []string  // of the command
	open  *flagSpec // whose value comes next
	ended bool      // by --: no more flags
}

// readSoFar reads what stands before the word that is completed. What is wrong in it
// is passed over: the command will say so.
func readSoFar(table []command, words []string) soFar {
	var l soFar
	for _, w := range words {
		switch {
		case l.open != nil:
			l.open = nil
		case w == "--":
			l.ended = true
		case !l.ended && strings.HasPrefix(w, "-") && w != "-":
			if f := flagNamed(l.flags(table), strings.TrimLeft(w, "-")); f != nil && f.arg != "" {
				l.open = f // with =VALUE the name is another
			}
		case l.cmd == nil:
			l.words = strings.TrimSpace(l.words + " " + w)
			l.cmd = find(table, l.words)
		case len(l.args) == 0 && find(table, l.words+" "+w) != nil:
			l.words += " " + w
			l.cmd = find(table, l.words)
		default:
			l.args = append(l.args, w)
		}
	}
	return l
}

// flags are those that may stand here: the options, and the flags of the command, or
// of all while it is open which one it will be.
func (l soFar) flags(table []command) []flagSpec {
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

// following are the words that may come after those of a command.
func following(table []command, words string) []suggestion {
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

// argument is the n-th of those that a command takes, as the usage has it, "" if there
// is none.
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

// literal is a value that is typed as it stands in the usage.
var literal = regexp.MustCompile(`^[a-z][a-z-]*$`)

// values are what an argument or a flag takes, as far as its usage names it.
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
