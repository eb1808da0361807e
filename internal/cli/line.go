package cli

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"linnet/internal/config"
	"linnet/internal/exit"
)

// line is a parsed command line.
type line struct {
	cmd     *command
	options map[string]string // options given as flags, by name
	flags   map[string]string // flags of the command
	args    []string
	help    bool // --help was given
}

// parseLine parses a command line. Flags can appear before, between and after words; "--" ends
// them.
func parseLine(table []command, args []string) (*line, error) {
	l := &line{options: map[string]string{}, flags: map[string]string{}}
	if len(args) == 1 && (args[0] == "--version" || args[0] == "-version") {
		args = []string{"version"} // a usual spelling
	}
	words, rest, err := l.words(table, args)
	if err != nil {
		return nil, err
	}
	if l.cmd == nil && l.help {
		return helpLine(table, words), nil
	}
	if l.cmd == nil && words == "" {
		l.cmd = &table[0]
	}
	if l.cmd == nil {
		return nil, unknownCommand(table, words, rest)
	}
	for {
		var ended bool
		if rest, ended, err = l.parse(rest, l.cmd.flags); err != nil {
			return nil, err
		}
		if ended || len(rest) == 0 {
			l.args = append(l.args, rest...)
			break
		}
		l.args, rest = append(l.args, rest[0]), rest[1:]
	}
	if l.help {
		return helpLine(table, l.cmd.name), nil
	}
	// l.words accepts the flags of all commands, because it does not know the command yet.
	for _, name := range slices.Sorted(maps.Keys(l.flags)) {
		if !slices.ContainsFunc(l.cmd.flags, func(s flagSpec) bool { return s.name == name }) {
			return nil, exit.UsageError(fmt.Sprintf("%s has no option --%s", l.cmd.name, name), "Usage: "+usageLine(l.cmd)+".")
		}
	}
	c := l.cmd
	n := len(l.args)
	if n >= c.min && (c.max < 0 || n <= c.max) {
		return l, nil
	}
	if n > c.max && c.max >= 0 {
		return l, exit.UsageError(fmt.Sprintf("%s does not accept %q", c.name, l.args[c.max]), "Usage: "+usageLine(c)+".")
	}
	return l, exit.UsageError(fmt.Sprintf("%s is missing an argument: %s", c.name, c.args), "Usage: "+usageLine(c)+".")
}

// helpLine returns the line "help WORDS" for a line with --help.
func helpLine(table []command, words string) *line {
	return &line{cmd: findCommand(table, "help"), args: strings.Fields(words)}
}

// words reads the name of the command and the flags before and between its words.
func (l *line) words(table []command, args []string) (words string, rest []string, err error) {
	// Flags can appear before the name of their command, so all flags are accepted here.
	var all []flagSpec
	for _, c := range table {
		all = append(all, c.flags...)
	}
	rest = args
	for l.cmd == nil {
		var ended bool
		if rest, ended, err = l.parse(rest, all); err != nil || len(rest) == 0 || ended {
			return words, rest, err
		}
		words = strings.TrimSpace(words + " " + rest[0])
		if l.cmd = findCommand(table, words); l.cmd == nil && !isPrefix(table, words) {
			return words, rest, nil
		}
		rest = rest[1:]
		if l.cmd != nil && len(rest) > 0 && findCommand(table, words+" "+rest[0]) != nil {
			l.cmd = nil // "backup verify" is a command, and not "backup" with an argument
		}
	}
	return words, rest, nil
}

// parse reads flags up to the first word. ended means that "--" ended the flags.
func (l *line) parse(args []string, specs []flagSpec) (rest []string, ended bool, err error) {
	set := flag.NewFlagSet("linnet", flag.ContinueOnError)
	set.SetOutput(io.Discard)
	set.Usage = func() {}
	keep := func(m map[string]string, name string) func(string) error {
		return func(text string) error { m[name] = text; return nil }
	}
	set.Func("config", "", keep(l.options, "config"))
	for _, o := range config.Options() {
		set.Func(o.Name, o.Help, keep(l.options, o.Name))
	}
	for _, s := range specs {
		if set.Lookup(s.name) != nil {
			continue
		}
		if s.arg == "" {
			set.BoolFunc(s.name, s.help, keep(l.flags, s.name))
		} else {
			set.Func(s.name, s.help, keep(l.flags, s.name))
		}
	}
	if err := set.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			l.help = true
			return l.parse(set.Args(), specs) // the command can follow
		}
		return nil, false, flagError(set, err)
	}
	rest = set.Args()
	used := len(args) - len(rest)
	return rest, used > 0 && args[used-1] == "--", nil
}

// flagError adds advice to an error of package flag. The package has no error types, so tests check
// the texts that are cut here.
func flagError(set *flag.FlagSet, err error) error {
	var known []string
	set.VisitAll(func(f *flag.Flag) { known = append(known, f.Name) })
	text := err.Error()
	if name, ok := strings.CutPrefix(text, "flag provided but not defined: -"); ok {
		return exit.UsageError("unknown option --"+name, exit.DidYouMean(name, known, "--", "See linnet help serve."))
	}
	if name, ok := strings.CutPrefix(text, "flag needs an argument: -"); ok {
		return exit.UsageError("option --"+name+" needs a value", "See linnet help serve.")
	}
	return exit.UsageError(text, "See linnet help.")
}

func unknownCommand(table []command, words string, rest []string) error {
	if isPrefix(table, words) {
		var follow []string
		for _, n := range commandNames(table) {
			if f, ok := strings.CutPrefix(n, words+" "); ok {
				follow = append(follow, f)
			}
		}
		return exit.UsageError(fmt.Sprintf("%s needs a subcommand: %s", words, strings.Join(follow, ", ")), "See linnet help "+words+".")
	}
	// The intended command can have more words than the ones read so far.
	try := ""
	for _, w := range append([]string{words}, rest[min(1, len(rest)):]...) {
		try = strings.TrimSpace(try + " " + w)
		if n := exit.Nearest(try, commandNames(table)); n != "" {
			return exit.UsageError(fmt.Sprintf("unknown command %q", words), "Did you mean linnet "+n+"?")
		}
	}
	if !strings.Contains(words, " ") && strings.Contains(words, ".") {
		return exit.UsageError(fmt.Sprintf("unknown command %q", words), "To serve that domain: linnet serve "+words+".")
	}
	return exit.UsageError(fmt.Sprintf("unknown command %q", words), "See linnet help.")
}

// forwarded returns the line for the server, without options, because the server has its own.
func (l *line) forwarded() []string {
	out := strings.Fields(l.cmd.name)
	for _, name := range slices.Sorted(maps.Keys(l.flags)) {
		out = append(out, "--"+name+"="+l.flags[name])
	}
	return append(append(out, "--"), l.args...)
}
