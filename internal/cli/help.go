package cli

import (
	"context"
	_ "embed" // overview.txt
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	"linnet/internal/config"
)

// overviewText lists the commands by task on one screen.
//
//go:embed overview.txt
var overviewText string

// help prints the overview, or explains the commands that begin with the given words.
func help(_ context.Context, c *call) error {
	words := strings.Join(c.args(), " ")
	if words == "" {
		_, err := io.WriteString(c.stdout, overviewText)
		return err
	}
	table := commands()
	switch cmd := findCommand(table, words); {
	case cmd != nil:
		return printHelp(c.stdout, cmd)
	case isPrefix(table, words):
		return printSubcommands(c.stdout, table, words)
	}
	return unknownCommand(table, words, c.args())
}

// printSubcommands lists the commands whose names begin with words.
func printSubcommands(w io.Writer, table []command, words string) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, c := range table {
		if strings.HasPrefix(c.name, words+" ") {
			fmt.Fprintf(t, "  linnet %s\t%s\n", strings.TrimSpace(c.name+" "+c.args), c.help)
		}
	}
	fmt.Fprintf(t, "\nDetails: linnet help %s SUBCOMMAND\n", words)
	return t.Flush()
}

// printHelp explains cmd: usage, details, flags, options of the server, examples and exit codes.
func printHelp(w io.Writer, cmd *command) error {
	fmt.Fprintf(w, "%s\n\n%s.\n", usageLine(cmd), cmd.help)
	for _, line := range wrapText(cmd.details, 80) {
		fmt.Fprintln(w, line)
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	if len(cmd.flags) > 0 {
		fmt.Fprintln(t)
		for _, f := range cmd.flags {
			printFlag(t, f.name+" "+f.arg, f.help, f.details)
		}
	}
	if cmd.name == "serve" {
		fmt.Fprint(t, "\nOptions: --NAME VALUE, LINNET_NAME in the environment, or LINNET_NAME=VALUE in linnet.conf.\n"+
			"The command line takes precedence over the environment, and the environment over the file.\n")
		for _, s := range config.Sections() {
			fmt.Fprintf(t, "\n%s\n", s.Title)
			for _, o := range s.Options {
				text := o.Help
				if o.Default != "" {
					text += ". Default: " + o.Default
				}
				printFlag(t, o.Name+" "+o.Arg, text, o.Details)
			}
		}
		fmt.Fprint(t, "\nConfiguration\n  --config FILE\tConfiguration file. Default: linnet.conf in the data directory\n")
	}
	for _, c := range commands() {
		if strings.HasPrefix(c.name, cmd.name+" ") {
			fmt.Fprintf(t, "\nSee also: linnet help %s\n", c.name)
		}
	}
	fmt.Fprintln(t, "\nExamples:")
	for _, line := range examples(cmd.name) {
		fmt.Fprintln(t, "  "+line)
	}
	fmt.Fprintln(t, "\nExit codes:")
	for _, e := range exitMeanings() {
		fmt.Fprintf(t, "  %d\t%s\n", e.code, e.means)
	}
	return t.Flush()
}

// printFlag writes a flag with its help, and the details wrapped below it.
func printFlag(w io.Writer, flag, help, details string) {
	fmt.Fprintf(w, "  --%s\t%s\n", strings.TrimSpace(flag), help)
	for _, line := range wrapText(details, 56) {
		fmt.Fprintf(w, "\t%s\n", line)
	}
}

// wrapText breaks text at spaces into lines of at most width characters.
func wrapText(text string, width int) (lines []string) {
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && utf8.RuneCountInString(line+" "+word) > width {
			lines, line = append(lines, line), ""
		}
		line = strings.TrimSpace(line + " " + word)
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

// exampleText contains the name of each command, followed by indented example lines. A test parses
// all of them.
//
//go:embed examples.txt
var exampleText string

// examples returns the examples of a command.
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
