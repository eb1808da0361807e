package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// help explains one command, or lists all.
func help(_ context.Context, c *call) error {
	words := strings.Join(c.args(), " ")
	if words == "" {
		return printHelp(c.stdout, &commands()[0])
	}
	table := commands()
	cmd := find(table, words)
	if cmd == nil {
		return unknownCommand(table, words, c.args())
	}
	return printHelp(c.stdout, cmd)
}

// printHelp explains cmd; for serve, which is what runs without words, it
// explains the whole program.
func printHelp(w io.Writer, cmd *command) error {
	if cmd.name == "serve" {
		return printOverview(w)
	}
	fmt.Fprintf(w, "%s\n\n%s.\n", usageLine(cmd), cmd.help)
	if len(cmd.flags) > 0 {
		fmt.Fprintln(w)
		t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		for _, f := range cmd.flags {
			fmt.Fprintf(t, "  --%s\t%s\n", strings.TrimSpace(f.name+" "+f.arg), f.help)
		}
		if err := t.Flush(); err != nil {
			return err
		}
	}
	return printExamples(w, cmd.name)
}

// printExamples shows how a command is used.
func printExamples(w io.Writer, name string) error {
	fmt.Fprintln(w, "\nExamples:")
	for _, line := range examples(name) {
		fmt.Fprintln(w, "  "+line)
	}
	return nil
}

func printOverview(w io.Writer) error {
	fmt.Fprint(w, "linnet - a microblogging server for your own people\n\nRun without words it serves on "+
		"http://127.0.0.1:8420 and keeps everything in one directory.\n\nCommands:\n")
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, c := range commands() {
		fmt.Fprintf(t, "  %s\t%s\n", strings.TrimSpace(c.name+" "+c.args), c.help)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprint(w, "\nOptions (--name, or LINNET_NAME in the environment or in linnet.conf):\n")
	for _, o := range options() {
		def := ""
		if o.def != "" {
			def = " (" + o.def + ")"
		}
		fmt.Fprintf(t, "  --%s %s\t%s%s\n", o.name, o.arg, o.help, def)
	}
	fmt.Fprintf(t, "  --config FILE\tConfiguration file (linnet.conf in the data directory)\n")
	if err := t.Flush(); err != nil {
		return err
	}
	return printExamples(w, "serve")
}

func usageLine(c *command) string {
	s := "linnet " + c.name
	if c.args != "" {
		s += " " + c.args
	}
	for _, f := range c.flags {
		s += " [--" + strings.TrimSpace(f.name+" "+f.arg) + "]"
	}
	return s
}
