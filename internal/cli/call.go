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

// command is one line of the table of commands.
type command struct {
	name    string // its words: "user create"
	args    string // its arguments, for the usage: "NAME [WHAT]"
	help    string // imperative, three to nine words, without a full stop
	details string // whole sentences for its own help page, may be empty
	flags   []flagSpec
	min     int // fewest arguments
	max     int // most arguments; -1: any number

	// password: the command takes a password by prompt, from standard input or
	// from LINNET_PASSWORD, wherever it is run in the end.
	password bool

	// file: the last argument names a file, which is read where the command is typed, up
	// to media.MaxBytes; the word "none" names none.
	file bool

	// run works in this process; with bare it needs no configuration. act works
	// on an open store: in the running server if it owns the store, else here.
	// Where both are set, run prepares in this process and calls runOnStore.
	run  func(ctx context.Context, c *call) error
	bare bool
	act  func(ctx context.Context, c *call, b *backend.Backend) error

	// alone: act takes the engine and the pictures and no more. Where no server has the
	// store it is opened without the service, so that nothing in it changes meanwhile.
	alone bool
	// raw: the command prints a file, which is not escaped for terminals.
	raw bool
	// observes: act writes nothing to a Redis.
	observes bool
}

// flagSpec is a flag of one command; with arg == "" it is a switch.
type flagSpec struct {
	name    string
	arg     string
	help    string // a short phrase without a full stop
	details string // whole sentences, may be empty
}

// call is one execution of a command.
type call struct {
	line   *line
	env    config.Environment
	cfg    *config.Config // nil for commands that need none, and in the server
	secret string         // the password that the command takes
	sent   []byte         // the file that the command takes; nil: none
	stream io.Reader      // the file that the command takes as it is read; nil: none
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

// refused is the fault of an act that social refused or could not do. What
// concerns a field is told by the field alone.
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
		f.Cause = errors.New("there is none")
	}
	return f
}
