package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"linnet/internal/backend"
	"linnet/internal/config"
	"linnet/internal/exit"
	"linnet/internal/linnet"
)

// command is a row of the table of commands.
type command struct {
	name    string // its words: "user create"
	args    string // its arguments, for the usage: "NAME [WHAT]"
	help    string // imperative, three to nine words, without a full stop
	details string // whole sentences for the help of the command, can be empty
	flags   []flagSpec
	min     int // minimum number of arguments
	max     int // maximum number of arguments; -1: no maximum

	// password makes the process at the terminal read a password: from a prompt, standard input or
	// LINNET_PASSWORD.
	password bool

	// file makes the process at the terminal read the file in the last argument, up to
	// media.MaxBytes. The word "none" means no file.
	file bool

	// run executes the command in this process. With bare it needs no configuration. act executes
	// it on an open store: in the server that has the store, or in this process. If both are set,
	// run prepares the command and calls runOnStore.
	run  func(ctx context.Context, c *call) error
	bare bool
	act  func(ctx context.Context, c *call, b *backend.Backend) error

	// alone opens the store without services if no server has it, so that nothing changes in it.
	// act then uses only the engine and the files.
	alone bool
	// raw turns off escaping for terminals, because the command prints a file.
	raw bool
	// observes means that act writes nothing to Redis.
	observes bool
}

// flagSpec is a flag of one command. Without arg it is a switch.
type flagSpec struct {
	name    string
	arg     string
	help    string // short phrase without a full stop
	details string // whole sentences, can be empty
}

// findCommand returns the command with a name, or nil.
func findCommand(table []command, words string) *command {
	for i := range table {
		if table[i].name == words {
			return &table[i]
		}
	}
	return nil
}

// isPrefix reports whether words are the beginning of a longer name.
func isPrefix(table []command, words string) bool {
	for _, c := range table {
		if strings.HasPrefix(c.name, words+" ") {
			return true
		}
	}
	return false
}

// commandNames returns the names of all commands.
func commandNames(table []command) []string {
	var out []string
	for _, c := range table {
		out = append(out, c.name)
	}
	return out
}

// usageLine returns the usage of a command.
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

// call is one execution of a command.
type call struct {
	line   *line
	env    config.Environment
	cfg    *config.Config // nil for bare commands and in the server
	secret string         // password for the command
	file   []byte         // content of the file for the command; nil: none
	stream io.Reader      // file that the command reads while it runs; nil: none
	stdin  io.Reader
	stdout io.Writer
	stderr io.Writer
}

func (c *call) args() []string        { return c.line.args }
func (c *call) flag(name string) bool { return c.line.flags[name] == "true" }

func printJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// refused returns the error of an action that a service rejected. Errors of fields are named by
// field.
func refused(what string, err error) error {
	var e *linnet.Error
	if !errors.As(err, &e) {
		return fmt.Errorf("%s: %w", what, err)
	}
	f := &exit.Error{Code: exit.CodeOf(err), What: what, Cause: err}
	if len(e.Fields) > 0 {
		var parts []string
		for _, field := range e.Fields {
			parts = append(parts, field.Name+" "+field.Msg)
		}
		f.Cause = errors.New(strings.Join(parts, "; "))
	}
	if e.Kind == linnet.NotFound {
		f.Cause = errors.New("not found")
	}
	return f
}
